package export

import (
	"fmt"
	"math"
	"strings"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// Analysis has the measurements.
type Analysis struct {
	Metrics []Metric `json:"performance_metrics"`
}

// Metric is one measurement. Value and Interval are absent while it cannot be estimated; Reason then says why.
type Metric struct {
	// Type is what is measured, such as accuracy, selection_rate or demographic-parity.
	Type string `json:"type"`
	// Value is the number.
	Value *float64 `json:"value,omitempty"`
	// Slice is the part of the records that it is about; empty of all records.
	Slice string `json:"slice,omitempty"`
	// Interval is at Level.
	Interval *Bounds `json:"confidence_interval,omitempty"`
	Level    float64 `json:"level,omitempty"`
	// Basis says which records and which decisions were measured.
	Basis   string `json:"basis"`
	Method  string `json:"method,omitempty"`
	Records int64  `json:"records,omitempty"`
	// Tau, Verdict and Reason are those of a comparison.
	Tau     *float64        `json:"tau,omitempty"`
	Verdict fairness.Status `json:"verdict,omitempty"`
	Reason  string          `json:"reason,omitempty"`
}

// Bounds are the ends of an interval.
type Bounds struct {
	Lower float64 `json:"lower_bound"`
	Upper float64 `json:"upper_bound"`
}

// bounds fills in a value and its interval, as far as they are numbers: JSON has no others.
func (m Metric) bounds(value, lo, hi float64) Metric {
	isNumber := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	if isNumber(value) {
		m.Value = &value
	}
	if isNumber(lo) && isNumber(hi) {
		m.Interval = &Bounds{lo, hi}
	}
	return m
}

func measured(name, basis string, x fairness.Measure) Metric {
	return Metric{Type: name, Basis: basis, Method: x.Method, Level: x.Level, Records: x.Records}.bounds(x.Value, x.Lo, x.Hi)
}

// documentMetrics are the measurements that were published with the weights.
func documentMetrics(d *document.Document) (all []Metric) {
	recent := &d.Measurements.Recent
	basis := fmt.Sprintf("the last %d records, each decided before it was learnt", recent.Records)
	if p := recent.Predictions; p != nil {
		all = append(all, measured("mean_squared_error", basis, p.MSE), measured("constant_mean_squared_error", basis, p.ConstantMSE), measured("r_squared", basis, p.RSquared))
	}
	if q := recent.Decisions; q != nil {
		all = append(all, measured("accuracy", basis, q.Accuracy), measured("log_loss", basis, q.LogLoss), measured("constant_accuracy", basis, q.ConstantAccuracy),
			measured("selection_rate", basis, q.PositiveDecisions), measured("positive_labels", basis, q.PositiveLabels))
	}
	basis = fmt.Sprintf("the most recent records of each group, at most %d", d.Config.Learner.Window)
	for i := range d.Constraints {
		all = append(all, comparisonMetrics(&d.Constraints[i], basis)...)
	}
	return all
}

// comparisonMetrics are a comparison, and the rates or means of its sides.
func comparisonMetrics(e *fairness.Estimate, basis string) []Metric {
	tau := e.Tau
	m := Metric{Type: string(e.Criterion), Slice: sliceOf(e.Name, e.Group, e.Versus), Basis: basis, Method: e.Method, Level: e.Level, Records: e.NGroup + e.NVersus,
		Tau: &tau, Verdict: e.Status, Reason: e.Reason}
	if e.Status == fairness.NotEstimable {
		return []Metric{m}
	}
	all := []Metric{m.bounds(e.Value, e.Lo, e.Hi)}
	if s, name := e.RateSides, rateOf(e.Criterion); s != nil && name != "" {
		all = append(all, sideOf(name, e.Group, basis, s.RateGroup, e.NGroup, e.EffectiveGroup, e.Level), sideOf(name, e.Versus, basis, s.RateVersus, e.NVersus, e.EffectiveVersus, e.Level))
		if name == "selection_rate" && !e.Criterion.OfRatio() && !math.IsNaN(s.ImpactRatio.Value) {
			r := s.ImpactRatio
			all = append(all, Metric{Type: "impact_ratio", Slice: m.Slice, Basis: basis, Level: e.Level, Records: m.Records}.bounds(r.Value, r.Lo, r.Hi))
		}
	}
	if s := e.MeanSides; s != nil { // the interval of the difference stands above
		none := math.NaN()
		all = append(all, Metric{Type: "mean_prediction", Slice: e.Group, Basis: basis, Records: e.NGroup}.bounds(s.MeanGroup, none, none),
			Metric{Type: "mean_prediction", Slice: e.Versus, Basis: basis, Records: e.NVersus}.bounds(s.MeanVersus, none, none))
	}
	return all
}

func sliceOf(name, group, versus string) string {
	return fmt.Sprintf("%s: %s - %s", name, group, versus)
}

// rateOf names the rate that a criterion compares; empty for one of means, or of a later version of the program, which may have written the document.
func rateOf(c fairness.Criterion) string {
	switch {
	case c.OfAll():
		return "selection_rate"
	case c == fairness.EqualOpportunity:
		return "true_positive_rate"
	case c == fairness.PredictiveEquality:
		return "false_positive_rate"
	}
	return ""
}

func sideOf(name, group, basis string, rate float64, records int64, effective, level float64) Metric {
	m := Metric{Type: name, Slice: group, Basis: basis, Level: level, Records: records}
	if !(effective > 0) || !(rate >= 0 && rate <= 1) {
		return m
	}
	lo, hi := fairness.Wilson(rate, effective, level)
	return m.bounds(rate, lo, hi)
}

// monitorMetrics are what the monitor of a job says of the decisions as they were made.
func monitorMetrics(r *monitor.Report) (all []Metric) {
	basis := fmt.Sprintf("%d decisions of subject %s as they were made", r.Records, r.Subject.ID)
	always := basis + ", an interval that holds at every look"
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		tau, slice := c.Comparison.Tau, sliceOf(c.Comparison.Name, c.Comparison.GroupLabel(), c.Comparison.VersusLabel())
		s := c.Sequence
		all = append(all, Metric{Type: string(c.Comparison.Criterion), Slice: slice, Basis: always, Level: s.Level, Records: s.NGroup + s.NVersus,
			Tau: &tau, Verdict: s.Status, Reason: s.Reason}.bounds(s.Value, s.Lo, s.Hi))
		if total := c.Totals; total.Method != s.Method {
			all = append(all, Metric{Type: string(c.Comparison.Criterion) + "_of_totals", Slice: slice, Basis: always, Level: total.Level, Records: total.NGroup + total.NVersus,
				Tau: &tau, Verdict: total.Status, Reason: total.Reason}.bounds(total.Value, total.Lo, total.Hi))
		}
		for _, g := range c.Gaps {
			if g.Measure != monitor.SelectionRate {
				all = append(all, Metric{Type: "difference_of_" + string(g.Measure), Slice: slice, Basis: basis, Level: c.All.Level, Verdict: g.Status, Reason: g.Reason}.bounds(g.Value, g.Lo, g.Hi))
			}
		}
	}
	for i := range r.Groups {
		all = append(all, measured("selection_rate", basis, r.Groups[i].Rate).of(groupName(&r.Groups[i])))
	}
	return all
}

