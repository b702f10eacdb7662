// Package figure draws the plots of the studies in bench: thin helpers over gonum/plot, so that all of them
// look alike and each is saved as PNG and SVG. It imports nothing of the project.
package figure

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colors that also readers with a colour vision deficiency can tell apart (M. Okabe, K. Ito, 2008).
var Colors = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255}, {90, 90, 90, 255},
}

// Grey is for what a curve is compared with.
var Grey = color.RGBA{140, 140, 140, 255}

// Style is how a series looks.
type Style struct {
	Color  color.RGBA
	Width  float64 // of the line, in points; 0 draws none
	Dashed bool
	Marker draw.GlyphDrawer // nil draws none
}

// New returns an empty panel with a grid.
func New(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(1)
	p.Legend.TextStyle.Font.Size = vg.Points(10)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	return p
}

// Logarithmic makes axes logarithmic.
func Logarithmic(axes ...*plot.Axis) {
	for _, axis := range axes {
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, powers{}
	}
}

// powers labels powers of ten only, or 1, 2 and 5 times them where there are fewer than three.
type powers struct{}

func (powers) Ticks(low, high float64) []plot.Tick {
	if !(low > 0) || !(high >= low) || math.IsInf(high, 1) {
		return nil
	}
	labelled := []float64{1}
	if math.Floor(math.Log10(high))-math.Ceil(math.Log10(low)) < 2 {
		labelled = []float64{1, 2, 5}
	}
	var ticks []plot.Tick
	for e := int(math.Floor(math.Log10(low))); e <= int(math.Ceil(math.Log10(high))); e++ {
		for m := 1.0; m < 10; m++ {
			tick := plot.Tick{Value: m * math.Pow10(e)}
			if tick.Value < low*(1-1e-9) || tick.Value > high*(1+1e-9) {
				continue
			}
			for _, l := range labelled {
				if m == l {
					tick.Label = powerLabel(m, e)
				}
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

func powerLabel(m float64, e int) string {
	if e >= -3 && e <= 3 {
		return strconv.FormatFloat(m*math.Pow10(e), 'g', 12, 64)
	}
	power := "10^" + strings.Replace(strconv.Itoa(e), "-", "−", 1) // the font has no raised minus
	if m == 1 {
		return power
	}
	return strconv.FormatFloat(m, 'g', 1, 64) + "·" + power
}

// Line draws one series; a name puts it into the legend. Points that an axis cannot show (not finite, or not
// positive where it is logarithmic) are left out.
func Line(p *plot.Plot, name string, points plotter.XYs, style Style) error {
	points = shown(p, points)
	if len(points) == 0 {
		return nil
	}
	var thumbnails []plot.Thumbnailer
	if style.Width > 0 {
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = style.Color, vg.Points(style.Width)
		if style.Dashed {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
		}
		p.Add(line)
		thumbnails = append(thumbnails, line)
	}
	if style.Marker != nil {
		scatter, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		scatter.GlyphStyle = draw.GlyphStyle{Color: style.Color, Radius: vg.Points(2.5), Shape: style.Marker}
		p.Add(scatter)
		thumbnails = append(thumbnails, scatter)
	}
	if name != "" {
		p.Legend.Add(name, thumbnails...)
	}
	return nil
}

// Band fills between low and high, which have the same X.
func Band(p *plot.Plot, low, high plotter.XYs, fill color.Color) error {
	low, high = shown(p, low), shown(p, high)
	var outline plotter.XYs
	outline = append(outline, low...)
	for i := len(high) - 1; i >= 0; i-- {
		outline = append(outline, high[i])
	}
	if len(outline) < 3 {
		return nil
	}
	return Area(p, "", outline, fill)
}

// Area fills a polygon.
func Area(p *plot.Plot, name string, outline plotter.XYs, fill color.Color) error {
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	area.Color, area.LineStyle.Width = fill, 0
	p.Add(area)
	if name != "" {
		p.Legend.Add(name, area)
	}
	return nil
}

// Crosses draws one standard error to each side of points, in both directions.
func Crosses(p *plot.Plot, points, errors plotter.XYs, style Style) error {
	type both struct {
		plotter.XYs
		plotter.XErrors
		plotter.YErrors
	}
	b := both{XYs: points}
	for _, e := range errors {
		b.XErrors = append(b.XErrors, struct{ Low, High float64 }{e.X, e.X})
		b.YErrors = append(b.YErrors, struct{ Low, High float64 }{e.Y, e.Y})
	}
	horizontal, err := plotter.NewXErrorBars(b)
	if err != nil {
		return err
	}
	vertical, err := plotter.NewYErrorBars(b)
	if err != nil {
		return err
	}
	horizontal.Color, vertical.Color = style.Color, style.Color
	horizontal.CapWidth, vertical.CapWidth = 0, 0
	p.Add(horizontal, vertical)
	return nil
}

func shown(p *plot.Plot, points plotter.XYs) plotter.XYs {
	_, logX := p.X.Scale.(plot.LogScale)
	_, logY := p.Y.Scale.(plot.LogScale)
	var kept plotter.XYs
	for _, at := range points {
		finite := !math.IsNaN(at.X+at.Y) && !math.IsInf(at.X+at.Y, 0)
		if finite && (!logX || at.X > 0) && (!logY || at.Y > 0) {
			kept = append(kept, at)
		}
	}
	return kept
}

// fill gives a panel without a point the range of its axes, which a logarithmic scale cannot do without.
func fill(p *plot.Plot) {
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		if axis.Min > axis.Max {
			axis.Min, axis.Max = .001, 1
		}
	}
}

// Save writes the panels, in rows of the given number of columns, to base.png and base.svg. Width and height
// are those of a panel, in inches.
func Save(base string, columns int, width, height float64, panels ...*plot.Plot) error {
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return err
	}
	rows := (len(panels) + columns - 1) / columns
	grid := make([][]*plot.Plot, rows)
	for i := range grid {
		grid[i] = make([]*plot.Plot, columns)
	}
	for i, p := range panels {
		fill(p)
		grid[i/columns][i%columns] = p
	}
	w, h := vg.Length(width*float64(columns))*vg.Inch, vg.Length(height*float64(rows))*vg.Inch
	picture := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(120))
	vectors := vgsvg.New(w, h)
	for _, target := range []struct {
		extension string
		canvas    vg.CanvasSizer
		write     func(*os.File) error
	}{
		{"png", picture, func(f *os.File) error { _, err := vgimg.PngCanvas{Canvas: picture}.WriteTo(f); return err }},
		{"svg", vectors, func(f *os.File) error { _, err := vectors.WriteTo(f); return err }},
	} {
		tile(grid, draw.New(target.canvas))
		file, err := os.Create(base + "." + target.extension)
		if err != nil {
			return err
		}
		if err := target.write(file); err != nil {
			return fmt.Errorf("figure: %s: %w", file.Name(), err)
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

func tile(grid [][]*plot.Plot, canvas draw.Canvas) {
	gap := vg.Points(12)
	tiles := draw.Tiles{Rows: len(grid), Cols: len(grid[0]), PadX: gap, PadY: gap, PadTop: vg.Points(6), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(10)}
	for i, row := range grid {
		for j, p := range row {
			if p != nil {
				p.Draw(tiles.At(canvas, j, i))
			}
		}
	}
}
