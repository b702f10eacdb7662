package heartbeat

import (
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestHeartbeatsAtTheirBounds: names, counts and times that a reader takes, and those just beyond.
func TestHeartbeatsAtTheirBounds(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	good := func() *Beat {
		return &Beat{Instance: "a", Program: "v1", Started: now, Time: now, EverySeconds: 10, Serving: []Serving{{Alias: "stable", WeightsSHA256: strings.Repeat("0f", 32), Since: now}}}
	}
	early, late := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	for _, c := range []struct {
		change func(b *Beat)
		says   string // empty: it is taken
	}{
		{func(*Beat) {}, ""}, {func(b *Beat) { b.Instance = "" }, "instance"}, {func(b *Beat) { b.Instance = strings.Repeat("x", mostName) }, ""}, {func(b *Beat) { b.Instance = strings.Repeat("x", mostName+1) }, "instance"}, {func(b *Beat) { b.Instance = " x" }, "instance"}, {func(b *Beat) { b.Instance = "x y" }, "instance"},
		{func(b *Beat) { b.Instance = "!~" }, ""}, {func(b *Beat) { b.Program = "\x7f" }, "program"}, {func(b *Beat) { b.EverySeconds = 1 }, ""}, {func(b *Beat) { b.EverySeconds = 0.99 }, "every_seconds"}, {func(b *Beat) { b.EverySeconds = 300 }, ""}, {func(b *Beat) { b.EverySeconds = 300.1 }, "every_seconds"},
		{func(b *Beat) { b.Started = early }, ""}, {func(b *Beat) { b.Started = early.Add(-1) }, "era"}, {func(b *Beat) { b.Time = late }, ""}, {func(b *Beat) { b.Time = late.Add(time.Second) }, "era"}, {func(b *Beat) { b.Serving = append(b.Serving, b.Serving[0]) }, ""}, {func(b *Beat) { b.Serving = append(b.Serving, b.Serving[0], b.Serving[0]) }, "more than 2"}, {func(b *Beat) { b.Serving = nil }, ""},
		{func(b *Beat) { b.Serving[0].Alias = "" }, "alias"}, {func(b *Beat) { b.Serving[0].WeightsSHA256 = strings.Repeat("0f", 31) }, "weights_sha256"}, {func(b *Beat) { b.Serving[0].WeightsSHA256 = strings.Repeat("xy", 32) }, "weights_sha256"}, {func(b *Beat) { b.Serving[0].Term = -1 }, "count"}, {func(b *Beat) { b.Serving[0].Version = mostNumber }, ""},
		{func(b *Beat) { b.Serving[0].Version = mostNumber + 1 }, "count"}, {func(b *Beat) { b.Serving[0].Decisions = -1 }, "count"}, {func(b *Beat) { b.Serving[0].Since = early.Add(-1) }, "era"},
	} {
		b := good()
		c.change(b)
		if err := b.check(); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", b, err, c.says)
		}
	}
	for text, want := range map[string]string{"": "-", "a b\n": "a-b-", "é": "-", strings.Repeat("x", mostName+9): strings.Repeat("x", mostName)} {
		if got := named(text); got != want || !isName(got) {
			t.Errorf("%q is named %q", text, got)
		}
	}
}

// TestBytesOfAHeartbeat: as many as are allowed are written and read, and one more is not.
func TestBytesOfAHeartbeat(t *testing.T) {
	b := beat("a", noon)
	m, err := b.message(job, 1)
	if err != nil {
		t.Fatal(err)
	}
	b.Program = strings.Repeat("x", len(b.Program)+mostBytes-len(m.Value))
	if m, err = b.message(job, 1); err != nil || len(m.Value) != mostBytes {
		t.Fatalf("%d bytes, %v", len(m.Value), err)
	}
	if _, err := decode([]byte("a"), m.Value); err == nil || strings.Contains(err.Error(), "bytes") {
		t.Errorf("a long name and not the number of bytes is wrong: %v", err)
	}
	if _, err := decode([]byte("a"), append(m.Value, ' ')); err == nil || !strings.Contains(err.Error(), "more than 4096 bytes") {
		t.Errorf("a byte too many: %v", err)
	}
	b.Program += "x"
	if _, err := b.message(job, 1); err == nil || !strings.Contains(err.Error(), "it has 4097 bytes") {
		t.Errorf("a byte too many: %v", err)
	}
}

// TestWhenAHeartbeatWasWritten: the topic says it, and without that the reader.
func TestWhenAHeartbeatWasWritten(t *testing.T) {
	m, err := beat("a", noon).message(job, 1)
	if err != nil {
		t.Fatal(err)
	}
	for at, fresh := range map[int64]bool{-1: true, 0: false, noon.UnixMilli(): true} {
		r := NewReader(nil, topic, job)
		r.note(&kafka.Record{Key: m.Key, Value: m.Value, Timestamp: at}, noon)
		if got := len(r.Fleet.Known(noon)) == 1; got != fresh {
			t.Errorf("at %d: heard of %v", at, got)
		}
	}
	for ago, kept := range map[time.Duration]int{Forget - time.Nanosecond: 1, Forget: 0, -time.Hour: 1} {
		f := &Fleet{}
		if f.note(beat("a", noon), noon.Add(-ago), noon); len(f.all) != kept {
			t.Errorf("%v ago: %d", ago, len(f.all))
		}
	}
}
