package seen

import (
	"math"
)

// factors between units: powers of ten, percent, dozens, minutes and hours, pounds and kilograms, inches, miles.
var factors = []float64{10, 100, 1000, 1e6, 12, 60, 3600, 24, 7, 1024, 2.2046, 2.54, 1.6093, 3.2808}

func differing(sorted []float64) (n int) {
	for i := range sorted {
		if i == 0 || sorted[i] != sorted[i-1] {
			n++
		}
	}
	return n
}

// distance is the largest difference of the distribution functions of a times f and b, both sorted. Numbers within a thousandth
// count as equal, since units are rounded.
func distance(a, b []float64, f float64) (most float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x := min(a[i]*f, b[j])
		upTo := x + math.Abs(x)/1000
		for i < len(a) && a[i]*f <= upTo {
			i++
		}
		for j < len(b) && b[j] <= upTo {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}
