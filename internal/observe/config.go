package observe

import (
	"math"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// Monitoring configures how decisions are monitored: those of a learner as it makes them, or those of other models.
type Monitoring struct {
	// Enabled is whether the decisions are monitored. Default true.
	Enabled *bool `yaml:"enabled,omitempty"`
	// Confidence is the probability that all confidence sequences contain the true difference, at all times together. In (0, 1).
	Confidence float64 `yaml:"confidence"`
	// Window is the number of records of the recent estimates. At least 20.
	Window int `yaml:"window"`
	// Period is the event time of the estimates of a period, at least 1s.
	Period time.Duration `yaml:"period"`
	// RunLength is the least mean number of records between two false alarms of all comparisons together.
	RunLength float64 `yaml:"run_length"`
	// Exact is whether sequences are valid with few records too. They are then about twice as wide.
	Exact bool `yaml:"exact,omitempty"`
	// Cluster is the field that names the person or household that a decision is about. One decision of each counts for sequences,
	// alarms and releases. It must not be a feature. Optional: without it, each decision counts as one about somebody else.
	Cluster string `yaml:"cluster,omitempty"`
	// Given is where the records of `fairstream monitor` contain the decisions; `run` makes its own.
	Given `yaml:",inline"`
}

// on says whether decisions are to be monitored: by default they are.
func (m Monitoring) on() bool { return m.Enabled == nil || *m.Enabled }

// DefaultMonitoring is the configuration of an empty section.
func DefaultMonitoring() Monitoring {
	c := monitor.Config{}.WithDefaults()
	return Monitoring{Confidence: c.Confidence, Window: c.Window, Period: c.Period, RunLength: c.RunLength}
}

// WithDefaults replaces every zero by its default.
func (m Monitoring) WithDefaults() Monitoring {
	standard := DefaultMonitoring()
	check.Default(&m.Confidence, standard.Confidence)
	check.Default(&m.Window, standard.Window)
	check.Default(&m.Period, standard.Period)
	check.Default(&m.RunLength, standard.RunLength)
	return m
}

// Validate returns every problem, each with its path below the section.
func (m Monitoring) Validate() []record.Problem {
	v := check.Section{Prefix: "monitor."}
	if !(m.Confidence > 0 && m.Confidence < 1) {
		v.Add("confidence", "%v is outside (0, 1)%s", m.Confidence, check.AsShare(m.Confidence))
	}
	check.Between(&v, "window", m.Window, 20, 100_000_000)
	check.Between(&v, "period", m.Period, time.Second, 100*365*24*time.Hour)
	if !(m.RunLength >= 1 && m.RunLength <= 1e15) {
		v.Add("run_length", "%v is outside 1 to 1e15", m.RunLength)
	}
	return v.Problems
}

// Given says where a record holds the decision of another model.
type Given struct {
	// Decision is the field that contains the decision. Give it, or monitor.score.field.
	Decision GivenDecision `yaml:"decision,omitempty"`
	// Score is the field that contains the score of the model, and the threshold of its decisions.
	Score GivenScore `yaml:"score,omitempty"`
	// Model is the field that names the model, if the topic contains the decisions of several. Optional. At most 20 models are
	// monitored.
	Model string `yaml:"model,omitempty"`
}

// GivenDecision says which field holds a decision, and which value is positive.
type GivenDecision struct {
	// Field is the field that contains the decision.
	Field string `yaml:"field,omitempty"`
	// Positive is the value of a positive decision; every other value that is not missing is negative.
	Positive record.Text `yaml:"positive,omitempty"`
	// Explored is the field that is true where exploration turned a negative decision of the model to positive: the monitor counts such
	// a decision as negative. Default: explored, beside the field of the decision.
	Explored string `yaml:"explored,omitempty"`
}

// explored is the field that is true for an explored decision; empty if decisions come of scores.
func (d GivenDecision) explored() string {
	if d.Explored != "" || d.Field == "" {
		return d.Explored
	}
	return d.Field[:strings.LastIndexByte(d.Field, '.')+1] + "explored"
}

// GivenScore is a score, the probability of a positive label.
type GivenScore struct {
	// Field is the field that contains the score. Calibration needs a score in [0, 1].
	Field string `yaml:"field,omitempty"`
	// Threshold is the score from which on a decision is positive, unless monitor.decision says it. Default 0.5.
	Threshold *float64 `yaml:"threshold,omitempty"`
}

const defaultThreshold = .5

// Threshold is the score from which on a decision is positive.
func (g Given) Threshold() float64 {
	if g.Score.Threshold == nil {
		return defaultThreshold
	}
	return *g.Score.Threshold
}

// Validate returns every problem of what `fairstream monitor` needs, each with its path.
func (g Given) Validate() []record.Problem {
	v := check.Section{Prefix: "monitor."}
	if g.Decision.Field == "" && g.Score.Field == "" {
		v.Add("decision.field", "required: name the field that contains the decision, or set monitor.score.field")
	}
	if g.Decision.Field != "" && g.Decision.Positive == "" {
		v.Add("decision.positive", "required: give the value of a positive decision")
	}
	if g.Decision.Field == "" && g.Decision.Explored != "" {
		v.Add("decision.explored", "needs monitor.decision.field: exploration does not change scores")
	}
	if t := g.Threshold(); math.IsNaN(t) || math.IsInf(t, 0) {
		v.Add("score.threshold", "%v is not a number", t)
	}
	return v.Problems
}

// Fields are the fields that hold decisions: the features of the records, as far as a schema is concerned.
func (g Given) Fields() (fields []string) {
	for _, field := range []string{g.Decision.Field, g.Score.Field, g.Model, g.Decision.explored()} {
		if field != "" {
			fields = append(fields, field)
		}
	}
	return fields
}

// on says whether the decisions are those of another model: nothing is learnt or published.
func (g Given) on() bool { return len(g.Fields()) > 0 }

// Settings say what is observed.
type Settings struct {
	// Model says how records become decisions, with every default filled in.
	Model      model.Config
	Monitoring Monitoring
	Release    release.Config
	// Events says whether somebody waits for announcements on the topic of events.
	Events bool
	// Notify is told of changed verdicts and alarms, on a goroutine of the monitor.
	Notify func(Changed)
	Probe  isolate.Probe
}

// Changed says that a verdict changed, or an alarm was raised or has ended.
type Changed struct {
	Subject    string
	Comparison fairness.Comparison
	Event      monitor.Event
}
