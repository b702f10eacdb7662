package findings

import (
	"fmt"
	"io"
	"math"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// groupReport is what the weights do to two groups, in JSON.
type groupReport struct {
	Constraint string    `json:"constraint"`
	Group      sideGroup `json:"group"`
	Versus     sideGroup `json:"versus"`
	// ImpactRatio is the smaller rate of positive decisions divided by the larger.
	ImpactRatio fairness.Ratio `json:"impact_ratio"`
}

// sideGroup is one of the two groups.
type sideGroup struct {
	Label             string           `json:"label"`
	Records           int64            `json:"records"`
	PositiveLabels    fairness.Measure `json:"positive_labels"`
	PositiveDecisions fairness.Measure `json:"positive_decisions"`
	TruePositives     fairness.Measure `json:"true_positive_rate"`
	FalsePositives    fairness.Measure `json:"false_positive_rate"`
	Precision         fairness.Measure `json:"precision"`
	Accuracy          fairness.Measure `json:"accuracy"`
	// MeanScore and CalibrationError, the expected calibration error over tenths of the score, are null without records.
	MeanScore        *float64 `json:"mean_score"`
	CalibrationError *float64 `json:"calibration_error"`
	// Confusion has sums of weights.
	Confusion confusion `json:"confusion"`
}

type confusion struct {
	TruePositive  float64 `json:"true_positive"`
	FalsePositive float64 `json:"false_positive"`
	FalseNegative float64 `json:"false_negative"`
	TrueNegative  float64 `json:"true_negative"`
}

// NewGroupReports has one report for each pair of groups.
func NewGroupReports(a *appraise.Appraisal, level float64) (reports []groupReport) {
	for i := range a.Pairs {
		p := &a.Pairs[i]
		reports = append(reports, groupReport{Constraint: p.Name, Group: NewSideGroup(&p.Group, level), Versus: NewSideGroup(&p.Versus, level),
			ImpactRatio: p.ImpactRatio(level)})
	}
	return reports
}

// NewSideGroup is what is known of one of two groups, with intervals of a level.
func NewSideGroup(g *appraise.Group, level float64) sideGroup {
	c := g.Confusion
	return sideGroup{Label: g.Label, Records: c.Records, PositiveLabels: c.BaseRate(level), PositiveDecisions: g.Selected(level),
		TruePositives: g.TruePositives(level), FalsePositives: g.FalsePositives(level), Precision: g.Precision(level), Accuracy: c.Accuracy(level),
		MeanScore: known(g.MeanScore()), CalibrationError: known(g.CalibrationError()),
		Confusion: confusion{c.TruePositive, c.FalsePositive, c.FalseNegative, c.TrueNegative}}
}

// known is a number for JSON, nil if it is NaN.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// GroupRows are the rows of the table of two groups.
var GroupRows = []struct {
	Name string
	Of   func(*sideGroup) fairness.Measure
}{
	{"positive labels", func(g *sideGroup) fairness.Measure { return g.PositiveLabels }},
	{"positive decisions", func(g *sideGroup) fairness.Measure { return g.PositiveDecisions }},
	{"  of positive labels", func(g *sideGroup) fairness.Measure { return g.TruePositives }},
	{"  of negative labels", func(g *sideGroup) fairness.Measure { return g.FalsePositives }},
	{"accuracy", func(g *sideGroup) fairness.Measure { return g.Accuracy }},
	{"precision", func(g *sideGroup) fairness.Measure { return g.Precision }},
}

// WriteGroups says how each group is treated.
func WriteGroups(w io.Writer, reports []groupReport) {
	for i := range reports {
		r := &reports[i]
		t := english.NewTable()
		t.AppendHeader(table.Row{r.Constraint, english.Clipped(r.Group.Label, 26), english.Clipped(r.Versus.Label, 26)})
		t.AppendRow(table.Row{"records", english.Sprintf("%d", r.Group.Records), english.Sprintf("%d", r.Versus.Records)})
		for _, row := range GroupRows {
			t.AppendRow(table.Row{row.Name, percent(row.Of(&r.Group)), percent(row.Of(&r.Versus))})
		}
		counts := func(c confusion) string {
			return english.Sprintf("%.0f, %.0f", c.TruePositive+c.TrueNegative, c.FalsePositive+c.FalseNegative)
		}
		t.AppendRow(table.Row{"right, wrong", counts(r.Group.Confusion), counts(r.Versus.Confusion)})
		fmt.Fprintf(w, "\n%s\n", english.Render(t))
		if m := r.ImpactRatio; !math.IsNaN(m.Value) {
			fmt.Fprintf(w, "\nImpact ratio, the smaller rate of positive decisions divided by the larger:\n%s. The four-fifths rule asks for 0.8 or more.\n", english.WithInterval(m.Value, m.Lo, m.Hi, "%.2f"))
		}
	}
}

func percent(m fairness.Measure) string {
	if math.IsNaN(m.Value) {
		return "–"
	}
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*m.Value, 100*m.Lo, 100*m.Hi)
}
