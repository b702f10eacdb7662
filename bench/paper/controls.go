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
	start func(e gallery.Entry, steps int, seed uint64) (csspa.PowerLaw, float64, error)
}

// controls are what the claims about δ, about powers of t, about θ and about plain expectations call for.
var controls = []control{
	{name: "theorem 2", start: func(e gallery.Entry, steps int, _ uint64) (csspa.PowerLaw, float64, error) {
		s, err := csspa.Theorem2Horizon(e.K, 3./4, 1./2, steps)
		return s, 0, err
	}},
	{name: "δ = 0", start: func(e gallery.Entry, steps int, _ uint64) (csspa.PowerLaw, float64, error) {
		s, err := csspa.Theorem2Horizon(e.K, 3./4, 1./2, steps)
		s.Regularization = 0
		return s, 0, err
	}},
	{name: "θ estimated", start: func(e gallery.Entry, steps int, seed uint64) (csspa.PowerLaw, float64, error) {
		s, err := csspa.Theorem2Horizon(e.K, 3./4, 1./2, steps)
		if err != nil {
			return s, 0, err
		}
		lambda, err := pilotMultiplier(e, steps/10, seed)
		return s, csspa.Bias(s, steps, lambda), err
	}},
	{name: "powers of t", start: func(e gallery.Entry, _ int, _ uint64) (csspa.PowerLaw, float64, error) {
		s, err := csspa.Theorem2(e.PowerK(), 3./4, 1./2)
		return s, 0, err
	}},
	{name: "powers of t, θ", start: func(e gallery.Entry, steps int, _ uint64) (csspa.PowerLaw, float64, error) {
		s, err := csspa.Theorem2(e.PowerK(), 3./4, 1./2)
		return s, csspa.Bias(s, steps, largest(e.Multipliers)), err
	}},
	{name: "classical saddle point", plain: true, start: func(e gallery.Entry, steps int, _ uint64) (csspa.PowerLaw, float64, error) {
		return csspa.PowerLaw{Alpha0: 1 / (7 * e.K), Beta0: 1, A: 1. / 2, B: 0, Regularization: 4 * e.K, Horizon: steps}, 0, nil
	}},
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
		last    csspa.PowerLaw
		theta   float64
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
				law, theta, err := j.control.start(e, count, s.seed)
				if err != nil {
					return nil, err
				}
				j.last, j.theta = law, theta
				return csspa.NewCSSPA(e.Problem, law, theta, csspa.State{X: e.Start})
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
		t.add(j.control.name, j.build().Name, 1/(7*j.last.Alpha0), j.last.A, j.last.B, j.theta, g, gSE, v, vSE, last.Steps, last.Gap, last.GapError, last.Level, last.LevelError, last.Violation, last.ViolationError)
	}
	return t, nil
}
