package fairness

import "math"

// Count is what is known of the decisions about one side of a comparison.
type Count struct {
	Records        int64   // records
	Positives      int64   // records decided positively
	Weight         float64 // Σ w
	WeightSquared  float64 // Σ w²
	PositiveWeight float64 // Σ w over the positive decisions
	// PositiveSquared is Σ w² over the positive decisions.
	PositiveSquared float64
}

// Add counts one record. The weight must be positive and finite.
func (c *Count) Add(decision bool, weight float64) {
	c.Records++
	c.Weight += weight
	c.WeightSquared += float64(weight * weight)
	if decision {
		c.Positives++
		c.PositiveWeight += weight
		c.PositiveSquared += float64(weight * weight)
	}
}

// Combine adds the records of another count.
func (c *Count) Combine(other Count) {
	c.Records += other.Records
	c.Positives += other.Positives
	c.Weight += other.Weight
	c.WeightSquared += other.WeightSquared
	c.PositiveWeight += other.PositiveWeight
	c.PositiveSquared += other.PositiveSquared
}

// Effective is Kish's effective sample size (Σw)²/Σw²: the number of records if
// all weights are equal, fewer otherwise, 0 without records.
func (c Count) Effective() float64 {
	if !(c.WeightSquared > 0) {
		return 0
	}
	return c.Weight * c.Weight / c.WeightSquared
}

// Worth is how many records of equal weights would tell the rate as well: Effective, or fewer if those of one decision weigh more than those
// of the other. The rate is a ratio of sums, whose variance is, to the first order,
//
//	Σ w² (decision − rate)² / (Σ w)² = ((1−p)² Σ w² over positive decisions + p² Σ w² over the others) / (Σ w)²
//
// (Cochran, Sampling Techniques, 1977, section 6.3), and p (1−p)/n that of n records of equal weights. p is smoothed: it is neither 0 nor 1.
func (c Count) Worth() float64 {
	n := c.Effective()
	if !weighted(c.Records, n) {
		return n
	}
	p := (float64(n*c.Rate()) + 1) / (n + 2)
	others := max(0, c.WeightSquared-c.PositiveSquared)
	return min(n, float64(c.Weight*c.Weight)*p*(1-p)/(float64((1-p)*(1-p)*c.PositiveSquared)+float64(p*p*others)))
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
	// Strata are the two sides in each stratum, of a comparison within strata; Group and Versus are then unused.
	Strata []Sides
}

// Sides are the counts of both sides.
type Sides struct{ Group, Versus Count }

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
	case Uncounted:
	default:
		p.Neither++
	}
}

// AddWithin counts one record in its stratum, a number from 0 on as Grouper.Strata writes it.
func (p *PairCounts) AddWithin(stratum int, side Side, decision bool, weight float64) {
	if side != Group && side != Versus {
		p.Add(side, decision, weight)
		return
	}
	for len(p.Strata) <= stratum {
		p.Strata = append(p.Strata, Sides{})
	}
	if side == Group {
		p.Strata[stratum].Group.Add(decision, weight)
	} else {
		p.Strata[stratum].Versus.Add(decision, weight)
	}
}

// Standardized is the counts of comparable records: in each stratum with weights W of the group and V of versus, the records
// of the group weigh V/(W+V) times as much, those of versus W/(W+V) times. So both sides have every stratum with the same
// weight, the difference of their rates is the difference of Mantel and Haenszel,
//
//	Σ_s w_s (rate of the group in s − rate of versus in s) / Σ_s w_s,  w_s = W V / (W + V)
//
// (Greenland and Robins, Biometrics 41, 1985, pp. 55–68), and their ratio the ratio of Mantel and Haenszel. A stratum
// without one of the sides has no weight. Counts without strata are returned as they are.
func (p PairCounts) Standardized() PairCounts {
	if len(p.Strata) == 0 {
		return p
	}
	strata := p.Strata
	p.Strata = nil
	for _, s := range strata {
		if total := s.Group.Weight + s.Versus.Weight; s.Group.Records > 0 && s.Versus.Records > 0 {
			p.Group.Combine(s.Group.times(s.Versus.Weight / total))
			p.Versus.Combine(s.Versus.times(s.Group.Weight / total))
		}
	}
	return p
}

// times is the count of records that weigh so many times as much.
func (c Count) times(factor float64) Count {
	c.Weight *= factor
	c.WeightSquared *= factor * factor
	c.PositiveWeight *= factor
	c.PositiveSquared *= factor * factor
	return c
}

// Combine adds the records of other counts of the same comparison.
func (p *PairCounts) Combine(other PairCounts) {
	for len(p.Strata) < len(other.Strata) {
		p.Strata = append(p.Strata, Sides{})
	}
	for i, s := range other.Strata {
		p.Strata[i].Group.Combine(s.Group)
		p.Strata[i].Versus.Combine(s.Versus)
	}
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
