package surrogate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// The shapes that the package comment states, by random search over small data
// sets: a convex relaxation shows no violation, one that is not shows one.

// sample is a data set: the two groups' records by their features.
type sample struct {
	group, versus [][]float64
}

func randomSample(rng *rand.Rand, features int) sample {
	records := func() [][]float64 {
		shift := rng.NormFloat64()
		xs := make([][]float64, 3+rng.IntN(12))
		for i := range xs {
			xs[i] = make([]float64, features)
			for j := range xs[i] {
				xs[i][j] = rng.NormFloat64() + shift
			}
		}
		return xs
	}
	return sample{records(), records()}
}

func randomWeights(rng *rand.Rand, features int) []float64 {
	w := make([]float64, features)
	scale := math.Exp(rng.NormFloat64())
	for j := range w {
		w[j] = scale * rng.NormFloat64()
	}
	return w
}

func margins(xs [][]float64, w []float64) []float64 {
	zs := make([]float64, len(xs))
	for i, x := range xs {
		for j := range w {
			zs[i] += w[j] * x[j]
		}
	}
	return zs
}

// innerMean is u, the exact mean of h over the margins.
func innerMean(r Relaxation, group, versus []float64) []float64 {
	u, h := make([]float64, r.InnerSize()), make([]float64, r.InnerSize())
	n := float64(len(group) + len(versus))
	add := func(side fairness.Side, zs []float64) {
		for _, z := range zs {
			r.Inner(h, side, z)
			for i := range u {
				u[i] += h[i] / n
			}
		}
	}
	add(fairness.Group, group)
	add(fairness.Versus, versus)
	return u
}

// values returns V_j of the margins.
func values(r Relaxation, group, versus []float64) []float64 {
	v := make([]float64, r.OuterSize())
	r.Value(v, innerMean(r, group, versus))
	return v
}

// riskDifference is the quantity all of them stand for.
func riskDifference(group, versus []float64) float64 {
	rate := func(zs []float64) float64 {
		var k float64
		for _, z := range zs {
			if z > 0 {
				k++
			}
		}
		return k / float64(len(zs))
	}
	return rate(group) - rate(versus)
}

func meanDifference(group, versus []float64) float64 {
	mean := func(zs []float64) float64 {
		var s float64
		for _, z := range zs {
			s += z
		}
		return s / float64(len(zs))
	}
	return mean(group) - mean(versus)
}

func mustNew(t testing.TB, s Settings) Relaxation {
	t.Helper()
	r, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// worstConvexityGap searches for V(½a+½b) − ½V(a) − ½V(b) > 0.
func worstConvexityGap(r Relaxation) float64 {
	const features = 3
	rng := rand.New(rand.NewPCG(6, 1))
	worst := math.Inf(-1)
	for range 4000 {
		data := randomSample(rng, features)
		a, b := randomWeights(rng, features), randomWeights(rng, features)
		middle := make([]float64, features)
		for j := range middle {
			middle[j] = (a[j] + b[j]) / 2
		}
		at := func(w []float64) []float64 { return values(r, margins(data.group, w), margins(data.versus, w)) }
		va, vb, vm := at(a), at(b), at(middle)
		for j := range vm {
			worst = max(worst, vm[j]-(va[j]+vb[j])/2)
		}
	}
	return worst
}

func TestConvexity(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		convex   bool
	}{
		{Settings{Name: Approximation1}, true},
		{Settings{Name: Approximation2}, false},
		{Settings{Name: Approximation2, Monotone: true}, true},
		{Settings{Name: Approximation3}, true},
		{Settings{Name: MeanMargin}, true},
		{Settings{Name: Sigmoid}, false},
	} {
		if !c.settings.Monotone && c.settings.Name.Facts().Convex != c.convex {
			t.Errorf("%s: the facts say convex = %v", c.settings.Name, !c.convex)
		}
		gap := worstConvexityGap(mustNew(t, c.settings))
		if c.convex && gap > 1e-10 {
			t.Errorf("%+v is stated convex, but lies %v above a chord", c.settings, gap)
		}
		if !c.convex && gap < 0.01 {
			t.Errorf("%+v is stated not convex, but the search finds no more than %v above a chord", c.settings, gap)
		}
	}
}

