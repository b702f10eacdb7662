package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/signature"
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
	RejectLimit intake.RejectLimit `yaml:"reject_limit"`
	// KeepVersions is the number of the newest weight documents that remain on the model topic. 1 to 10,000. With the default of
	// stream.publish.interval, 360 versions are those of one hour.
	KeepVersions int `yaml:"keep_versions"`
	// Labels is how many records may wait for their label, if record.key is set.
	Labels intake.LabelBuffer `yaml:"labels"`
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
		RejectLimit:  intake.RejectLimit{Share: .5, Window: 1000},
		KeepVersions: 10,
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
	check.Between(&s, "labels.records", c.Labels.Records, 0, 1<<40)
	if c.Labels.Bytes != 0 {
		check.Between(&s, "labels.bytes", c.Labels.Bytes, 1<<20, 1<<50)
	}
	if age := c.Labels.Age; age != 0 && (age < time.Second || age > 20*365*24*time.Hour) {
		s.Add("labels.age", "%v is outside 1s to 175200h; 0 means no limit", age)
	}
	if c.Labels.Order != "" {
		check.OneOf(&s, "labels.order", c.Labels.Order, intake.Orders...)
	}
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

// historyTopic is the history topic of the job.
func (o *Options) historyTopic(cluster Cluster) chronicle.Topic {
	return chronicle.Topic{Cluster: cluster, Name: o.Topics.History, Job: o.Job, Signer: o.Signer, Verifier: o.Verifier, Patience: o.StandbyTimeout}
}

// whoOf names the responsible for what this process writes.
func (o Options) whoOf() history.Who {
	return history.Who{Service: cmp.Or(o.Service, "fairstream run"), Program: o.Program, Host: owner.Hostname(), Actor: o.Actor, Reason: o.Reason}
}

// modelTopic is the model topic of the job.
func (o *Options) modelTopic(cluster Cluster) modeltopic.Topic {
	return modeltopic.Topic{Cluster: cluster, Name: o.Topics.Model, Job: o.Job, Verifier: o.Verifier}
}

// tellOfModels passes on what happened to the model topic.
func (o *Options) tellOfModels(event modeltopic.Event) {
	switch e := event.(type) {
	case modeltopic.Published:
		o.Notify(Published(e))
	case modeltopic.Refused:
		o.Notify(ModelRefused(e))
	case modeltopic.AliasRepaired:
		o.Notify(AliasRepaired(e))
	case modeltopic.Outranked:
		o.Notify(Outranked(e))
	case modeltopic.DocumentRestored:
		o.Notify(DocumentRestored(e))
	case modeltopic.AliasWithoutDocument:
		o.Notify(AliasWithoutDocument(e))
	case modeltopic.Remade:
		o.Notify(ModelsRemade(e))
	}
}

// Options say what a Stream does.
type Options struct {
	// Job is the name of the job: it begins every key on the state and the model topic.
	Job string
	// Model says how fields become records, and how they are learnt.
	Model model.Config
	// Topics are those of the job.
	Topics Topics
	// Config is the section stream of the configuration. A zero stands for the default.
	Config
	// Monitoring is the section monitor of the configuration. A zero stands for the default.
	Monitoring Monitoring
	// Release is the section release of the configuration. A zero stands for the default. Decisions of other models are never
	// released.
	Release release.Config
	// Format is what the messages of the input are written as. nil: JSON. Who opened it closes it, after Run.
	Format format.Format
	// UntilEnd makes Run return once it has learnt what was in the input topic when it began.
	UntilEnd bool
	// StartFrom is what a job without a snapshot goes on from; nil: it begins with nothing.
	StartFrom *StartFrom
	// BeginAgain lets a job begin whose weights are published and whose state is gone; see StateGone.
	BeginAgain bool
	// Program is the version of the program, for documents and claims.
	Program string
	// Configuration is all that is configured, as JSON without secrets, for the history and
	// config_sha256. nil: Model alone.
	Configuration json.RawMessage
	// Service, Actor and Reason say who runs the job and why, for the history. Service is the command,
	// default "fairstream run"; the others may be empty.
	Service, Actor, Reason string
	// Signer signs what is published; nil: nothing is signed. Verifier says whose records on the model topic count; nil:
	// everybody's.
	Signer   *signature.Signer
	Verifier *signature.Verifier
	// Look is given the value of each record, learnt or rejected, until it returns false. The value is valid during
	// the call, which the goroutine that learns waits for. nil: nobody looks.
	Look func(value []byte) (more bool)
	// Beside says that other jobs run in this process; the zero value: none does.
	Beside Beside
	// Notify is told of everything that happens. It is called from several goroutines and must return
	// soon. nil: nobody is told.
	Notify func(Event)
}

