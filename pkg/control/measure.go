package control

import "math"

// measure is how the rates of both sides are compared: by their difference, or, for an impact ratio, by their relative
// difference
//
//	(group − versus) / max(group, versus)
//
// whose absolute value is what the ratio of the lower rate to the higher lacks of 1. Either is in [−1, 1], 0 for equal rates,
// and a constraint bounds its absolute value: a ratio of 0.8 or more is a relative difference of 0.2 or less.
type measure struct{ relative bool }

// of compares two rates.
func (m measure) of(rates [2]float64) float64 {
	difference := rates[0] - rates[1]
	if !m.relative || difference == 0 {
		return difference
	}
	return difference / max(rates[0], rates[1])
}

// leastRate bounds the rates in slopes: sampling error of a ratio has no bound where rates are 0.
const leastRate = 1e-3

// slopes are by how much the measure changes with each rate, absolute: 1/h and l/h² for the lower rate l and the higher h.
func (m measure) slopes(rates [2]float64) [2]float64 {
	if !m.relative {
		return [2]float64{1, 1}
	}
	low, high := max(leastRate, min(rates[0], rates[1])), max(leastRate, rates[0], rates[1])
	if rates[0] > rates[1] {
		return [2]float64{low / (high * high), 1 / high}
	}
	return [2]float64{1 / high, low / (high * high)}
}

// error is the standard error of the measure at two rates with these variances.
func (m measure) error(rates, variances [2]float64) float64 {
	slopes := m.slopes(rates)
	return math.Sqrt(float64(slopes[0]*slopes[0]*variances[0]) + float64(slopes[1]*slopes[1]*variances[1]))
}
