package fairness

import "math"

// Moments is what is known of a number, such as the predictions for one side of a
// comparison: its mean and its spread. The sums are taken about the running mean
// (Welford, Technometrics 4, 1962, pp. 419–420; West, CACM 22, 1979, pp. 532–535,
// for weights), so that a mean far from 0 costs no digits.
type Moments struct {
	Records       int64   // records
	Weight        float64 // Σ w
	WeightSquared float64 // Σ w²
	Mean          float64 // Σ w x / Σ w, 0 without records
	Squares       float64 // Σ w (x − mean)²
}

// Add counts one record. The weight must be positive and finite.
func (m *Moments) Add(x, weight float64) {
	m.Records++
	m.Weight += weight
	m.WeightSquared += float64(weight * weight)
	d := x - m.Mean
	m.Mean += float64(d * (weight / m.Weight))
	m.Squares += max(0, float64(weight*float64(d*(x-m.Mean)))) // rounding may cross the new mean
}

// Combine adds the records of another Moments (Chan, Golub and LeVeque, The
// American Statistician 37, 1983, pp. 242–247).
func (m *Moments) Combine(other Moments) {
	if other.Records == 0 {
		return
	}
	weight := m.Weight + other.Weight
	share := other.Weight / weight
	d := other.Mean - m.Mean
	m.Squares += other.Squares + float64(float64(d*d)*float64(m.Weight*share))
	m.Mean += float64(d * share)
	m.Records += other.Records
	m.Weight = weight
	m.WeightSquared += other.WeightSquared
}

// Effective is Kish's effective sample size; see Count.Effective.
func (m Moments) Effective() float64 {
	if !(m.WeightSquared > 0) {
		return 0
	}
	return m.Weight * m.Weight / m.WeightSquared
}

// Average is the weighted mean, NaN without records.
func (m Moments) Average() float64 {
	if m.Records == 0 {
		return math.NaN()
	}
	return m.Mean
}

// Variance is the variance of the records' population, unbiased for equal
// weights; NaN with less than two effective records.
func (m Moments) Variance() float64 {
	n := m.Effective()
	if !(n >= 2) {
		return math.NaN()
	}
	return max(0, m.Squares) / m.Weight * (n / (n - 1))
}

// Measure is the mean with the normal interval mean ± z s/√n.
func (m Moments) Measure(level float64) Measure {
	checkLevel(level)
	of := Measure{Value: m.Average(), Lo: math.NaN(), Hi: math.NaN(), Level: level,
		Records: m.Records, Effective: m.Effective(), Method: MethodNormal}
	if variance := m.Variance(); !math.IsNaN(variance) {
		half := float64(twoSided(level) * math.Sqrt(variance/of.Effective))
		of.Lo, of.Hi = of.Value-half, of.Value+half
	}
	return of
}

// MeanCounts is everything a comparison of means has seen.
type MeanCounts struct {
	Group   Moments
	Versus  Moments
	Neither int64 // attributes known, in neither group
	Unknown int64 // an attribute was missing
}

// Add counts one record by its prediction.
func (c *MeanCounts) Add(side Side, prediction, weight float64) {
	switch side {
	case Group:
		c.Group.Add(prediction, weight)
	case Versus:
		c.Versus.Add(prediction, weight)
	case Unknown:
		c.Unknown++
	case Uncounted:
	default:
		c.Neither++
	}
}

// Combine adds the records of other counts of the same comparison.
func (c *MeanCounts) Combine(other MeanCounts) {
	c.Group.Combine(other.Group)
	c.Versus.Combine(other.Versus)
	c.Neither += other.Neither
	c.Unknown += other.Unknown
}
