package main

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/fairstream/fairstream/bench/figure"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// tradeOffStyles are those of the ways, in their order.
var tradeOffStyles = []figure.Style{
	{Color: figure.Grey, Marker: draw.CrossGlyph{}},
	{Color: figure.Grey, Marker: draw.PlusGlyph{}},
	{Color: figure.Colors[4], Width: 1.2, Marker: draw.RingGlyph{}},
	{Color: figure.Colors[1], Width: 1.2, Marker: draw.CircleGlyph{}},
	{Color: figure.Colors[0], Width: 1.2, Marker: draw.TriangleGlyph{}},
	{Color: figure.Colors[3], Width: 1.2, Marker: draw.PyramidGlyph{}},
	{Color: figure.Colors[2], Width: 1.2, Marker: draw.SquareGlyph{}},
}

// tradeOffPanels are a row with all ways, and one without the printed thresholds, which lead far away.
func tradeOffPanels(ways []way, plans []planned) ([]*plot.Plot, error) {
	var panels []*plot.Plot
	for _, first := range []int{0, 2} {
		var row []*plot.Plot
		for i, a := range approximations {
			p := figure.New(string(a), "risk difference", "")
			if i == 0 {
				p.Y.Label.Text = "error, on the fold held out"
			}
			for k := first; k < len(ways); k++ {
				if err := addWay(p, ways[k].name, first+i == 0, plans, a, tradeOffStyles[k]); err != nil {
					return nil, err
				}
			}
			row = append(row, p)
		}
		sameRange(row)
		panels = append(panels, row...)
	}
	return panels, nil
}

// addWay draws a way's line for an approximation, with one standard error to each side of its points.
func addWay(p *plot.Plot, name string, inLegend bool, plans []planned, a surrogate.Name, style figure.Style) error {
	legend := ""
	if inLegend {
		legend = name
	}
	if err := figure.Line(p, legend, tradeOffLine(plans, name, a), style); err != nil {
		return err
	}
	for _, q := range plans {
		if q.way.name != name || q.approximation != a {
			continue
		}
		x, xSE := q.overFolds(differenceValue)
		y, ySE := q.overFolds(errorValue)
		if err := figure.Crosses(p, plotter.XYs{{X: x, Y: y}}, plotter.XYs{{X: xSE, Y: ySE}}, figure.Style{Color: figure.Grey}); err != nil {
			return err
		}
	}
	return nil
}

// tradeOffLine are a way's points for an approximation, by risk difference.
func tradeOffLine(plans []planned, name string, a surrogate.Name) plotter.XYs {
	var line plotter.XYs
	for _, p := range plans {
		if p.way.name == name && p.approximation == a {
			x, _ := p.overFolds(differenceValue)
			y, _ := p.overFolds(errorValue)
			line = append(line, plotter.XY{X: x, Y: y})
		}
	}
	slices.SortFunc(line, func(p, q plotter.XY) int { return cmp.Compare(p.X, q.X) })
	return line
}

// sameRange gives panels one range, so that they can be compared.
func sameRange(panels []*plot.Plot) {
	x, y := panels[0].X, panels[0].Y
	for _, p := range panels {
		x.Min, x.Max = min(x.Min, p.X.Min), max(x.Max, p.X.Max)
		y.Min, y.Max = min(y.Min, p.Y.Min), max(y.Max, p.Y.Max)
	}
	for _, p := range panels {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = min(x.Min, 0), x.Max, y.Min, y.Max
	}
}
