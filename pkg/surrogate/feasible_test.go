package surrogate

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// needed is the least threshold under which margins meet a relaxation.
func needed(r Relaxation, group, versus []float64) float64 {
	v := values(r, group, versus)
	largest := v[0]
	if len(v) == 2 {
		largest = max(v[0], v[1])
	}
	if r.Settings().Name.Facts().Squared {
		return math.Sqrt(max(0, largest))
	}
	return largest
}

func TestNoMarginsBeatTheBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	for _, name := range Names() {
		facts, r := name.Facts(), mustNew(t, Settings{Name: name})
		for range 20_000 {
			group, versus := randomMargins(rng), randomMargins(rng)
			threshold := needed(r, group, versus)
			if threshold < facts.LeastThreshold-1e-9 {
				t.Fatalf("%s: margins %v and %v need only %v, below the bound %v", name, group, versus, threshold, facts.LeastThreshold)
			}
			if meanDifference(group, versus) >= 0 && threshold < facts.LeastFairThreshold-1e-9 {
				t.Fatalf("%s: margins %v and %v need only %v without reversing the bias, below %v", name, group, versus, threshold, facts.LeastFairThreshold)
			}
		}
	}
}

func randomMargins(rng *rand.Rand) []float64 {
	zs := make([]float64, 1+rng.IntN(4))
	centre, spread := 2*rng.NormFloat64(), rng.Float64()
	for i := range zs {
		zs[i] = centre + spread*rng.NormFloat64()
	}
	return zs
}

func TestBoundsAreAttained(t *testing.T) {
	for _, c := range []struct {
		name          Name
		group, versus float64 // all margins of the side
		want          float64
	}{
		{Approximation1, 0, 0, 1},
		{Approximation2, -1, 1, 1},     // A = B = 0: the square of −1
		{Approximation2, -0.5, 0.5, 0}, // A + B = 1, with the bias reversed
		{Approximation2, 0, 0, 1},
		{Approximation3, -0.5, 0.5, 2}, // V_1 = 0, V_2 = 2
		{Approximation3, 0, 0, math.Sqrt(5)},
		{MeanMargin, 0.7, 0.7, 0},
		{Sigmoid, 0.7, 0.7, 0},
	} {
		got := needed(mustNew(t, Settings{Name: c.name}), []float64{c.group}, []float64{c.versus})
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: margins %v and %v need a threshold of %v, want %v", c.name, c.group, c.versus, got, c.want)
		}
	}
}

func TestCheckThreshold(t *testing.T) {
	for _, c := range []struct {
		name         Name
		threshold    float64
		text         string // empty: the threshold is fine
		onlyReversed bool
	}{
		{Approximation1, 3.2e-4, "c*tau = 0.00032 of approximation-1 cannot be met by any model: use at least 1", false},
		{Approximation1, 1, "", false},
		{Approximation2, 0.398, "c*tau = 0.398 of approximation-2 can be met only by reversing the bias: use at least 1", true},
		{Approximation2, 1, "", false},
		{Approximation3, 1.995, "c*tau = 1.995 of approximation-3 cannot be met by any model: use at least 2", false},
		{Approximation3, 2.1, "c*tau = 2.1 of approximation-3 can be met only by reversing the bias: use at least 2.236", true},
		{Approximation3, 2.5, "", false},
		{MeanMargin, 0, "", false},
		{Sigmoid, 0.01, "", false},
	} {
		err := CheckThreshold(c.name, c.threshold)
		if c.text == "" {
			if err != nil {
				t.Errorf("%s at %v: %v", c.name, c.threshold, err)
			}
			continue
		}
		var threshold *ThresholdError
		if !errors.As(err, &threshold) {
			t.Errorf("%s at %v: error %v, want a ThresholdError", c.name, c.threshold, err)
			continue
		}
		if !strings.Contains(err.Error(), c.text) || threshold.OnlyReversed != c.onlyReversed {
			t.Errorf("%s at %v: %q (only reversed: %v), want %q", c.name, c.threshold, err, threshold.OnlyReversed, c.text)
		}
	}
}
