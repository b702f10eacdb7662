package gallery_test

import (
	"flag"
	"math"
	"testing"

	"github.com/fairstream/fairstream/bench/csspa/gallery"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// long makes TestRates go to a million steps: go test ./bench/csspa/gallery -run Rates -long -v
var long = flag.Bool("long", false, "measure convergence rates up to a million steps (about half a minute)")

// TestRates: over the number of steps, the sum of gap and violation falls with a
// fitted slope of at most -0.2 on every problem (Theorem 2 says -1/4, a better slope
// being allowed), and so do gap and violation each where they are not zero.
func TestRates(t *testing.T) {
	grid, runs := []int{1000, 3000, 10000, 30000}, 4
	if *long {
		runs = 10
		grid = []int{10000, 30000, 100000, 300000, 1000000}
	}
	for _, e := range gallery.All() {
		var points []gallery.Point
		for _, steps := range grid {
			p, err := gallery.Measure(e, steps, runs, 1, gallery.StartCSSPA(nil))
			if err != nil {
				t.Fatal(err)
			}
			points = append(points, p)
		}
		first, last := points[0], points[len(points)-1]
		both := gallery.Slope(points, func(p gallery.Point) float64 { return p.Gap + p.Violation })
		gap := gallery.Slope(points, func(p gallery.Point) float64 { return p.Gap })
		violation := gallery.Slope(points, func(p gallery.Point) float64 { return p.Violation })
		t.Logf("%-13s slope %.3f (gap %.3f, violation %.3f)  at %d: gap %.2e ± %.0e, violation %.2e ± %.0e",
			e.Name, both, gap, violation, last.Steps, last.SignedGap, last.GapError, last.Violation, last.ViolationError)
		if !(both <= -0.2) || gap > -0.2 || violation > -0.2 { // violation is NaN where it is always 0
			t.Errorf("%s: the slopes are %.3f, %.3f and %.3f", e.Name, both, gap, violation)
		}
		// The theorem's order from the first length on: T^-1/4, with half as much again for noise.
		order := math.Pow(float64(last.Steps)/float64(first.Steps), -0.25)
		if now, then := last.Gap+last.Violation, first.Gap+first.Violation; now > 1.5*order*then {
			t.Errorf("%s: the error falls from %.2e to %.2e only", e.Name, then, now)
		}
	}
}

// TestThetaEndsViolation: with θ = Bias the violation of the half-space problem,
// which is about 8/7 λ* T^-1/4 without it, all but vanishes, and the gap is of the
// same order T^-1/4.
func TestThetaEndsViolation(t *testing.T) {
	var e gallery.Entry
	for _, entry := range gallery.All() {
		if entry.Name == "half-space" {
			e = entry
		}
	}
	theta := func(e gallery.Entry, schedule csspa.PowerLaw, steps int) float64 {
		return csspa.Bias(schedule, steps, e.Multipliers[0])
	}
	for _, steps := range []int{1000, 10000, 30000} {
		free, err := gallery.Measure(e, steps, 4, 1, gallery.StartCSSPA(nil))
		if err != nil {
			t.Fatal(err)
		}
		tight, err := gallery.Measure(e, steps, 4, 1, gallery.StartCSSPA(theta))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("T = %6d: violation %.4f, with θ %.4f and gap %.4f", steps, free.Violation, tight.Violation, tight.SignedGap)
		if tight.Violation > 0.1*free.Violation {
			t.Errorf("T = %d: θ leaves a violation of %v of %v", steps, tight.Violation, free.Violation)
		}
		if scaled := tight.SignedGap * math.Pow(float64(steps), 0.25); scaled < 0 || scaled > 0.1 {
			t.Errorf("T = %d: the gap with θ is %v T^-1/4", steps, scaled)
		}
	}
}

func TestSlope(t *testing.T) {
	points := []gallery.Point{{Steps: 100, Gap: 1}, {Steps: 10000, Gap: 0.1}, {Steps: 1000000, Gap: 0}}
	if got := gallery.Slope(points, func(p gallery.Point) float64 { return p.Gap }); math.Abs(got+0.5) > 1e-12 {
		t.Errorf("slope is %v, want -1/2", got)
	}
	if got := gallery.Slope(points[2:], func(p gallery.Point) float64 { return p.Gap }); !math.IsNaN(got) {
		t.Errorf("slope of zeros is %v, want NaN", got)
	}
}
