package cloudevents

import (
	"maps"
	"testing"
	"time"
)

// TestHeaders: the attributes that CloudEvents 1.0 requires are always there, with the names of its Kafka binding; those that are optional, where they
// are known.
func TestHeaders(t *testing.T) {
	required := map[string]string{"ce_id": "7", "ce_type": "com.example.alarm", "ce_source": "/fairstream/loans", "ce_specversion": "1.0", "content-type": "application/json"}
	with := func(more map[string]string) map[string]string {
		all := maps.Clone(required)
		maps.Copy(all, more)
		return all
	}
	noon := time.Date(2026, 3, 1, 13, 0, 0, 5_000_000, time.FixedZone("CET", 3600))
	for name, test := range map[string]struct {
		change func(*Event)
		want   map[string]string
	}{
		"required alone": {func(*Event) {}, required},
		"a subject":      {func(e *Event) { e.Subject = "sex" }, with(map[string]string{"ce_subject": "sex"})},
		"a time":         {func(e *Event) { e.Time = noon }, with(map[string]string{"ce_time": "2026-03-01T12:00:00.005Z"})},
	} {
		e := Event{ID: "7", Type: "com.example.alarm", Source: Source("loans")}
		test.change(&e)
		got := map[string]string{}
		for _, h := range e.Headers() {
			if _, twice := got[h.Key]; twice {
				t.Errorf("%s: %s is there twice", name, h.Key)
			}
			got[h.Key] = string(h.Value)
		}
		if !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
