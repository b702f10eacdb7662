package replay

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Summary is over holdouts.
type Summary struct {
	Qualities   []spread            `json:"qualities"`
	Constraints []constraintSummary `json:"constraints"`
}

// spread is how a number varies between the holdouts in which it could be estimated. It has no mean if there are none, and no
// standard deviation if there are fewer than two.
type spread struct {
	Name     string   `json:"name"`
	Mean     *float64 `json:"mean"`
	SD       *float64 `json:"standard_deviation"`
	Holdouts int      `json:"holdouts"`
}

// constraintSummary counts the holdouts whose measured value keeps to tau, of those in which it could
// be estimated. Holdouts repeat the measurement, so what counts is the difference itself and not its interval.
type constraintSummary struct {
	spread
	Criterion fairness.Criterion `json:"criterion"`
	Group     string             `json:"group"`
	Versus    string             `json:"versus"`
	Tau       float64            `json:"tau"`
	Enforced  bool               `json:"enforced"`
	Furthest  *float64           `json:"furthest"` // the difference furthest from 0, or the least ratio
	Within    int                `json:"within"`
	// StandardError is the mean of those of the holdouts' own differences: what chance alone makes of them.
	StandardError        *float64 `json:"standard_error"`
	words, short, format string
}

func summarize(holdouts []*findings.Evaluation) (s Summary) {
	for i, q := range holdouts[0].Measures.Qualities() {
		var values []float64
		for _, e := range holdouts {
			values = append(values, e.Measures.Qualities()[i].Measure.Value)
		}
		s.Qualities = append(s.Qualities, newSpread(q.Name, values))
	}
	all := rowsOf(holdouts)
	for _, c := range all {
		of := constraintSummary{Criterion: c.Criterion, Group: c.Group, Versus: c.Versus, Tau: c.Tau, Enforced: c.Enforced,
			words: findings.ConstraintWords(c), short: findings.ShortWords(c, all), format: findings.ValueFormat(c)}
		var values, errors []float64
		for _, e := range holdouts {
			i := slices.IndexFunc(e.Constraints, c.Same)
			if i < 0 || e.Constraints[i].Status == fairness.NotEstimable {
				continue
			}
			c := e.Constraints[i]
			values = append(values, c.Value)
			errors = append(errors, (c.Hi-c.Lo)/2/fairness.NormalQuantile((1+c.Level)/2))
			if of.Furthest == nil || c.Criterion.OfRatio() && c.Value < *of.Furthest || !c.Criterion.OfRatio() && math.Abs(c.Value) > math.Abs(*of.Furthest) {
				of.Furthest = findings.Finite(c.Value)
			}
			if c.Within() {
				of.Within++
			}
		}
		of.spread, of.StandardError = newSpread(c.Name, values), newSpread("", errors).Mean
		s.Constraints = append(s.Constraints, of)
	}
	return s
}

// rowsOf has one estimate of each comparison that any holdout has: the learners meet the values of a constraint of each in
// the order of their own records.
func rowsOf(holdouts []*findings.Evaluation) (rows []fairness.Estimate) {
	for _, e := range holdouts {
		for _, c := range e.Constraints {
			if !slices.ContainsFunc(rows, c.Same) {
				rows = append(rows, c)
			}
		}
	}
	return rows
}

// newSpread leaves out what is not a number.
func newSpread(name string, values []float64) spread {
	values = slices.DeleteFunc(values, math.IsNaN)
	s := spread{Name: name, Holdouts: len(values)}
	if len(values) > 0 {
		mean, deviation := stat.MeanStdDev(values, nil)
		s.Mean, s.SD = findings.Finite(mean), findings.Finite(deviation)
	}
	return s
}

func (s spread) words(format string) string {
	switch {
	case s.Mean == nil:
		return string(fairness.NotEstimable)
	case s.SD == nil:
		return fmt.Sprintf(format, *s.Mean)
	}
	return fmt.Sprintf(format+" ± "+strings.Replace(format, "+", "", 1), *s.Mean, *s.SD)
}

// within says in how many holdouts the difference was within tau.
func (c constraintSummary) within(holdouts int) string {
	if c.Holdouts == 0 {
		return ""
	}
	words := fmt.Sprintf("%d of %d", c.Within, c.Holdouts)
	if !c.Enforced {
		words += fmt.Sprintf("\nat %s, only\nmeasured", english.Number(c.Tau))
	}
	if unknown := holdouts - c.Holdouts; unknown > 0 {
		words += fmt.Sprintf("\n%d %s", unknown, fairness.NotEstimable)
	}
	return words
}
