package control

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The relative difference is at most 1 − t just where the ratio is at least t, and its slopes are its derivatives.
func TestRelativeMeasure(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	m := measure{relative: true}
	for range 10_000 {
		rates := [2]float64{rng.Float64(), rng.Float64()}
		ratio := min(rates[0], rates[1]) / max(rates[0], rates[1])
		if got := m.of(rates); math.Abs(math.Abs(got)-(1-ratio)) > 1e-12 || (got > 0) != (rates[0] > rates[1]) {
			t.Fatalf("%v: %v, ratio %v", rates, got, ratio)
		}
		if min(rates[0], rates[1]) < 0.01 || math.Abs(rates[0]-rates[1]) < 1e-3 {
			continue
		}
		slopes := m.slopes(rates)
		for i := range rates {
			const h = 1e-6
			up, down := rates, rates
			up[i], down[i] = rates[i]+h, rates[i]-h
			if want := math.Abs(m.of(up)-m.of(down)) / (2 * h); math.Abs(slopes[i]-want) > 1e-4*max(1, want) {
				t.Fatalf("%v: slope %v of rate %d, finite difference %v", rates, slopes[i], i, want)
			}
		}
	}
	for _, rates := range [][2]float64{{0, 0}, {1, 1}, {0.3, 0.3}} {
		if got := m.of(rates); got != 0 {
			t.Errorf("%v: %v of equal rates", rates, got)
		}
	}
	if got := m.of([2]float64{0, 0.1}); got != -1 {
		t.Errorf("none of one side: %v", got)
	}
	if got := (measure{}).error([2]float64{0.2, 0.4}, [2]float64{0.0009, 0.0016}); math.Abs(got-0.05) > 1e-12 {
		t.Errorf("error of a difference: %v", got)
	}
}
