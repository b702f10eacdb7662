package features

import (
	"math"
	"slices"
)

// infer fixes the type of a column, and its bins.
func (p *plainEncoder) infer(i int) {
	c, declared := p.columns[i], p.config.Columns[p.columns[i].Name]
	var numbers []float64
	for _, text := range c.sample {
		if x, ok := readNumber([]byte(text)); ok {
			numbers = append(numbers, x)
		}
	}
	numeric := len(numbers) > 0 && (declared.Type == Numeric || float64(len(numbers)) >= .95*float64(len(c.sample)))
	absent := p.seen-c.since-len(c.sample) > 0 && !c.null && c.Missing == 0
	mostly := absent && 2*len(c.sample) < p.seen-c.since
	c.sample = nil
	slices.Sort(numbers)
	switch {
	case !numeric:
		c.Kind = Levelled
	case declared.Encoding == PiecewiseLinear:
		c.Kind = Interpolated
		for k := range 16 {
			c.Knots = append(c.Knots, numbers[k*(len(numbers)-1)/15])
		}
		c.Knots = slices.Compact(c.Knots)
		c.First = p.take(len(c.Knots), i, fineGroup)
	case declared.Encoding == Standardized:
		c.Kind = Scaled
		c.Mean, c.Scale = standardize(numbers)
		c.First = p.take(1, i, fineGroup)
	default:
		c.Kind = Binned
		c.cut(numbers)
		measured := slices.Clone(numbers)
		at := func(percent float64) float64 { return measured[int(percent*float64(len(numbers)-1)/100)] }
		if len(numbers) >= 256 && at(0) >= 0 && at(1) > 0 && at(75) >= 3*at(25) && at(75)-at(50) >= 1.5*(at(50)-at(25)) {
			c.SquareRoots = 2
			for k, x := range numbers {
				measured[k] = math.Sqrt(math.Sqrt(x))
			}
		}
		deviation := (at(75) - at(25)) / quartileRange
		if deviation == 0 {
			deviation = (at(99) - at(1)) / percentRange
		}
		c.Low, c.High = at(0), at(100)
		if deviation > 0 {
			c.Low, c.High = max(c.Low, at(50)-5*deviation), min(c.High, at(50)+5*deviation)
		}
		var bounded []float64
		for _, x := range measured {
			bounded = append(bounded, min(c.High, max(c.Low, x)))
		}
		c.Mean, c.Scale = standardize(bounded)
		some := c.Low < c.High
		if c.SquareRoots == 2 {
			c.Low, c.High = c.Low*c.Low*c.Low*c.Low, c.High*c.High*c.High*c.High
		}
		if mostly && at(0) > 0 && at(25) == at(0) || absent && !some {
			c.SquareRoots, bounded = 0, nil
			for _, x := range numbers {
				bounded = append(bounded, min(c.High, max(c.Low, x)))
			}
			squares := 0.0
			for _, x := range bounded {
				squares += x * x / float64(len(bounded))
			}
			c.Low, c.High = min(0, c.Low), max(0, c.High)
			if some = squares > 0; some {
				c.Mean, c.Scale = 0, 1/math.Sqrt(squares)
			}
		}
		if some {
			c.Linear = p.take(1, i, linearGroup)
		}
		if n := len(c.Binning.Edges) + 1; n > 1 {
			c.bins, c.next = make([]binEvidence, n), 128
		}
	}
}
