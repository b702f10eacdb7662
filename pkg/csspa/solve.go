package csspa

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
)

// Settings of Solve. The zero value serves a first try.
type Settings struct {
	Start    []float64 // where to start; nil means the origin, projected on X
	Steps    int       // T of a run; 0 means 300,000, or the number of samples if that is more
	Runs     int       // independent runs, whose mean is the answer; 0 means 4, at least 2
	Share    float64   // share of the samples that K is tuned on, in (0, 1]; 0 means 0.1
	Ks       []float64 // candidates for K; nil means 13 from 0.0001 to 100
	Scales   []float64 // candidates for ScaleConstraints; nil means 0.1, 1 and 10
	Seed     uint64    // of every draw
	Workers  int       // runs at a time; 0 means one a processor, 1 for functions that share memory
	Progress func(stage string, done, total int)
}

// Estimate is a number and its standard error.
type Estimate struct{ Value, Error float64 }

func (e Estimate) String() string { return fmt.Sprintf("%.4g ± %.2g", e.Value, e.Error) }

// Result of Solve. Values are those of the problem over the samples that were kept.
type Result struct {
	X      []float64 // mean of the runs' outputs x̂
	Lambda []float64 // multipliers, mean over the second halves of the runs

	// Objective is F(X), Constraints are L_j(X). Their errors are those of the
	// samples (Finite.Errors) and of the runs, added in squares.
	Objective   Estimate
	Constraints []Estimate

	// Gap is F(X) less a lower bound of the optimum, so that F(X) - F* is at most
	// Gap.Value if the problem is convex. NaN if X is not bounded. The error is that
	// of F over the runs.
	Gap Estimate
	// Violation is max_j L_j(X), or 0. The error is that over the runs.
	Violation Estimate

	K, Scale, Theta float64 // tuned K, factor of the constraints, θ in units of L
	Steps, Runs     int
	Refused         int      // samples that were left out because a function is not finite there
	Warnings        []string // what to look at before the answer is used
}

// Solve finds x for a data set, in one call. It
//
//   - checks the shapes of the functions, and leaves out samples at which one of
//     them is not finite (Result.Refused, and a warning that names the function);
//   - tunes K, and a factor of the constraints, on a share of the samples with a
//     tenth of the steps;
//   - starts the runs from the best trial, with warm followed values;
//   - sets θ to the violation that the pull on λ leaves (Bias), from the trial's
//     multipliers, and at most half the margin of the best trial point;
//   - makes several independent runs of Algorithm 1 with the step sizes of
//     Theorem 2, each over samples drawn with replacement, and averages them;
//   - measures the answer over all samples, and bounds its gap by Lagrangian duality.
//
// If the samples prove that no x meets the constraints, the error is an
// [InfeasibleError]: it names them, and the least level found. If X is not bounded
// nothing is proved, and a warning says that no point was found.
//
// The same samples and settings give the same bits, whatever Workers is.
func Solve[S any](p Problem[S], samples []S, settings Settings) (Result, error) {
	if err := p.Check(); err != nil {
		return Result{}, err
	}
	settings, err := settings.withDefaults(p.N, len(samples))
	if err != nil {
		return Result{}, err
	}
	start := slices.Clone(settings.Start)
	p.project(start)
	kept, firstRefused, err := p.keep(start, samples)
	if err != nil {
		return Result{}, err
	}
	r := Result{Steps: settings.Steps, Runs: settings.Runs, Refused: len(samples) - len(kept)}
	if r.Refused > 0 {
		r.warn("%d of %d samples are left out; the first: %v", r.Refused, len(samples), firstRefused)
	}
	rng := rand.New(rand.NewPCG(settings.Seed, 1))
	rng.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })

	best, met, err := tune(settings, &r, p, start, kept)
	if err != nil {
		return Result{}, err
	}
	outputs, err := runAll(settings, &r, p, kept, best)
	if err != nil {
		return Result{}, err
	}
	measure(&r, p, kept, outputs, met)
	return r, nil
}

func (r *Result) warn(format string, arguments ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, arguments...))
}

func (s Settings) withDefaults(n, samples int) (Settings, error) {
	if samples == 0 {
		return s, errors.New("csspa: Solve needs at least one sample")
	}
	if s.Start == nil {
		s.Start = make([]float64, n)
	}
	if s.Steps == 0 {
		s.Steps = max(300_000, samples)
	}
	if s.Runs == 0 {
		s.Runs = 4
	}
	if s.Share == 0 {
		s.Share = 0.1
	}
	if s.Ks == nil {
		s.Ks = Geometric(1e-4, 100, 13)
	}
	if s.Scales == nil {
		s.Scales = []float64{0.1, 1, 10}
	}
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	if s.Progress == nil {
		s.Progress = func(string, int, int) {}
	}
	positive := func(values []float64) bool {
		return len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { return !(v > 0) || math.IsInf(v, 1) })
	}
	switch {
	case len(s.Start) != n:
		return s, fmt.Errorf("csspa: Settings.Start has %d coordinates, the problem %d", len(s.Start), n)
	case s.Steps < 1000:
		return s, fmt.Errorf("csspa: Settings.Steps is %d: it must be at least 1000", s.Steps)
	case s.Runs < 2:
		return s, fmt.Errorf("csspa: Settings.Runs is %d: an error needs at least 2", s.Runs)
	case !(s.Share > 0 && s.Share <= 1):
		return s, fmt.Errorf("csspa: Settings.Share is %v: it must be in (0, 1]", s.Share)
	case !positive(s.Ks) || !positive(s.Scales):
		return s, fmt.Errorf("csspa: Settings.Ks is %v and Settings.Scales %v: all must be positive and finite", s.Ks, s.Scales)
	case s.Workers < 1:
		return s, fmt.Errorf("csspa: Settings.Workers is %d: it must be at least 1", s.Workers)
	}
	return s, nil
}

// keep returns the samples at which every function is finite at x, and why the
// first of the others is left out. A wrong shape is an error.
func (p Problem[S]) keep(x []float64, samples []S) (kept []S, first, err error) {
	for i, s := range samples {
		err := p.probe(x, s, len(kept) == 0)
		var value *valueError
		switch {
		case err == nil:
			kept = append(kept, s)
		case !errors.As(err, &value):
			return nil, nil, err
		case first == nil:
			value.where = fmt.Sprintf("at sample %d", i)
			first = err
		}
	}
	if len(kept) == 0 {
		return nil, nil, fmt.Errorf("csspa: Solve can use none of %d samples; the first: %w", len(samples), first)
	}
	return kept, first, nil
}
