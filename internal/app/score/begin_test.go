package score

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/document"
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

// TestAFileThatCannotBeScored: whichever request for the weights is refused, whichever write fails, and by damaged weights, of classes and of numbers.
func TestAFileThatCannotBeScored(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Produce(t, j.Config.Topics.Input, apptest.JSON(300))
	j.Learn(t.Context(), t)
	of := func(asJSON bool) func(context.Context, *program.Streams) error {
		return func(ctx context.Context, s *program.Streams) error {
			return (&File{Streams: s, Config: j.Config, JSON: asJSON, Source: linesOf(apptest.CSV(60), record.CSV)}).Run(ctx)
		}
	}
	j.Refused(t, map[string]func(context.Context, *program.Streams) error{"csv": of(false)})
	apptest.Unwritten(t, map[string]func(context.Context, *program.Streams) error{"csv": of(false), "json": of(true)})
	var out apptest.Screen
	if err := (&File{Streams: &program.Streams{Out: &out, Err: &out}, Config: j.Config, Alias: "none", Source: linesOf(apptest.CSV(60), record.CSV)}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "has no alias none") {
		t.Errorf("by an alias that is not there: %v", err)
	}
	for _, yaml := range []string{ofSex, "record: {label: {field: pay}, ignore: [paid]}\nlearner: {task: regression}\n"} {
		d, err := document.Parse(learnt(t, yaml, apptest.CSV(600)))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(`{"columns":3}`))
		d.Model, d.WeightsSHA256 = []byte(`{"columns":3}`), hex.EncodeToString(sum[:])
		damaged, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		part := Part{Document: damaged, From: "w.json", Source: linesOf(apptest.CSV(60), record.CSV)}
		if found, err := part.Write(t.Context(), &out); err == nil || !strings.HasPrefix(err.Error(), "w.json: ") || found != nil {
			t.Errorf("damaged weights of %s: %v", d.Task, err)
		}
	}
}
