package stream

import (
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
)

// Options say what a Stream does. The zero value of a field with a default stands for it.
type Options struct {
	// Job is the name of the job: it begins every key on the state and the model topic.
	Job string
	// Model says how fields become records, and how they are learnt.
	Model model.Config
	// Topics are those of the job.
	Topics Topics
	// Start is where a job without a snapshot begins to read. Default: StartEarliest.
	Start Start
	// OnLoss is what happens when records that were to be read next are gone. Default: kafka.LossFails.
	OnLoss kafka.LossPolicy
	// Snapshot says how often the state is saved, Publish how often weights are published. What is
	// published was saved before, so a publication brings a snapshot with it.
	Snapshot, Publish Cadence
	// KeepVersions is how many of the newest weight documents stay on the model topic. Default 10.
	KeepVersions int
	// RejectLimit stops learning when the input has become unreadable.
	RejectLimit RejectLimit
	// Labels bounds the records that wait for their label, if Model.Record.Key is set.
	Labels LabelBuffer
	// ShutdownTimeout bounds what is done after Run's context has ended. Default 25 s.
	ShutdownTimeout time.Duration
	// UntilEnd makes Run return once it has learnt what was in the input topic when it began.
	UntilEnd bool
	// Program is the version of the program, for documents and claims.
	Program string
	// Decoders is how many goroutines decode. Default: one a processor.
	Decoders int
	// FetchBytes bounds the bytes of fetched records that are not learnt yet. Default 32 MiB.
	FetchBytes int
	// Notify is told of everything that happens. It is called from several goroutines and must return
	// soon. nil: nobody is told.
	Notify func(Event)
}

// Topics names the topics of a job.
type Topics struct {
	Input, Model, State, DeadLetter string
}

// Start is where a job without a snapshot begins: at one end of the topic or at a time.
type Start struct {
	// Latest begins at the end of the topic.
	Latest bool
	// At begins with the first record of this time or later, unless it is zero.
	At time.Time
}

// Cadence is how often something is done: whichever comes first; 0 switches one off.
type Cadence struct {
	// Records is after how many learnt records.
	Records int64
	// Interval is after how long, if there is anything new.
	Interval time.Duration
}

// due says whether it is time, records and elapsed after the last time.
func (c Cadence) due(records int64, elapsed time.Duration) bool {
	return c.Records > 0 && records >= c.Records || c.Interval > 0 && elapsed >= c.Interval
}

// LabelBuffer bounds the records that wait for their label. When one of the bounds is reached, the
// oldest gives way, and is counted.
type LabelBuffer struct {
	// Records is how many may wait. Default 100,000.
	Records int
	// Bytes is how many bytes of records may wait. Default 64 MiB.
	Bytes int
}

const (
	defaultKeepVersions    = 10
	defaultShutdownTimeout = 25 * time.Second
	defaultFetchBytes      = 32 << 20
	defaultLabelRecords    = 100_000
	defaultLabelBytes      = 64 << 20

	// firstPublication is the number of learnt records after which weights are published even if a
	// constraint is not estimable yet: a group that hardly ever occurs must not hold back the weights
	// for ever. The document then says not_estimable.
	firstPublication = 100_000
)

func (o Options) withDefaults() Options {
	o.Model = o.Model.WithDefaults()
	o.RejectLimit = o.RejectLimit.withDefaults()
	if o.OnLoss == "" {
		o.OnLoss = kafka.LossFails
	}
	if o.Snapshot == (Cadence{}) {
		o.Snapshot = Cadence{Records: 1_000_000, Interval: 30 * time.Second}
	}
	if o.Publish == (Cadence{}) {
		o.Publish = Cadence{Interval: 10 * time.Second}
	}
	setDefault(&o.KeepVersions, defaultKeepVersions)
	setDefault(&o.Labels.Records, defaultLabelRecords)
	setDefault(&o.Labels.Bytes, defaultLabelBytes)
	setDefault(&o.ShutdownTimeout, defaultShutdownTimeout)
	setDefault(&o.FetchBytes, defaultFetchBytes)
	if o.Notify == nil {
		o.Notify = func(Event) {}
	}
	return o
}

func setDefault[T int | time.Duration](value *T, standard T) {
	if *value <= 0 {
		*value = standard
	}
}

// TopicSpecs are the topics that the job writes, as they must be. The input topic is somebody else's.
func (o Options) TopicSpecs(replication int) []kafka.TopicSpec {
	return []kafka.TopicSpec{
		{Name: o.Topics.Model, Kind: kafka.ModelTopic, ReplicationFactor: replication},
		{Name: o.Topics.State, Kind: kafka.StateTopic, ReplicationFactor: replication, MaxMessageBytes: partBytes + partOverhead},
		{Name: o.Topics.DeadLetter, Kind: kafka.DeadLetterTopic, ReplicationFactor: replication},
	}
}
