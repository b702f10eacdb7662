package monitor

import (
	"testing"
	"time"
)

// TestDefaultsOfAMonitor are those that are documented; what is set stays.
func TestDefaultsOfAMonitor(t *testing.T) {
	want := Config{Confidence: .95, Level: .95, MinimumRecords: 30, Window: 10_000, Period: 24 * time.Hour, Look: 64, RunLength: 50_000}
	if got := (Config{}).WithDefaults(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	set := Config{Confidence: .9, Level: .8, MinimumRecords: 5, Window: 500, Period: time.Hour, Look: 1, RunLength: 100}
	if got := set.WithDefaults(); got != set {
		t.Errorf("%+v, want %+v", got, set)
	}
}
