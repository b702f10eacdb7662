package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Term is one weight of a document in words. A margin is the sum of the terms that apply to a record.
type Term struct {
	// Column is the field, fields joined by " & " for a cross, or (intercept) or (other levels).
	Column string `json:"column"`
	// Level is which values of the column the weight belongs to.
	Level string `json:"level"`
	// Kind says how the term applies.
	Kind TermKind `json:"kind"`
	// Weight is what the term adds to the margin, times the factor that Kind speaks of.
	Weight float64 `json:"weight"`
}

// TermKind is how a term applies to a record.
type TermKind string

// The kinds of terms. All but two apply with the factor 1.
const (
	// InterceptTerm applies to every record.
	InterceptTerm TermKind = "intercept"
	// BinTerm applies to the numbers of a bin: the weight of the bin and of its coarse bin together.
	BinTerm TermKind = "bin"
	// KnotTerm applies to a number between its neighbours: the factor falls linearly from 1 at the knot to
	// 0 at the next one, and stays 1 beyond the outermost.
	KnotTerm TermKind = "knot"
	// SlopeTerm applies with the factor (number − mean) / standard deviation, clipped to ±5.
	SlopeTerm TermKind = "slope"
	// LevelTerm applies to one text; in a numeric column, on top of the bin.
	LevelTerm TermKind = "level"
	// BucketTerm applies to the texts without a weight of their own that hash to it.
	BucketTerm TermKind = "bucket"
	// MissingTerm applies if the value is missing.
	MissingTerm TermKind = "missing"
)

const (
	interceptWords = "(intercept)"
	bucketWords    = "(other levels)"
	missingWords   = "(missing)"
)

// Explain returns every weight by column and level: columns by name, and in each the numbers in ascending
// order, then texts in alphabetical order, then the missing value.
func (d *Document) Explain() ([]Term, error) {
	b, err := d.body()
	if err != nil {
		return nil, err
	}
	if _, err := b.scorer(d.Config.Learner); err != nil {
		return nil, err
	}
	terms := []Term{{interceptWords, "", InterceptTerm, b.Intercept}}
	for i := range b.Columns {
		terms = append(terms, b.Columns[i].explain()...)
	}
	for _, cross := range b.Crosses {
		terms = append(terms, explainLevels(strings.Join(cross.Columns, " & "), cross.Levels)...)
	}
	for i, weight := range b.Buckets {
		terms = append(terms, Term{bucketWords, fmt.Sprintf("bucket %d of %d", i, len(b.Buckets)), BucketTerm, weight})
	}
	slices.SortStableFunc(terms, func(a, b Term) int { return strings.Compare(a.Column, b.Column) })
	return terms, nil
}

func (b *bodyColumn) explain() []Term {
	var terms []Term
	switch {
	case b.Type != Numeric:
	case b.Standardized != nil:
		s := b.Standardized
		words := fmt.Sprintf("per %.6g above %.6g", 1/s.Scale, s.Mean)
		terms = append(terms, Term{b.Name, words, SlopeTerm, s.Weight})
	case b.Knots != nil:
		for i, knot := range b.Knots {
			terms = append(terms, Term{b.Name, "at " + formatNumber(knot), KnotTerm, b.KnotWeights[i]})
		}
	default:
		cut := bins{edges: b.Edges, coarse: b.Coarse, heavy: b.SingleValue}
		for i, weight := range b.Bins {
			terms = append(terms, Term{b.Name, cut.words(i, i), BinTerm, weight + b.CoarseBins[b.Coarse[i]]})
		}
	}
	terms = append(terms, explainLevels(b.Name, b.Levels)...)
	if b.Missing != nil {
		terms = append(terms, Term{b.Name, missingWords, MissingTerm, *b.Missing})
	}
	return terms
}

func explainLevels(column string, levels []bodyLevel) []Term {
	var terms []Term
	for _, l := range levels {
		terms = append(terms, Term{column, l.Text, LevelTerm, l.Weight})
	}
	slices.SortStableFunc(terms, func(a, b Term) int { return strings.Compare(a.Level, b.Level) })
	return terms
}

// words names the numbers from one fine bin to another, such as [28, 31).
func (b *bins) words(first, last int) string {
	if first > 0 && first == last && b.heavy[first] {
		return "= " + formatNumber(b.edges[first-1])
	}
	lower, upper := "", ""
	switch {
	case first > 1 && b.heavy[first-1]:
		lower = "(" + formatNumber(b.edges[first-2]) // its own edge is the next number after the single value
	case first > 0:
		lower = "[" + formatNumber(b.edges[first-1])
	}
	if last < len(b.edges) {
		upper = formatNumber(b.edges[last])
	}
	switch {
	case lower == "" && upper == "":
		return "any number"
	case lower == "":
		return "< " + upper
	case upper == "" && lower[0] == '(':
		return "> " + lower[1:]
	case upper == "":
		return ">= " + lower[1:]
	}
	return lower + ", " + upper + ")"
}

// words names the bin that a number contributes to crosses.
func (c *column) words(bin int32) string {
	switch c.encoding {
	case Standardized:
		return fmt.Sprintf("about %.6g", c.mean+float64(bin-clip)/c.scale)
	case PiecewiseLinear:
		if len(c.knots) == 1 {
			return "any number"
		}
		return "[" + formatNumber(c.knots[bin]) + ", " + formatNumber(c.knots[bin+1]) + "]"
	}
	first := slices.Index(c.bins.coarse, bin)
	last := first
	for i, coarse := range c.bins.coarse {
		if coarse == bin {
			last = i
		}
	}
	return c.bins.words(first, last)
}

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
