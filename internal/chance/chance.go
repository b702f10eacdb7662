// Package chance says how improbable a difference between two parts of some rows is by chance: the negative logarithm of the probability. 0 is no surprise.
package chance

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// OfShares is that of two shares, p of n and q of m, by the normal distribution.
func OfShares(p, q float64, n, m int) float64 {
	both := (float64(p*float64(n)) + float64(q*float64(m))) / float64(n+m)
	deviation := math.Sqrt(both * (1 - both) * (1/float64(n) + 1/float64(m)))
	if deviation == 0 {
		return 0
	}
	return Tail(math.Abs(p-q)/deviation) - math.Ln2
}

// Tail is the negative logarithm of the probability that a normal number exceeds z deviations (Pólya's form of Mills's ratio), at least 0.
func Tail(z float64) float64 {
	if z <= 0 {
		return 0
	}
	return float64(z*z/2) + float64(math.Log(2*math.Pi)/2) + math.Log((z+math.Sqrt(float64(z*z)+8/math.Pi))/2)
}

// OfNumbers is that of two samples, both sorted, by the largest distance of their distribution functions (Kolmogorov and Smirnov). It returns that distance,
// and the number up to which they differ most.
func OfNumbers(a, b []float64) (surprise, distance, at float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x := min(a[i], b[j])
		for i < len(a) && a[i] <= x {
			i++
		}
		for j < len(b) && b[j] <= x {
			j++
		}
		if d := math.Abs(float64(i)/float64(len(a)) - float64(j)/float64(len(b))); d > distance {
			distance, at = d, x
		}
	}
	n, m := float64(len(a)), float64(len(b))
	return max(0, 2*n*m/(n+m)*distance*distance-math.Ln2), distance, at
}

// leastExpected is how many rows a class has, by chance, in each part: rarer ones are taken together.
const leastExpected = 5

// OfClasses is that of two counts by class, by the chi-squared test and the approximation of Wilson and Hilferty (1931). It returns the total variation
// between them, and the class whose share differs most.
func OfClasses[K cmp.Ordered](a, b map[K]int) (surprise, distance float64, most K) {
	n, m := Sum(a), Sum(b)
	if n == 0 || m == 0 {
		return 0, 0, most
	}
	small := float64(min(n, m)) / float64(n+m)
	statistic, classes := 0., -1
	add := func(x, y int) {
		both := float64(x + y)
		if both == 0 {
			return
		}
		expected := both * float64(n) / float64(n+m)
		other := both - expected
		off := float64(x) - expected
		statistic += float64(off * off * (1/expected + 1/other))
		classes++
	}
	restA, restB, largest := 0, 0, 0.
	keys := slices.Collect(maps.Keys(a))
	for k := range b {
		if _, known := a[k]; !known {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		p, q := float64(a[k])/float64(n), float64(b[k])/float64(m)
		distance += float64(math.Abs(p-q) / 2)
		if math.Abs(p-q) > largest {
			largest, most = math.Abs(p-q), k
		}
		if float64(a[k]+b[k])*small < leastExpected {
			restA, restB = restA+a[k], restB+b[k]
			continue
		}
		add(a[k], b[k])
	}
	add(restA, restB)
	if classes < 1 {
		return 0, distance, most
	}
	k := float64(classes)
	return Tail((math.Cbrt(statistic/k) - 1 + 2/(9*k)) / math.Sqrt(2/(9*k))), distance, most
}

// Sum is that of some counts.
func Sum[K comparable](counts map[K]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}
