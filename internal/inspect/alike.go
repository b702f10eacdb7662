package inspect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
)

// alike says whether two different texts are one value written in two ways: in another case, with spaces or a full stop at
// an end, or as another form of the same number.
func alike(a, b string) bool {
	if a == b {
		return false
	}
	plain := func(text string) string { return strings.ToLower(strings.Trim(text, " \t.")) }
	if plain(a) == plain(b) {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// otherwise lists the values of a column that are written like one of words, but for case, spaces or the form of a number.
func otherwise(c *profile.Column, words ...string) string {
	if c == nil {
		return ""
	}
	var found []profile.Value
	for _, v := range c.Shown {
		if !slices.Contains(words, v.Text) && slices.ContainsFunc(words, func(word string) bool { return alike(v.Text, word) }) {
			found = append(found, v)
		}
	}
	return Values(found)
}

// spellings finds labels and groups that are written in several ways, of which the configuration knows one.
func (s *search) spellings() {
	label := s.config.Record.Label
	if positive := string(label.Positive); s.label.positive > 0 {
		if others := otherwise(s.column(label.Field), positive); others != "" {
			s.add(false, "record.label.positive", "%s are taken for negative labels, as only %s is positive: write the label in one way", others, Quote(positive))
		}
	}
	for _, c := range s.Counts() {
		at := slices.IndexFunc(s.config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		attribute := s.config.Constraints[at].Attribute
		if len(attribute) != 1 || c.Group+c.Versus == 0 {
			continue
		}
		words := slices.Concat(strings.Split(c.GroupLabel(), " or "), strings.Split(c.VersusLabel(), " or "))
		if others := otherwise(s.column(attribute[0]), words...); others != "" {
			s.add(false, fmt.Sprintf("constraints[%d].attribute", at), "%s of %q are not in the groups %s and %s: write each value in one way", others, attribute[0], Quote(c.GroupLabel()), Quote(c.VersusLabel()))
		}
	}
}

// A run of equal labels ends where the next record has the other label.
const (
	// leastInRuns is how many labels are looked at, and mostRuns the share of the runs that a random order would have, up to
	// which the records are said to be sorted. By chance that is impossible (Wald and Wolfowitz, Annals of Mathematical
	// Statistics 11, 1940).
	leastInRuns = 200
	mostRuns    = .2
	runsSigma   = 8.0
)

// order finds records that are sorted by their labels.
func (s *search) order() {
	label := s.evidence()
	n, positive := float64(label.known), float64(label.positive)
	expected := 1 + 2*positive*(n-positive)/n
	if label.known < leastInRuns || float64(label.runs) > mostRuns*expected ||
		expected-float64(label.runs) < runsSigma*math.Sqrt((expected-1)*(expected-2)/(n-1)) {
		return
	}
	s.add(false, "record.label.field", "the records are sorted by the label: %d runs of equal labels where a random order has about %.0f. They are learnt in their order, so shuffle a sorted file (replay --shuffle 1)",
		label.runs, expected)
}

// repeated finds records that are copies of earlier ones.
func (s *search) repeated() {
	if copies, column := s.copies.Found(); copies > 0 {
		s.add(false, "record", "%d of %d records with a label are copies of an earlier one in every field that is read, although %q has a value of its own in nearly every other record. Copies are learnt and counted as if they were new evidence, so intervals become too narrow: remove them where the records are made",
			copies, s.label.known, column)
	}
}

// bounds finds values of tau that bound nearly nothing.
func (s *search) bounds() {
	for at, c := range s.config.Constraints {
		path := fmt.Sprintf("constraints[%d].tau", at)
		switch {
		case c.Criterion.OfRatio() && c.Tau < .5:
			s.add(false, path, "%v allows a rate that is a fraction %v of the other: %s is a ratio, such as 0.8 for four fifths", c.Tau, c.Tau, c.Criterion)
		case !c.Criterion.OfRatio() && !c.Criterion.OfMeans() && c.Tau >= .5:
			s.add(false, path, "%v allows nearly every difference of rates: use one such as 0.05, or criterion: impact-ratio for four fifths (tau: 0.8)", c.Tau)
		}
	}
}
