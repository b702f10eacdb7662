package score

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatCannotBegin says why: a log of no level, no brokers, a password of the schema registry or a document that is not there.
func TestWhatCannotBegin(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	j.Learn(t.Context(), t)
	for says, change := range map[string]func(*config.Config){
		"loud":          func(c *config.Config) { c.Log.Level = "loud" },
		"kafka.brokers": func(c *config.Config) { c.Kafka.Brokers = nil },
		"registry.password_file": func(c *config.Config) {
			c.Record.Format, c.Registry.URLs, c.Registry.Username, c.Registry.PasswordFile = record.Avro, []string{"http://127.0.0.1:1"}, "u", "missing"
		},
		"is no public key": func(c *config.Config) { c.Signing.PublicKeys = []string{"none"} },
		"nowhere":          func(c *config.Config) { c.Topics.Model = "nowhere" },
	} {
		loaded := *j.Config
		change(&loaded.Config)
		var out, notes apptest.Screen
		work := Topics{Streams: &program.Streams{Out: &out, Err: &notes}, Config: &loaded, From: "in", To: "decided", UntilEnd: true}
		if err := work.Run(t.Context()); err == nil || !strings.Contains(err.Error(), says) || out.String() != "" {
			t.Errorf("%s: %v\n%s", says, err, out.String())
		}
	}
}

// TestAClusterThatIsAway is told of, and waited for until the command is told to stop, which is a good end.
func TestAClusterThatIsAway(t *testing.T) {
	loaded := apptest.Load(t, "kafka: {brokers: [127.0.0.1:1]}\n"+strings.Replace(apptest.Loans, "log: {level: error}", "log: {level: warn}\nserver: {address: \"\"}", 1), config.Learning)
	var notes apptest.Screen
	work := Topics{Streams: &program.Streams{Out: &notes, Err: &notes}, Config: loaded, From: "in", To: "decided"}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- work.Run(ctx) }()
	const told = "kafka operation failed and is retried"
	for deadline := time.Now().Add(time.Minute); !strings.Contains(notes.String(), told); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it is not told:\n%s", notes.String())
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
