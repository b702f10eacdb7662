package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("drift", flag.ContinueOnError)
	directory := flags.String("out", "", "`DIRECTORY` for plots and CSV files; without it none are written")
	tau := flags.Float64("tau", 0.05, "tau of the constraint")
	seeds := flags.Int("seeds", 5, "number of streams per scenario")
	before := flags.Int("before", 60000, "number of records before the change")
	every := flags.Int("every", 1000, "number of records between two measurements")
	fading := flags.Int("fading", 60000, "number of records that a drift takes")
	first := flags.Int("first", 1, "seed of the first stream")
	only := flags.String("only", "", "only the scenarios whose name begins so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Fprintf(out, "| scenario | streams | records until the true value is within tau + 0.02 again: median, worst | the same for the window | share of measurements within tau + 0.02 after the change | within or said | silent | with a condition | before the change | largest abs difference | error, published | error, unconstrained |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range scenarios(*before, *fading) {
		if !strings.HasPrefix(s.name, *only) {
			continue
		}
		var all [][]point
		for seed := range *seeds {
			points, err := follow(s, *tau, uint64(seed+*first), *every, 20000)
			if err != nil {
				return err
			}
			all = append(all, points)
		}
		summarize(out, s, all, *tau)
		if *directory != "" {
			if err := draw(*directory, s, all[0], *tau); err != nil {
				return err
			}
		}
	}
	return nil
}

func summarize(out io.Writer, s scenario, all [][]point, tau float64) {
	var recoveries, windowed []float64
	within, said, silent, named, alarms, steady, looks, largest, e, free := 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0
	for _, points := range all {
		recoveries = append(recoveries, float64(recovery(points, s.change, tau+.02, func(p point) float64 { return p.difference })))
		windowed = append(windowed, float64(recovery(points, s.change, tau+.02, func(p point) float64 { return p.window })))
		for _, p := range points {
			if p.record <= s.change {
				steady++
				if p.named {
					alarms++
				}
				continue
			}
			looks++
			e += p.error
			free += p.freeError
			largest = max(largest, math.Abs(p.difference))
			if p.named {
				named++
			}
			if p.silent(tau) {
				silent++
			}
			if math.Abs(p.difference) <= tau+.02 {
				within++
				said++
			} else if p.said() {
				said++
			}
		}
	}
	median, worst := medianAndLargest(recoveries)
	windowMedian, windowWorst := medianAndLargest(windowed)
	n := float64(looks)
	fmt.Fprintf(out, "| %s | %d | %.0f, %.0f | %.0f, %.0f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.4f | %.4f |\n", s.title, len(all), median, worst, windowMedian, windowWorst,
		float64(within)/n, float64(said)/n, float64(silent)/n, float64(named)/n, float64(alarms)/float64(steady), largest, e/n, free/n)
}

func medianAndLargest(values []float64) (median, largest float64) {
	sorted := append([]float64(nil), values...)
	for i := range sorted {
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	return sorted[len(sorted)/2], sorted[len(sorted)-1]
}

// draw writes the plot of one stream as PNG and SVG, and its numbers as CSV.
func draw(directory string, s scenario, points []point, tau float64) error {
	p := plot.New()
	p.Title.Text = s.title
	p.X.Label.Text = "records learnt"
	p.Y.Label.Text = "risk difference"
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	series := func(value func(point) float64) plotter.XYs {
		var xy plotter.XYs
		for _, at := range points {
			if v := value(at); !math.IsNaN(v) {
				xy = append(xy, plotter.XY{X: float64(at.record), Y: v})
			}
		}
		return xy
	}
	lines := []struct {
		name  string
		value func(point) float64
		color color.RGBA
		width float64
		dash  bool
	}{
		{"unconstrained", func(at point) float64 { return at.unconstrained }, color.RGBA{150, 150, 150, 255}, 1.5, false},
		{"published, true value", func(at point) float64 { return at.difference }, color.RGBA{0, 90, 160, 255}, 2, false},
		{"learner's 95 % interval", func(at point) float64 { return at.lo }, color.RGBA{120, 170, 210, 255}, 1, true},
		{"", func(at point) float64 { return at.hi }, color.RGBA{120, 170, 210, 255}, 1, true},
		{"tau", func(point) float64 { return tau }, color.RGBA{190, 0, 0, 255}, 1, false},
		{"", func(point) float64 { return -tau }, color.RGBA{190, 0, 0, 255}, 1, false},
	}
	for _, l := range lines {
		line, err := plotter.NewLine(series(l.value))
		if err != nil {
			return err
		}
		line.Color, line.Width = l.color, vg.Points(l.width)
		if l.dash {
			line.Dashes = []vg.Length{vg.Points(3), vg.Points(2)}
		}
		p.Add(line)
		if l.name != "" {
			p.Legend.Add(l.name, line)
		}
	}
	for _, extension := range []string{"png", "svg"} {
		if err := p.Save(8*vg.Inch, 3.6*vg.Inch, filepath.Join(directory, "drift-"+s.name+"."+extension)); err != nil {
			return err
		}
	}
	return table(filepath.Join(directory, "drift-"+s.name+".csv"), points)
}

func table(path string, points []point) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	rows := [][]string{{"record", "difference", "window", "lo", "hi", "error", "unconstrained_difference", "unconstrained_error"}}
	for _, p := range points {
		row := []string{strconv.Itoa(p.record)}
		for _, v := range []float64{p.difference, p.window, p.lo, p.hi, p.error, p.unconstrained, p.freeError} {
			row = append(row, strconv.FormatFloat(v, 'f', 5, 64))
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return file.Close()
}
