package serve

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/serve"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// watched is a server of a job that does not listen, and what it logs.
func watched(j *apptest.Job) (*Server, *observer.ObservedLogs) {
	core, logs := observer.New(zap.InfoLevel)
	there := false
	return &Server{Streams: &program.Streams{Out: io.Discard, Err: io.Discard}, Config: j.Config, logger: zap.New(core),
		monitor: server.NewDeciding(server.DecidingOptions{Job: "loans", HasDocument: func() bool { there = !there; return there }})}, logs
}

// written is a file with a document of a label.
func written(t *testing.T, task document.Task, label string) string {
	t.Helper()
	encoder, err := features.NewFrozen(features.Parts{Columns: []features.Column{{Name: "a", Kind: features.Levelled}}, Levels: []features.Level{{Weight: 1, Text: "x"}}, Size: 2})
	if err != nil {
		t.Fatal(err)
	}
	d, err := document.New(task, encoder.Parts(), make([]float64, encoder.Size()))
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = document.NewConfig([]byte(`{"record":{"label":` + label + `},"learner":{"task":"` + string(task) + `","level":0.9,"minimum_records":5,"window":256},"constraints":[]}`)); err != nil {
		t.Fatal(err)
	}
	text, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "weights.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTheTopicOfDecisions: it has the partitions of the topic of records, which is waited for, or one where none is named, is said to be made once, and is not made where topics are
// only verified.
func TestTheTopicOfDecisions(t *testing.T) {
	t.Parallel()
	j := apptest.NewJob(t, apptest.Loans)
	if _, err := j.Client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "wide", Kind: kafka.InputTopic, Partitions: 3, ReplicationFactor: j.Config.Topics.Replication}); err != nil {
		t.Fatal(err)
	}
	c, logs := watched(j)
	for _, one := range []struct {
		input, to  string
		manage     config.Management
		partitions int // 0: it is not made
		said       int
	}{
		{"wide", "of wide", config.VerifyTopics, 0, 0}, {"wide", "of wide", config.CreateTopics, 3, 1}, {"wide", "of wide", config.CreateTopics, 3, 0}, {"wide", "of wide", config.VerifyTopics, 3, 0},
		{"", "of none", config.CreateTopics, 1, 1}, {"absent", "of absent", config.CreateTopics, 0, 0},
	} {
		one.to = strings.ReplaceAll(one.to, " ", "-")
		c.Config.Topics.Input, c.Config.Serve.Topic, c.Config.Topics.Management = one.input, one.to, one.manage
		err := c.prepare(t.Context(), j.Client)
		if (err == nil) != (one.partitions > 0) {
			t.Errorf("%+v: %v", one, err)
		}
		if topic, err := j.Client.Topic(t.Context(), one.to); err == nil && topic.Partitions != one.partitions || (err == nil) != (one.partitions > 0) {
			t.Errorf("%+v: %+v, %v", one, topic, err)
		}
		if said := logs.TakeAll(); len(said) != one.said || one.said > 0 && said[0].ContextMap()["partitions"] != int64(one.partitions) {
			t.Errorf("%+v: %v", one, said)
		}
	}
	c.Config.Serve.Log = config.LogWait
	var options serve.Options
	end, err := c.log(t.Context(), &options)
	if err != nil || options.Log == nil {
		t.Fatalf("no log: %v", err)
	}
	if err := end(); err != nil || logs.Len() > 0 {
		t.Errorf("the end of a log that lost nothing: %v, %v", err, logs.All())
	}
	c.Config.Serve.Log, options.Log = config.LogNone, nil
	if end, err := c.log(t.Context(), &options); err != nil || options.Log != nil || end() != nil {
		t.Errorf("a log without a topic: %v", err)
	}
}

// TestHeartbeatsThatAreDropped: a topic that is not there is told of once, and where none are written nothing begins.
func TestHeartbeatsThatAreDropped(t *testing.T) {
	t.Parallel()
	j := apptest.NewJob(t, apptest.Loans)
	c, logs := watched(j)
	address := &net.TCPAddr{Port: 8090}
	c.Config.Serve.Heartbeat = 0
	c.beat(t.Context(), nil, address)()
	if c.poke(); c.beats.Load() != nil {
		t.Error("heartbeats are written without serve.heartbeat")
	}
	c.Config.Serve.Heartbeat, c.Config.Topics.Events = time.Hour, "absent"
	d, err := read(written(t, document.Classification, `{"field":"y","positive":"1"}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := serve.New(serve.Options{Job: "loans", Models: serve.Fixed(d), Records: 1, BodyBytes: 1 << 10, Concurrency: 1, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	end := c.beat(t.Context(), s, address)
	until(t, func() bool {
		c.poke()
		return logs.Len() > 0
	})
	made := kafka.TopicSpec{Name: "absent", Kind: kafka.InputTopic, Partitions: 1, ReplicationFactor: j.Config.Topics.Replication}
	dropped := logs.Len()
	if _, err := j.Client.CreateTopics(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool {
		c.poke()
		return logs.FilterMessage("heartbeats are written again").Len() > 0
	})
	end()
	if dropped != 1 || logs.Len() != 2 {
		t.Errorf("%v", logs.All())
	}
	if said := logs.FilterMessage("a heartbeat is dropped: decisions are not affected").All(); len(said) != 1 || said[0].ContextMap()["topic"] != "absent" || said[0].ContextMap()["error"] == nil {
		t.Errorf("%v", logs.All())
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if got := instance(address); got != net.JoinHostPort(host, "8090") {
		t.Error(got)
	}
	if got := instance(&net.UnixAddr{Name: "socket"}); got != host {
		t.Error(got)
	}
	if first, second := c.ready(), c.ready(); !first || second {
		t.Errorf("ready with a document %t, without one %t", first, second)
	}
}

// TestNothingToExplore: predictions are not explored; without exploring, the file is read, and what comes next is looked at.
func TestNothingToExplore(t *testing.T) {
	t.Parallel()
	numbers, classes := written(t, document.Regression, `{"field":"y"}`), written(t, document.Classification, `{"field":"y","positive":"1"}`)
	for _, one := range []struct {
		file    string
		explore float64
		refused bool
	}{{numbers, .1, true}, {numbers, 0, false}, {classes, .1, false}, {classes, 0, false}} {
		c := apptest.Load(t, "log: {level: info}\n", config.Deciding)
		c.Serve.Explore, c.Serve.Address, c.Log.Level = one.explore, "", "loud"
		err := (&Server{Streams: &program.Streams{Out: io.Discard, Err: io.Discard}, Config: c, Model: one.file}).Run(t.Context())
		if errors.Is(err, scoring.ErrNothingToExplore) != one.refused || !one.refused && (err == nil || !strings.Contains(err.Error(), "loud")) {
			t.Errorf("%+v: %v", one, err)
		}
	}
}
