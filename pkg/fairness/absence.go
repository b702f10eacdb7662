package fairness

import "math"

// Absence compares the records that lack an attribute with those that have it. A comparison of groups describes only
// the latter. If the former differ, in labels or in outcomes, it does not describe all records.
type Absence struct {
	Known   Outcomes
	Missing Outcomes
}

// Outcomes are the labels of some records, and the decisions about them or the predictions for them. Those of a classifier are 0
// and 1.
type Outcomes struct{ Labels, Decided Moments }

// Add counts one record.
func (a *Absence) Add(missing bool, label, decided, weight float64) {
	o := &a.Known
	if missing {
		o = &a.Missing
	}
	o.Labels.Add(label, weight)
	o.Decided.Add(decided, weight)
}

// Combine adds the records of another Absence.
func (a *Absence) Combine(other Absence) {
	a.Known.combine(other.Known)
	a.Missing.combine(other.Missing)
}

func (o *Outcomes) combine(other Outcomes) {
	o.Labels.Combine(other.Labels)
	o.Decided.Combine(other.Decided)
}

// Share is the share of the records, by weight, that lack the attribute, NaN without records.
func (a *Absence) Share() float64 {
	return a.Missing.Labels.Weight / (a.Missing.Labels.Weight + a.Known.Labels.Weight)
}

const (
	// biasSigma is how many standard errors the means have to differ: by chance, of labels or of decisions, once in
	// 8,000 looks.
	biasSigma = 4.0
	// biasRecords is how many records of either kind are needed, so that the means are normal enough.
	biasRecords = 100
)

// Biased says by how much the records without the attribute differ from the others, in labels and in decisions; 0 where
// that may be chance.
func (a *Absence) Biased() (labels, decided float64) {
	return differing(a.Known.Labels, a.Missing.Labels), differing(a.Known.Decided, a.Missing.Decided)
}

// differing is the difference of two means, 0 if it may be chance: by the test of equal means with the variance of all
// records.
func differing(known, missing Moments) float64 {
	m, n := known.Effective(), missing.Effective()
	if !(m >= biasRecords && n >= biasRecords) {
		return 0
	}
	all := known
	all.Combine(missing)
	difference := missing.Mean - known.Mean
	if !(math.Abs(difference) > biasSigma*math.Sqrt(all.Variance()*(1/m+1/n))) {
		return 0
	}
	return difference
}

// Shift is the most by which the rate or mean of a side with a share of the records would change if all records
// without the attribute were on it, given how much they differ.
func (a *Absence) Shift(share, difference float64) float64 {
	missing := a.Share()
	return missing * math.Abs(difference) / (float64(share*(1-missing)) + missing)
}
