package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Page is what the page shows.
type Page struct {
	Job, Program, Input string
	// Made is when the page was made, as it is to be read; Label says what is predicted, and Configuration is what was learnt with.
	Made, Label, Configuration string
	// Files are those that were read.
	Files []File
	// Open is the variant of which the details are open: that of the configured bound.
	Open int
	// Learnt says what was learnt from, Measured what was measured on, Spread what the lines about a number mean.
	Learnt, Measured, Spread string
	// Varied is what differs between the variants: tau or relaxation.
	Varied   string
	Variants []Variant
	// Unconstrained is the model without constraints, nil if there is none.
	Unconstrained *Variant
	// Constant is the accuracy of a constant decision, or its error in a regression.
	Constant Number
	Notes    []string
}

// File is one that was read. SHA256 is empty where the bytes are not known, as of standard input.
type File struct{ Name, Role, SHA256 string }

// Verdicts say in words how each constraint of the open variant stands.
func (p *Page) Verdicts() (all []string) {
	if p.Open >= len(p.Variants) {
		return nil
	}
	for _, c := range p.Variants[p.Open].Constraints {
		all = append(all, c.words())
	}
	return all
}

// words are a constraint for a reader who knows no terms.
func (c *Constraint) words() string {
	what, form := "difference between", "%+.3f"
	if c.Criterion == "impact-ratio" {
		what, form = "ratio of", "%.3f"
	}
	groups := fmt.Sprintf("%s: the %s %s and %s", c.Name, what, c.Group, c.Versus)
	measured := ""
	if !math.IsNaN(c.Difference.Value) {
		measured = fmt.Sprintf(" It is %s.", c.Difference.words(form))
	}
	limit := strconv.FormatFloat(c.Tau, 'g', -1, 64)
	switch c.Status {
	case "":
		return groups + " was only measured." + measured
	case "met":
		return groups + " is within the limit of " + limit + "." + measured
	case "violated":
		return groups + " is beyond the limit of " + limit + "." + measured
	case "inconclusive":
		return groups + " may be within the limit of " + limit + " or beyond it: there are too few records to tell." + measured
	case "not_estimable":
		return groups + " cannot be measured on these records."
	}
	return groups + " was " + strings.Replace(c.Status, "tau", "the limit", 1) + " holdouts." + strings.Replace(measured, "It is", "The mean of the holdouts is", 1)
}

// Verdict is the status in words.
func (c *Constraint) Verdict() string {
	switch c.Status {
	case "met":
		return "within the limit"
	case "violated":
		return "beyond the limit"
	case "inconclusive":
		return "not known"
	case "not_estimable":
		return "cannot be measured"
	}
	return c.Status
}

// Variant is one model, or the models of several folds together.
type Variant struct {
	Name        string
	Qualities   []Number
	Constraints []Constraint
	Pairs       []Pair
	Columns     []Column
}

// Number is a number with an interval; NaN stands for what is not known.
type Number struct {
	Name          string
	Value, Lo, Hi float64
}

// Constraint is the difference of one constraint.
type Constraint struct {
	Name, Criterion, Group, Versus string
	Difference                     Number
	Tau                            float64
	Enforced                       bool
	Status                         string // the verdict, or in how many holdouts the difference was within tau
}

// Pair is two groups, as they are treated.
type Pair struct {
	Name          string
	Group, Versus Side
	Ratio         Number // the impact ratio
}

// Side is one of them.
type Side struct {
	Label   string
	Records int64
	Rates   []Number // in the same order on both sides
	// Right and Wrong are decisions, by what was decided.
	RightPositive, WrongPositive, RightNegative, WrongNegative float64
	Calibration                                                []CalibrationPoint
}

// CalibrationPoint is a range of scores with records.
type CalibrationPoint struct {
	Score   float64 // mean
	Rate    Number  // share of positive labels
	Records int64
}

// Column is what one column adds to the difference of the mean margins of each pair, with the constraint and without.
type Column struct {
	Name              string
	Importance, Share float64
	With, Without     []float64 // by pair; Without is nil without an unconstrained model
}
