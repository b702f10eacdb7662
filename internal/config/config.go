package config

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Config is a whole configuration file.
type Config struct {
	// Job is the name of the job: at most 100 letters, digits, dots, underscores and hyphens. Every key on the state
	// and model topics includes it, so several jobs may share topics.
	Job string `yaml:"job"`
	// Record is how fields become records.
	Record record.Config `yaml:"record"`
	// Learner is how weights are learnt.
	Learner model.LearnerConfig `yaml:"learner"`
	// Constraints are the comparisons of groups, enforced or only measured.
	Constraints []model.Constraint `yaml:"constraints"`
	// Evaluation is which records are never learnt.
	Evaluation model.EvaluationConfig `yaml:"evaluation"`
	// Kafka is how to reach the cluster.
	Kafka kafka.Config `yaml:"kafka"`
	// Registry is how to reach the schema registry, if record.format needs one.
	Registry registry.Config `yaml:"registry,omitempty"`
	// Topics are the topics of the job.
	Topics Topics `yaml:"topics"`
	// Stream is how the input topic is read, and how often state and weights are written.
	Stream stream.Config `yaml:"stream"`
	// Monitor is how the decisions of the job are monitored.
	Monitor stream.Monitoring `yaml:"monitor"`
	// Release is when a published version becomes stable, and when it is withdrawn.
	Release release.Config `yaml:"release"`
	// Signing is who signs documents, aliases and entries of the history, and whose signatures count.
	Signing Signing `yaml:"signing,omitempty"`
	// Log is what is logged.
	Log Log `yaml:"log"`
	// Server is the HTTP server for health and metrics.
	Server Server `yaml:"server"`
	// Serve is how `fairstream serve` decides over HTTP.
	Serve Serve `yaml:"serve"`
}

// Default is the configuration of an empty file.
func Default() Config {
	return Config{
		Job:      "fairstream",
		Record:   record.Config{}.WithDefaults(),
		Learner:  model.DefaultLearner(),
		Kafka:    kafka.DefaultConfig(),
		Registry: registry.Config{}.WithDefaults(),
		Topics:   defaultTopics(),
		Stream:   stream.DefaultConfig(),
		Monitor:  stream.DefaultMonitoring(),
		Release:  release.Default(),
		Log:      Log{Format: JSON, Level: Info},
		Server:   Server{Address: "127.0.0.1:8468"},
		Serve:    defaultServe(),
	}
}

// Model returns the sections that make a learner.
func (c Config) Model() model.Config {
	return model.Config{Record: c.Record, Learner: c.Learner, Constraints: c.Constraints, Evaluation: c.Evaluation}
}

// WithDefaults returns c with the defaults that depend on other keys filled in. The learner section has its own from Default: a 0 that
// a file has there was written by somebody, and is judged as a 0.
func (c Config) WithDefaults() Config {
	learner := c.Model().WithDefaults()
	c.Record, c.Learner.Task, c.Constraints = learner.Record, learner.Learner.Task, learner.Constraints
	c.Topics = c.Topics.withDefaults()
	if len(c.Monitor.Fields()) > 0 && c.Record.Label.Field == "" { // decisions need no label
		c.Record.Label = record.Label{Field: "label", Positive: "1"}
	}
	return c
}

// releaseProblems are those of the section release, and of its limit beside the constraints.
func (c Config) releaseProblems() []record.Problem {
	problems := c.Release.Validate()
	if c.Release.Limit == 0 || len(problems) > 0 {
		return problems
	}
	for i, constraint := range c.Constraints {
		if about := constraint.Criterion; !about.OfMeans() && !about.OfRatio() && constraint.Tau > c.Release.Limit {
			problems = append(problems, record.Problem{Path: "release.limit", Message: fmt.Sprintf(
				"%v is below %v, the tau of constraints[%d]: use a limit above every tau, or remove the key", c.Release.Limit, constraint.Tau, i)})
			break
		}
	}
	return problems
}

