package server

import (
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// measured fills in what the learner measures. groups says whether nobody else counts groups.
func (l *Live) measured(b *board.Status, m *document.Measurements, groups bool) {
	b.Comparisons = len(m.Constraints)
	for _, e := range m.Constraints {
		b.Constraints = append(b.Constraints, rowOf(e))
	}
	b.Subjects = append(b.Subjects, board.Subject{ID: currentSubject, Title: "The newest version, on recent records", Kind: "version", Records: m.Recent.Records})
	if groups {
		b.Groups, b.Gaps = l.groups(m.Constraints), gaps(m.Constraints)
	}
	b.Learner = board.Learner{Measures: append(qualities(m.Recent, "recent"), qualities(m.Prequential, "all")...)}
	for _, c := range m.Control {
		b.Learner.Controls = append(b.Learner.Controls, board.Control{Name: c.Name, Criterion: c.Criterion, Multiplier: board.Number(c.Multiplier),
			Target: board.Number(c.Target), Reachable: c.Reachable})
	}
	for _, c := range m.Conditions {
		b.Conditions = append(b.Conditions, board.Condition{Code: string(c.Code), Constraint: c.Constraint, Detail: c.Detail})
	}
}

func rowOf(e fairness.Estimate) board.Constraint {
	c := board.NewConstraint(e, currentSubject)
	if e.Status == fairness.Inconclusive {
		c.RecordsNeeded = needed(e)
	}
	return c
}

// needed is about how many more records make a verdict: the interval shrinks with the square root of their number, until it
// reaches no farther than the bound; nil if the difference is too near to the bound for that.
func needed(e fairness.Estimate) *int64 {
	half, room := (e.Hi-e.Lo)/2, math.Abs(math.Abs(e.Value)-e.Tau)
	const most = 1e9
	records := float64(e.NGroup + e.NVersus)
	more := math.Ceil(records * (half/room*(half/room) - 1))
	if !(more > 0 && more < most) {
		return nil
	}
	n := int64(more)
	return &n
}

// groups are the sides of the constraints that look at every record.
func (l *Live) groups(estimates []fairness.Estimate) (groups []board.Group) {
	add := func(attribute, name string, n, k int64, level float64, reason string) {
		has := func(g board.Group) bool { return g.Attribute == attribute && g.Group == name }
		if slices.ContainsFunc(groups, has) {
			return
		}
		g := board.Group{Subject: currentSubject, Attribute: attribute, Group: name, Records: n, Positive: k, Share: board.Unknown(),
			Rate: board.Unknown(), Lo: board.Unknown(), Hi: board.Unknown(), ImpactRatio: board.Unknown(), Reason: reason}
		if reason == "" && n > 0 {
			lo, hi := fairness.Wilson(float64(k)/float64(n), float64(n), level)
			g.Rate, g.Lo, g.Hi = board.Number(float64(k)/float64(n)), board.Number(lo), board.Number(hi)
		}
		groups = append(groups, g)
	}
	for _, e := range estimates {
		if e.RateSides == nil || !e.Criterion.OfAll() {
			continue
		}
		attribute := l.attribute(e.Name)
		add(attribute, e.Group, e.NGroup, e.KGroup, e.Level, e.Reason)
		add(attribute, e.Versus, e.NVersus, e.KVersus, e.Level, e.Reason)
	}
	compare(groups)
	return groups
}

// compare fills in the ratio to the highest rate of the same attribute.
func compare(groups []board.Group) {
	highest := map[string]board.Number{}
	for _, g := range groups {
		if g.Rate.Known() {
			highest[g.Attribute] = max(highest[g.Attribute], g.Rate)
		}
	}
	for i := range groups {
		if g := &groups[i]; g.Rate.Known() && highest[g.Attribute] > 0 {
			g.ImpactRatio = g.Rate / highest[g.Attribute]
		}
	}
}

// attribute names the fields that a constraint compares by.
func (l *Live) attribute(constraint string) string {
	for _, c := range l.model.Constraints {
		if c.Name == constraint {
			return strings.Join(c.Attribute, " & ")
		}
	}
	for _, c := range l.model.Constraints { // of a model that is monitored, which nameOf adds
		if strings.HasPrefix(constraint, c.Name+" (") {
			return strings.Join(c.Attribute, " & ")
		}
	}
	return constraint
}

// gapMeasures are the measures that criteria bound.
var gapMeasures = map[fairness.Criterion]string{
	fairness.DemographicParity: "selection_rate", fairness.EqualOpportunity: "tpr", fairness.PredictiveEquality: "fpr",
}

func gaps(estimates []fairness.Estimate) (gaps []board.Gap) {
	for _, e := range estimates {
		if measure := gapMeasures[e.Criterion]; measure != "" {
			gaps = append(gaps, board.Gap{Subject: currentSubject, Measure: measure, Group: e.Group, Versus: e.Versus, Constraint: e.Name,
				Value: board.Number(e.Value), Lo: board.Number(e.Lo), Hi: board.Number(e.Hi), Tau: board.Number(e.Tau), Status: e.Status, Reason: e.Reason,
				NGroup: e.NGroup, NVersus: e.NVersus, EffectiveGroup: board.Number(e.EffectiveGroup), EffectiveVersus: board.Number(e.EffectiveVersus)})
		}
	}
	return gaps
}

func qualities(r document.Report, window string) (measures []board.Measure) {
	add := func(name string, m fairness.Measure) {
		measures = append(measures, board.Measure{Name: name, Window: window, Value: board.Number(m.Value), Lo: board.Number(m.Lo), Hi: board.Number(m.Hi), Level: m.Level, N: m.Records, Effective: board.Number(m.Effective)})
	}
	switch {
	case r.Records == 0:
	case r.Predictions != nil:
		add("mse", r.MSE)
		add("constant_mse", r.ConstantMSE)
		add("r_squared", r.RSquared)
	case r.Decisions != nil:
		add("accuracy", r.Accuracy)
		add("log_loss", r.LogLoss)
		add("constant_accuracy", r.ConstantAccuracy)
		add("positive_decisions", r.PositiveDecisions)
		add("positive_labels", r.PositiveLabels)
	}
	return measures
}
