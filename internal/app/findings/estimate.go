package findings

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// ConstraintWords names a constraint with its groups and its criterion.
func ConstraintWords(c fairness.Estimate) string {
	return fmt.Sprintf("%s (%s)", pairWords(c), c.Criterion)
}

// pairWords names a constraint and what it compares: "sex: Male − Female", or "sex: Male / Female" of a ratio. The groups of a
// range name the attribute themselves: "age ≥ 40 − age < 40".
func pairWords(c fairness.Estimate) string {
	sign, within := "−", ""
	if c.Criterion.OfRatio() {
		sign = "/"
	}
	if c.Strata != "" {
		within = " within " + c.Strata
	}
	pair := fmt.Sprintf("%s %s %s%s", c.Group, sign, c.Versus, within)
	if strings.HasPrefix(c.Group, c.Name+" ") {
		return pair
	}
	return c.Name + ": " + pair
}

// ShortWords names a constraint in a column, with its group where several have the name, as those of group: each.
func ShortWords(c fairness.Estimate, all []fairness.Estimate) string {
	for _, other := range all {
		if other.Name == c.Name && other.Criterion == c.Criterion && other.Group != c.Group {
			return text.WrapSoft(c.Name+": "+c.Group, 24)
		}
	}
	return c.Name
}

// onlyConstraint names the constraint if there is one, which then needs no column.
func onlyConstraint(all []fairness.Estimate) string {
	if len(all) != 1 {
		return ""
	}
	return ConstraintWords(all[0])
}

// WritePairs says once which groups the constraints of a table compare.
func WritePairs(w io.Writer, all []fairness.Estimate) {
	var said []string
	for _, c := range all {
		if words := pairWords(c); !slices.Contains(said, words) {
			said = append(said, words)
			fmt.Fprintf(w, "%s.\n", words)
		}
	}
}

// Sentence says in words what was measured of one of all constraints.
func Sentence(c fairness.Estimate, all []fairness.Estimate) string {
	start := fmt.Sprintf("%s, %s: %s", strings.ReplaceAll(ShortWords(c, all), "\n", " "), c.Criterion, c.Status)
	if c.Status == fairness.NotEstimable {
		return start + ": " + c.Reason + "."
	}
	enforced := ""
	if !c.Enforced {
		enforced = " (it is measured only)"
	}
	return fmt.Sprintf("%s%s. %s. %s.", start, enforced, sideWords(c), intervalWords(c))
}

// intervalWords says why the interval gives this verdict.
func intervalWords(c fairness.Estimate) string {
	switch {
	case c.Status == fairness.Met && c.Criterion.OfRatio():
		return "The whole interval is at or above tau"
	case c.Status == fairness.Violated && c.Criterion.OfRatio():
		return "The whole interval is below tau"
	case c.Status == fairness.Met:
		return "The whole interval is within tau"
	case c.Status == fairness.Violated:
		return "The whole interval is beyond tau"
	}
	return "The interval includes tau, so another sample could give the opposite verdict: " + c.Need()
}

// sideWords says what was measured of both sides of a constraint.
func sideWords(c fairness.Estimate) string {
	if c.Criterion.OfMeans() {
		format := english.InUnits(c.Lo, c.Hi, "%")
		side := func(mean float64, n int64) string {
			return fmt.Sprintf("mean prediction "+format, mean) + english.Sprintf(" of %d", n)
		}
		return fmt.Sprintf("%s: %s; %s: %s", c.Group, side(c.MeanGroup, c.NGroup), c.Versus, side(c.MeanVersus, c.NVersus))
	}
	return english.Sprintf("%s: %.1f %% of %d; %s: %.1f %% of %d", c.Group, 100*c.RateGroup, c.NGroup, c.Versus, 100*c.RateVersus, c.NVersus)
}

// Difference is the measured difference of a constraint, or its ratio, with its interval.
func Difference(c fairness.Estimate) string {
	return english.WithInterval(c.Value, c.Lo, c.Hi, ValueFormat(c))
}

// ValueFormat is how the value of a constraint is written: a difference has a sign.
func ValueFormat(c fairness.Estimate) string {
	switch {
	case c.Criterion.OfMeans():
		return english.InUnits(c.Lo, c.Hi, "%+")
	case c.Criterion.OfRatio():
		return "%.3f"
	}
	return "%+.3f"
}
