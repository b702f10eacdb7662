package board

import (
	"cmp"
	"math"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Constraint is a row as the command line prints it, and what the page says of it besides.
type Constraint struct {
	Name      string             `json:"name"`
	Criterion fairness.Criterion `json:"criterion"`
	Group     string             `json:"group"`
	Versus    string             `json:"versus"`
	Tau       float64            `json:"tau"`
	Enforced  bool               `json:"enforced"`
	// Value, Lo and Hi are the pointwise estimate at Level, and Status is the verdict of that interval. Of an impact ratio, Value is the
	// lower rate over the higher one, and Tau its least allowed value.
	Value   Number          `json:"value"`
	Lo      Number          `json:"lo"`
	Hi      Number          `json:"hi"`
	Level   float64         `json:"level"`
	NGroup  int64           `json:"n_group"`
	NVersus int64           `json:"n_versus"`
	Status  fairness.Status `json:"status"`

	// EffectiveGroup and EffectiveVersus are how many records of equal weights those of NGroup and NVersus are worth: fewer where records are weighed, as
	// those with a label are if labels are known of some records rather than others.
	EffectiveGroup  Number `json:"effective_n_group"`
	EffectiveVersus Number `json:"effective_n_versus"`
	// GroupMeasure and VersusMeasure are the rates, in a regression the means, of both sides.
	GroupMeasure  Number `json:"group_measure"`
	VersusMeasure Number `json:"versus_measure"`
	// GroupRange and VersusRange are the pointwise intervals of the rates at Level; nil without rates.
	GroupRange  *Interval `json:"group_range"`
	VersusRange *Interval `json:"versus_range"`
	// Reason says why it is not estimable, or how many more records an inconclusive verdict needs; empty otherwise.
	Reason string `json:"reason"`
	// Subject is the id of what is judged.
	Subject string `json:"subject"`
	// Sentence is the verdict in plain words: that of the sequence if there is one. See Sentence.
	Sentence string `json:"sentence"`
	// Covers says by which attribute the groups are told apart, and by which others nobody compares the same; empty if that is not known.
	Covers string `json:"covers"`
	// RecordsNeeded is about how many more records a verdict needs at the present rates; nil if it has one or that is not known.
	RecordsNeeded *int64 `json:"records_needed"`
	// Sequence holds however often one looks; nil if there is none. It is of the difference at equal time, and of a ratio that of Totals.
	Sequence *Sequence `json:"sequence"`
	// Totals is the sequence of the rates of all decisions since it began, which a law or an audit asks for; nil if there is none.
	Totals *Sequence `json:"totals"`
	// Alarm is the change detector; nil if there is none.
	Alarm *Alarm `json:"alarm"`
	// Recent is the same difference, or ratio, in the newest decisions, with the interval for one look; nil if it is not known.
	Recent *Recent `json:"recent"`
	// ImpactRatio is the lower rate over the higher one; nil if it is not known or not of rates.
	ImpactRatio *Interval `json:"impact_ratio"`
}

// Sequence is an anytime-valid confidence sequence at its present end, and the verdict of that interval.
type Sequence struct {
	Value Number  `json:"value"`
	Lo    Number  `json:"lo"`
	Hi    Number  `json:"hi"`
	Level float64 `json:"level"`
	// N is how many records it rests on, and Since the number of the record that it begins at.
	N     int64 `json:"n"`
	Since int64 `json:"since"`
	// Subject is the id of what is judged.
	Subject string          `json:"subject"`
	Status  fairness.Status `json:"status"`
	// Reason says why it is not estimable, or inconclusive whatever its ends; empty otherwise.
	Reason string `json:"reason"`
}

// Recent is a difference in the newest decisions.
type Recent struct {
	Interval
	// N is how many decisions of both sides it rests on.
	N int64 `json:"n"`
}

// Alarm is a change detector. It is raised when Evidence reaches Threshold.
type Alarm struct {
	Evidence  Number `json:"evidence"`
	Threshold Number `json:"threshold"`
	// RunLength is the least mean number of records between false alarms.
	RunLength Number `json:"run_length"`
	Raised    bool   `json:"raised"`
	// Since is when it was raised; nil if it is not.
	Since *Moment `json:"since"`
	// Plan says how soon a change would raise it; nil if that is not known.
	Plan *AlarmPlan `json:"plan"`
}

// AlarmPlan is about how many records of the stream pass, at the median, between a sudden change of the difference from 0 to
// Difference, in the direction that takes longer, and the alarm.
type AlarmPlan struct {
	Difference Number `json:"difference"`
	Records    int64  `json:"records"`
}

// Moment is a place in the stream. Time is that of the record, nil if records carry none.
type Moment struct {
	Record int64      `json:"record"`
	Time   *time.Time `json:"time"`
}

// Interval is a number and its interval.
type Interval struct {
	Value Number `json:"value"`
	Lo    Number `json:"lo"`
	Hi    Number `json:"hi"`
}

// NewConstraint takes over what an estimate says, as a judgement of a subject.
func NewConstraint(e fairness.Estimate, subject string) Constraint {
	group, versus := cmp.Or(e.EffectiveGroup, float64(e.NGroup)), cmp.Or(e.EffectiveVersus, float64(e.NVersus)) // what the history tells lacks them
	c := Constraint{
		Name: e.Name, Criterion: e.Criterion, Group: e.Group, Versus: e.Versus, Tau: e.Tau, Enforced: e.Enforced,
		Value: Number(e.Value), Lo: Number(e.Lo), Hi: Number(e.Hi), Level: e.Level,
		NGroup: e.NGroup, NVersus: e.NVersus, EffectiveGroup: Number(group), EffectiveVersus: Number(versus), Status: e.Status,
		GroupMeasure: Unknown(), VersusMeasure: Unknown(), Reason: cmp.Or(e.Reason, e.Need()), Subject: subject,
	}
	if e.RateSides != nil {
		c.GroupMeasure, c.VersusMeasure = Number(e.RateGroup), Number(e.RateVersus)
		c.GroupRange, c.VersusRange = rangeOf(e.RateGroup, group, e.Level), rangeOf(e.RateVersus, versus, e.Level)
		if r := e.ImpactRatio; !math.IsNaN(r.Value) {
			c.ImpactRatio = &Interval{Number(r.Value), Number(r.Lo), Number(r.Hi)}
		}
	} else if e.MeanSides != nil {
		c.GroupMeasure, c.VersusMeasure = Number(e.MeanGroup), Number(e.MeanVersus)
	}
	if more := e.MoreGroup + e.MoreVersus; more > 0 {
		c.RecordsNeeded = &more
	}
	c.Sentence = Sentence(&c)
	return c
}

// rangeOf is a rate with its interval; nil if it is not known.
func rangeOf(rate, records, level float64) *Interval {
	if !(records > 0) || math.IsNaN(rate) || !(level > 0 && level < 1) {
		return nil
	}
	lo, hi := fairness.Wilson(rate, records, level)
	return &Interval{Number(rate), Number(lo), Number(hi)}
}