// givenProblems are those of fields of decisions that have another role as well.
func (c Config) givenProblems() (problems []record.Problem) {
	for _, key := range []struct{ path, field, what string }{
		{"monitor.decision.field", c.Monitor.Decision.Field, "the decision"},
		{"monitor.score.field", c.Monitor.Score.Field, "the score"},
		{"monitor.model", c.Monitor.Given.Model, "the model"},
	} {
		switch {
		case key.field == "":
		case key.field == c.Record.Label.Field:
			problems = append(problems, record.Problem{Path: key.path, Message: fmt.Sprintf(
				"%q is the label (record.label.field), which is what decisions are compared with: name the field that contains %s, or name another label", key.field, key.what)})
		case slices.Contains(c.Record.Ignore, key.field):
			problems = append(problems, record.Problem{Path: key.path, Message: fmt.Sprintf("%q is ignored: remove it from record.ignore", key.field)})
		}
	}
	return problems
}

// clusterProblems are those of the field that names a person: a model must not learn persons by heart.
func (c Config) clusterProblems(given bool) []record.Problem {
	field := c.Monitor.Cluster
	schema, err := c.Model().Schema()
	if field == "" || given || err != nil || !schema.Feature(field) {
		return nil
	}
	return []record.Problem{{Path: "monitor.cluster", Message: fmt.Sprintf("%q is a feature, too: list it in record.ignore", field)}}
}

// Purpose is what a configuration is to be good for: it decides what is required.
type Purpose int

const (
	// Learning from files needs the sections record, learner and constraints; the sections kafka and
	// topics are not looked at.
	Learning Purpose = iota
	// Streaming needs a cluster and an input topic as well.
	Streaming
	// AsWritten is Streaming if a key of the sections kafka or topics is set, and Learning otherwise.
	AsWritten
	// Running is Streaming for a job that learns: its decisions are not another model's.
	Running
	// Monitoring is Streaming for the decisions of another model: it needs to know where records contain them.
	Monitoring
	// Serving needs the section server alone: no other is looked at.
	Serving
	// Deciding needs what serves decisions of a document in a file: the sections server and serve, and kafka if it is used.
	Deciding
)

// Validate returns every problem of c. It is to be called on what WithDefaults returns.
func (c Config) Validate(purpose Purpose) []record.Problem {
	if purpose == Serving {
		return c.Server.validate()
	}
	if purpose == Deciding {
		return slices.Concat(c.kafkaProblems(c.Serve.Log != LogNone || c.Serve.Heartbeat != 0), c.Server.validate(), c.Serve.validate(c.Topics, false))
	}
	problems := jobProblems(c.Job)
	problems = append(problems, c.Model().Validate()...)
	given := len(c.Monitor.Fields()) > 0
	if given || purpose == Monitoring {
		problems = append(problems, c.Monitor.Given.Validate()...)
		problems = append(problems, c.givenProblems()...)
	}
	if given && purpose == Running {
		problems = append(problems, record.Problem{Path: "monitor", Message: "names a decision or score of another model: use `fairstream monitor`, or remove the key to learn"})
	}
	if purpose == Streaming || purpose == Running || purpose == Monitoring {
		problems = append(problems, c.kafkaProblems(true)...)
		problems = append(problems, c.Topics.validate()...)
		problems = append(problems, c.Registry.WithDefaults().Validate(c.Record.Format.FromRegistry())...)
	}
	problems = append(problems, c.Stream.Validate()...)
	problems = append(problems, c.Monitor.Validate()...)
	problems = append(problems, c.clusterProblems(given)...)
	problems = append(problems, c.releaseProblems()...)
	problems = append(problems, c.Signing.validate()...)
	problems = append(problems, c.Log.validate()...)
	problems = append(problems, c.Server.validate()...)
	return append(problems, c.Serve.validate(c.Topics, c.Learner.Task == model.Regression)...)
}

// kafkaProblems are those of reaching the cluster, if it is used.
func (c Config) kafkaProblems(used bool) (problems []record.Problem) {
	if !used {
		return nil
	}
	for _, problem := range kafka.Problems(c.Kafka) {
		problems = append(problems, record.Problem{Path: "kafka." + problem.Path, Message: problem.Message})
	}
	return problems
}
