package fairness

import "math"

// Confusion counts decisions against labels. The four cells are sums of weights.
type Confusion struct {
	Records       int64
	WeightSquared float64 // Σ w²
	TruePositive  float64
	FalsePositive float64
	FalseNegative float64
	TrueNegative  float64
}

// Add counts one record. The weight must be positive and finite.
func (c *Confusion) Add(label, decision bool, weight float64) {
	c.Records++
	c.WeightSquared += float64(weight * weight)
	*c.cell(label, decision) += weight
}

// Combine adds the records of another confusion.
func (c *Confusion) Combine(other Confusion) {
	c.Records += other.Records
	c.WeightSquared += other.WeightSquared
	c.TruePositive += other.TruePositive
	c.FalsePositive += other.FalsePositive
	c.FalseNegative += other.FalseNegative
	c.TrueNegative += other.TrueNegative
}

func (c *Confusion) cell(label, decision bool) *float64 {
	switch {
	case label && decision:
		return &c.TruePositive
	case decision:
		return &c.FalsePositive
	case label:
		return &c.FalseNegative
	}
	return &c.TrueNegative
}

// Weight is the sum of all weights.
func (c Confusion) Weight() float64 {
	return c.TruePositive + c.FalsePositive + c.FalseNegative + c.TrueNegative
}

// Effective is Kish's effective sample size; see Count.Effective.
func (c Confusion) Effective() float64 {
	if !(c.WeightSquared > 0) {
		return 0
	}
	return c.Weight() * c.Weight() / c.WeightSquared
}

// Accuracy is the share of decisions that equal the label.
func (c Confusion) Accuracy(level float64) Measure {
	return c.share(c.TruePositive+c.TrueNegative, level)
}

// BaseRate is the share of positive labels.
func (c Confusion) BaseRate(level float64) Measure {
	return c.share(c.TruePositive+c.FalseNegative, level)
}

// SelectionRate is the share of positive decisions.
func (c Confusion) SelectionRate(level float64) Measure {
	return c.share(c.TruePositive+c.FalsePositive, level)
}

// ConstantAccuracy is the accuracy of the better of the two constant decisions
// on the same records: the share of the more frequent label.
func (c Confusion) ConstantAccuracy(level float64) Measure {
	return c.share(max(c.TruePositive+c.FalseNegative, c.FalsePositive+c.TrueNegative), level)
}

func (c Confusion) share(weight, level float64) Measure {
	checkLevel(level)
	m := Measure{
		Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: level,
		Records: c.Records, Effective: c.Effective(), Method: MethodWilson,
	}
	if c.Records == 0 || !(c.Weight() > 0) {
		return m
	}
	if math.Abs(m.Effective/float64(c.Records)-1) > 1e-9 {
		m.Method = MethodWilsonKish
	}
	m.Value = min(1, max(0, weight/c.Weight()))
	m.Lo, m.Hi = Wilson(m.Value, m.Effective, level)
	return m
}

// Measure is one number with its interval and the counts behind it. Value, Lo
// and Hi are NaN without records.
type Measure struct {
	Value     float64
	Lo        float64
	Hi        float64
	Level     float64
	Records   int64
	Effective float64 // effective sample size
	Method    string
}
