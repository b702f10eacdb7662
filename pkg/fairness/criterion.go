package fairness

import (
	"fmt"
	"strings"
)

// Criterion is a fairness criterion as written in a configuration.
type Criterion string

// The criteria.
const (
	DemographicParity  Criterion = "demographic-parity"
	EqualOpportunity   Criterion = "equal-opportunity"
	PredictiveEquality Criterion = "predictive-equality"
	EqualizedOdds      Criterion = "equalized-odds"
	// ImpactRatio bounds the ratio of the two rates of positive decisions, the lower over the higher (the
	// four-fifths rule, 29 CFR 1607.4(D)), where DemographicParity bounds their difference.
	ImpactRatio Criterion = "impact-ratio"
	// MeanDifference compares mean predictions of a number (Calders et al., ICDM 2013, pp. 71–80); the
	// others compare rates of positive decisions.
	MeanDifference Criterion = "mean-difference"
)

// Criteria lists every criterion.
func Criteria() []Criterion {
	return []Criterion{DemographicParity, EqualOpportunity, PredictiveEquality, EqualizedOdds, ImpactRatio, MeanDifference}
}

// OfMeans says whether the criterion compares means of predictions, in units of the label, rather than
// rates of decisions.
func (c Criterion) OfMeans() bool { return c == MeanDifference }

// OfRatio says whether the criterion bounds a ratio from below rather than an absolute difference from above.
func (c Criterion) OfRatio() bool { return c == ImpactRatio }

// OfAll says whether the criterion compares the rates of positive decisions among all records, with whatever label.
func (c Criterion) OfAll() bool { return c == DemographicParity || c == ImpactRatio }

// NeedsLabel says whether the criterion is about the records with one label, so that one without a label cannot count.
func (c Criterion) NeedsLabel() bool {
	return c == EqualOpportunity || c == PredictiveEquality || c == EqualizedOdds
}

// ParseCriterion returns the criterion that text names.
func ParseCriterion(text string) (Criterion, error) {
	var known []string
	for _, criterion := range Criteria() {
		if text == string(criterion) {
			return criterion, nil
		}
		known = append(known, string(criterion))
	}
	return "", fmt.Errorf("unknown criterion %q: use one of %s", text, strings.Join(known, ", "))
}

// Parts returns the criteria that make one comparison each: the criterion
// itself, or equal opportunity and predictive equality for equalized odds.
func (c Criterion) Parts() []Criterion {
	if c == EqualizedOdds {
		return []Criterion{EqualOpportunity, PredictiveEquality}
	}
	return []Criterion{c}
}

// Condition is the set of labels whose records a comparison looks at.
type Condition uint8

// The conditions.
const (
	AnyLabel Condition = iota
	PositiveLabel
	NegativeLabel
)

// Condition returns the condition of a criterion that makes one comparison. Equalized odds has two conditions and panics: take its Parts.
func (c Criterion) Condition() Condition {
	switch c {
	case DemographicParity, ImpactRatio, MeanDifference:
		return AnyLabel
	case EqualOpportunity:
		return PositiveLabel
	case PredictiveEquality:
		return NegativeLabel
	}
	panic("fairness: no single condition for this criterion")
}

// Holds reports whether a record with this label meets the condition.
func (c Condition) Holds(positive bool) bool {
	return c == AnyLabel || (c == PositiveLabel) == positive
}
