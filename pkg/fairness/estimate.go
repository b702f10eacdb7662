package fairness

import (
	"fmt"
	"math"
	"strings"
)

// Status is the verdict on a comparison: what its interval, and nothing else,
// says about records like the measured ones.
type Status string

// The verdicts. An end of the interval exactly at −tau or tau lies within the
// bound.
const (
	Met          Status = "met"           // −tau ≤ lo and hi ≤ tau
	Violated     Status = "violated"      // lo > tau or hi < −tau
	Inconclusive Status = "inconclusive"  // the interval reaches across −tau or tau
	NotEstimable Status = "not_estimable" // too few records on a side for an interval
)

// Statuses are all verdicts.
func Statuses() []Status { return []Status{Met, Violated, Inconclusive, NotEstimable} }

// verdict compares an interval with the bound of the comparison.
func (c Comparison) verdict(lo, hi float64) Status {
	if !c.Criterion.OfRatio() {
		return verdict(lo, hi, c.Tau)
	}
	switch {
	case lo >= c.Tau:
		return Met
	case hi < c.Tau:
		return Violated
	}
	return Inconclusive
}

// verdict compares the interval of a difference with the bound.
func verdict(lo, hi, tau float64) Status {
	switch {
	case lo >= -tau && hi <= tau:
		return Met
	case lo > tau || hi < -tau:
		return Violated
	}
	return Inconclusive
}

// DefaultLevel is the level of intervals.
const DefaultLevel = 0.95

// DefaultMinimumRecords is how many records, counted effectively, each side
// needs before its rate is reported. Newcombe's interval would hold its level
// with fewer; but below 30 one person's decision moves the rate by more than
// 0.033, and a verdict about a tau of 0.05 would rest on one or two people.
const DefaultMinimumRecords = 30

// Options of an estimate.
type Options struct {
	// Level of the interval, in (0, 1).
	Level float64
	// MinimumRecords is the least effective number of records, meeting the
	// condition, on each side; at least 1.
	MinimumRecords float64
	// Inflation is by how much a rate, or a mean, varies more than that of as many independent records, at least 1; 0 means 1.
	Inflation float64
}

// DefaultOptions returns DefaultLevel and DefaultMinimumRecords.
func DefaultOptions() Options {
	return Options{Level: DefaultLevel, MinimumRecords: DefaultMinimumRecords}
}

// The methods by which an interval is made.
const (
	MethodNewcombe     = "newcombe-hybrid-score"
	MethodNewcombeKish = "newcombe-hybrid-score-on-effective-sizes"
	MethodKoopman      = "koopman-score" // with what follows the name of Newcombe's in the next two
	MethodRescored     = "newcombe-hybrid-score-on-rescored-records"
	MethodWilson       = "wilson-score"
	MethodWilsonKish   = "wilson-score-on-effective-size"
	MethodDoublyRobust = "wilson-score-on-effective-size-doubly-robust"
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

	// Strata is the field within whose values the groups are compared, empty for all records.
	Strata string

	Value float64 // rate or mean of the group minus that of versus; rates: in [−1, 1]; of an impact ratio, the ratio
	Lo    float64
	Hi    float64
	Level float64

	// A criterion of rates has the first, a criterion of means (Criterion.OfMeans) the second; the other is nil.
	*RateSides
	*MeanSides

	NGroup          int64 // records that meet the condition
	NVersus         int64
	EffectiveGroup  float64 // effective sizes; equal to N if weights are equal
	EffectiveVersus float64
	NNeither        int64 // records in neither group
	NUnknown        int64 // records without the attribute

	// MoreGroup and MoreVersus are how many more records each side would need, about, for a verdict that is met or violated, if
	// rates or means stay as they are: the side with fewer records first. Both are 0 for such a verdict, and where more
	// than a trillion records would be needed.
	MoreGroup  int64
	MoreVersus int64

	Method string
	Status Status
	// Reason says why it is not estimable, or why it is inconclusive whatever the interval; empty otherwise.
	Reason string
}

// RateSides are the rates behind a difference of rates.
type RateSides struct {
	RateGroup  float64 // in [0, 1]; NaN without records
	RateVersus float64
	KGroup     int64 // records that meet the condition and were decided positively
	KVersus    int64
	// ImpactRatio is the lower rate over the higher one, with its interval.
	ImpactRatio Ratio
}

// MeanSides are the means behind a difference of means, in units of the label.
type MeanSides struct {
	MeanGroup  float64 // NaN without records
	MeanVersus float64
	SDGroup    float64 // standard deviations of the predictions; NaN with fewer than two records
	SDVersus   float64
}

// Same says whether two estimates are of one comparison.
func (e Estimate) Same(other Estimate) bool {
	return e.Name == other.Name && e.Criterion == other.Criterion && e.Group == other.Group && e.Versus == other.Versus
}

