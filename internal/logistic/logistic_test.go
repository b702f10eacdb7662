package logistic

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ulps is the distance of two finite numbers of equal sign in units of the last
// place.
func ulps(a, b float64) int64 {
	d := int64(math.Float64bits(a)) - int64(math.Float64bits(b))
	return max(d, -d)
}

func TestLogisticKnownBits(t *testing.T) {
	// want is 1/(1+exp(−x)) rounded from 60 decimal digits (Python's decimal
	// module). got is what this package gives on every machine: a change of it
	// changes the weights of every model, and their hash.
	for _, c := range []struct{ x, want, got float64 }{
		{0, 0x1.0p-1, 0x1.0p-1},
		{0.1, 0x1.0cca12729afb8p-1, 0x1.0cca12729afb8p-1},
		{1, 0x1.764d4f5d5a2bdp-1, 0x1.764d4f5d5a2bdp-1},
		{-1, 0x1.136561454ba86p-2, 0x1.136561454ba86p-2},
		{-2.5, 0x1.36b7112534847p-4, 0x1.36b7112534848p-4},
		{7.25, 0x1.ffa2fb69b099dp-1, 0x1.ffa2fb69b099ep-1},
		{-30, 0x1.a56e0c2ac7cbfp-44, 0x1.a56e0c2ac7cc0p-44},
		{36.5, 0x1.fffffffffffffp-1, 0x1.ffffffffffffep-1},
		{-700, 0x1.14f2b0fb9307fp-1010, 0x1.14f2b0fb9307fp-1010},
	} {
		got := Probability(c.x)
		if got != c.got {
			t.Errorf("Probability(%v) = %x, want the bits %x", c.x, got, c.got)
		}
		if ulps(got, c.want) > 1 {
			t.Errorf("Probability(%v) = %x is more than one unit from %x", c.x, got, c.want)
		}
	}
}

func TestLogisticsAreLogistic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	margins := []float64{0, math.Copysign(0, -1), 708, -708, 800, -800, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 10_000 {
		margins = append(margins, 10*random.NormFloat64())
	}
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	for _, x := range margins {
		if plus, minus := Probabilities(x); !same(plus, Probability(x)) || !same(minus, Probability(-x)) {
			t.Errorf("Probabilities(%v) are %v and %v instead of %v and %v", x, plus, minus, Probability(x), Probability(-x))
		}
	}
}

func TestLogisticAgreesWithExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200_000 {
		x := 40 * rng.NormFloat64()
		e := math.Exp(-math.Abs(x))
		if got := expNegative(math.Abs(x)); ulps(got, e) > 2 {
			t.Fatalf("expNegative(%v) = %x, math.Exp gives %x", math.Abs(x), got, e)
		}
		if got, want := Probability(x), 1/(1+math.Exp(-x)); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("Probability(%v) = %v, want %v", x, got, want)
		}
		if got, want := Derivative(x), e/(1+e)/(1+e); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("Derivative(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestLogisticDoesNotFall(t *testing.T) {
	// Across the boundaries of the table, where a careless reduction steps back.
	for k := range 32 * 50 {
		x := -(float64(k) + 0.5) / stepsPerUnit
		below, above := math.Nextafter(x, math.Inf(-1)), math.Nextafter(x, math.Inf(1))
		// One unit of slack: neighbours share 52 bits of the exact result.
		if Probability(below) > math.Nextafter(Probability(above), 1) {
			t.Fatalf("Probability falls at %v", x)
		}
	}
}

func TestLogisticExtremes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ x, value, derivative float64 }{
		{inf, 1, 0}, {-inf, 0, 0}, {1e300, 1, 0}, {-1e300, 0, 0}, {-708, 0, 0},
		{math.Copysign(0, -1), 0.5, 0.25}, {5e-324, 0.5, 0.25},
	} {
		if got := Probability(c.x); got != c.value {
			t.Errorf("Probability(%v) = %v, want %v", c.x, got, c.value)
		}
		if got := Derivative(c.x); got != c.derivative {
			t.Errorf("Derivative(%v) = %v, want %v", c.x, got, c.derivative)
		}
	}
	if got := Probability(math.NaN()); !math.IsNaN(got) {
		t.Errorf("Probability(NaN) = %v, want NaN", got)
	}
}

func TestLoss(t *testing.T) {
	check := func(p float64) {
		t.Helper()
		want := -math.Log(p)
		if got := Loss(p); math.Abs(got-want) > max(4e-16, 1e-15*want) {
			t.Errorf("the loss of %v is %v, want %v", p, got, want)
		}
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 200_000 {
		check(Probability(20 * random.NormFloat64()))
		check(random.Float64())
	}
	for _, p := range []float64{1, 0.5, 0.25, 1 - 0x1p-53, 0x1p-1022, 0x1p-1000} {
		check(p)
	}
	if got := Loss(1); got != 0 {
		t.Errorf("the loss of a certain event is %v", got)
	}
	for _, p := range []float64{0, -1, math.NaN(), 5e-324} {
		if got := Loss(p); got != LargestLoss {
			t.Errorf("the loss of %v is %v", p, got)
		}
	}
}

func BenchmarkLoss(b *testing.B) {
	sum, p := 0.0, 0.3
	for b.Loop() {
		sum += Loss(p)
		p = p*0.7 + 0.1
	}
	_ = sum
}

func BenchmarkLogarithm(b *testing.B) {
	sum, p := 0.0, 0.3
	for b.Loop() {
		sum -= math.Log(p)
		p = p*0.7 + 0.1
	}
	_ = sum
}