func (m Metric) of(slice string) Metric {
	m.Slice = slice
	return m
}

// groupName is attribute=value, joined for intersections.
func groupName(g *monitor.GroupReport) string {
	var words []string
	for k, attribute := range g.Attributes {
		value := g.Values[k]
		switch {
		case g.Levels[k] == fairness.MissingLevel:
			value = unknown
		case value == "":
			value = "all other values"
		}
		words = append(words, attribute+"="+value)
	}
	return strings.Join(words, ", ")
}

// unlabelled says of each group how many decisions have no label, by decision.
func unlabelled(r *monitor.Report) (words []string) {
	for i := range r.Groups {
		g := &r.Groups[i]
		positive, negative := g.All.UnlabelledPositive(), g.All.UnlabelledNegative()
		if positive+negative > 0 {
			words = append(words, fmt.Sprintf("%s: %d of %d positive and %d of %d negative decisions have no label.", groupName(g), positive, g.All.Positive, negative, g.All.Negative))
		}
	}
	return words
}

// auditMetrics are the shares of time within tau.
func auditMetrics(a *history.Audit) (all []Metric) {
	basis := fmt.Sprintf("time from %s to %s, each version by its own tau and interval", a.Since.UTC().Format("2006-01-02 15:04:05 UTC"), a.Until.UTC().Format("2006-01-02 15:04:05 UTC"))
	for i := range a.Constraints {
		c := &a.Constraints[i]
		slice := sliceOf(c.Name+", "+c.Criterion, c.Group, c.Versus)
		lo, hi := c.Within.Lo, c.Within.Hi
		all = append(all, Metric{Type: "least_share_of_time_within_tau", Slice: slice, Basis: basis, Value: &lo}, Metric{Type: "greatest_share_of_time_within_tau", Slice: slice, Basis: basis, Value: &hi})
	}
	return all
}
