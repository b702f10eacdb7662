package main

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/fairstream/fairstream/bench/figure"
)

// curves are the standings of several runs of one contender on one case, [run][checkpoint].
type curves struct {
	subject, method string
	choice          choice
	checkpoints     []int
	runs            [][]standing
}

// at returns the mean of a value at a checkpoint, and its standard error.
func (c curves) at(checkpoint int, value func(standing) float64) (mean, se float64) {
	values := make([]float64, len(c.runs))
	for i, run := range c.runs {
		values[i] = value(run[checkpoint])
	}
	return meanAndError(values)
}

func gapOf(s standing) float64       { return s.gap }
func sizeOf(s standing) float64      { return math.Abs(s.gap) }
func violationOf(s standing) float64 { return s.violation }
func errorOf(s standing) float64     { return s.error }

// curveTables are the standings at the end, and at every checkpoint.
func curveTables(name string, all []curves) []*table {
	end := newTable(name, "subject", "method", "alpha0", "weight", "runs", "gap", "gap_se", "violation", "violation_se", "error", "error_se")
	whole := newTable(name+"-curves", "subject", "method", "iteration", "gap", "gap_se", "abs_gap", "abs_gap_se", "violation", "violation_se", "error", "error_se")
	for _, c := range all {
		for i, t := range c.checkpoints {
			gap, gapSE := c.at(i, gapOf)
			size, sizeSE := c.at(i, sizeOf)
			violation, violationSE := c.at(i, violationOf)
			e, eSE := c.at(i, errorOf)
			whole.add(c.subject, c.method, t, gap, gapSE, size, sizeSE, violation, violationSE, e, eSE)
			if i == len(c.checkpoints)-1 {
				end.add(c.subject, c.method, c.choice.alpha0, c.choice.weight, len(c.runs), gap, gapSE, violation, violationSE, e, eSE)
			}
		}
	}
	return []*table{end, whole, leads(name+"-leads", all)}
}

// leads counts the checkpoints at which CSSPA, with and without θ, is ahead of CSCGDA: in the mean size of
// the gap, in the violation (or as good), and in the error; and compares the errors at the end, run by run on
// the same samples.
func leads(name string, all []curves) *table {
	t := newTable(name, "subject", "method", "against", "checkpoints", "gap", "violation", "error", "error_less", "error_less_se")
	for _, c := range all {
		for _, other := range all {
			saddle := c.method == nameSaddle || c.method == nameTight
			baseline := other.method == namePenalty || other.method == nameAccelerated
			if !saddle || !baseline || other.subject != c.subject {
				continue
			}
			ahead := func(value func(standing) float64, orEqual bool) int {
				count := 0
				for i := range c.checkpoints {
					mine, _ := c.at(i, value)
					theirs, _ := other.at(i, value)
					const rounding = 1e-9
					if mine < theirs-rounding || orEqual && mine < theirs+rounding {
						count++
					}
				}
				return count
			}
			last := len(c.checkpoints) - 1
			differences := make([]float64, len(c.runs))
			for i := range c.runs {
				differences[i] = other.runs[i][last].error - c.runs[i][last].error
			}
			less, se := meanAndError(differences)
			t.add(c.subject, c.method, other.method, len(c.checkpoints), ahead(sizeOf, false), ahead(violationOf, true), ahead(errorOf, false), less, se)
		}
	}
	return t
}

var methodStyles = map[string]figure.Style{
	nameSaddle:      {Color: figure.Colors[0], Width: 1.8},
	nameTight:       {Color: figure.Colors[2], Width: 1.8},
	namePenalty:     {Color: figure.Colors[4], Width: 1.2, Dashed: true},
	nameAccelerated: {Color: figure.Colors[1], Width: 1.8, Dashed: true},
}

// curvePanels are a row of gaps, a row of violations and a row of errors, with a column for each subject, drawn
// from the table of all checkpoints.
func curvePanels(t *table) ([]*plot.Plot, error) {
	var subjects []string
	for _, row := range t.rows {
		if !slices.Contains(subjects, row[0]) {
			subjects = append(subjects, row[0])
		}
	}
	var panels []*plot.Plot
	for row, shown := range []struct{ label, column string }{
		{"gap |F − F*|", "abs_gap"}, {"violation", "violation"}, {"error (both)", "error"},
	} {
		for column, subject := range subjects {
			p := figure.New(subject, "", "")
			if row == 2 {
				p.X.Label.Text = "iterations"
			}
			if column == 0 {
				p.Y.Label.Text = shown.label
			}
			p.Legend.Top, p.Legend.Left = false, true
			figure.Logarithmic(&p.X, &p.Y)
			for _, method := range []string{nameSaddle, nameTight, namePenalty, nameAccelerated} {
				name := method
				if row > 0 || column > 0 {
					name = ""
				}
				if err := drawCurve(p, name, methodStyles[method], t, subject+" / "+method, shown.column); err != nil {
					return nil, err
				}
			}
			if p.Y.Min > p.Y.Max {
				p.Title.Text += ": none"
			}
			p.X.Min, p.X.Max = t.value(t.rows[0], "iteration"), t.value(t.rows[len(t.rows)-1], "iteration")
			if row+column == 0 {
				p.Y.Min /= 10 // for the legend
			}
			panels = append(panels, p)
		}
	}
	return panels, nil
}

// drawCurve adds a column of the rows that begin with the key, and a band of one standard error to each side.
func drawCurve(p *plot.Plot, name string, style figure.Style, t *table, key, column string) error {
	var middle, low, high plotter.XYs
	const floor = 1e-6 // a logarithmic axis ends somewhere
	for _, row := range t.rows {
		if row[0]+" / "+row[1] != key {
			continue
		}
		x, mean, se := t.value(row, "iteration"), t.value(row, column), t.value(row, column+standardError)
		if mean < floor {
			continue
		}
		middle = append(middle, plotter.XY{X: x, Y: mean})
		low = append(low, plotter.XY{X: x, Y: max(mean-se, mean/3)})
		high = append(high, plotter.XY{X: x, Y: mean + se})
	}
	fill := color.NRGBA{style.Color.R, style.Color.G, style.Color.B, 50}
	if err := figure.Band(p, low, high, fill); err != nil {
		return err
	}
	return figure.Line(p, name, middle, style)
}
