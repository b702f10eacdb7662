package audit

import (
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Job is what is counted.
type Job struct {
	Model  model.Config  `json:"model"`
	Given  observe.Given `json:"given"`
	Format string        `json:"format,omitempty"` // of the files; empty: by extension
}

// Check says what cannot be counted.
func (j *Job) Check() error {
	if j.Given.Decision.Field == "" && j.Given.Score.Field == "" {
		return errors.New("monitor.decision.field and monitor.score.field are not set: one of them names where a record has its decision")
	}
	if j.Given.Model != "" {
		return errors.New("monitor.model is set: an audit counts the decisions of one model; leave it out, and give files of one model")
	}
	grouper, err := fairness.NewGrouper(j.Model.WithDefaults().Comparisons())
	if err != nil {
		return err
	}
	if grouper.Meets() {
		return errors.New("a constraint has group: each, or is within strata: which values there are depends on the order of the records, so an engine cannot count them; name the values")
	}
	if len(grouper.Comparisons()) == 0 {
		return errors.New("constraints: there is no comparison to count decisions for")
	}
	return nil
}

// month is in UTC, as 2026-11; all records without a time have the month "".
type month = string

// Tally is the counts of records. Those of two tallies join, in any order, to those of all their records.
type Tally struct {
	Months   map[month]*Counts `json:"months"`
	Rejected input.Rejections  `json:"rejected"`
}

// Counts are those of the records of a month.
type Counts struct {
	Records     int64                 `json:"records"`
	Labelled    int64                 `json:"labelled"`
	Comparisons []fairness.PairCounts `json:"comparisons"`
}

func newTally() *Tally { return &Tally{Months: map[month]*Counts{}} }

// of is the counts of a month.
func (t *Tally) of(m month, comparisons int) *Counts {
	c := t.Months[m]
	if c == nil {
		c = &Counts{Comparisons: make([]fairness.PairCounts, comparisons)}
		t.Months[m] = c
	}
	return c
}

func (t *Tally) join(other *Tally) {
	for m, c := range other.Months {
		t.of(m, len(c.Comparisons)).join(c)
	}
	t.Rejected.Join(&other.Rejected)
}

func (c *Counts) join(other *Counts) {
	c.Records, c.Labelled = c.Records+other.Records, c.Labelled+other.Labelled
	for i := range c.Comparisons {
		c.Comparisons[i].Combine(other.Comparisons[i])
	}
}

// counter counts records.
type counter struct {
	*Tally
	decider observe.Decider
	sides   []fairness.Side
}

func (j *Job) counter() (*counter, error) {
	decider, err := observe.NewDecider(j.Model, j.Given)
	if err != nil {
		return nil, err
	}
	return &counter{Tally: newTally(), decider: decider, sides: make([]fairness.Side, len(decider.Grouper().Comparisons()))}, nil
}

// take counts a record, and returns why it cannot.
func (c *counter) take(r *record.Record) *record.Rejection {
	if rejection := c.decider.Refuse(r); rejection != nil {
		return rejection
	}
	s := observe.Sight{Record: r}
	c.decider.Take(&s)
	if !s.Known {
		return &record.Rejection{Reason: observe.MissingDecision, Offset: -1, Detail: "a label without the record that it is of"}
	}
	counts := c.of(monthOf(r.Time), len(c.sides))
	counts.Records++
	if r.HasLabel {
		counts.Labelled++
		c.decider.Grouper().Sides(c.sides, s.Levels, r.Positive)
	} else {
		c.decider.Grouper().Unlabelled(c.sides, s.Levels)
	}
	for i, side := range c.sides {
		counts.Comparisons[i].Add(side, s.Positive, 1)
	}
	return nil
}

func monthOf(at time.Time) month {
	if at.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d", at.UTC().Year(), at.UTC().Month())
}
