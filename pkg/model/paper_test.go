package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// The fair classifier as problem (P), stated plainly on dense vectors: pkg/csspa solves it by Algorithm 1 to
// the letter, and mode paper must do the same in O(non-zeros).

// sample is one record.
type sample struct {
	row      features.Row
	features []float64
	positive bool
	sides    []fairness.Side
}

func (s *sample) margin(x []float64) float64 {
	z := 0.0
	for j, v := range s.features {
		z += v * x[j]
	}
	return z
}

// classifier states F(x) = E ln(1+exp(−y z)) + (mu/2)|x|², one group of constraints for each relaxation.
func classifier(size int, mu, radius float64, relaxations []surrogate.Relaxation, comparisons []int) csspa.Problem[*sample] {
	objective := csspa.Func[*sample]{
		In: size, Len: 1,
		Value: func(dst, x []float64, s *sample) {
			square := 0.0
			for _, v := range x {
				square += v * v
			}
			dst[0] = math.Log1p(math.Exp(-s.label()*s.margin(x))) + mu/2*square
		},
		Gradient: func(dst, x, weights []float64, s *sample) {
			slope := -s.label() / (1 + math.Exp(s.label()*s.margin(x)))
			for j, v := range s.features {
				dst[j] += weights[0] * (slope*v + mu*x[j])
			}
		},
	}
	var groups []csspa.Constraint[*sample]
	for i := range relaxations {
		groups = append(groups, relaxed(size, &relaxations[i], comparisons[i]))
	}
	h, l := csspa.Stack(groups...)
	return csspa.Problem[*sample]{N: size, G: objective, F: csspa.Identity[*sample](1), H: h, L: l, X: csspa.Ball{Radius: radius}}
}

func (s *sample) label() float64 {
	if s.positive {
		return 1
	}
	return -1
}

func relaxed(size int, r *surrogate.Relaxation, comparison int) csspa.Constraint[*sample] {
	return csspa.Constraint[*sample]{
		H: csspa.Func[*sample]{
			In: size, Len: r.InnerSize(),
			Value: func(dst, x []float64, s *sample) {
				r.Inner(dst, s.sides[comparison], s.margin(x))
			},
			Gradient: func(dst, x, weights []float64, s *sample) {
				derivative := make([]float64, r.InnerSize())
				r.InnerDerivative(derivative, s.sides[comparison], s.margin(x))
				slope := 0.0
				for i, d := range derivative {
					slope += weights[i] * d
				}
				for j, v := range s.features {
					dst[j] += slope * v
				}
			},
		},
		L: csspa.Func[*sample]{
			In: r.InnerSize(), Len: r.OuterSize(),
			Value: func(dst, u []float64, _ *sample) { r.Outer(dst, u) },
			Gradient: func(dst, u, weights []float64, _ *sample) {
				gradient := make([]float64, r.InnerSize())
				for j, weight := range weights {
					r.OuterGradient(gradient, j, u)
					for i, g := range gradient {
						dst[i] += weight * g
					}
				}
			},
		},
	}
}

const paperSize = 30 // weights of the random classifiers

// randomSample favours the first group, and has a repeated index now and then, as hashed rows do.
func randomSample(random *rand.Rand, comparisons int) *sample {
	s := &sample{features: make([]float64, paperSize)}
	add := func(index int, value float64) {
		s.row.Add(int32(index), value)
		s.features[index] += value
	}
	add(0, 1)
	score := -.3
	for range 5 {
		index, value := 1+random.IntN(paperSize-1), float64(float32(random.NormFloat64()))
		add(index, value)
		if index%2 == 0 {
			score += value
		}
	}
	for range comparisons {
		side := fairness.Side(random.IntN(5)) // unknown and excluded count as neither
		switch side {
		case fairness.Group:
			score += .7
		case fairness.Versus:
			score -= .7
		}
		s.sides = append(s.sides, side)
	}
	s.positive = score+random.NormFloat64() > 0
	return s
}

