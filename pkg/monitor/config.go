package monitor

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/check"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Config is the configuration of a monitor. A zero field has its default.
type Config struct {
	Subject Subject
	// Grouper gives the sides of a record; its comparisons are the declared ones.
	Grouper *fairness.Grouper
	// Confidence is the joint confidence of all sequences, in (0, 1); the default is 0.95.
	Confidence float64
	// Level is the level of the pointwise intervals, in (0, 1); the default is 0.95.
	Level float64
	// MinimumRecords is the number of records that each side needs for a pointwise estimate; the default is 30.
	MinimumRecords int
	// Window is the number of records of the recent window; the default is 10,000, the least 20.
	Window int
	// Period is the length of the other window in event time; the default is a day, the least a second.
	Period time.Duration
	// Look is the number of records between two computations of the verdicts; the default is 64. A sequence holds at every
	// record, so any schedule keeps its confidence.
	Look int
	// RunLength is the least mean number of records between false alarms of all comparisons together, while each true difference
	// is within its tau; the default is 50,000. Records are those on the two sides that meet the condition.
	RunLength float64
	// Cluster is the name of the field that names a person: empty if each decision is about another one. With it, a sequence and a detector
	// count one decision of each person: see internal/persons. Estimates, windows and groups count all.
	Cluster string
	// Exact chooses the empirical Bernstein sequences: wider, and valid with few records too.
	Exact bool
}

// WithDefaults returns the configuration with every default filled in.
func (c Config) WithDefaults() Config {
	check.Default(&c.Confidence, 0.95)
	check.Default(&c.Level, fairness.DefaultLevel)
	check.Default(&c.MinimumRecords, fairness.DefaultMinimumRecords)
	check.Default(&c.Window, 10_000)
	check.Default(&c.Period, 24*time.Hour)
	check.Default(&c.Look, 64)
	check.Default(&c.RunLength, 50_000)
	return c
}

// Validate returns every problem of the configuration, defaults filled in.
func (c Config) Validate() error {
	var problems []error
	report := func(valid bool, problem string) {
		if !valid {
			problems = append(problems, errors.New("monitor: "+problem))
		}
	}
	c = c.WithDefaults()
	report(c.Grouper != nil, "the grouper is missing: make one of the comparisons")
	if c.Grouper != nil {
		for _, comparison := range c.Grouper.Comparisons() {
			report(!comparison.Criterion.OfMeans(), comparison.Name+" compares means: a monitor counts decisions, so use another criterion")
		}
	}
	report(c.Confidence > 0 && c.Confidence < 1, "the confidence is outside (0, 1): use a number such as 0.95")
	report(c.Level > 0 && c.Level < 1, "the level is outside (0, 1): use a number such as 0.95")
	report(c.MinimumRecords >= 1, "the minimum number of records is below 1")
	report(c.Window >= windowFrames && c.Window <= 100_000_000, fmt.Sprintf("the window is outside [%d, 100000000] records", windowFrames))
	report(c.Period >= time.Second && c.Period <= 100*365*24*time.Hour, "the period is outside a second to 100 years")
	report(c.Look >= 1, "the number of records between looks is below 1")
	report(c.RunLength >= 1 && c.RunLength <= math.MaxInt64, "the run length is below 1 record")
	return errors.Join(problems...)
}
