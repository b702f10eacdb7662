package scoring

import (
	"context"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/follow"
)

// TestANewJobBeginsWhereItIsTold: with Latest behind the records that are there, else with the first; an old job where it ended. It has a client of its own, which
// it closes, and as many workers as processors.
func TestANewJobBeginsWhereItIsTold(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	w := newWorld(t, b.Addresses()[0], 60)
	w.put(0, 30)
	scored := func(job string, latest bool) int64 {
		t.Helper()
		options := w.options()
		options.Kafka, options.Job, options.Latest, options.Workers = w.config, job, latest, 0
		s, err := New(options)
		must(t, err)
		must(t, s.Run(t.Context()))
		status := s.Status()
		for partition := range int32(partitions) {
			if end := status.Ends[partition]; status.Next[partition] != end && end != 0 {
				t.Errorf("job %s: partition %d is read to %d of %d", job, partition, status.Next[partition], end)
			}
		}
		if err := s.Run(t.Context()); err == nil {
			t.Errorf("job %s goes on with a client that is closed", job)
		}
		return status.Scored + status.Rejected
	}
	if n := scored("new", true); n != 0 {
		t.Errorf("behind all records %d were decided", n)
	}
	if n := scored(w.base, false); n != 30 {
		t.Errorf("from the first on %d were decided", n)
	}
	w.put(30, 60)
	if n := scored(w.base, true); n != 30 {
		t.Errorf("of a job that goes on %d were decided", n)
	}
	w.check(60, nil)
	ended, end := context.WithCancel(t.Context())
	end()
	s, err := prepare(w.client, w.options())
	must(t, err)
	if err := s.Run(ended); err == nil {
		t.Error("it ran although the context had ended")
	}
	options := w.options()
	options.Kafka = kafka.Config{}
	if _, err := New(options); err == nil || strings.TrimSpace(err.Error()) == "" {
		t.Errorf("without a broker: %v", err)
	}
}

// TestIdentifiersOfRecords: the field of Options.ID identifies records, where the document names none.
func TestIdentifiersOfRecords(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	w := newWorld(t, b.Addresses()[0], 1)
	m, err := w.follower("").Wait(t.Context())
	must(t, err)
	var d *Decider
	for id, want := range map[string]string{"who": "7", "": ""} {
		if d, err = (*Decider)(nil).of(m, &Options{ID: id}); err != nil {
			t.Fatal(err)
		}
		d.Decide([]byte(`{"who":7,"age":39}`))
		if got := string(d.record.ID); got != want {
			t.Errorf("identified by %q: %q, want %q", id, got, want)
		}
	}
	if again, err := d.of(m, &Options{}); again != d || err != nil {
		t.Error("the same document is read twice")
	}
	if none, err := d.of(nil, &Options{}); none != nil || err != nil {
		t.Error("no document decides")
	}
	message, _, _ := newWriter(&Options{From: "records"}).message(12, &kafka.Record{Offset: 345, Key: []byte("k"), Value: []byte(`{"age":39}`)}, d, nil)
	if want := `,"source":{"topic":"records","partition":12,"offset":345}}`; !strings.HasSuffix(string(message.Value), want) || string(message.Headers[0].Value) != "records/12/345" || string(message.Key) != "k" {
		t.Errorf("%s, of %s, want it to end with %s", message.Value, message.Headers[0].Value, want)
	}
	later := *m
	later.Term = 12
	for want, of := range map[string]*follow.Model{`,"version":2000,"term":1,"alias":"latest"`: m, `,"version":2000,"term":12,"alias":"latest"`: &later} {
		if d, err = d.of(of, &Options{}); err != nil || string(d.Tail()) != want {
			t.Errorf("a decision ends with %s, want %s: %v", d.Tail(), want, err)
		}
	}
}
