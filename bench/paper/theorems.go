package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// almostSurely follows the iterates x_t themselves with the step sizes of Theorem 1, at exponents well inside
// its region: the largest distance from x* that any run has within each tenfold of steps. Convergence of every
// path makes that fall; no finite run can prove it.
func almostSurely(s *study) (*table, error) {
	const a, b = .8, .55
	decades := s.choose(2, 4)
	first := s.choose(50, 100)
	runs := s.choose(2, 10)
	entries := gallery.All()
	distances := make([][][]float64, len(entries)) // [problem][run][decade]
	for i := range distances {
		distances[i] = make([][]float64, runs)
	}
	err := s.each("iterates", len(entries)*runs, func(job int) error {
		e, run := gallery.All()[job/runs], job%runs
		schedule, err := csspa.Theorem1(e.PowerK(), a, b)
		if err != nil {
			return err
		}
		method, err := csspa.NewCSSPA(e.Problem, schedule, 0, csspa.State{X: e.Start})
		if err != nil {
			return err
		}
		rng := rand.New(rand.NewPCG(s.seed, uint64(run)))
		largest := make([]float64, decades)
		end := first
		for t, decade := 1, -1; decade < decades; t++ {
			method.Step(e.Sample(rng))
			if decade >= 0 {
				largest[decade] = max(largest[decade], distance(method.Iterate(), e.Optimum))
			}
			if t == end {
				decade, end = decade+1, end*10
			}
		}
		distances[job/runs][run] = largest
		return nil
	})
	columns := []string{"problem", "a", "b", "K", "runs"}
	for d, from := 0, first; d < decades; d, from = d+1, from*10 {
		columns = append(columns, "until_"+strconv.Itoa(from*10))
	}
	t := newTable("iterates", columns...)
	for i, e := range entries {
		row := []any{e.Name, a, b, e.PowerK(), runs}
		for d := range decades {
			worst := 0.0
			for run := range runs {
				if len(distances[i][run]) > d {
					worst = max(worst, distances[i][run][d])
				}
			}
			row = append(row, worst)
		}
		t.add(row...)
	}
	return t, err
}

func distance(x, z []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += (v - z[i]) * (v - z[i])
	}
	return math.Sqrt(sum)
}

// runWithK says how far a run with the theorem's K comes: its steps, the gap at its start and at its end.
type runWithK func(k float64) (length, before, after float64, err error)

type addConstants func(name string, tuned, lambda float64, c csspa.Constants, run runWithK) error

// theoremConstants compares the constants that Theorem 2 asks for with those that work: K, and the θ with
// which it promises no violation after a million steps, which must not exceed σ_0/2.
func theoremConstants(s *study) (*table, error) {
	const steps = 1_000_000
	t := newTable("constants", "problem", "K_tuned", "K_theorem_2", "steps", "theta_theorem_2", "half_sigma_0", "steps_needed", "theta_bias", "steps_run", "gap_at_start", "gap_with_K_of_theorem")
	add := func(name string, tuned, lambda float64, c csspa.Constants, run runWithK) error {
		k := c.K2()
		schedule, err := csspa.Theorem2Horizon(k, 3./4, 1./2, steps)
		if err != nil {
			return err
		}
		theta := c.ThetaNeeded(schedule, steps)
		needed := steps * math.Pow(theta/(c.Sigma0/2), 4)
		length, before, after, err := run(k)
		if err != nil {
			return err
		}
		t.add(name, tuned, k, steps, theta, c.Sigma0/2, needed, csspa.Bias(schedule, steps, lambda), length, before, after)
		return nil
	}
	rng := rand.New(rand.NewPCG(s.seed, 5))
	for _, e := range gallery.All() {
		if !e.Binding() {
			continue
		}
		samples, points := make([]gallery.Draw, 200), make([][]float64, 30)
		for i := range samples {
			samples[i] = e.Sample(rng)
		}
		for i := range points {
			points[i] = around(rng, e.Problem.N, 4)
			e.Problem.X.Project(points[i])
		}
		c, err := csspa.EstimateConstants(e.Problem, samples, points)
		if err != nil {
			return nil, err
		}
		err = add(e.Name, e.K, largest(e.Multipliers), c, func(k float64) (length, before, after float64, err error) {
			steps := s.choose(1000, 100_000)
			e.K = k
			p, err := gallery.Measure(e, steps, 1, s.seed, gallery.StartCSSPA(nil))
			return float64(steps), math.Abs(e.Objective(e.Start) - e.Value), p.Gap, err
		})
		if err != nil {
			return nil, err
		}
	}
	return t, classifierConstants(s, rng, add)
}

// classifierConstants are those of the first case of experiment 2.
func classifierConstants(s *study, rng *rand.Rand, add addConstants) error {
	records, err := s.records()
	if err != nil {
		return err
	}
	n := len(records[0].X)
	p, err := problems.FairClassifier{Features: n, Approximation: 1, Threshold: classifierCases[0].threshold, Mu: classifierMu, Radius: classifierRadius, Floor: classifierFloor}.Problem()
	if err != nil {
		return err
	}
	points := [][]float64{make([]float64, n)}
	for range 15 {
		points = append(points, around(rng, n, 2*classifierRadius/math.Sqrt(float64(n))))
		p.X.Project(points[len(points)-1])
	}
	c, err := csspa.EstimateConstants(p, records[:s.choose(30, 200)], points)
	if err != nil {
		return err
	}
	return add("fair classifier, approximation 1", math.NaN(), math.NaN(), c, func(float64) (length, before, after float64, err error) {
		return math.NaN(), math.NaN(), math.NaN(), nil
	})
}

// around draws from the cube of the given edge.
func around(rng *rand.Rand, n int, edge float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = edge * (rng.Float64() - .5)
	}
	return x
}
