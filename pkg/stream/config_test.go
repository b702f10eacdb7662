package stream

import (
	"math"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestDefaultsOfTheSection are those that its keys document; what is set stays.
func TestDefaultsOfTheSection(t *testing.T) {
	want := Config{Start: "earliest", DataLoss: kafka.LossFails, Snapshot: Cadence{1_000_000, 30 * time.Second}, Publish: Cadence{0, 10 * time.Second},
		RejectLimit: intake.RejectLimit{Share: .5, Window: 1000}, KeepVersions: 10, FetchBytes: 33_554_432, StandbyTimeout: 10 * time.Second, ShutdownTimeout: 25 * time.Second}
	if got := (Config{}).withDefaults(); got != want || DefaultConfig() != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if problems := want.Validate(); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	set := Config{Start: "latest", DataLoss: "continue", Snapshot: Cadence{5, 0}, Publish: Cadence{7, time.Minute}, RejectLimit: intake.RejectLimit{Share: 1, Window: 20}, KeepVersions: 2,
		FetchBytes: 1 << 21, StandbyTimeout: time.Minute, ShutdownTimeout: time.Hour}
	if got := set.withDefaults(); got != set {
		t.Errorf("%+v, want %+v", got, set)
	}
}

// TestTheSectionIsChecked: each key at its bounds, and just beyond them.
func TestTheSectionIsChecked(t *testing.T) {
	for path, c := range map[string]struct{ good, bad []func(*Config) }{
		"stream.start": {[]func(*Config){func(c *Config) { c.Start = "latest" }, func(c *Config) { c.Start = "2026-11-21T08:30:00Z" }},
			[]func(*Config){func(c *Config) { c.Start = "" }, func(c *Config) { c.Start = "2026-11-21" }}},
		"stream.data_loss": {nil, []func(*Config){func(c *Config) { c.DataLoss = "ignore" }}},
		"stream.snapshot": {[]func(*Config){func(c *Config) { c.Snapshot = Cadence{1, 0} }, func(c *Config) { c.Snapshot = Cadence{0, 100 * time.Millisecond} }},
			[]func(*Config){func(c *Config) { c.Snapshot = Cadence{} }}},
		"stream.snapshot.records":  {nil, []func(*Config){func(c *Config) { c.Snapshot.Records = -1 }}},
		"stream.snapshot.interval": {nil, []func(*Config){func(c *Config) { c.Snapshot.Interval = 100*time.Millisecond - 1 }, func(c *Config) { c.Snapshot.Interval = -time.Hour }, func(c *Config) { c.Snapshot.Interval = 1 }}},
		"stream.publish":           {nil, []func(*Config){func(c *Config) { c.Publish = Cadence{} }}},
		"stream.publish.records":   {nil, []func(*Config){func(c *Config) { c.Publish.Records = -1 }}},
		"stream.reject_limit.share": {[]func(*Config){func(c *Config) { c.RejectLimit.Share = 1 }, func(c *Config) { c.RejectLimit.Share = 1e-9 }},
			[]func(*Config){func(c *Config) { c.RejectLimit.Share = 0 }, func(c *Config) { c.RejectLimit.Share = 1.01 }, func(c *Config) { c.RejectLimit.Share = math.NaN() }}},
		"stream.reject_limit.window": {[]func(*Config){func(c *Config) { c.RejectLimit.Window = 10 }, func(c *Config) { c.RejectLimit.Window = 1_000_000 }},
			[]func(*Config){func(c *Config) { c.RejectLimit.Window = 9 }, func(c *Config) { c.RejectLimit.Window = 1_000_001 }}},
		"stream.keep_versions": {[]func(*Config){func(c *Config) { c.KeepVersions = 1 }, func(c *Config) { c.KeepVersions = 10_000 }},
			[]func(*Config){func(c *Config) { c.KeepVersions = 0 }, func(c *Config) { c.KeepVersions = 10_001 }}},
		"stream.labels.records": {[]func(*Config){func(c *Config) { c.Labels.Records = 1 << 40 }}, []func(*Config){func(c *Config) { c.Labels.Records = -1 }, func(c *Config) { c.Labels.Records = 1<<40 + 1 }}},
		"stream.labels.bytes": {[]func(*Config){func(c *Config) { c.Labels.Bytes = 1 << 20 }, func(c *Config) { c.Labels.Bytes = 1 << 50 }},
			[]func(*Config){func(c *Config) { c.Labels.Bytes = 1<<20 - 1 }, func(c *Config) { c.Labels.Bytes = 1<<50 + 1 }}},
		"stream.labels.age": {[]func(*Config){func(c *Config) { c.Labels.Age = time.Second }, func(c *Config) { c.Labels.Age = 175_200 * time.Hour }},
			[]func(*Config){func(c *Config) { c.Labels.Age = time.Second - 1 }, func(c *Config) { c.Labels.Age = 175_200*time.Hour + 1 }, func(c *Config) { c.Labels.Age = -time.Hour }}},
		"stream.labels.order": {[]func(*Config){func(c *Config) { c.Labels.Order = "labels" }}, []func(*Config){func(c *Config) { c.Labels.Order = "time" }}},
		"stream.decoders":     {[]func(*Config){func(c *Config) { c.Decoders = 1024 }}, []func(*Config){func(c *Config) { c.Decoders = -1 }, func(c *Config) { c.Decoders = 1025 }}},
		"stream.fetch_bytes": {[]func(*Config){func(c *Config) { c.FetchBytes = 1 << 20 }, func(c *Config) { c.FetchBytes = 4 << 30 }},
			[]func(*Config){func(c *Config) { c.FetchBytes = 1<<20 - 1 }, func(c *Config) { c.FetchBytes = 4<<30 + 1 }}},
		"stream.standby_timeout": {[]func(*Config){func(c *Config) { c.StandbyTimeout = time.Second }, func(c *Config) { c.StandbyTimeout = time.Hour }},
			[]func(*Config){func(c *Config) { c.StandbyTimeout = time.Second - 1 }, func(c *Config) { c.StandbyTimeout = time.Hour + 1 }}},
		"stream.shutdown_timeout": {[]func(*Config){func(c *Config) { c.ShutdownTimeout = time.Second }, func(c *Config) { c.ShutdownTimeout = time.Hour }},
			[]func(*Config){func(c *Config) { c.ShutdownTimeout = time.Second - 1 }, func(c *Config) { c.ShutdownTimeout = time.Hour + 1 }}},
	} {
		for i, set := range c.good {
			one := DefaultConfig()
			if set(&one); len(one.Validate()) > 0 {
				t.Errorf("%s, good value %d: %v", path, i, one.Validate())
			}
		}
		for i, set := range c.bad {
			one := DefaultConfig()
			if set(&one); len(one.Validate()) != 1 || one.Validate()[0].Path != path {
				t.Errorf("%s, bad value %d: %v", path, i, one.Validate())
			}
		}
	}
}
