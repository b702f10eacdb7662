package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/features"
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
	// SlopeTerm applies with the factor (number − mean) / standard deviation, the number, or a root of it, being clipped to the bounds that
	// the level names, or the factor to ±5.
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
)

// Explain returns every weight by column and level: columns by name, and in each the numbers in ascending
// order, then texts in alphabetical order, then the missing value.
func (d *Document) Explain() ([]Term, error) {
	b, err := readBody(d.Model)
	if err != nil {
		return nil, err
	}
	if _, _, err := b.assemble(); err != nil {
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
	case b.Type != features.Numeric:
	case b.Standardized != nil:
		s := b.Standardized
		words := fmt.Sprintf("per %.6g above %.6g", 1/s.Scale, s.Mean)
		terms = append(terms, Term{b.Name, words, SlopeTerm, s.Weight})
	case b.Knots != nil:
		for i, knot := range b.Knots {
			terms = append(terms, Term{b.Name, "at " + strconv.FormatFloat(knot, 'g', -1, 64), KnotTerm, b.KnotWeights[i]})
		}
	default:
		column := features.Column{Binning: features.Binning{Edges: b.Edges, Coarse: b.Coarse, Single: b.SingleValue}}
		if l := b.Linear; l != nil {
			words := fmt.Sprintf("per %.6g above %.6g, from %.6g to %.6g", 1/l.Scale, l.Mean, l.Low, l.High)
			if l.SquareRoots > 0 {
				words = fmt.Sprintf("of the root of order %d: per %.6g above %.6g, of numbers from %.6g to %.6g", 1<<l.SquareRoots, 1/l.Scale, l.Mean, l.Low, l.High)
			}
			terms = append(terms, Term{b.Name, words, SlopeTerm, l.Weight})
		}
		for i, coarse := range b.Coarse {
			weight := 0.0
			if b.Bins != nil {
				weight += b.Bins[i]
			}
			if b.CoarseBins != nil {
				weight += b.CoarseBins[coarse]
			}
			if b.Bins != nil || b.CoarseBins != nil {
				terms = append(terms, Term{b.Name, column.BinWords(i), BinTerm, weight})
			}
		}
	}
	terms = append(terms, explainLevels(b.Name, b.Levels)...)
	if b.Missing != nil {
		terms = append(terms, Term{b.Name, features.MissingWords, MissingTerm, *b.Missing})
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
