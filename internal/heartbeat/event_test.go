package heartbeat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// TestAHeartbeatIsAnEvent: key, attributes and value, and the same heartbeat is read back.
func TestAHeartbeatIsAnEvent(t *testing.T) {
	b := beat("desk-1:8470", noon)
	m, err := b.message(job, 4)
	if err != nil {
		t.Fatal(err)
	}
	if string(m.Key) != "loans/serve/desk-1:8470" || m.Timestamp != noon.UnixMilli() {
		t.Errorf("key %s, time %d", m.Key, m.Timestamp)
	}
	attributes := map[string]string{}
	for _, h := range m.Headers {
		attributes[h.Key] = string(h.Value)
	}
	for name, want := range map[string]string{"ce_id": fmt.Sprintf("serve/desk-1:8470/%d/4", noon.Add(-time.Hour).UnixMilli()), "ce_type": "io.fairstream.serve.heartbeat.v1",
		"ce_source": "/fairstream/loans", "ce_subject": "serve", "ce_time": "2026-11-24T12:00:00Z", "content-type": "application/json"} {
		if attributes[name] != want {
			t.Errorf("%s is %q, want %q", name, attributes[name], want)
		}
	}
	back, err := parse(job, &kafka.Record{Key: m.Key, Value: m.Value})
	if err != nil || back == nil || fmt.Sprint(*back) != fmt.Sprint(*b) {
		t.Errorf("read back: %+v, %v", back, err)
	}
	for _, other := range []string{"loans", "loans/other", "mortgages/serve/desk-1:8470", ""} {
		if b, err := parse(job, &kafka.Record{Key: []byte(other), Value: []byte("{")}); b != nil || err != nil {
			t.Errorf("key %q: %+v, %v", other, b, err)
		}
	}
}

// TestTheLargestHeartbeat of names that are as long as they may be, each of which JSON makes longer, is one that a reader takes.
func TestTheLargestHeartbeat(t *testing.T) {
	long := named(strings.Repeat("é", mostName))
	b := beat(long, noon)
	b.Program, b.Serving = long, []Serving{serving(long, mostNumber, noon), serving(long, mostNumber, noon)}
	m, err := b.message(job, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(job, &kafka.Record{Key: m.Key, Value: m.Value}); err != nil {
		t.Errorf("%d bytes: %v", len(m.Value), err)
	}
	b.Serving[0].Alias = strings.Repeat("<", mostName) // six bytes each in JSON
	b.Serving[1].Alias, b.Program = b.Serving[0].Alias, b.Serving[0].Alias
	if _, err := b.message(job, 1); err == nil {
		t.Error("a heartbeat beyond 4 KiB is written")
	}
}

// TestForgeries: whatever is no heartbeat of ours is refused by its first flaw.
func TestForgeries(t *testing.T) {
	for want, change := range map[string]func(*Beat){
		"instance is not that": func(b *Beat) { b.Instance = "other" },
		"instance is not a":    func(b *Beat) { b.Instance = "" },
		"program is":           func(b *Beat) { b.Program = "v1\x1b[2J" },
		"every_seconds is":     func(b *Beat) { b.EverySeconds = 1e9 },
		"started or time":      func(b *Beat) { b.Started = time.Time{} },
		"more than 2":          func(b *Beat) { b.Serving = make([]Serving, 3) },
		"alias is":             func(b *Beat) { b.Serving[0].Alias = "a\u202eb" },
		"weights_sha256":       func(b *Beat) { b.Serving[0].WeightsSHA256 = "5d1c" },
		"no count":             func(b *Beat) { b.Serving[0].Decisions = -1 },
		"term, version":        func(b *Beat) { b.Serving[0].Version = mostNumber + 1 },
		"since":                func(b *Beat) { b.Serving[0].Since = time.Time{} },
		"more than 4096":       func(b *Beat) { b.Program = strings.Repeat("v", mostBytes) },
	} {
		b := beat("desk", noon)
		change(b)
		value, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		instance := "desk"
		if b.Instance == "" {
			instance = ""
		}
		if _, err = decode([]byte(instance), value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	for _, value := range []string{"", "null", "[]", "{", `{"every_seconds":1e400}`, `{"serving":{}}`, "\x00", strings.Repeat("[", 4000)} {
		if _, err := decode([]byte("desk"), []byte(value)); err == nil {
			t.Errorf("%.20q is a heartbeat", value)
		}
	}
}

// FuzzHeartbeat: what is taken can be shown, and written again.
func FuzzHeartbeat(f *testing.F) {
	m, err := beat("desk", noon).message(job, 1)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("desk", m.Value)
	f.Add("", []byte("null"))
	f.Fuzz(func(t *testing.T, instance string, value []byte) {
		b, err := parse(job, &kafka.Record{Key: []byte(keyPrefix(job) + instance), Value: value, Timestamp: int64(len(value))})
		if err != nil {
			return
		}
		if b.check() != nil || !isName(b.Instance) || b.every() < Shortest || b.every() > Longest {
			t.Errorf("taken: %+v", b)
		}
		if _, err := json.Marshal(b); err != nil {
			t.Errorf("%+v: %v", b, err)
		}
	})
}