func TestPaperIsAlgorithm1(t *testing.T) {
	type setting struct {
		name      string
		mu        float64
		radius    float64
		theta     float64
		horizon   int
		names     []surrogate.Name
		projected bool // the ball is reached
	}
	var settings []setting
	for _, name := range surrogate.Names() {
		settings = append(settings,
			setting{name: string(name), mu: .01, radius: 100, names: []surrogate.Name{name}},
			setting{name: string(name) + "/ball", radius: .1, theta: .05, names: []surrogate.Name{name}, projected: true},
			setting{name: string(name) + "/theta", mu: .1, radius: 100, theta: .3, horizon: 1000, names: []surrogate.Name{name}},
		)
	}
	settings = append(settings,
		setting{name: "all together", mu: .01, radius: .1, theta: .05, names: surrogate.Names(), projected: true},
		setting{name: "unconstrained", mu: .01, radius: 100})
	// Some are out of reach, so that multipliers grow; the arithmetic does not mind.
	thresholds := map[surrogate.Name]float64{surrogate.Approximation1: .5, surrogate.Approximation2: .7, surrogate.Approximation3: 1,
		surrogate.MeanMargin: .01, surrogate.Sigmoid: .01}
	for _, set := range settings {
		t.Run(set.name, func(t *testing.T) {
			config := DefaultLearner()
			config.Mode, config.Regularization = Paper, set.mu
			config.Paper = PaperConfig{K: 1, A: .75, B: .5, Theta: set.theta, Radius: set.radius, Epsilon: .05, Horizon: set.horizon}
			var constraints []Constraint
			for _, name := range set.names {
				constraints = append(constraints, Constraint{Relaxation: name, Threshold: thresholds[name]})
			}
			fast, err := paperOf(config, constraints)
			if err != nil {
				t.Fatal(err)
			}
			slow := newDensePaper(t, config, constraints)
			random := rand.New(rand.NewPCG(1, uint64(len(set.name))))
			projected, pushed := 0, 0
			for step := range 1000 {
				s := randomSample(random, len(constraints))
				if step < 5 {
					verifyStatement(t, slow.problem, s, random)
				}
				growTo(fast, slices.Max(s.row.Index)+1)
				learnSample(fast, s, 1)
				slow.method.Step(s)
				if step == 500 {
					fast.fold() // changes the representation, not what it stands for
				}
				if slow.compare(t, fast, step); t.Failed() {
					return
				}
				if norm(slow.method.Iterate()) > set.radius*(1-1e-9) {
					projected++
				}
				if len(set.names) > 0 && slices.Max(slow.method.State().Lambda) > .01 {
					pushed++
				}
			}
			if (projected > 50) != set.projected {
				t.Errorf("the ball was reached %d times of 1000", projected)
			}
			if len(set.names) > 0 && pushed < 50 {
				t.Errorf("a multiplier was at work in only %d steps of 1000", pushed)
			}
		})
	}
}

// densePaper is pkg/csspa on the plain statement.
type densePaper struct {
	problem csspa.Problem[*sample]
	method  *csspa.CSSPA[*sample]
	sizes   []int // of each relaxation's part of u
}