// Beside is what a stream heeds because other jobs run in its process.
type Beside struct {
	// Turns are taken for each parcel of records, for as long as it is learnt; nil: the stream learns whenever it can.
	Turns Turns
	// Parcel is how many records a parcel holds; 0: as many as is fastest. Small ones take less memory, and turns are shorter.
	Parcel int
	// Phase is the share of an interval, from 0 to below 1, by which the first snapshot and the first publication come early: streams that
	// begin together and have different phases do not save together.
	Phase float64
	// Spread shares jobs with other processes, if Config.Standby is set; nil: it does not.
	Spread Spread
	// Contain makes a panic of the stream its error, *isolate.Panicked. Otherwise it ends the process.
	Contain bool
}

// Turns are given to whoever has waited longest. golang.org/x/sync/semaphore has them.
type Turns interface {
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// given says whether the decisions are those of another model: nothing is learnt or published.
func (o *Options) given() bool { return len(o.Monitoring.Given.Fields()) > 0 }

// observed is what is observed of the stream.
func (o *Options) observed(probe isolate.Probe) *observe.Settings {
	return &observe.Settings{Model: o.Model, Monitoring: o.Monitoring, Release: o.Release, Events: o.Topics.Events != "",
		Notify: func(c observe.Changed) { o.Notify(DecisionsChanged(c)) }, Probe: probe}
}

// beginDecider is what a job without a snapshot is about.
func (o *Options) beginDecider() (observe.Decider, error) {
	if o.StartFrom != nil {
		return o.restoreDecider(o.StartFrom.Learner)
	}
	return observe.NewDecider(o.Model, o.Monitoring.Given)
}

// restoreDecider is what a job with a snapshot is about.
func (o *Options) restoreDecider(state []byte) (observe.Decider, error) {
	return observe.RestoreDecider(o.Model, o.Monitoring.Given, state)
}

// schema is that of the input. With given decisions, labels may be missing, and only the fields of decisions are read.
func (o *Options) schema() (*record.Schema, error) {
	schema, err := o.Model.Schema()
	if err != nil {
		return nil, err
	}
	if o.given() {
		schema = schema.LabelOptional()
	}
	return schema.WithCluster(o.Monitoring.Cluster), nil
}

func (o Options) withDefaults() Options {
	o.Model = o.Model.WithDefaults()
	if o.given() {
		o.Model.Record.Features = o.Monitoring.Given.Fields()
		o.Topics.Model = ""
	}
	o.Config = o.Config.withDefaults()
	o.Monitoring = o.Monitoring.WithDefaults()
	o.Release = o.Release.WithDefaults()
	if o.Format == nil {
		o.Format = format.JSON
	}
	if o.Notify == nil {
		o.Notify = func(Event) {}
	}
	return o
}

// TopicSpecs are the topics that the job writes, as they must be. The job only reads the input topic.
func (o Options) TopicSpecs(replication int) []kafka.TopicSpec {
	var specs []kafka.TopicSpec
	if !o.given() {
		specs = append(specs, kafka.TopicSpec{Name: o.Topics.Model, Kind: kafka.ModelTopic, ReplicationFactor: replication})
	}
	specs = append(specs, []kafka.TopicSpec{
		{Name: o.Topics.State, Kind: kafka.StateTopic, ReplicationFactor: replication, MaxMessageBytes: owner.MostMessageBytes},
		{Name: o.Topics.DeadLetter, Kind: kafka.DeadLetterTopic, ReplicationFactor: replication},
	}...)
	if o.Model.Record.Key != "" {
		specs = append(specs, kafka.TopicSpec{Name: o.Topics.Waiting, Kind: kafka.WaitingTopic, ReplicationFactor: replication})
	}
	if o.Topics.History != "" {
		specs = append(specs, kafka.TopicSpec{Name: o.Topics.History, Kind: kafka.HistoryTopic, ReplicationFactor: replication})
	}
	if o.Topics.Events != "" {
		specs = append(specs, kafka.TopicSpec{Name: o.Topics.Events, Kind: kafka.EventTopic, ReplicationFactor: replication})
	}
	return specs
}
