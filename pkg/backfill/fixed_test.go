package backfill

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// TestFixed compares sums with those of math/big, in two orders and in parts.
func TestFixed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var forward, backward, part fixed
	exact := new(big.Int)
	units := make([]int64, 100_000)
	for i := range units {
		units[i] = toFixed(math.Ldexp(random.NormFloat64(), random.IntN(60)-28))
		exact.Add(exact, big.NewInt(units[i]))
	}
	for i := range units {
		forward.add(units[i])
		if backward.add(units[len(units)-1-i]); i%1000 == 999 {
			part.merge(forward)
			forward = fixed{}
		}
	}
	if backward != part {
		t.Errorf("%v in one order, %v in another", part, backward)
	}
	want, _ := new(big.Float).SetInt(exact).Float64()
	want /= 1 << unitBits
	if got := part.value(); math.Abs(got-want) > 1e-15*math.Abs(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFixedNegative(t *testing.T) {
	var f fixed
	f.add(toFixed(-1.25))
	if f.value() != -1.25 {
		t.Errorf("%v", f.value())
	}
	for range 1000 {
		f.add(toFixed(-math.MaxFloat64))
	}
	if want := -1000*float64(largest) - 1.25; math.Abs(f.value()/want-1) > 1e-15 {
		t.Errorf("%v, want %v", f.value(), want)
	}
}

// TestSolve multiplies back.
func TestSolve(t *testing.T) {
	const n = 12
	random := rand.New(rand.NewPCG(3, 4))
	var root [n][n]float64
	for i := range n {
		for j := range n {
			root[i][j] = random.NormFloat64()
		}
	}
	a, x := make([]float64, n*(n+1)/2), make([]float64, n)
	for i := range n {
		for j := range i + 1 {
			for k := range n {
				a[packed(i, j)] += root[i][k] * root[j][k]
			}
		}
	}
	want := make([]float64, n)
	for i := range want {
		want[i] = random.NormFloat64()
	}
	for i := range n {
		for j := range n {
			x[i] += a[packed(i, j)] * want[j]
		}
	}
	solve(a, x)
	for i := range x {
		if math.Abs(x[i]-want[i]) > 1e-6 {
			t.Errorf("%d: %v, want %v", i, x[i], want[i])
		}
	}
}

// TestClimbShortens: a step that goes too far is shortened, whatever became of the loss: (w−1)⁴ from far away, with a curvature that is
// much too small.
func TestClimbShortens(t *testing.T) {
	var c climb
	c.begin([]float64{5})
	shortened := 0
	for range 60 {
		d := c.Weights[0] - 1
		gradient := []float64{4 * d * d * d}
		if c.shorten(gradient) {
			shortened++
			continue
		}
		c.set(gradient, []float64{-gradient[0] / (1 + d*d)}, 1)
	}
	if math.Abs(c.Weights[0]-1) > .05 || shortened == 0 {
		t.Errorf("at %v after %d shortenings", c.Weights[0], shortened)
	}
}

// BenchmarkMerge joins the sums of a shard for the model without constraints and one constrained model, with a full matrix of curvature and with its
// diagonal: those of this process, and those that a worker of an engine sends, whose bytes it counts. cpu-ns/op is processor time, which a busy machine changes less.
func BenchmarkMerge(b *testing.B) {
	for _, weights := range []int{168, 1024, MostDense, 4 * MostDense} {
		candidates := []candidate{{weights: make([]float64, weights)}, {weights: make([]float64, weights)}}
		t, other := newTotal(weights, 1, candidates), newTotal(weights, 1, candidates)
		for k := range other.candidates {
			for i := range other.candidates[k].curvature {
				other.candidates[k].curvature[i].add(toFixed(1e5 + float64(i)/3))
			}
		}
		b.Run(fmt.Sprintf("%d/here", weights), func(b *testing.B) {
			before := processorTime(b)
			for b.Loop() {
				t.merge(other)
			}
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
		})
		b.Run(fmt.Sprintf("%d/sent", weights), func(b *testing.B) {
			sent := seal(sumsPass, &summing{total: other})
			before := processorTime(b)
			for b.Loop() {
				one := newTotal(weights, 1, candidates)
				if err := open(sent, sumsPass, &summing{total: one}); err != nil {
					b.Fatal(err)
				}
				t.merge(one)
			}
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(len(sent)), "bytes")
		})
		b.Run(fmt.Sprintf("%d/joined", weights), func(b *testing.B) { // as a worker does for a group of 32
			sent := seal(sumsPass, &summing{total: other})
			fresh := func() part { return &summing{total: newTotal(weights, 1, candidates)} }
			before := processorTime(b)
			for b.Loop() {
				w := &Worker{kind: sumsPass, fresh: fresh, part: fresh()}
				for range 32 {
					if err := w.Join(sent); err != nil {
						b.Fatal(err)
					}
				}
				w.Part()
			}
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var of syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &of); err != nil {
		b.Fatal(err)
	}
	return time.Duration(of.Utime.Nano() + of.Stime.Nano())
}

// TestStrength: factors grow while the loss falls, and the best is what the last rounds begin from.
func TestStrength(t *testing.T) {
	s := strength{Factor: 1}
	if s.areOpen(100, 10) || !s.areOpen(99, 10) {
		t.Error("ten records for each weight are the limit")
	}
	for i, loss := range []float64{.9, .7, .6, .65} {
		if !s.areOpen(99, 10) {
			t.Fatal("it was chosen before the loss rose")
		}
		from := s.next(i, loss, []float64{float64(i)})
		if want := min(float64(i), 2); from[0] != want {
			t.Errorf("after loss %v rounds begin at %v, want %v", loss, from[0], want)
		}
	}
	if s.areOpen(99, 10) || s.Factor != 16 || s.Passes != 3 || s.Weights != nil {
		t.Errorf("%+v", s)
	}
	if got := s.of([]float64{0, 2}); got[0] != 0 || got[1] != 32 {
		t.Errorf("precisions %v", got)
	}
	for s = (strength{Factor: 1}); s.areOpen(99, 10); {
		s.next(1, -float64(s.Tried), nil)
	}
	if s.Tried != mostTried {
		t.Errorf("%d factors were tried", s.Tried)
	}
}
