package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// control is one way to set the constants of CSSPA, other than Theorem 2's with powers of T and θ = 0.
type control struct {
	name  string
	plain bool // runs on the problem of plain expectations only
	start func(e gallery.Entry, steps int, seed uint64) (setting, error)
}

// setting is what CSSPA starts with.
type setting struct {
	law    csspa.PowerLaw
	theta  float64
	lambda []float64 // λ_1; nil for zeros
}

// controls are what the claims about δ and the multiplier's start, about powers of t, about θ and about plain
// expectations call for.
var controls = []control{
	{name: "theorem 2", start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		return powersOfT(e, steps)
	}},
	{name: "δ = 0", start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		s, err := powersOfT(e, steps)
		s.law.Regularization = 0
		return s, err
	}},
	{name: "warm multiplier", start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		s, err := powersOfT(e, steps)
		s.lambda = e.Multipliers
		return s, err
	}},
	{name: "δ = 0, warm multiplier", start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		s, err := powersOfT(e, steps)
		s.law.Regularization, s.lambda = 0, e.Multipliers
		return s, err
	}},
	{name: "K = 3/10", start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		e.K = 3. / 10
		return powersOfT(e, steps)
	}},
	{name: "K = 3/10, δ = 0", start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		e.K = 3. / 10
		s, err := powersOfT(e, steps)
		s.law.Regularization = 0
		return s, err
	}},
	{name: "θ estimated", start: func(e gallery.Entry, steps int, seed uint64) (setting, error) {
		s, err := powersOfT(e, steps)
		if err != nil {
			return s, err
		}
		lambda, err := pilotMultiplier(e, steps/10, seed)
		s.theta = csspa.Bias(s.law, steps, lambda)
		return s, err
	}},
	{name: "powers of t", start: func(e gallery.Entry, _ int, _ uint64) (setting, error) {
		law, err := csspa.Theorem2(e.PowerK(), 3./4, 1./2)
		return setting{law: law}, err
	}},
	{name: "powers of t, θ", start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		law, err := csspa.Theorem2(e.PowerK(), 3./4, 1./2)
		return setting{law: law, theta: csspa.Bias(law, steps, largest(e.Multipliers))}, err
	}},
	{name: "classical saddle point", plain: true, start: func(e gallery.Entry, steps int, _ uint64) (setting, error) {
		return setting{law: csspa.PowerLaw{Alpha0: 1 / (7 * e.K), Beta0: 1, A: 1. / 2, B: 0, Regularization: 4 * e.K, Horizon: steps}}, nil
	}},
}

// powersOfT are Theorem 2's steps.
func powersOfT(e gallery.Entry, steps int) (setting, error) {
	law, err := csspa.Theorem2Horizon(e.K, 3./4, 1./2, steps)
	return setting{law: law}, err
}

// pilotMultiplier is the largest multiplier by a run with θ = 0: its mean over the second half of the steps.
func pilotMultiplier(e gallery.Entry, steps int, seed uint64) (float64, error) {
	schedule, err := csspa.Theorem2Horizon(e.K, 3./4, 1./2, steps)
	if err != nil {
		return 0, err
	}
	method, err := csspa.NewCSSPA(e.Problem, schedule, 0, csspa.State{X: e.Start})
	if err != nil {
		return 0, err
	}
	rng := rand.New(rand.NewPCG(seed, 8))
	mean := make([]float64, len(e.Multipliers))
	for t := range steps {
		method.Step(e.Sample(rng))
		if t >= steps/2 {
			for j, l := range method.Multipliers() {
				mean[j] += l / float64(steps-steps/2)
			}
		}
	}
	return largest(mean), nil
}

// controlTable runs every control on the problems with a binding constraint, and on plain expectations.
func controlTable(s *study, steps []int, runs int) (*table, error) {
	type job struct {
		control control
		build   func() gallery.Entry
		points  []gallery.Point
		last    setting
	}
	var jobs []*job
	for _, c := range controls {
		for i, e := range gallery.All() {
			if e.Binding() && !c.plain {
				jobs = append(jobs, &job{control: c, build: func() gallery.Entry { return gallery.All()[i] }})
			}
		}
		jobs = append(jobs, &job{control: c, build: gallery.Plain})
	}
	err := s.each("controls", len(jobs), func(i int) error {
		j := jobs[i]
		for _, count := range steps {
			// Theta of the run with the first seed is the one in the table.
			p, err := gallery.Measure(j.build(), count, runs, s.seed<<32+uint64(count), func(e gallery.Entry, count int) (csspa.Method[gallery.Draw], error) {
				var err error
				if j.last, err = j.control.start(e, count, s.seed); err != nil {
					return nil, err
				}
				return csspa.NewCSSPA(e.Problem, j.last.law, j.last.theta, csspa.State{X: e.Start, Lambda: j.last.lambda})
			})
			if err != nil {
				return fmt.Errorf("%s: %w", j.control.name, err)
			}
			j.points = append(j.points, p)
		}
		return nil
	})
	t := newTable("controls", "control", "problem", "K", "a", "b", "theta", "slope_gap", "slope_gap_se", "slope_violation", "slope_violation_se", "steps", "gap", "gap_se", "level", "level_se", "violation", "violation_se")
	if err != nil {
		return t, err
	}
	for _, j := range jobs {
		g, gSE := slope(j.points, gap, gapError)
		v, vSE := slope(j.points, violation, violationError)
		if math.IsNaN(v) {
			vSE = v
		}
		last := j.points[len(j.points)-1]
		t.add(j.control.name, j.build().Name, 1/(7*j.last.law.Alpha0), j.last.law.A, j.last.law.B, j.last.theta, g, gSE, v, vSE, last.Steps, last.Gap, last.GapError, last.Level, last.LevelError, last.Violation, last.ViolationError)
	}
	return t, nil
}