func newDensePaper(t *testing.T, config LearnerConfig, constraints []Constraint) *densePaper {
	t.Helper()
	var relaxations []surrogate.Relaxation
	var comparisons []int
	d := &densePaper{}
	for i, c := range constraints {
		both, err := surrogate.NewBoth(surrogate.Settings{Name: c.Relaxation, Threshold: c.Threshold, Epsilon: config.Paper.Epsilon})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range both {
			relaxations, comparisons = append(relaxations, r), append(comparisons, i)
			d.sizes = append(d.sizes, r.InnerSize())
		}
	}
	schedule, err := config.Paper.schedule()
	if err != nil {
		t.Fatal(err)
	}
	d.problem = classifier(paperSize, config.Regularization, config.Paper.Radius, relaxations, comparisons)
	d.method, err = csspa.NewCSSPA(d.problem, schedule, config.Paper.Theta, csspa.State{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// compare looks at everything that Algorithm 1 keeps, and at its output.
func (d *densePaper) compare(t *testing.T, p *paper, step int) {
	t.Helper()
	state := d.method.State()
	same := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-10*max(1, math.Abs(want))) {
			t.Errorf("step %d: %s is %v and should be %v", step, what, got, want)
		}
	}
	same("y", p.objective, state.Y[0])
	u, lambda := state.U, state.Lambda
	for i := range p.parts {
		part := &p.parts[i]
		for k := range d.sizes[i] {
			same(fmt.Sprintf("u[%d][%d]", i, k), part.tracked[k], u[k])
		}
		u = u[d.sizes[i]:]
		for j := range part.relaxation.OuterSize() {
			same(fmt.Sprintf("lambda[%d][%d]", i, j), part.multiplier[j], lambda[j])
		}
		lambda = lambda[part.relaxation.OuterSize():]
	}
	output, average := make([]float64, paperSize), make([]float64, paperSize)
	fill(output[:len(p.values)/2], p.weight)
	d.method.Average(average)
	for j, x := range state.X {
		iterate := 0.0
		if 2*j < len(p.values) {
			iterate = p.scale * p.values[2*j]
		}
		same(fmt.Sprintf("x[%d]", j), iterate, x)
		same(fmt.Sprintf("the output's [%d]", j), output[j], average[j])
	}
}

// verifyStatement holds the derivatives of the plain statement to finite differences.
func verifyStatement(t *testing.T, problem csspa.Problem[*sample], s *sample, random *rand.Rand) {
	t.Helper()
	x := make([]float64, problem.N)
	for j := range x {
		x[j] = random.NormFloat64() / 3
	}
	if err := problem.Verify(x, s, 1e-5); err != nil {
		t.Fatal(err)
	}
}

func norm(x []float64) float64 {
	square := 0.0
	for _, v := range x {
		square += v * v
	}
	return math.Sqrt(square)
}

// A record's weight multiplies its gradient in units of the mean weight so far: scaling all weights by a
// power of two changes no bit, and a heavier record moves the weights further.
func TestPaperWeightsAreRelative(t *testing.T) {
	run := func(scale float64, heavy float64) []float64 {
		config := DefaultLearner()
		p, err := paperOf(config, []Constraint{{Relaxation: surrogate.Approximation1, Threshold: 2}})
		if err != nil {
			t.Fatal(err)
		}
		growTo(p, paperSize)
		random := rand.New(rand.NewPCG(7, 7))
		for step := range 200 {
			s := randomSample(random, 1)
			weight := 1 + float64(step%3)
			if step == 199 {
				weight *= heavy
			}
			learnSample(p, s, scale*weight)
		}
		x := make([]float64, paperSize)
		for j := range x {
			x[j] = p.scale * p.values[2*j]
		}
		return x
	}
	plain := run(1, 1)
	if scaled := run(1024, 1); !slices.Equal(plain, scaled) {
		t.Error("scaling every weight changes the result")
	}
	if heavier := run(1, 10); slices.Equal(plain, heavier) {
		t.Error("the weight of a record is of no consequence")
	}
}

func TestPaperRefusesWhatCannotBeMet(t *testing.T) {
	config := Config{Learner: DefaultLearner(), Constraints: []Constraint{{
		Attribute: OneOrMore{"sex"}, Group: Values("a"), Versus: Values("b"), Tau: .1, Threshold: .99,
	}}}
	config.Record.Label.Field, config.Record.Label.Positive = "y", "1"
	config.Learner.Mode = Paper
	_, err := New(config)
	if err == nil || !containsAll(err.Error(), "constraints[0].threshold", "cannot be met", "at least 1") {
		t.Errorf("the error does not say what to do: %v", err)
	}
	config.Constraints[0].Threshold = 0
	_, err = New(config)
	if err == nil || !containsAll(err.Error(), "constraints[0].threshold", "required in mode paper") {
		t.Errorf("the error does not say what to do: %v", err)
	}
	config.Constraints[0].Threshold = 1
	if _, err = New(config); err != nil {
		t.Error(err)
	}
}

// paperOf returns the method for constraints that are all enforced.
func paperOf(config LearnerConfig, constraints []Constraint) (*paper, error) {
	comparisons := make([]fairness.Comparison, len(constraints))
	for i := range comparisons {
		comparisons[i].Enforce = true
	}
	return newPaper(config, comparisons, constraints)
}

// growTo makes room for size weights.
func growTo(p *paper, size int32) {
	for len(p.values) < 2*int(size) {
		p.values = append(p.values, 0)
	}
}

func learnSample(p *paper, s *sample, weight float64) {
	p.learn(&example{row: s.row, positive: s.positive, weight: weight, sides: s.sides}, p.forecast(&s.row))
}
