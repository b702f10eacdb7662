package stream

import (
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Config is the section stream of the configuration: how the input topic is read, and how often state and
// weights are written.
type Config struct {
	// Start is where a job without a snapshot starts to read: earliest, latest, or a time such as
	// 2026-11-21T08:30:00Z.
	Start string `yaml:"start"`
	// DataLoss is what happens if the next records to read no longer exist: fail stops the job; earliest and latest
	// continue at the earliest or the latest record. Lost records are counted in each case.
	DataLoss kafka.LossPolicy `yaml:"data_loss"`
	// Snapshot is how often the learner's state is written.
	Snapshot Cadence `yaml:"snapshot"`
	// Publish is how often weights are written. Each publication first writes a snapshot.
	Publish Cadence `yaml:"publish"`
	// RejectLimit is the share of rejected records that stops a job, for example after a change of the schema of its
	// input.
	RejectLimit RejectLimit `yaml:"reject_limit"`
	// KeepVersions is the number of the newest weight documents that remain on the model topic. 1 to 10,000. With the default of
	// stream.publish.interval, 360 versions are those of one hour.
	KeepVersions int `yaml:"keep_versions"`
	// Labels is how many records may wait for their label, if record.key is set.
	Labels LabelBuffer `yaml:"labels"`
	// Decoders is the number of goroutines that decode records. 0 means one for each processor.
	Decoders int `yaml:"decoders"`
	// FetchBytes is the largest number of bytes of fetched records that are not learnt yet. Decompressed records take at
	// most half of it, or one batch more. 1 MiB to 4 GiB.
	FetchBytes int `yaml:"fetch_bytes"`
	// Standby is whether a second process of the job waits and follows the state while another one learns. It takes
	// over when the owner is silent or leaves. Set it for both processes.
	Standby bool `yaml:"standby"`
	// StandbyTimeout is how long the owner of the job may be silent before the standby process takes over, 1s to 1h.
	// An input without records does not make the owner silent.
	StandbyTimeout time.Duration `yaml:"standby_timeout"`
	// ShutdownTimeout is the longest time for the remaining work after a signal to stop, 1s to 1h.
	ShutdownTimeout time.Duration `yaml:"shutdown_timeout"`
}

// The named places to start; the third form is a time.
const (
	Earliest = "earliest"
	Latest   = "latest"
)

// Cadence is how often something is written: whichever of the two comes first; 0 switches one off.
type Cadence struct {
	// Records is the number of learnt records between two writes; 0 means that the number does not matter.
	Records int64 `yaml:"records"`
	// Interval is the time between two writes, if anything was learnt; 0 means that the time does not matter.
	Interval time.Duration `yaml:"interval"`
}

// due says whether it is time, records and elapsed after the last time.
func (c Cadence) due(records int64, elapsed time.Duration) bool {
	return c.Records > 0 && records >= c.Records || c.Interval > 0 && elapsed >= c.Interval
}

// DefaultConfig is the configuration of an empty section.
func DefaultConfig() Config {
	return Config{
		Start:        Earliest,
		DataLoss:     kafka.LossFails,
		Snapshot:     Cadence{Records: 1_000_000, Interval: 30 * time.Second},
		Publish:      Cadence{Interval: 10 * time.Second},
		RejectLimit:  RejectLimit{Share: .5, Window: 1000},
		KeepVersions: 10,
		Labels:       LabelBuffer{Records: 100_000, Bytes: 64 << 20},
		FetchBytes:   32 << 20,
		// Long enough for a pause of the process or of the network that passes.
		StandbyTimeout: 10 * time.Second,
		// Below the 30 s that Kubernetes gives a container after SIGTERM.
		ShutdownTimeout: 25 * time.Second,
	}
}

// withDefaults replaces every zero by its default, for programs that fill in only what they care about.
func (c Config) withDefaults() Config {
	standard := DefaultConfig()
	check.Default(&c.Start, standard.Start)
	check.Default(&c.DataLoss, standard.DataLoss)
	check.Default(&c.Snapshot, standard.Snapshot)
	check.Default(&c.Publish, standard.Publish)
	check.Default(&c.RejectLimit.Share, standard.RejectLimit.Share)
	check.Default(&c.RejectLimit.Window, standard.RejectLimit.Window)
	check.Default(&c.KeepVersions, standard.KeepVersions)
	check.Default(&c.Labels.Records, standard.Labels.Records)
	check.Default(&c.Labels.Bytes, standard.Labels.Bytes)
	check.Default(&c.FetchBytes, standard.FetchBytes)
	check.Default(&c.StandbyTimeout, standard.StandbyTimeout)
	check.Default(&c.ShutdownTimeout, standard.ShutdownTimeout)
	return c
}

// startTime returns the time that Start is, and false if it is earliest or latest.
func (c Config) startTime() (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, c.Start)
	return at, err == nil
}

// Validate returns every problem of the section. Nothing has a default here but decoders: see DefaultConfig.
func (c Config) Validate() []record.Problem {
	s := check.Section{Prefix: "stream."}
	if _, isTime := c.startTime(); !isTime && c.Start != Earliest && c.Start != Latest {
		s.Add("start", "%q is unknown: use earliest, latest or a time such as 2026-11-21T08:30:00Z", c.Start)
	}
	check.OneOf(&s, "data_loss", c.DataLoss, kafka.LossPolicies...)
	c.Snapshot.validate(&s, "snapshot")
	c.Publish.validate(&s, "publish")
	if !(c.RejectLimit.Share > 0 && c.RejectLimit.Share <= 1) {
		s.Add("reject_limit.share", "%v is outside (0, 1]", c.RejectLimit.Share)
	}
	check.Between(&s, "reject_limit.window", c.RejectLimit.Window, 10, 1_000_000)
	check.Between(&s, "keep_versions", c.KeepVersions, 1, 10_000)
	check.Between(&s, "labels.records", c.Labels.Records, 1, 1<<30)
	check.Between(&s, "labels.bytes", c.Labels.Bytes, 1<<20, 1<<40)
	check.Between(&s, "decoders", c.Decoders, 0, 1024)
	check.Between(&s, "fetch_bytes", c.FetchBytes, 1<<20, 4<<30)
	if c.StandbyTimeout < time.Second || c.StandbyTimeout > time.Hour {
		s.Add("standby_timeout", "%v is outside 1s to 1h", c.StandbyTimeout)
	}
	if c.ShutdownTimeout < time.Second || c.ShutdownTimeout > time.Hour {
		s.Add("shutdown_timeout", "%v is outside 1s to 1h", c.ShutdownTimeout)
	}
	return s.Problems
}

func (c Cadence) validate(s *check.Section, key string) {
	switch {
	case c.Records < 0:
		s.Add(key+".records", "%d is negative", c.Records)
	case c.Interval < 0 || c.Interval > 0 && c.Interval < 100*time.Millisecond:
		s.Add(key+".interval", "%v is too short: 100ms at least, or 0 to go by records alone", c.Interval)
	case c.Records == 0 && c.Interval == 0:
		s.Add(key, "records and interval are both 0: set one of them")
	}
}
