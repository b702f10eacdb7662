package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// point is one of a figure, with lines for its intervals.
type point struct {
	X, Y, LowX, HighX, LowY, HighY float64
	Class, Text, Title             string
	TextX, TextY                   float64
}

// frontier is accuracy against difference.
type frontier struct {
	Width, Height, Left, Right, Top, Bottom float64
	X, Y                                    []tick
	Zero, TauLow, TauHigh                   float64 // places; tau's are NaN without one tau
	HasTau                                  bool
	Points                                  []point
	XName, YName                            string
}

// drawFrontier draws the first constraint of the variants.
func drawFrontier(p *Page) *frontier {
	if len(p.Variants) == 0 || len(p.Variants[0].Constraints) == 0 || len(p.Variants[0].Qualities) == 0 {
		return nil
	}
	f := &frontier{Width: figureWidth, Height: 260, Left: 46, Right: 330, Top: 12, Bottom: 214}
	all := slices.Clone(p.Variants)
	if p.Unconstrained != nil {
		all = append(all, *p.Unconstrained)
	}
	xs, ys := []float64{0}, known(p.Constant.Value)
	for _, v := range all {
		if len(v.Constraints) == 0 {
			continue
		}
		d, q := v.Constraints[0].Difference, v.Qualities[0]
		xs, ys = append(xs, known(d.Value, d.Lo, d.Hi)...), append(ys, known(q.Value, q.Lo, q.Hi)...)
	}
	first := p.Variants[0].Constraints[0]
	one := len(p.Variants) == 1 || p.Varied != "tau"
	if one {
		xs = append(xs, -first.Tau, first.Tau)
	}
	x, y := spread(slices.Min(xs), slices.Max(xs), f.Left, f.Right), spread(slices.Min(ys), slices.Max(ys), f.Bottom, f.Top)
	f.X, f.Y, f.Zero = x.ticks(5), y.ticks(5), x.at(0)
	f.XName = fmt.Sprintf("difference: %s − %s", short(first.Group, 18), short(first.Versus, 18))
	f.YName = p.Variants[0].Qualities[0].Name
	if f.HasTau = one; one {
		f.TauLow, f.TauHigh = x.at(-first.Tau), x.at(first.Tau)
	}
	add := func(v *Variant, class string) {
		if len(v.Constraints) == 0 || len(known(v.Constraints[0].Difference.Value, v.Qualities[0].Value)) < 2 {
			return
		}
		d, q := v.Constraints[0].Difference, v.Qualities[0]
		f.Points = append(f.Points, newPoint(x, y, d, q, class, short(v.Name, 16), fmt.Sprintf("%s: %s %s, difference %s", v.Name, q.Name, q.words("%.3f"), d.words("%+.3f"))))
	}
	for i := range p.Variants {
		add(&p.Variants[i], "fair")
	}
	if p.Unconstrained != nil {
		add(p.Unconstrained, "free")
	}
	if c := p.Constant; !math.IsNaN(c.Value) {
		f.Points = append(f.Points, newPoint(x, y, Number{"", 0, 0, 0}, c, "constant", "constant", c.Name+": "+c.words("%.3f")))
	}
	separate(f)
	return f
}

func newPoint(x, y scale, d, q Number, class, text, title string) point {
	or := func(a, b float64) float64 {
		if math.IsNaN(a) {
			return b
		}
		return a
	}
	p := point{X: x.at(d.Value), Y: y.at(q.Value), LowX: x.at(or(d.Lo, d.Value)), HighX: x.at(or(d.Hi, d.Value)), LowY: y.at(or(q.Lo, q.Value)), HighY: y.at(or(q.Hi, q.Value)),
		Class: class, Text: text, Title: title}
	p.TextX, p.TextY = p.X+7, p.Y-6
	return p
}

// separate moves texts that would lie on one another, and keeps them inside.
func separate(f *frontier) {
	const line, letter = 13, 6.3
	order := make([]int, len(f.Points))
	for i := range order {
		order[i] = i
		p := &f.Points[i]
		if width := letter * float64(len([]rune(p.Text))); p.TextX+width > f.Right {
			p.TextX = p.X - 7 - width
		}
		p.TextY = min(f.Bottom-4, max(f.Top+10, p.TextY))
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(f.Points[a].TextY, f.Points[b].TextY) })
	for i := 1; i < len(order); i++ {
		above, p := &f.Points[order[i-1]], &f.Points[order[i]]
		if math.Abs(above.TextX-p.TextX) < 90 && p.TextY-above.TextY < line {
			p.TextY = min(f.Bottom-4, round(above.TextY+line))
		}
	}
	for i := range f.Points {
		f.Points[i].TextX, f.Points[i].TextY = round(f.Points[i].TextX), round(f.Points[i].TextY)
	}
}

// bar is one of a figure of bars.
type bar struct {
	Name, Whole, Words string
	Y                  float64 // of the text
	Rows               []barRow
}

// barRow is a bar of one class, with a line for its interval if Line.
type barRow struct {
	X, Y, Length, Low, High float64
	Line                    bool
	Class                   string
}

// bars are figures of bars from a common zero.
type bars struct {
	Width, Height, Left, Right, Top, Bottom, Zero float64
	X                                             []tick
	Bars                                          []bar
}

