package reference

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// Settings of Solve. The zero value serves a smooth convex problem.
type Settings struct {
	// Starts are the points to start from; nil means the origin. A problem that is
	// not convex wants several, and the best answer is kept.
	Starts [][]float64

	// Smoothing are the widths ε of the kinks, from wide to narrow, that are solved
	// one after the other, each from the last one's answer. nil means {0}: a problem
	// without kinks.
	Smoothing []float64

	// Tolerance is the residual (see Residual) at which a width is done; 0 means 1e-7.
	Tolerance float64

	// Rounds limits the multiplier updates a width; 0 means 60.
	Rounds int
}

// Result is the best answer of all starts.
type Result struct {
	X           []float64
	Lambda      []float64 // multipliers of the constraints at the last smoothing
	Objective   float64   // F(X) without smoothing
	Constraints []float64 // L_j(X) without smoothing
	Residual    Residual  // KKT conditions at the last smoothing
	Smoothing   float64   // the last smoothing
	Start       int       // index of the start that led here
	Objectives  []float64 // F without smoothing reached from each start; NaN where infeasible
}

// Violation returns max_j L_j(X), or 0.
func (r Result) Violation() float64 {
	worst := 0.0
	for _, l := range r.Constraints {
		worst = max(worst, l)
	}
	return worst
}

// Solve minimises F over the samples subject to L_j <= 0 and x ∈ X, by the method
// of multipliers (see augmented). problem states the problem with its kinks
// smoothed to width ε, and without smoothing for ε = 0; for a smooth problem it
// may ignore ε. Its functions are also evaluated at points a little outside X.
//
// An error means that no start led to a point whose residual is below 1e-3; the
// residual of the answer tells how exact it is.
//
// The kinks of hinges are smoothed rather than replaced by slack variables because
// a data set of N records would need N of those. A hinge max(0, v) replaced by a
// parabola on [-ε, ε] is too large by at most ε/4, so that the objective is off by
// at most Σ_j λ_j |∇l_j| ε/4: negligible at the last ε.
func Solve[S any](problem func(epsilon float64) csspa.Problem[S], samples []S, settings Settings) (Result, error) {
	exact := problem(0)
	if err := exact.Check(); err != nil {
		return Result{}, err
	}
	if len(samples) == 0 {
		return Result{}, errors.New("reference: Solve needs at least one sample")
	}
	settings = settings.withDefaults(exact.N)
	exactData := csspa.NewFinite(exact, samples)
	best := Result{Start: -1, Objectives: make([]float64, len(settings.Starts))}
	for i, start := range settings.Starts {
		if len(start) != exact.N {
			return Result{}, fmt.Errorf("reference: start %d has %d coordinates, the problem %d", i, len(start), exact.N)
		}
		r := solveFrom(problem, samples, start, settings)
		r.Objective = exactData.Objective(r.X)
		r.Constraints = make([]float64, exact.Constraints())
		exactData.Constraints(r.Constraints, r.X)
		best.Objectives[i] = r.Objective
		if !(r.Residual.Max() < acceptable) || math.IsNaN(r.Objective) {
			best.Objectives[i] = math.NaN()
			continue
		}
		if best.Start < 0 || r.Objective < best.Objective {
			r.Start, r.Objectives = i, best.Objectives
			best = r
		}
	}
	if best.Start < 0 {
		return Result{}, fmt.Errorf("reference: none of %d starts led to a point with a residual below %v: is the problem feasible?", len(settings.Starts), acceptable)
	}
	return best, nil
}

const acceptable = 1e-3

func (s Settings) withDefaults(n int) Settings {
	if s.Starts == nil {
		s.Starts = [][]float64{make([]float64, n)}
	}
	if s.Smoothing == nil {
		s.Smoothing = []float64{0}
	}
	if s.Tolerance == 0 {
		s.Tolerance = 1e-7
	}
	if s.Rounds == 0 {
		s.Rounds = 60
	}
	return s
}

// solveFrom goes through the widths from one start.
func solveFrom[S any](problem func(float64) csspa.Problem[S], samples []S, start []float64, settings Settings) Result {
	x := slices.Clone(start)
	if set := problem(0).X; set != nil {
		set.Project(x)
	}
	var multipliers, normal []float64
	var r Result
	for _, epsilon := range settings.Smoothing {
		p := problem(epsilon)
		a := newAugmented(csspa.NewFinite(p, samples), multipliers, normal)
		a.solve(x, settings.Tolerance, settings.Rounds)
		multipliers, normal = a.lambda, a.normal
		r = Result{X: slices.Clone(x), Lambda: a.lambda, Residual: a.residual(x), Smoothing: epsilon}
		if p.X != nil {
			p.X.Project(r.X)
			r.Residual = a.residual(r.X)
		}
	}
	return r
}
