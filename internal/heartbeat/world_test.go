package heartbeat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

const (
	job   = "loans"
	topic = "loans.events"
)

// log is a topic in memory, whose operations fail on command.
type log struct {
	mutex   sync.Mutex
	start   int64
	records []kafka.Record
	failure error
	read    int // records that were read
}

func (l *log) fail(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.failure = err
}

func (l *log) Bounds(context.Context, string) ([]kafka.Bounds, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return []kafka.Bounds{{Start: l.start, End: l.start + int64(len(l.records))}}, l.failure
}

func (l *log) OffsetsAt(_ context.Context, _ string, at time.Time) ([]int64, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	i := slices.IndexFunc(l.records, func(r kafka.Record) bool { return r.Timestamp >= at.UnixMilli() })
	if i < 0 {
		i = len(l.records)
	}
	return []int64{l.start + int64(i)}, l.failure
}

func (l *log) Read(_ context.Context, _ string, _ int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if from < l.start || to > l.start+int64(len(l.records)) {
		return from, errors.New("out of range")
	}
	for i := from; i < to; i++ {
		l.read++
		if err := use(&l.records[i-l.start]); err != nil {
			return i, err
		}
	}
	return to, l.failure
}

func (l *log) write(_ context.Context, m kafka.Message) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.failure == nil {
		l.records = append(l.records, kafka.Record{Offset: l.start + int64(len(l.records)), Timestamp: m.Timestamp, Key: m.Key, Value: m.Value})
	}
	return l.failure
}

// values are the heartbeats of the log.
func (l *log) values(t *testing.T) (all []*Beat) {
	t.Helper()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for i := range l.records {
		b, err := parse(job, &l.records[i])
		if err != nil || b == nil {
			t.Fatalf("%s: %v", l.records[i].Value, err)
		}
		all = append(all, b)
	}
	return all
}

func beat(instance string, at time.Time) *Beat {
	return &Beat{Instance: instance, Program: "v1.2.3", Started: at.Add(-time.Hour), Time: at, EverySeconds: 10, Serving: []Serving{serving("stable", 3000, at.Add(-time.Minute))}}
}

func serving(alias string, version int64, since time.Time) Serving {
	return Serving{Alias: alias, Term: 1, Version: version, WeightsSHA256: strings.Repeat("5d", 32), Since: since, Decisions: 7}
}

// put writes a heartbeat.
func (l *log) put(t *testing.T, b *Beat) {
	t.Helper()
	m, err := b.message(job, 1)
	if err == nil {
		err = l.write(t.Context(), m)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func names(all []Instance) string {
	var names []string
	for _, one := range all {
		name := one.Beat.Instance
		if one.Silent {
			name += " silent"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