const (
	barHeight = 9.0
	rowSpace  = 3.0
	barSpace  = 11.0
)

// drawRates compares the rates of two groups.
func drawRates(p *Pair) *bars {
	b := &bars{Width: figureWidth, Left: 122, Right: 318, Top: 6}
	x := scale{0, 1, b.Left, b.Right}
	y := b.Top
	for i := range p.Group.Rates {
		one := bar{Name: p.Group.Rates[i].Name, Whole: p.Group.Rates[i].Name}
		for k, n := range []Number{p.Group.Rates[i], p.Versus.Rates[i]} {
			if !math.IsNaN(n.Value) {
				one.Rows = append(one.Rows, barRow{X: b.Left, Y: y, Length: round(x.at(n.Value) - b.Left), Low: x.at(n.Lo), High: x.at(n.Hi), Line: true, Class: []string{"group", "versus"}[k]})
			}
			y += barHeight + rowSpace
		}
		one.Y = round(y - barHeight)
		y += barSpace - rowSpace
		b.Bars = append(b.Bars, one)
	}
	b.Bottom = y
	b.Height = y + 22
	b.Zero = b.Left
	b.X = []tick{{x.at(0), "0 %"}, {x.at(.5), "50 %"}, {x.at(1), "100 %"}}
	return b
}

// mostColumns is how many columns a figure shows.
const mostColumns = 14

// drawColumns shows the columns that move two groups apart most.
func drawColumns(columns []Column, pair int) *bars {
	size := func(c *Column) float64 {
		largest := 0.
		for _, x := range known(c.part(pair)...) {
			largest = max(largest, math.Abs(x))
		}
		return largest
	}
	shown := slices.Clone(columns)
	slices.SortStableFunc(shown, func(a, b Column) int { return cmp.Compare(size(&b), size(&a)) })
	shown = slices.DeleteFunc(shown, func(c Column) bool { return len(known(c.part(pair)...)) == 0 })
	shown = shown[:min(len(shown), mostColumns)]
	if len(shown) == 0 {
		return nil
	}
	b := &bars{Width: figureWidth, Left: 122, Right: 330, Top: 6}
	xs := []float64{0}
	for i := range shown {
		xs = append(xs, known(shown[i].part(pair)...)...)
	}
	x := spread(slices.Min(xs), slices.Max(xs), b.Left, b.Right)
	b.Zero = x.at(0)
	y := b.Top
	for i := range shown {
		c := &shown[i]
		one := bar{Name: short(c.Name, 18), Whole: c.Name}
		for k, value := range c.part(pair) {
			class := []string{"free", "fair"}[k]
			if len(c.Without) == 0 {
				class = "fair"
			}
			if len(known(value)) > 0 {
				from, to := min(b.Zero, x.at(value)), max(b.Zero, x.at(value))
				one.Rows = append(one.Rows, barRow{X: from, Y: y, Length: round(to - from), Class: class})
				one.Words += fmt.Sprintf(" %+.3f", value)
			}
			y += barHeight + rowSpace
		}
		one.Y = round(y - barHeight)
		if len(c.Without) == 0 {
			one.Y = round(y - rowSpace - 1)
		}
		y += barSpace - rowSpace
		b.Bars = append(b.Bars, one)
	}
	b.Bottom, b.Height, b.X = y, y+22, x.ticks(4)
	return b
}

// part is what the column adds to the difference of a pair: without constraints, if that is known, and with them.
func (c *Column) part(pair int) []float64 {
	if pair < len(c.Without) {
		return []float64{c.Without[pair], c.With[pair]}
	}
	if pair < len(c.With) {
		return []float64{c.With[pair]}
	}
	return nil
}

// calibration is the share of positive labels against the score.
type calibration struct {
	Width, Height, Left, Right, Top, Bottom float64
	X, Y                                    []tick
	Lines                                   []calibrationLine
}

type calibrationLine struct {
	Class, Path string
	Points      []point
}

func drawCalibration(p *Pair) *calibration {
	c := &calibration{Width: figureWidth, Height: 260, Left: 46, Right: 330, Top: 12, Bottom: 214}
	x, y := scale{0, 1, c.Left, c.Right}, scale{0, 1, c.Bottom, c.Top}
	tenths := func(s scale) []tick {
		return []tick{{s.at(0), "0"}, {s.at(.2), "0.2"}, {s.at(.4), "0.4"}, {s.at(.6), "0.6"}, {s.at(.8), "0.8"}, {s.at(1), "1"}}
	}
	c.X, c.Y = tenths(x), tenths(y)
	for i, side := range []*Side{&p.Group, &p.Versus} {
		line := calibrationLine{Class: []string{"group", "versus"}[i]}
		for _, b := range side.Calibration {
			if len(known(b.Score, b.Rate.Value)) < 2 {
				continue
			}
			at := newPoint(x, y, Number{Value: b.Score, Lo: b.Score, Hi: b.Score}, b.Rate, line.Class, "",
				fmt.Sprintf("%s, score %.2f: %s positive of %d", side.Label, b.Score, b.Rate.words("%.2f"), b.Records))
			line.Points = append(line.Points, at)
			line.Path += fmt.Sprintf("%v,%v ", at.X, at.Y)
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}
