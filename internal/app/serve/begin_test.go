package serve

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/serve"
	"github.com/fairstream/fairstream/pkg/document"
)

// until waits for what happens on another goroutine.
func until(t *testing.T, happens func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !happens(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// TestWhatCannotBegin: without a cluster decisions are not logged and no document is followed, which are errors, and no heartbeat is written, which is told; without a token or a port nothing
// is served.
func TestWhatCannotBegin(t *testing.T) {
	t.Parallel()
	file := written(t, document.Classification, `{"field":"y","positive":"1"}`)
	d, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	run := func(model string, change func(c *config.Config)) error {
		c := apptest.Load(t, "kafka: {brokers: [127.0.0.1:1]}\n"+apptest.Loans, config.Learning)
		c.Serve.Address, c.Serve.Drain = "127.0.0.1:0", 0
		change(&c.Config)
		return (&Server{Streams: &program.Streams{Out: io.Discard, Err: io.Discard}, Config: c, Model: model}).Run(t.Context())
	}
	for name, c := range map[string]struct {
		model  string
		change func(c *config.Config)
		says   string
	}{
		"a log without a cluster":         {file, func(c *config.Config) { c.Serve.Log, c.Kafka.Brokers = config.LogWait, nil }, "broker"},
		"a document without a cluster":    {"", func(c *config.Config) { c.Kafka.Brokers = nil }, "broker"},
		"a token that is not there":       {file, func(c *config.Config) { c.Serve.Log, c.Server.TokenFile = config.LogNone, "none" }, "server.token_file: cannot be read"},
		"a port that another process has": {file, func(c *config.Config) { c.Serve.Log, c.Serve.Address = config.LogNone, taken.Addr().String() }, "in use"},
	} {
		if err := run(c.model, c.change); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, logs := watched(&apptest.Job{Config: apptest.Load(t, "kafka: {brokers: [127.0.0.1:1]}\n"+apptest.Loans, config.Learning)})
	s, err := serve.New(serve.Options{Job: "loans", Models: serve.Fixed(d), Records: 1, BodyBytes: 1 << 10, Concurrency: 1, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c.Config.Serve.Heartbeat, c.Config.Kafka.Brokers = time.Hour, nil
	c.beat(t.Context(), s, &net.TCPAddr{Port: 1})()
	if said := logs.FilterMessage("no heartbeats are written: the page and models list do not show this instance").All(); len(said) != 1 || said[0].ContextMap()["error"] == nil {
		t.Errorf("%v", logs.All())
	}
}
