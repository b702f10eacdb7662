package main

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/bench/figure"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// pairs are exponents (a, b) inside, on the border of and outside what the theorems allow.
var pairs = [][2]float64{
	{.75, .5}, {.8, .55}, {.75, .6}, {.7, .5}, {.65, .45}, {.6, .4}, {.85, .6}, {.9, .7},
	{.6, .6}, {.7, .35}, {.5, .75},
}

// measuredOn is the problem on which the rates of the pairs are measured: the one whose violation follows the
// bound most closely.
const measuredOn = "norm"

// exponents is experiment 5: the map of valid (a, b), measured rates at some of its points, and the first
// values of what Lemma chLem claims never to exceed 1.
func exponents(s *study) (result, error) {
	steps := []int{10_000, 100_000, 1_000_000}
	if s.quick {
		steps = []int{1000, 8000}
	}
	runs := s.choose(3, 10)
	points := make([][]gallery.Point, len(pairs))
	err := s.each("pairs", len(pairs), func(i int) error {
		for _, t := range steps {
			p, err := gallery.Measure(entry(measuredOn), t, runs, s.seed<<32+uint64(t), startAt(pairs[i]))
			if err != nil {
				return err
			}
			points[i] = append(points[i], p)
		}
		return nil
	})
	if err != nil {
		return result{}, err
	}
	panel, err := exponentPanel()
	return result{tables: []*table{pairTable(points), lemmaTable()}, figures: []figureFile{{"exponents", 1, 6, 5, []*plot.Plot{panel}}}}, err
}

func entry(name string) gallery.Entry {
	for _, e := range gallery.All() {
		if e.Name == name {
			return e
		}
	}
	panic("paper: the gallery has no problem " + name)
}

// startAt starts CSSPA with Theorem 2's constants and any exponents, powers of T.
func startAt(pair [2]float64) func(gallery.Entry, int) (csspa.Method[gallery.Draw], error) {
	return func(e gallery.Entry, steps int) (csspa.Method[gallery.Draw], error) {
		schedule := csspa.PowerLaw{Alpha0: 1 / (7 * e.K), Beta0: 1, A: pair[0], B: pair[1], Regularization: 4 * e.K, Horizon: steps}
		return csspa.NewCSSPA(e.Problem, schedule, 0, csspa.State{X: e.Start})
	}
}

func pairTable(points [][]gallery.Point) *table {
	t := newTable("exponents", "a", "b", "as_printed", "theorem_1", "theorem_2", "rate", "a_minus_b", "slope_gap", "slope_gap_se", "slope_violation", "slope_violation_se")
	for i, pair := range pairs {
		a, b := pair[0], pair[1]
		powersOfT, powersOft := csspa.Exponents(a, b, true), csspa.Exponents(a, b, false)
		g, gSE := slope(points[i], gap, gapError)
		v, vSE := slope(points[i], violation, violationError)
		rate := math.NaN()
		if powersOfT.Theorem2 {
			rate = powersOfT.Rate
		}
		t.add(a, b, yes(b >= a && a <= 2*b), yes(powersOft.Theorem1), yes(powersOfT.Theorem2), rate, a-b, g, gSE, v, vSE)
	}
	return t
}

func yes(holds bool) string {
	if holds {
		return "yes"
	}
	return "no"
}

// lemmaTable is 16 K² (α_t² + α_t²/β_t + α_t²/β_{t+1}), which Lemma chLem needs to be at most 1; K drops out.
func lemmaTable() *table {
	t := newTable("lemma", "a", "b", "t", "value", "holds")
	for _, pair := range [][2]float64{{.75, .5}, {.8, .55}, {.1, .08}, {.15, .1}} {
		schedule := csspa.PowerLaw{Alpha0: 1. / 7, Beta0: 1, A: pair[0], B: pair[1]}
		for _, step := range []int{1, 2, 3} {
			now, next := schedule.At(step), schedule.At(step+1)
			value := 16 * now.Alpha * now.Alpha * (1 + 1/now.Beta + 1/next.Beta)
			t.add(pair[0], pair[1], step, value, yes(value <= 1))
		}
	}
	return t
}

// exponentPanel is the paper's figure of valid choices, drawn from what Exponents says of each cell.
func exponentPanel() (*plot.Plot, error) {
	p := figure.New("Exponents that the theorems allow (powers of t)", "a, of α_t = α_0 t^−a", "b, of β_t = t^−b")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	fills := []struct {
		name    string
		outline plotter.XYs
		fill    color.RGBA
	}{
		{"Theorem 2: b ≤ a ≤ 2b", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: .5}, {X: 1, Y: 1}}, color.RGBA{190, 225, 200, 255}},
		{"Theorems 1 and 2: also b > ½, 2a − b > 1", plotter.XYs{{X: .75, Y: .5}, {X: 1, Y: .5}, {X: 1, Y: 1}}, color.RGBA{150, 195, 230, 255}},
		{"as printed: b ≥ a", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}, color.RGBA{245, 215, 200, 255}},
	}
	for _, f := range fills {
		if err := figure.Area(p, f.name, f.outline, f.fill); err != nil {
			return nil, err
		}
	}
	for i, rate := range []float64{.05, .1, .15, .2} {
		style := figure.Style{Color: figure.Grey, Width: .8}
		if err := figure.Line(p, "", level(rate), style); err != nil {
			return nil, err
		}
		at := level(rate)[0]
		label, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: at.X + .004, Y: at.Y - .03 + .004*float64(i)}}, Labels: []string{"T^−" + strconv.FormatFloat(rate, 'g', 3, 64)}})
		if err != nil {
			return nil, err
		}
		p.Add(label)
	}
	chosen := plotter.XYs{{X: .75, Y: .5}}
	p.Legend.Left = true
	return p, figure.Line(p, "the paper's (¾, ½): rate ¼, on Theorem 1's border", chosen, figure.Style{Color: figure.Colors[1], Marker: draw.CircleGlyph{}})
}

// level is the triangle of exponents whose rate 1 - a - max(0, 1 - 2b, 1 - 2a + b) is the given one.
func level(rate float64) plotter.XYs {
	// Where 1 - 2b is the growth: 2b - a = rate. Where 1 - 2a + b is: a - b = rate. Where neither: 1 - a = rate.
	low, corner := plotter.XY{X: 3 * rate, Y: 2 * rate}, 1-rate
	return plotter.XYs{low, {X: corner, Y: (corner + rate) / 2}, {X: corner, Y: corner - rate}, low}
}