// Within says whether the value itself, whatever its interval, keeps to tau. It does not while it is not estimable.
func (e Estimate) Within() bool {
	if e.Criterion.OfRatio() {
		return e.Value >= e.Tau
	}
	return math.Abs(e.Value) <= e.Tau
}

// Bound is how far the value may be from that of equal groups: tau, or 1 − tau of a ratio.
func (e Estimate) Bound() float64 { return Comparison{Criterion: e.Criterion, Tau: e.Tau}.Bound() }

// Estimate measures the comparison from its counts. The comparison must have one
// condition: split equalized odds by Parts.
func (c Comparison) Estimate(counts PairCounts, o Options) Estimate {
	e := c.unmeasured(o)
	counts = counts.Standardized()
	e.RateSides = &RateSides{RateGroup: counts.Group.Rate(), RateVersus: counts.Versus.Rate(),
		KGroup: counts.Group.Positives, KVersus: counts.Versus.Positives, ImpactRatio: unknownRatio()}
	e.NGroup, e.NVersus = counts.Group.Records, counts.Versus.Records
	e.EffectiveGroup, e.EffectiveVersus = counts.Group.Effective(), counts.Versus.Effective()
	e.NNeither, e.NUnknown = counts.Neither, counts.Unknown
	e.Method = MethodNewcombe
	if weighted(e.NGroup, e.EffectiveGroup) || weighted(e.NVersus, e.EffectiveVersus) {
		e.Method = MethodNewcombeKish
	}
	inflation := max(1, o.Inflation)
	if inflation > 1 {
		e.Method = MethodRescored
	}
	e.Reason = e.shortage(e.Group, e.NGroup, e.EffectiveGroup, o.MinimumRecords)
	if e.Reason == "" {
		e.Reason = e.shortage(e.Versus, e.NVersus, e.EffectiveVersus, o.MinimumRecords)
	}
	if e.Reason != "" {
		return e
	}
	e.Value = e.RateGroup - e.RateVersus
	worth := [2]float64{counts.Group.Worth() / e.EffectiveGroup, counts.Versus.Worth() / e.EffectiveVersus}
	sizes := func(group, versus float64) (float64, float64) {
		return float64(group*worth[0]) / inflation, float64(versus*worth[1]) / inflation
	}
	ratio := func(group, versus float64) Ratio {
		group, versus = sizes(group, versus)
		return NewRatio(e.RateGroup, group, e.RateVersus, versus, o.Level)
	}
	e.ImpactRatio = ratio(e.EffectiveGroup, e.EffectiveVersus)
	of := func(group, versus float64) (lo, hi float64) {
		group, versus = sizes(group, versus)
		return Newcombe(e.RateGroup, group, e.RateVersus, versus, o.Level)
	}
	if c.Criterion.OfRatio() {
		e.Value, e.Method = e.ImpactRatio.Value, MethodKoopman+strings.TrimPrefix(e.Method, MethodNewcombe)
		of = func(group, versus float64) (lo, hi float64) {
			r := ratio(group, versus)
			return r.Lo, r.Hi
		}
	}
	e.judge(of, c.verdict)
	return e
}

// unmeasured is the estimate before anything is known.
func (c Comparison) unmeasured(o Options) Estimate {
	checkLevel(o.Level)
	if !(o.MinimumRecords >= 1) {
		panic("fairness: the minimum number of records is below 1")
	}
	absent := math.NaN()
	return Estimate{
		Name: c.Name, Criterion: c.Criterion, Group: c.GroupLabel(), Versus: c.VersusLabel(),
		Tau: c.Tau, Enforced: c.Enforce, Strata: c.Strata,
		Value: absent, Lo: absent, Hi: absent, Level: o.Level,
		Status: NotEstimable,
	}
}

// weighted reports weights that differ, beyond the rounding of their sums.
func weighted(records int64, effective float64) bool {
	return records > 0 && math.Abs(effective/float64(records)-1) > 1e-9
}

// shortage says that a side has too few records; empty if it has enough.
func (e *Estimate) shortage(side string, records int64, effective, minimum float64) string {
	// The tolerance is that of weighted: equal weights such as 0.1 must not fall
	// short of a whole number by rounding.
	if effective >= minimum*(1-1e-9) {
		return ""
	}
	kind := "record"
	if weighted(records, effective) {
		kind = "effective record"
	}
	if have := fmt.Sprintf("%.4g", effective); have != "1" {
		kind += "s"
	}
	return fmt.Sprintf("%s has %.4g %s%s and needs %.4g", side, effective, kind, e.labelled(), minimum)
}

// labelled says of which label and strata the records of a side are.
func (e *Estimate) labelled() (words string) {
	switch e.Criterion { // a document of a later version of the program may have others
	case EqualOpportunity:
		words = " with a positive label"
	case PredictiveEquality:
		words = " with a negative label"
	}
	if e.Strata != "" {
		words += " in strata of " + e.Strata + " that have both groups"
	}
	return words
}
