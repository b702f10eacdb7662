package main

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/bench/figure"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// rates is experiment 4, on problems whose optimum is known: how gap and violation fall with the number of
// steps, with θ = 0 and with θ > 0; Theorem 1's iterates; the constants that the theorems ask for; and all
// methods tuned alike.
func rates(s *study) (result, error) {
	steps := []int{10_000, 30_000, 100_000, 300_000, 1_000_000}
	if s.quick {
		steps = []int{500, 2000, 8000}
	}
	entries, runs := gallery.All(), s.choose(3, 10)
	var measured []series
	for i, e := range entries {
		for _, factor := range factors {
			if factor == 0 || e.Binding() {
				measured = append(measured, series{number: i, entry: e, factor: factor, points: make([]gallery.Point, len(steps))})
			}
		}
	}
	jobs := len(measured) * len(steps)
	err := s.each("rates", jobs, func(job int) error {
		job = jobs - 1 - job // the longest first
		m, k := &measured[job%len(measured)], job/len(measured)
		e := gallery.All()[m.number] // functions of its own
		var err error
		m.points[k], err = gallery.Measure(e, steps[k], runs, s.seed<<32+uint64(steps[k]), gallery.StartCSSPA(m.theta))
		return err
	})
	if err != nil {
		return result{}, err
	}
	almost, err := almostSurely(s)
	if err != nil {
		return result{}, err
	}
	asked, err := theoremConstants(s)
	if err != nil {
		return result{}, err
	}
	duel, err := galleryDuel(s)
	if err != nil {
		return result{}, err
	}
	checks, err := controlTable(s, steps, runs)
	if err != nil {
		return result{}, err
	}
	applications, err := applicationTable(s)
	if err != nil {
		return result{}, err
	}
	panels, err := ratePanels(measured)
	return result{
		tables:  append([]*table{rateTable(measured), thetaTable(measured), almost, asked, checks, applications}, duel...),
		figures: []figureFile{{"rates", 2, 5.2, 4.2, panels}},
	}, err
}

// factors are the θ that are run, in units of the violation that the pull on λ leaves (csspa.Bias).
var factors = []float64{0, 1, 1.25}

// series is one problem's points for one θ.
type series struct {
	number int // of the problem in the gallery
	entry  gallery.Entry
	factor float64
	points []gallery.Point
}

func (m series) theta(e gallery.Entry, schedule csspa.PowerLaw, steps int) float64 {
	return m.factor * csspa.Bias(schedule, steps, largest(e.Multipliers))
}

func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// slope is the least squares slope of log value against log steps, and its standard error from those of the
// values.
func slope(points []gallery.Point, value, se func(gallery.Point) float64) (float64, float64) {
	var x, relative []float64
	for _, p := range points {
		if v := value(p); v > 0 {
			x = append(x, math.Log(float64(p.Steps)))
			relative = append(relative, se(p)/v)
		}
	}
	middle, _ := meanAndError(x)
	square, variance := 0.0, 0.0
	for i, v := range x {
		square += (v - middle) * (v - middle)
		variance += (v - middle) * (v - middle) * relative[i] * relative[i]
	}
	return gallery.Slope(points, value), math.Sqrt(variance) / square
}

func gap(p gallery.Point) float64            { return p.Gap }
func gapError(p gallery.Point) float64       { return p.GapError }
func violation(p gallery.Point) float64      { return p.Violation }
func violationError(p gallery.Point) float64 { return p.ViolationError }
func both(p gallery.Point) float64           { return p.Gap + p.Violation }
func bothError(p gallery.Point) float64      { return p.GapError + p.ViolationError } // at most

func kind(e gallery.Entry) string {
	switch {
	case e.Binding():
		return "binding"
	case len(e.Multipliers) > 0:
		return "slack"
	}
	return "none"
}

// rateTable is for θ = 0.
func rateTable(measured []series) *table {
	t := newTable("rates", "problem", "constraint", "runs", "slope", "slope_se", "slope_gap", "slope_gap_se", "slope_violation", "slope_violation_se", "steps", "gap", "gap_se", "violation", "violation_se")
	for _, m := range measured {
		if m.factor != 0 {
			continue
		}
		b, bSE := slope(m.points, both, bothError)
		g, gSE := slope(m.points, gap, gapError)
		v, vSE := math.NaN(), math.NaN()
		last := m.points[len(m.points)-1]
		if m.entry.Binding() {
			v, vSE = slope(m.points, violation, violationError)
		}
		t.add(m.entry.Name, kind(m.entry), last.Runs, b, bSE, g, gSE, v, vSE, last.Steps, last.Gap, last.GapError, last.Violation, last.ViolationError)
	}
	return t
}

