package fairness

import (
	"fmt"
	"math"
)

// Status says whether the measured difference keeps to tau.
type Status string

// The statuses.
const (
	Met          Status = "met"           // |value| ≤ tau
	Violated     Status = "violated"      // |value| > tau
	NotEstimable Status = "not_estimable" // too few records on a side
)

// Words is the status as written in a table for people.
func (s Status) Words() string {
	switch s {
	case Met:
		return "met"
	case Violated:
		return "not met"
	}
	return "too few records"
}

// Evidence says what the whole interval shows about records like the measured
// ones, where the status only speaks of those.
type Evidence string

// The kinds of evidence.
const (
	ShownMet      Evidence = "shown_met"      // the interval lies within [−tau, tau]
	ShownViolated Evidence = "shown_violated" // the interval lies outside it
	NotDecided    Evidence = "not_decided"    // it reaches across, or does not exist
)

// Words is the evidence as a clause for people.
func (e Evidence) Words() string {
	switch e {
	case ShownMet:
		return "the whole interval is within tau"
	case ShownViolated:
		return "the whole interval is beyond tau"
	}
	return "the records do not decide it"
}

// DefaultLevel is the level of intervals.
const DefaultLevel = 0.95

// DefaultMinimumRecords is how many records, counted effectively, each side
// needs before its rate is reported. Newcombe's interval would hold its level
// with fewer; but below 30 one person's decision moves the rate by more than
// .033, and a verdict about a tau of .05 would rest on one or two people.
const DefaultMinimumRecords = 30

// Options of an estimate.
type Options struct {
	// Level of the interval, in (0, 1).
	Level float64
	// MinimumRecords is the least effective number of records, meeting the
	// condition, on each side; at least 1.
	MinimumRecords float64
}

// DefaultOptions returns DefaultLevel and DefaultMinimumRecords.
func DefaultOptions() Options {
	return Options{Level: DefaultLevel, MinimumRecords: DefaultMinimumRecords}
}

// The methods by which an interval is made.
const (
	MethodNewcombe     = "newcombe-hybrid-score"
	MethodNewcombeKish = "newcombe-hybrid-score-on-effective-sizes"
	MethodWilson       = "wilson-score"
	MethodWilsonKish   = "wilson-score-on-effective-size"
	MethodNormal       = "normal"
)

// Estimate is one measured comparison. Value, Lo and Hi are NaN while it is not
// estimable.
type Estimate struct {
	Name      string
	Criterion Criterion
	Group     string
	Versus    string
	Tau       float64
	Enforced  bool

	Value float64 // rate of the group minus rate of versus, in [−1, 1]
	Lo    float64
	Hi    float64
	Level float64

	RateGroup       float64 // NaN without records
	RateVersus      float64
	NGroup          int64 // records that meet the condition
	NVersus         int64
	KGroup          int64 // of these, decided positively
	KVersus         int64
	EffectiveGroup  float64 // effective sizes; equal to N if weights are equal
	EffectiveVersus float64
	NNeither        int64 // records in neither group
	NUnknown        int64 // records without the attribute

	Method   string
	Status   Status
	Evidence Evidence
	// Reason says in words why it is not estimable; empty otherwise.
	Reason string
}

// Estimate measures the comparison from its counts. The comparison must have one
// condition: split equalized odds by Parts.
func (c Comparison) Estimate(counts PairCounts, o Options) Estimate {
	checkLevel(o.Level)
	if !(o.MinimumRecords >= 1) {
		panic("fairness: the minimum number of records is below 1")
	}
	e := Estimate{
		Name: c.Name, Criterion: c.Criterion, Group: c.GroupLabel(), Versus: c.VersusLabel(),
		Tau: c.Tau, Enforced: c.Enforce,
		Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: o.Level,
		RateGroup: counts.Group.Rate(), RateVersus: counts.Versus.Rate(),
		NGroup: counts.Group.Records, NVersus: counts.Versus.Records,
		KGroup: counts.Group.Positives, KVersus: counts.Versus.Positives,
		EffectiveGroup: counts.Group.Effective(), EffectiveVersus: counts.Versus.Effective(),
		NNeither: counts.Neither, NUnknown: counts.Unknown,
		Method: MethodNewcombe, Status: NotEstimable, Evidence: NotDecided,
	}
	if counts.Group.weighted() || counts.Versus.weighted() {
		e.Method = MethodNewcombeKish
	}
	e.Reason = shortage(e.Group, counts.Group, o.MinimumRecords)
	if e.Reason == "" {
		e.Reason = shortage(e.Versus, counts.Versus, o.MinimumRecords)
	}
	if e.Reason != "" {
		return e
	}
	e.Value = e.RateGroup - e.RateVersus
	e.Lo, e.Hi = Newcombe(e.RateGroup, e.EffectiveGroup, e.RateVersus, e.EffectiveVersus, o.Level)
	e.Status = Violated
	if math.Abs(e.Value) <= e.Tau {
		e.Status = Met
	}
	switch {
	case e.Lo >= -e.Tau && e.Hi <= e.Tau:
		e.Evidence = ShownMet
	case e.Lo > e.Tau || e.Hi < -e.Tau:
		e.Evidence = ShownViolated
	}
	return e
}

// weighted reports weights that differ, beyond the rounding of their sums.
func (c Count) weighted() bool {
	return c.Records > 0 && math.Abs(c.Effective()/float64(c.Records)-1) > 1e-9
}

// shortage says in words that a side has too few records, or nothing.
func shortage(side string, c Count, minimum float64) string {
	// The tolerance is that of weighted: equal weights such as .1 must not fall
	// short of a whole number by rounding.
	if c.Effective() >= minimum*(1-1e-9) {
		return ""
	}
	kind := "records"
	if c.weighted() {
		kind = "effective records"
	}
	return fmt.Sprintf("%s has %.4g %s that meet the condition and needs %.4g", side, c.Effective(), kind, minimum)
}
