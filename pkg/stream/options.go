package stream

import (
	"encoding/json"

	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/signature"
)

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
	// UntilEnd makes Run return once it has learnt what was in the input topic when it began.
	UntilEnd bool
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
	// Notify is told of everything that happens. It is called from several goroutines and must return
	// soon. nil: nobody is told.
	Notify func(Event)
}

// Topics names the topics of a job.
type Topics struct {
	Input, Model, State, DeadLetter string
	// History may be empty: then nothing is recorded.
	History string
	// Events may be empty: then changed verdicts, alarms and steps of releases are written to no topic of their own.
	Events string
}

// given says whether the decisions are those of another model: nothing is learnt or published.
func (o *Options) given() bool { return len(o.Monitoring.Given.Fields()) > 0 }

// observed is what is observed of the stream.
func (o *Options) observed(probe isolate.Probe) *observe.Settings {
	return &observe.Settings{Model: o.Model, Monitoring: o.Monitoring, Release: o.Release, Events: o.Topics.Events != "",
		Notify: func(c observe.Changed) { o.Notify(DecisionsChanged(c)) }, Probe: probe}
}

// newDecider is what a job without a snapshot is about.
func (o *Options) newDecider() (observe.Decider, error) {
	return observe.NewDecider(o.Model, o.Monitoring.Given)
}

// restoreDecider is what a job with a snapshot is about.
func (o *Options) restoreDecider(state []byte) (observe.Decider, error) {
	return observe.RestoreDecider(o.Model, o.Monitoring.Given, state)
}

// schema is that of the input. With given decisions, labels may be missing, and only the fields of decisions are read.
func (o *Options) schema() (*record.Schema, error) {
	schema, err := o.Model.Schema()
	if err == nil && o.given() {
		schema = schema.LabelOptional()
	}
	return schema, err
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
	if o.Topics.History != "" {
		specs = append(specs, kafka.TopicSpec{Name: o.Topics.History, Kind: kafka.HistoryTopic, ReplicationFactor: replication})
	}
	if o.Topics.Events != "" {
		specs = append(specs, kafka.TopicSpec{Name: o.Topics.Events, Kind: kafka.EventTopic, ReplicationFactor: replication})
	}
	return specs
}