// thetaTable holds E L(x̂), what the theorem bounds, for every θ.
func thetaTable(measured []series) *table {
	t := newTable("theta", "steps", "problem", "factor", "theta", "level", "level_se", "gap", "gap_se", "gap_slope")
	for k := range measured[0].points {
		for _, m := range measured {
			if !m.entry.Binding() {
				continue
			}
			p := m.points[k]
			g, _ := slope(m.points, gap, gapError)
			schedule, err := csspa.Theorem2Horizon(m.entry.K, 3./4, 1./2, p.Steps)
			if err != nil {
				panic(err) // it has been run
			}
			t.add(p.Steps, m.entry.Name, m.factor, m.theta(m.entry, schedule, p.Steps), p.Level, p.LevelError, p.Gap, p.GapError, g)
		}
	}
	return t
}

// ratePanels show the error with θ = 0, and E L(x̂) with and without θ where it is positive without.
func ratePanels(measured []series) ([]*plot.Plot, error) {
	left := figure.New("gap + violation, θ = 0", "steps T", "|F(x̂) − F*| + violation")
	right := figure.New("E L(x̂) where the pull on λ rules it", "steps T", "E L(x̂)")
	left.Legend.Top, left.Legend.Left = false, true
	figure.Logarithmic(&left.X, &left.Y, &right.X)
	free, pulled := -1, -1
	for i, m := range measured {
		last := m.points[len(m.points)-1]
		if m.factor == 0 {
			free++
			style := figure.Style{Color: figure.Colors[free%len(figure.Colors)], Width: 1.5, Dashed: free >= len(figure.Colors)}
			if err := figure.Line(left, m.entry.Name, m.line(both), style); err != nil {
				return nil, err
			}
		}
		if m.factor != 0 || !(last.Level > 3*last.LevelError) {
			continue
		}
		pulled++
		style := figure.Style{Color: figure.Colors[pulled], Width: .7}
		if err := figure.Line(right, m.entry.Name+": 8/7 λ* T^−1/4", m.bias(), style); err != nil {
			return nil, err
		}
		for k, factor := range factors {
			style.Width, style.Dashed = 2.4-.6*float64(k), k > 0
			if err := figure.Line(right, fmt.Sprintf("%s, θ = %v bias", m.entry.Name, factor), measured[i+k].line(meanLevel), style); err != nil {
				return nil, err
			}
		}
	}
	first, last := measured[0].points[0], measured[0].points[len(measured[0].points)-1]
	guide := plotter.XYs{{X: float64(first.Steps), Y: .3}, {X: float64(last.Steps), Y: .3 * math.Pow(float64(last.Steps)/float64(first.Steps), -.25)}}
	left.Y.Min /= 1000 // for the legend
	return []*plot.Plot{left, right}, figure.Line(left, "slope −1/4", guide, figure.Style{Color: figure.Grey, Width: 2.5, Dashed: true})
}

func meanLevel(p gallery.Point) float64 { return p.Level }

func (m series) line(value func(gallery.Point) float64) plotter.XYs {
	var line plotter.XYs
	for _, p := range m.points {
		line = append(line, plotter.XY{X: float64(p.Steps), Y: value(p)})
	}
	return line
}

func (m series) bias() plotter.XYs {
	return m.line(func(p gallery.Point) float64 {
		return 8. / 7 * largest(m.entry.Multipliers) * math.Pow(float64(p.Steps), -.25)
	})
}

// galleryDuel tunes every method alike on the problems with a binding constraint whose outer functions are not
// random, for which the baselines are made, and compares them after one number of steps. The hinge is left out:
// its optimum is the middle of X = [0, 1], where the average of iterates that jump from end to end is too.
func galleryDuel(s *study) ([]*table, error) {
	horizon, runs := s.choose(500, 20_000), s.choose(3, 20)
	var entries []int
	for i, e := range gallery.All() {
		if e.Binding() && e.Problem.FixedOuter && e.Name != "hinge" {
			entries = append(entries, i)
		}
	}
	methods := contenders[gallery.Draw](s.quick, fewVariables)
	all := make([]curves, len(entries)*len(methods))
	err := s.each("gallery", len(all), func(i int) error {
		e, m := gallery.All()[entries[i/len(methods)]], methods[i%len(methods)]
		j := judge{objective: e.Objective, violation: e.Violation, best: e.Value, weight: above * sum(e.Multipliers)}
		a := arena[gallery.Draw]{
			problem: e.Problem, start: e.Start, horizon: horizon, multiplier: largest(e.Multipliers),
			sample: e.Sample, judge: j, shareSample: e.Sample, shareJudge: j,
		}
		scores, err := a.scores(m, s.seed)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		all[i] = curves{subject: e.Name, method: m.name, choice: m.least(scores), checkpoints: []int{horizon}, runs: make([][]standing, runs)}
		for run := range runs {
			if all[i].runs[run], err = a.run(m, all[i].choice, []int{horizon}, s.seed+uint64(run)); err != nil {
				return fmt.Errorf("%s: %w", e.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	tables := curveTables("gallery", all)
	return []*table{tables[0], tables[2]}, nil
}
