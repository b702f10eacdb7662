package process

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/pkg/record"
)

const sections = `record: {label: {field: y, positive: 1}}
constraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.05}]
`

// TestAJobThatFailsLeavesNothing: no connection and no goroutine, wherever it fails.
func TestAJobThatFailsLeavesNothing(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	base := config.Default()
	base.Topics.Input, base.Server.Address = "people", ""
	base.Kafka.Brokers = b.Addresses()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(sections), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		name, says string
		adjust     func(*config.Config)
	}{
		{"a key that is not there", "signing.private_key_file", func(c *config.Config) { c.Signing.PrivateKeyFile = "missing" }},
		{"topics that are not there", "verify people.models", func(c *config.Config) { c.Topics.Management = config.VerifyTopics }},
		{"topics that cannot be created", "replication", func(c *config.Config) { c.Topics.Replication = 3 }},
		{"a log of no level", "loud", func(c *config.Config) { c.Log.Level = "loud" }},
		{"a token that is not there", "server.token_file", func(c *config.Config) { c.Server.TokenFile = "missing" }},
		{"a port that is none", "server.address", func(c *config.Config) { c.Server.Address = "127.0.0.1:none" }},
		{"no brokers", "kafka.brokers", func(c *config.Config) { c.Kafka.Brokers = nil }},
		{"a password of the schema registry that is not there", "registry.password_file", func(c *config.Config) {
			c.Record.Format, c.Registry.URLs, c.Registry.Username, c.Registry.PasswordFile = record.Avro, []string{"http://127.0.0.1:1"}, "u", "missing"
		}},
	} {
		t.Run(one.name, func(t *testing.T) {
			existing := goleak.IgnoreCurrent()
			loaded, err := config.Load(config.Sources{Base: &base, Files: []string{file}}, config.Streaming)
			if err != nil {
				t.Fatal(err)
			}
			one.adjust(&loaded.Config) // which is not checked any more
			job := Job{Streams: &program.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, Kind: board.Run, Config: loaded, UntilEnd: loaded.Server.Address == ""}
			if err := job.Run(t.Context()); err == nil || !strings.Contains(err.Error(), one.says) {
				t.Errorf("error %v, want one that says %q", err, one.says)
			}
			ours := goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*clientConn).read") // of the broker
			if err := goleak.Find(existing, ours); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestATimeOfLabelsIsForFiles: a job whose configuration names one says that it has no effect.
func TestATimeOfLabelsIsForFiles(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, time := range []string{"", ", time: repaid_at"} {
		base := config.Default()
		base.Topics.Input, base.Topics.Management, base.Server.Address = "people", config.VerifyTopics, ""
		base.Kafka.Brokers = b.Addresses()
		file := filepath.Join(t.TempDir(), "config.yaml")
		text := strings.Replace(sections, "positive: 1}", "positive: 1"+time+"}, time: {field: applied_at}", 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, err := config.Load(config.Sources{Base: &base, Files: []string{file}}, config.Streaming)
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		job := Job{Streams: &program.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &log}, Kind: board.Run, Config: loaded, UntilEnd: true}
		if err := job.Run(t.Context()); err == nil {
			t.Fatal("the topic is not there")
		}
		if told := strings.Contains(log.String(), "record.label.time is for files"); told != (time != "") {
			t.Errorf("time of labels %q: %s", time, log.String())
		}
	}
}
