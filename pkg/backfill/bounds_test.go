package backfill

import (
	"fmt"
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestAllSumsAreSaved: each sum is read as it was written, and in its own place.
func TestAllSumsAreSaved(t *testing.T) {
	pushed := surrogateOf(t)
	made := func() *total { return newTotal(3, 2, []candidate{{}, {term: pushed}}) }
	fields := func(t *total) []byte {
		c := codec.NewWriter(nil)
		t.fields(c)
		return c.Bytes()
	}
	of, number := made(), int64(0)
	next := func(sums ...*fixed) {
		for _, sum := range sums {
			number++
			sum.add(number << 40)
		}
	}
	each := func(sums []fixed) {
		for i := range sums {
			next(&sums[i])
		}
	}
	of.records, of.held.records = 1001, 1002
	next(&of.weight, &of.held.weight, &of.held.loss, &of.held.wrong)
	each(of.touched)
	for i := range of.sides {
		each(of.sides[i][:])
		for k := range of.held.sides[i] {
			next(&of.held.sides[i][k].weight, &of.held.sides[i][k].positive, &of.held.sides[i][k].squared)
		}
	}
	for k := range of.candidates {
		s := &of.candidates[k]
		next(&s.loss)
		each(s.gradient)
		each(s.curvature)
		each(s.inner[:])
		for i := range s.slopes {
			each(s.slopes[i])
		}
	}
	read := made()
	c := codec.NewReader(fields(of))
	if read.fields(c); c.End() != nil {
		t.Fatal(c.End())
	}
	of.margins, of.xs, read.margins, read.xs = nil, nil, nil, nil
	if got, want := fmt.Sprintf("%+v", *read), fmt.Sprintf("%+v", *of); got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// surrogateOf is the term of a constraint.
func surrogateOf(t *testing.T) *term {
	t.Helper()
	pushed, err := control.NewPushed(surrogate.Approximation1, 1, [2]float64{.5, .5})
	if err != nil {
		t.Fatal(err)
	}
	return &term{pushed: pushed}
}

// TestStepsAreRemembered: the newest ten that the gradient rose along.
func TestStepsAreRemembered(t *testing.T) {
	c := &climb{Weights: []float64{0}}
	if c.learn([]float64{1}); len(c.Steps) != 0 {
		t.Error("before the first sums there was a step")
	}
	for i := range remembered + 2 {
		c.Base, c.Weights, c.Gradient = []float64{0}, []float64{float64(i + 1)}, []float64{0}
		c.learn([]float64{1})
		if want := min(i+1, remembered); len(c.Steps) != want || len(c.Turns) != want || c.Steps[want-1][0] != float64(i+1) || c.Steps[0][0] != float64(i+2-want) {
			t.Fatalf("after %d: steps %v", i+1, c.Steps)
		}
	}
	for _, turn := range []float64{0, -1} {
		if c.learn([]float64{turn}); c.Steps[remembered-1][0] != remembered+2 || c.Steps[0][0] != 3 {
			t.Errorf("a step is remembered along which the gradient changed by %v", turn)
		}
	}
	if c.near(1) {
		t.Error("near before it is known")
	}
	for left, want := range map[float64]bool{.1: true, .2: true, .3: false} {
		if c.Left = &left; c.near(.2) != want {
			t.Errorf("%v left: near %v", left, !want)
		}
	}
}

// TestMultipliers are tried between the largest that is too small and the smallest that is too large.
func TestMultipliers(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		p := press(0, Measured{Difference: sign * .15, Target: .05}, []float64{0})
		if p.Multiplier != sign*firstMultiplier || math.Abs(p.Without-.1) > 1e-12 || p.AboveTarget != p.Without {
			t.Errorf("%+v", p)
		}
		at := func(difference float64) Measured { return Measured{Difference: sign * difference, Target: .05} }
		more := p.judge(at(.1)) // half of the way
		if !more || p.Low != .05 || math.Abs(p.AboveTarget-.05) > 1e-12 || p.High != 0 || math.Abs(p.Multiplier-sign*.1) > 1e-9 || p.Attempts != 1 {
			t.Errorf("%v: %+v", more, p)
		}
		if more = p.judge(at(.02)); !more || p.Low != .05 || math.Abs(p.High-.1) > 1e-12 || math.Abs(p.BelowTarget+.03) > 1e-12 || math.Abs(p.Multiplier-sign*(.05+.05*.05/.08)) > 1e-9 {
			t.Errorf("%v: %+v", more, p)
		}
		before := p.Multiplier
		if more = p.judge(at(.05 + closeEnough/2)); more || !p.Found || p.Multiplier != before || p.Low != .05 {
			t.Errorf("%v: %+v", more, p)
		}
		if p.again(at(.05)) || !p.Found {
			t.Error("it is tried again where it is at its target")
		}
		if !p.again(at(.07)) || p.Found || p.Low != 0 || p.High != 0 || p.AboveTarget != p.Without {
			t.Errorf("%+v", p)
		}
	}
}

// TestSettled: near enough in absolute terms or in standard errors, tried often enough, or at the largest multiplier.
func TestSettled(t *testing.T) {
	for _, test := range []struct {
		multiplier, off, deviation float64
		attempts                   int
		want                       bool
	}{
		{.1, closeEnough * .99, 0, 0, true}, {.1, closeEnough * 1.01, 0, 0, false}, {.1, -closeEnough * .99, 0, 0, true}, {.1, -closeEnough * 1.01, 0, 0, false},
		{.1, .0099, .1, 0, true}, {.1, .0101, .1, 0, false}, {.1, .5, 0, mostAttempts, true}, {.1, .5, 0, mostAttempts - 1, false},
		{mostMultiplier, .5, 0, 0, true}, {-mostMultiplier, .5, 0, 0, true}, {mostMultiplier - .01, .5, 0, 0, false}, {mostMultiplier, -.5, 0, 0, false},
	} {
		p := &pressed{Multiplier: test.multiplier, Attempts: test.attempts}
		m := Measured{Target: .05, Difference: math.Copysign(1, test.multiplier) * (.05 + test.off), Error: test.deviation}
		if got := p.settled(m); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// TestStepsAreShortened: where the gradient still falls along the step by more than half as much as it rose at its beginning, to where its slope would be 0 if it
// were straight, within bounds, and not more often than allowed. Half as much is not too far.
func TestStepsAreShortened(t *testing.T) {
	for _, test := range []struct{ gradient, step float64 }{{1, .5}, {.75, 1 / 1.75}, {.51, .6}, {.5, 1}, {-.5, 1}, {3, .25}, {100, .1}} {
		c := climb{Weights: []float64{7, 7}, Base: []float64{2, 3}, Direction: []float64{1, 0}, Slope: -1, Step: 1}
		far := c.shorten([]float64{test.gradient, 5})
		if want := test.step != 1; far != want || c.Step != test.step || far && (c.Weights[0] != 2+test.step || c.Weights[1] != 3 || c.Tries != 1) {
			t.Errorf("a slope of %v: %t, %+v", test.gradient, far, c)
		}
	}
	c := climb{Weights: []float64{0}, Base: []float64{0}, Direction: []float64{1}, Slope: -1, Step: 1}
	tries := 0
	for c.shorten([]float64{1}) {
		if tries++; c.Step != math.Pow(.5, float64(tries)) {
			t.Fatalf("after %d times the step is %v", tries, c.Step)
		}
	}
	if tries != mostTries {
		t.Errorf("a step is shortened %d times", tries)
	}
	if c = (climb{}); c.shorten([]float64{1}) {
		t.Error("a step is shortened that was not taken")
	}
}

// TestTheSampleEndsAtItsLastHash, which is in it; and of several losses that are the same the first one is the best.
func TestTheSampleEndsAtItsLastHash(t *testing.T) {
	s := Survey{Last: 100, Newest: 1, From: Place{Position: 50}}
	for _, c := range []struct {
		position int64
		hash     uint64
		want     bool
	}{{0, 99, true}, {0, 100, true}, {0, 101, false}, {50, 100, false}} {
		if got := s.isSampled(Place{Position: c.position}, c.hash); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	p := strength{Factor: 1}
	p.next(1, .5, []float64{1})
	if from := p.next(2, .5, []float64{2}); from[0] != 1 || !p.Chosen || p.Factor != 1 {
		t.Errorf("%+v begins from %v", p, from)
	}
}
