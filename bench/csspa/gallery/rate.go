package gallery

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// Point is what runs of one length gave: means over the runs with their standard
// errors, of the gap |F(x̂) - F*| and of the violation max_j L_j(x̂) or 0.
type Point struct {
	Steps, Runs               int
	Gap, GapError             float64
	Violation, ViolationError float64
	SignedGap                 float64 // mean of F(x̂) - F*, negative beyond the constraints

	// max_j E L_j(x̂), what Theorem 2 bounds; NaN without constraints.
	Level, LevelError float64
}

// Measure runs a method on e for the given number of steps, several times with
// seeds seed, seed+1, ..., and compares the averages with the known optimum. The
// gap is taken absolutely: infeasible points may lie below F*.
func Measure(e Entry, steps, runs int, seed uint64, start func(e Entry, steps int) (csspa.Method[Draw], error)) (Point, error) {
	gaps, violations := make([]float64, runs), make([]float64, runs)
	levels := make([][]float64, len(e.Multipliers)) // [j][run]
	for j := range levels {
		levels[j] = make([]float64, runs)
	}
	level := make([]float64, len(e.Multipliers))
	p := Point{Steps: steps, Runs: runs}
	x := make([]float64, e.Problem.N)
	for i := range runs {
		method, err := start(e, steps)
		if err != nil {
			return Point{}, err
		}
		rng := rand.New(rand.NewPCG(seed+uint64(i), 7))
		for range steps {
			method.Step(e.Sample(rng))
		}
		if err := method.State().Finite(); err != nil {
			return Point{}, fmt.Errorf("gallery: %s: %w", e.Name, err)
		}
		method.Average(x)
		gap := e.Objective(x) - e.Value
		p.SignedGap += gap / float64(runs)
		gaps[i], violations[i] = math.Abs(gap), e.Violation(x)
		if e.Constraints != nil {
			e.Constraints(level, x)
		}
		for j, l := range level {
			levels[j][i] = l
		}
	}
	var spread float64
	p.Gap, spread = stat.MeanStdDev(gaps, nil)
	p.GapError = stat.StdErr(spread, float64(runs))
	p.Violation, spread = stat.MeanStdDev(violations, nil)
	p.ViolationError = stat.StdErr(spread, float64(runs))
	p.Level, p.LevelError = math.NaN(), math.NaN()
	for _, values := range levels {
		if mean, spread := stat.MeanStdDev(values, nil); !(mean <= p.Level) {
			p.Level, p.LevelError = mean, stat.StdErr(spread, float64(runs))
		}
	}
	return p, nil
}

// Slope returns the least squares slope of log value against log steps: -1/4 for
// an error of order T^-1/4. Zeros have no logarithm and are left out; with fewer
// than two other points the slope is NaN.
func Slope(points []Point, value func(Point) float64) float64 {
	var x, y []float64
	for _, p := range points {
		if v := value(p); v > 0 {
			x = append(x, math.Log(float64(p.Steps)))
			y = append(y, math.Log(v))
		}
	}
	if len(x) < 2 {
		return math.NaN()
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope
}

// StartCSSPA starts CSSPA with the step sizes of Theorem 2, powers of T, and the
// entry's K, for Measure. theta may depend on the number of steps; nil means 0.
func StartCSSPA(theta func(e Entry, schedule csspa.PowerLaw, steps int) float64) func(Entry, int) (csspa.Method[Draw], error) {
	return func(e Entry, steps int) (csspa.Method[Draw], error) {
		schedule, err := csspa.Theorem2Horizon(e.K, 0.75, 0.5, steps)
		if err != nil {
			return nil, err
		}
		tightening := 0.0
		if theta != nil {
			tightening = theta(e, schedule, steps)
		}
		return csspa.NewCSSPA(e.Problem, schedule, tightening, csspa.State{X: e.Start})
	}
}
