package fairness

import "math"

// MethodDelta is the delta method: the interval of a ratio by its first-order
// expansion.
const MethodDelta = "delta"

// SquaredErrors compares a regression with a constant prediction on the same
// records, error by error.
type SquaredErrors struct {
	Model    Moments // (label − prediction)²
	Constant Moments // (label − constant)²
	Joint    float64 // Σ w (model error − its mean)(constant error − its mean)
}

// Add counts one record by its two squared errors.
func (s *SquaredErrors) Add(model, constant, weight float64) {
	d := model - s.Model.Mean
	s.Model.Add(model, weight)
	s.Constant.Add(constant, weight)
	s.Joint += float64(weight * float64(d*(constant-s.Constant.Mean)))
}

// Combine adds the records of other errors.
func (s *SquaredErrors) Combine(other SquaredErrors) {
	if other.Model.Records == 0 {
		return
	}
	d, c := other.Model.Mean-s.Model.Mean, other.Constant.Mean-s.Constant.Mean
	share := other.Model.Weight / (s.Model.Weight + other.Model.Weight)
	s.Joint += other.Joint + float64(float64(d*c)*float64(s.Model.Weight*share))
	s.Model.Combine(other.Model)
	s.Constant.Combine(other.Constant)
}

// MSE is the mean squared error, with the normal interval; it cannot reach below
// 0.
func (s SquaredErrors) MSE(level float64) Measure { return notNegative(s.Model.Measure(level)) }

// ConstantMSE is that of the constant prediction.
func (s SquaredErrors) ConstantMSE(level float64) Measure {
	return notNegative(s.Constant.Measure(level))
}

func notNegative(m Measure) Measure {
	m.Lo = max(0, m.Lo)
	return m
}

// RSquared is the share of the constant prediction's mean squared error that the
// model saves,
//
//	R² = 1 − MSE / ConstantMSE,
//
// at most 1, and below 0 for a model worse than the constant. Where the constant
// is the mean of other records than those measured this is the out-of-sample R²
// (Campbell and Thompson, Review of Financial Studies 21, 2008, pp. 1509–1531).
// The interval is that of a ratio of two means over the same records: with the
// ratio r of the means and the per-record value e − r c,
//
//	r ± z √(Var(e − r c) / n) / mean(c)
//
// The value is NaN without records, and where the constant makes no error.
func (s SquaredErrors) RSquared(level float64) Measure {
	m := s.Model.Measure(level)
	m.Method = MethodDelta
	constant := s.Constant.Mean
	if m.Records == 0 || !(constant > 0) {
		m.Value, m.Lo, m.Hi = math.NaN(), math.NaN(), math.NaN()
		return m
	}
	ratio := m.Value / constant
	m.Value, m.Lo, m.Hi = 1-ratio, math.NaN(), math.NaN()
	if n := m.Effective; n >= 2 {
		// Each factor relative to the mean of c, so that no fourth power overflows.
		squares := s.Model.Squares/constant/constant - float64(2*ratio*(s.Joint/constant/constant)) + float64(ratio*ratio*(s.Constant.Squares/constant/constant))
		variance := max(0, squares) / s.Model.Weight / (n - 1)
		half := float64(twoSided(level) * math.Sqrt(variance))
		m.Lo, m.Hi = m.Value-half, min(1, m.Value+half)
	}
	return m
}

// RegressionTally is the running evaluation of a regression: its squared errors
// and every comparison. Filled with the predictions made before learning from
// each record it is the prequential evaluation; see Tally.
type RegressionTally struct {
	Errors      SquaredErrors
	Comparisons []MeanCounts
}

// NewRegressionTally returns an empty tally of so many comparisons.
func NewRegressionTally(comparisons int) *RegressionTally {
	return &RegressionTally{Comparisons: make([]MeanCounts, comparisons)}
}

// Add counts one record: its label, the prediction, the constant to compare with
// and its side in every comparison.
func (t *RegressionTally) Add(label, prediction, constant, weight float64, sides []Side) {
	if len(sides) != len(t.Comparisons) {
		panic("fairness: sides and comparisons differ in number")
	}
	e, c := label-prediction, label-constant
	t.Errors.Add(float64(e*e), float64(c*c), weight)
	t.AddUnlabelled(prediction, weight, sides)
}

// AddUnlabelled counts one record whose label is not known: in the comparisons, as Grouper.Unlabelled has its sides.
func (t *RegressionTally) AddUnlabelled(prediction, weight float64, sides []Side) {
	for i, side := range sides {
		t.Comparisons[i].Add(side, prediction, weight)
	}
}

// Combine adds the records of another tally of the same comparisons.
func (t *RegressionTally) Combine(other *RegressionTally) {
	if len(other.Comparisons) != len(t.Comparisons) {
		panic("fairness: the tallies are of different comparisons")
	}
	t.Errors.Combine(other.Errors)
	for i := range other.Comparisons {
		t.Comparisons[i].Combine(other.Comparisons[i])
	}
}

// Reset returns the tally to no records, keeping its memory.
func (t *RegressionTally) Reset() {
	clear(t.Comparisons)
	*t = RegressionTally{Comparisons: t.Comparisons}
}

// Estimates measures every comparison whose groups are known.
func (t *RegressionTally) Estimates(comparisons []Comparison, o Options) []Estimate {
	return estimates(comparisons, t.Comparisons, func(c Comparison, means MeanCounts) Estimate { return c.EstimateMeans(means, o) })
}
