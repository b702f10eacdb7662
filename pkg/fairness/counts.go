package fairness

import "math"

// Count is what is known of the decisions about one side of a comparison.
type Count struct {
	Records        int64   // records
	Positives      int64   // records decided positively
	Weight         float64 // Σ w
	WeightSquared  float64 // Σ w²
	PositiveWeight float64 // Σ w over the positive decisions
}

// Add counts one record. The weight must be positive and finite.
func (c *Count) Add(decision bool, weight float64) {
	c.Records++
	c.Weight += weight
	c.WeightSquared += float64(weight * weight)
	if decision {
		c.Positives++
		c.PositiveWeight += weight
	}
}

// Revert takes back one Add. Sums of weights that are not whole numbers keep a
// rounding error; it vanishes when the count returns to no records.
func (c *Count) Revert(decision bool, weight float64) {
	c.Records--
	c.Weight -= weight
	c.WeightSquared -= float64(weight * weight)
	if decision {
		c.Positives--
		c.PositiveWeight -= weight
	}
	if c.Records == 0 {
		*c = Count{}
	}
}

// Combine adds the records of another count.
func (c *Count) Combine(other Count) {
	c.Records += other.Records
	c.Positives += other.Positives
	c.Weight += other.Weight
	c.WeightSquared += other.WeightSquared
	c.PositiveWeight += other.PositiveWeight
}

// Effective is Kish's effective sample size (Σw)²/Σw²: the number of records if
// all weights are equal, fewer otherwise, 0 without records.
func (c Count) Effective() float64 {
	if !(c.WeightSquared > 0) {
		return 0
	}
	return c.Weight * c.Weight / c.WeightSquared
}

// Rate is the weighted share of positive decisions, NaN without records.
func (c Count) Rate() float64 {
	if c.Records == 0 || !(c.Weight > 0) {
		return math.NaN()
	}
	return min(1, max(0, c.PositiveWeight/c.Weight))
}

// variance is that of the rate, smoothed as StandardError says.
func (c Count) variance() float64 {
	n := c.Effective()
	successes := 0.0
	if n > 0 {
		successes = float64(n * c.Rate())
	}
	p := (successes + 1) / (n + 2)
	return p * (1 - p) / (n + 2)
}

// PairCounts is everything a comparison has seen.
type PairCounts struct {
	Group    Count
	Versus   Count
	Neither  int64 // met the condition, attributes known, in neither group
	Unknown  int64 // met the condition, but an attribute was missing
	Excluded int64 // did not meet the condition
}

// Add counts one record.
func (p *PairCounts) Add(side Side, decision bool, weight float64) {
	switch side {
	case Group:
		p.Group.Add(decision, weight)
	case Versus:
		p.Versus.Add(decision, weight)
	case Unknown:
		p.Unknown++
	case Excluded:
		p.Excluded++
	default:
		p.Neither++
	}
}

// Combine adds the records of other counts of the same comparison.
func (p *PairCounts) Combine(other PairCounts) {
	p.Group.Combine(other.Group)
	p.Versus.Combine(other.Versus)
	p.Neither += other.Neither
	p.Unknown += other.Unknown
	p.Excluded += other.Excluded
}

// Difference is the rate of the group minus that of versus, NaN while a side has
// no records. It is the raw number for a control loop; a report wants
// Comparison.Estimate.
func (p PairCounts) Difference() float64 { return p.Group.Rate() - p.Versus.Rate() }

// StandardError is the standard error of Difference with one positive and one
// negative decision added to each side (Agresti and Caffo, The American
// Statistician 54, 2000, pp. 280–288):
//
//	p̃ = (k+1)/(n+2),  SE² = Σ p̃(1−p̃)/(n+2)
//
// so that it is never 0 for an extreme rate, and is 0.5, its largest value, for
// two empty sides. With weights, n is the effective size and k the rate times n.
func (p PairCounts) StandardError() float64 {
	return math.Sqrt(p.Group.variance() + p.Versus.variance())
}
