package board

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Verdict is the status that the page shows: that of the sequence, which holds however often one looks, and without a sequence
// the pointwise one.
func (c *Constraint) Verdict() fairness.Status {
	if c.Sequence != nil {
		return c.Sequence.Status
	}
	return c.Status
}

// bounds are the interval behind Verdict.
func (c *Constraint) bounds() Interval {
	if s := c.Sequence; s != nil {
		return Interval{s.Value, s.Lo, s.Hi}
	}
	return Interval{c.Value, c.Lo, c.Hi}
}

// Measured is the difference, or ratio, of the numbers of both groups as they are shown beside it; without these, that of the interval. The interval
// behind a verdict is of people about whom decisions were made at about the same time, so that Measured need not lie in its middle.
func (c *Constraint) Measured() Number {
	if c.Value.Known() {
		return c.Value
	}
	return c.bounds().Value
}

// Sentence says the verdict in plain words: what is compared, the groups, the numbers and, where nothing is known, the reason.
func Sentence(c *Constraint) string {
	if c.Criterion.OfRatio() {
		return ratioSentence(c)
	}
	is, what, tau := c.bounds(), Compared(c.Criterion), strconv.FormatFloat(c.Tau, 'g', -1, 64)
	versus := Others(c.Versus)
	switch c.Verdict() {
	case fairness.Met:
		if is.Lo <= 0 && is.Hi >= 0 { // which of them is higher is not known
			return fmt.Sprintf("%s and %s differ by at most %s in the %s. The limit of %s is kept.", c.Group, versus, near(max(-is.Lo, is.Hi), c.Tau), what, tau)
		}
		return fmt.Sprintf("The %s is %s. The limit of %s is kept.", what, beside(c, c.Measured()), tau)
	case fairness.Violated:
		sign, least := Number(1), is.Lo
		if is.Value < 0 {
			sign, least = -1, -is.Hi
		}
		if measured := sign * c.Measured(); measured < least { // the shares moved with the groups
			return fmt.Sprintf("The %s is %s by at least %s, between people about whom decisions were made at about the same time. The limit is %s.",
				what, than(c, sign), near(least, c.Tau), tau)
		}
		return fmt.Sprintf("The %s is %s (at least %s). The limit is %s.", what, beside(c, c.Measured()), near(least, c.Tau), tau)
	case fairness.Inconclusive:
		sentence := fmt.Sprintf("It is not known yet whether %s and %s differ by at most %s in the %s. The difference is between %s and %s",
			c.Group, versus, tau, what, plus(is.Lo)+near(is.Lo, c.Tau), plus(is.Hi)+near(is.Hi, c.Tau))
		reason := c.Reason
		if c.Sequence != nil {
			reason = c.Sequence.Reason
		}
		if reason != "" {
			return sentence + ": " + outcomes(reason) + "."
		}
		return sentence + "."
	}
	return unknownSentence(c)
}

// beside says how the group stands beside the other side.
func beside(c *Constraint, difference Number) string {
	if size := max(difference, -difference); size > 0 {
		return than(c, difference) + " by " + decimal(size)
	}
	return "the same for " + c.Group + " and " + Others(c.Versus)
}

func than(c *Constraint, difference Number) string {
	word := "higher"
	if difference < 0 {
		word = "lower"
	}
	return word + " for " + c.Group + " than for " + Others(c.Versus)
}

func unknownSentence(c *Constraint) string {
	return fmt.Sprintf("The difference between %s and %s cannot be estimated: %s.", c.Group, Others(c.Versus), cmp.Or(outcomes(c.Reason), "there are too few records"))
}

// ratioSentence is the sentence of a criterion that bounds the lower rate over the higher one from below.
func ratioSentence(c *Constraint) string {
	is, tau, both := c.bounds(), strconv.FormatFloat(c.Tau, 'g', -1, 64), c.Group+" and "+Others(c.Versus)
	switch c.Verdict() {
	case fairness.Met:
		return fmt.Sprintf("Of %s, the lower share of positive decisions is %s times the higher one. The limit of at least %s is kept.", both, decimal(c.Measured()), tau)
	case fairness.Violated:
		return fmt.Sprintf("Of %s, the lower share of positive decisions is %s times the higher one (at most %s times). The limit is at least %s.",
			both, decimal(c.Measured()), near(is.Hi, c.Tau), tau)
	case fairness.Inconclusive:
		return fmt.Sprintf("It is not known yet whether, of %s, the lower share of positive decisions is at least %s times the higher one. The ratio is between %s and %s.",
			both, tau, near(is.Lo, c.Tau), near(is.Hi, c.Tau))
	}
	return unknownSentence(c)
}

// outcomes is a reason in the words of the page: what a configuration calls a label is an outcome there.
func outcomes(reason string) string {
	return strings.NewReplacer("a positive label", "a positive outcome", "a negative label", "a negative outcome", "labels", "outcomes", "label", "outcome", "would decide", "would settle it", "near tau", "near the limit", "no number of records decides", "no number of records can settle it").Replace(reason)
}

// Others is the second side of a comparison as people call it.
func Others(versus string) string {
	if versus == "rest" {
		return "all others"
	}
	return versus
}

// Compared is what a criterion compares.
func Compared(criterion fairness.Criterion) string {
	switch criterion {
	case fairness.MeanDifference:
		return "mean prediction"
	case fairness.ImpactRatio:
		return "lower share of positive decisions over the higher one"
	case fairness.EqualOpportunity:
		return "share of positive decisions among those whose outcome is positive"
	case fairness.PredictiveEquality:
		return "share of positive decisions among those whose outcome is negative"
	}
	return "share of positive decisions"
}

// decimal writes a number with three places, or three digits where that says more, and a minus sign instead of a hyphen.
func decimal(x Number) string {
	switch size := max(x, -x); {
	case size != 0 && size < 0.001:
		return minus(strconv.FormatFloat(float64(x), 'g', 2, 64))
	case size >= 1000:
		return minus(strconv.FormatFloat(float64(x), 'f', 0, 64))
	}
	return minus(strconv.FormatFloat(float64(x), 'f', 3, 64))
}

// Signed is a difference with its sign.
func Signed(x Number) string { return plus(x) + decimal(x) }

func plus(x Number) string {
	if x > 0 {
		return "+"
	}
	return ""
}

// near is a number beside a bound: where three places would make it the bound itself, it has as many as tell them apart, up to six.
func near(x Number, tau float64) string {
	size, places := math.Abs(float64(x)), 3
	for places < 6 && size != tau && rounded(size, places) == rounded(tau, places) {
		places++
	}
	if places == 3 {
		return decimal(x)
	}
	return minus(rounded(float64(x), places))
}

func rounded(x float64, places int) string { return strconv.FormatFloat(x, 'f', places, 64) }

// Near and SignedNear are a ratio and a difference beside a bound, of which they have the digits that tell them apart.
func Near(x Number, tau float64) string       { return near(x, tau) }
func SignedNear(x Number, tau float64) string { return plus(x) + near(x, tau) }

func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }
