package fairness

import "math"

// Tally is the running evaluation of a classifier: how often it is right, how
// well it is calibrated, and every comparison. Filled with the decisions made
// before learning from each record it is the prequential ("test, then train")
// evaluation, in which every record is unseen.
//
// Under learning the intervals are those of the average over the models that
// made the decisions, not of the last one.
type Tally struct {
	Confusion   Confusion
	LossSum     float64 // Σ w·loss
	LossSquared float64 // Σ w·loss²
	Comparisons []PairCounts
}

// NewTally returns an empty tally of so many comparisons.
func NewTally(comparisons int) *Tally {
	return &Tally{Comparisons: make([]PairCounts, comparisons)}
}

// Add counts one record: its label, the decision, the loss (the logarithmic
// loss −ln P(label), finite) and its side in every comparison, none of which is within strata.
func (t *Tally) Add(label, decision bool, loss, weight float64, sides []Side) {
	t.AddWithin(label, decision, loss, weight, sides, nil)
}

// AddWithin is Add for comparisons of which some are within strata; strata is as Grouper.Strata writes it, or nil if none
// is. −1 stands for a comparison without strata.
func (t *Tally) AddWithin(label, decision bool, loss, weight float64, sides []Side, strata []int) {
	if len(sides) != len(t.Comparisons) || strata != nil && len(strata) != len(sides) {
		panic("fairness: sides and comparisons differ in number")
	}
	t.Confusion.Add(label, decision, weight)
	t.LossSum += float64(weight * loss)
	t.LossSquared += float64(weight * loss * loss)
	t.AddUnlabelled(decision, weight, sides, strata)
}

// AddUnlabelled counts one record whose label is not known: in the comparisons, as Grouper.Unlabelled has its sides.
func (t *Tally) AddUnlabelled(decision bool, weight float64, sides []Side, strata []int) {
	for i, side := range sides {
		if strata == nil || strata[i] < 0 {
			t.Comparisons[i].Add(side, decision, weight)
		} else {
			t.Comparisons[i].AddWithin(strata[i], side, decision, weight)
		}
	}
}

// Combine adds the records of another tally of the same comparisons.
func (t *Tally) Combine(other *Tally) {
	if len(other.Comparisons) != len(t.Comparisons) {
		panic("fairness: the tallies are of different comparisons")
	}
	t.Confusion.Combine(other.Confusion)
	t.LossSum += other.LossSum
	t.LossSquared += other.LossSquared
	for i := range other.Comparisons {
		t.Comparisons[i].Combine(other.Comparisons[i])
	}
}

// Reset returns the tally to no records, keeping its memory.
func (t *Tally) Reset() {
	clear(t.Comparisons)
	*t = Tally{Comparisons: t.Comparisons}
}

// LogLoss is the mean loss, with the normal interval mean ± z s/√n.
func (t *Tally) LogLoss(level float64) Measure {
	checkLevel(level)
	m := Measure{
		Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: level,
		Records: t.Confusion.Records, Effective: t.Confusion.Effective(), Method: MethodNormal,
	}
	weight := t.Confusion.Weight()
	if t.Confusion.Records == 0 || !(weight > 0) {
		return m
	}
	m.Value = t.LossSum / weight
	if m.Effective > 1 {
		variance := max(0, t.LossSquared/weight-float64(m.Value*m.Value)) / (m.Effective - 1)
		half := float64(twoSided(level) * math.Sqrt(variance))
		m.Lo, m.Hi = m.Value-half, m.Value+half
	}
	return m
}

// Estimates measures every comparison whose groups are known; the comparisons are those of the Grouper
// that made the sides.
func (t *Tally) Estimates(comparisons []Comparison, o Options) []Estimate {
	return estimates(comparisons, t.Comparisons, func(c Comparison, counts PairCounts) Estimate { return c.Estimate(counts, o) })
}

// estimates measures every comparison whose groups are known, each of its own counts.
func estimates[Counts any](comparisons []Comparison, counts []Counts, estimate func(Comparison, Counts) Estimate) []Estimate {
	if len(comparisons) != len(counts) {
		panic("fairness: the tally is of other comparisons")
	}
	all := make([]Estimate, 0, len(comparisons))
	for i := range comparisons {
		if comparisons[i].Known() {
			all = append(all, estimate(comparisons[i], counts[i]))
		}
	}
	return all
}
