package table

import (
	"math"
	"slices"
)

const (
	// Enough numbers are needed on each side to compare two samples, LeastNumbers of them different.
	Enough       = 100
	LeastNumbers = 30
	// Two samples are alike if they are apart by mostAlike at most. For two of n and m rows chance goes beyond alikeDeviations sqrt(1/n + 1/m) once in 100
	// times (Kolmogorov and Smirnov).
	mostAlike       = .12
	alikeDeviations = 1.63
)

// Distinct is how many of the numbers, which are sorted, differ.
func Distinct(sorted []float64) int { return len(slices.Compact(slices.Clone(sorted))) }

// Apart is the largest difference of the distribution functions of a and of b times a factor, both sorted. Numbers within a thousandth count as equal.
func Apart(a, b []float64, factor float64) (most float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x := min(a[i], b[j]*factor)
		upTo := x + math.Abs(x)/1000
		for i < len(a) && a[i] <= upTo {
			i++
		}
		for j < len(b) && b[j]*factor <= upTo {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// Deviations is how far apart two samples of one distribution may be.
func Deviations(n, m int) float64 {
	return max(mostAlike, alikeDeviations*math.Sqrt(1/float64(n)+1/float64(m)))
}