func TestWhatBoundsWhat(t *testing.T) {
	one, two := mustNew(t, Settings{Name: Approximation1}), mustNew(t, Settings{Name: Approximation2})
	three, mean := mustNew(t, Settings{Name: Approximation3}), mustNew(t, Settings{Name: MeanMargin})
	gap := mustNew(t, Settings{Name: Sigmoid})
	rng := rand.New(rand.NewPCG(7, 1))
	const slack = 1e-12
	// What is not stated to hold must be seen to fail.
	var twoFails, meanFails, sigmoidFails bool
	for range 20_000 {
		data, w := randomSample(rng, 2), randomWeights(rng, 2)
		group, versus := margins(data.group, w), margins(data.versus, w)
		rd := riskDifference(group, versus)
		v1, v2, v3 := values(one, group, versus), values(two, group, versus)[0], values(three, group, versus)[0]
		if v1[0] < rd-slack || v1[1] < -rd-slack {
			t.Fatalf("approximation-1: values %v at a risk difference of %v", v1, rd)
		}
		if rd >= 0 && v2 < rd*rd-slack {
			t.Fatalf("approximation-2: value %v at a risk difference of %v", v2, rd)
		}
		if v3 < rd*rd-slack {
			t.Fatalf("approximation-3: value %v at a risk difference of %v", v3, rd)
		}
		twoFails = twoFails || rd < 0 && v2 < rd*rd-0.01
		meanFails = meanFails || values(mean, group, versus)[0] < rd-0.01
		sigmoidFails = sigmoidFails || values(gap, group, versus)[0] < rd-0.01

		// The relations between the approximations, and the bounds by the
		// difference of the mean margins.
		delta := meanDifference(group, versus)
		if v1[0] < 1+delta-slack || v1[1] < 1-delta-slack {
			t.Fatalf("approximation-1: values %v at a mean difference of %v", v1, delta)
		}
		if mirrored := values(one, versus, group); math.Abs(mirrored[0]-v1[1]) > slack*100 {
			t.Fatalf("the second value of approximation-1 is %v, its first with the groups exchanged %v", v1[1], mirrored[0])
		}
		if want := v1[0]*v1[0] + 2*(v1[0]+v1[1]); math.Abs(v3-want) > slack*(1+want)*100 {
			t.Fatalf("approximation-3 is %v, from approximation-1 %v", v3, want)
		}
	}
	if !twoFails || !meanFails || !sigmoidFails {
		t.Errorf("the search finds no failure of a bound that is not stated: approximation-2 %v, mean-margin %v, sigmoid %v", twoFails, meanFails, sigmoidFails)
	}
}

func TestSigmoidGapTendsToTheRiskDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	data, w := randomSample(rng, 2), randomWeights(rng, 2)
	group, versus := margins(data.group, w), margins(data.versus, w)
	rd := riskDifference(group, versus)
	steep := mustNew(t, Settings{Name: Sigmoid, Slope: 1e6})
	if v := values(steep, group, versus); math.Abs(v[0]-rd) > 1e-9 || math.Abs(v[1]+rd) > 1e-9 {
		t.Errorf("sigmoid gap %v at slope 1e6, risk difference %v", v, rd)
	}
}

func TestValuesAtZeroWeights(t *testing.T) {
	zeros := make([]float64, 5)
	for _, name := range Names() {
		r := mustNew(t, Settings{Name: name})
		want := name.Facts().AtZero
		got := values(r, zeros, zeros[:3])
		for j := range want {
			if math.Abs(got[j]-want[j]) > 1e-14 {
				t.Errorf("%s at w = 0: %v, want %v", name, got, want)
			}
		}
	}
}

func TestEffectiveConstantMakesTheConstraintHoldWithEquality(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	const tau = 0.05
	for _, name := range Names() {
		for range 100 {
			group, versus := randomMargins(rng), randomMargins(rng)
			r := mustNew(t, Settings{Name: name})
			u := innerMean(r, group, versus)
			c := r.EffectiveConstant(u, tau)
			r = mustNew(t, Settings{Name: name, Threshold: c * tau})
			l := make([]float64, r.OuterSize())
			r.Outer(l, u)
			largest := max(l[0], l[len(l)-1])
			if math.Abs(largest) > 1e-12*(1+c*tau*c*tau) {
				t.Fatalf("%s: the largest l_j at the effective c %v is %v, want 0", name, c, largest)
			}
		}
	}
}

// TestGradientInTheWeights closes the chain: with u the exact expectation, the
// mean of coefficient times features is the gradient of Σ_j λ_j l_j in w.
func TestGradientInTheWeights(t *testing.T) {
	const features, step = 3, 1e-6
	rng := rand.New(rand.NewPCG(20, 1))
	for _, r := range every(t, 1) {
		lambda := []float64{0.8, 0.3}[:r.OuterSize()]
		lagrangian := func(data sample, w []float64) (sum float64) {
			l := make([]float64, r.OuterSize())
			r.Outer(l, innerMean(r, margins(data.group, w), margins(data.versus, w)))
			for j := range l {
				sum += lambda[j] * l[j]
			}
			return sum
		}
		for range 20 {
			data, w := randomSample(rng, features), randomWeights(rng, features)
			group, versus := margins(data.group, w), margins(data.versus, w)
			u := innerMean(r, group, versus)
			n := float64(len(group) + len(versus))
			for j := range w {
				var got float64
				for i, x := range data.group {
					got += r.Coefficient(u, lambda, fairness.Group, group[i]) * x[j] / n
				}
				for i, x := range data.versus {
					got += r.Coefficient(u, lambda, fairness.Versus, versus[i]) * x[j] / n
				}
				at := w[j]
				w[j] = at + step
				high := lagrangian(data, w)
				w[j] = at - step
				low := lagrangian(data, w)
				w[j] = at
				if want := (high - low) / (2 * step); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Fatalf("%s: dL/dw[%d] is %v, finite difference %v", describe(r), j, got, want)
				}
			}
		}
	}
}
