package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/report"
)

const hostile = `"><script>alert('x')</script><img src=x onerror=alert(1)>{{.}}&amp;` + "\u202e"

func side(label string) report.Side {
	rates := []report.Number{{Name: "positive labels", Value: .3, Lo: .2, Hi: .4}, {Name: "precision", Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}}
	return report.Side{Label: label, Records: 1234, Rates: rates, RightPositive: 10, WrongPositive: 2.5,
		Calibration: []report.CalibrationPoint{{Score: .15, Rate: report.Number{Value: .2, Lo: .1, Hi: .3}, Records: 70}, {Score: .9, Rate: report.Number{Value: .8, Lo: .7, Hi: .9}, Records: 30}}}
}

func example(name string) *report.Page {
	variant := func(tau string, accuracy, difference float64) report.Variant {
		return report.Variant{Name: tau, Qualities: []report.Number{{Name: "accuracy", Value: accuracy, Lo: accuracy - .01, Hi: accuracy + .01}},
			Constraints: []report.Constraint{{Name: name, Criterion: "demographic-parity", Group: name, Versus: name, Tau: .05, Enforced: true, Status: "met",
				Difference: report.Number{Value: difference, Lo: difference - .01, Hi: difference + .01}}},
			Pairs:   []report.Pair{{Name: name, Group: side(name), Versus: side(name), Ratio: report.Number{Value: .9, Lo: .8, Hi: 1}}},
			Columns: []report.Column{{Name: name, With: []float64{.2}, Without: []float64{-.4}}, {Name: "empty", With: []float64{math.NaN()}}, {Name: "alone", With: []float64{.1}}}}
	}
	free := variant("none", .88, .2)
	return &report.Page{Job: name, Program: "fairstream", Input: name, Learnt: "1,000 records.", Measured: "On 200.", Spread: "Level 0.95.", Varied: "tau",
		Variants: []report.Variant{variant("0.05", .86, .04), variant("0.1", .87, .09)}, Unconstrained: &free, Constant: report.Number{Name: "constant decision", Value: .7, Lo: .69, Hi: .71},
		Notes: []string{name}}
}

func written(t *testing.T, p *report.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHostileNames: names from records are text, whatever they hold, and the page asks for nothing.
func TestHostileNames(t *testing.T) {
	text := written(t, example(hostile))
	for _, bad := range []string{"<script", "<img", "onerror=alert(1)>{{", "http:", "https:", "src=\"", "url(", "@import", "<link", "NaN", "ZgotmplZ"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if n := strings.Count(text, "&lt;script&gt;"); n < 10 {
		t.Errorf("the name is written %d times", n)
	}
}

// TestFiguresHaveHeadings: a reader finds each part by the name that the field gives it, and none without data.
func TestFiguresHaveHeadings(t *testing.T) {
	headings := []string{"<h4>Rates by group</h4>", "<h4>What drives the difference</h4>", "<h4>Calibration by group</h4>", "<h4>Decisions and rates</h4>"}
	text := written(t, example("sex"))
	for _, heading := range headings {
		if n := strings.Count(text, heading); n != 2 { // one for each tau
			t.Errorf("%s is there %d times", heading, n)
		}
	}
	bare := example("sex")
	for i := range bare.Variants {
		bare.Variants[i].Pairs[0].Group.Calibration = nil
	}
	if strings.Contains(written(t, bare), "alibration") {
		t.Error("a page without scores tells of calibration")
	}
}

// TestPagesAreWellFormed: every element is closed, whatever is known.
func TestPagesAreWellFormed(t *testing.T) {
	bare := example("sex")
	bare.Unconstrained = nil
	bare.Variants = bare.Variants[:1]
	bare.Variants[0].Pairs[0].Group, bare.Variants[0].Pairs[0].Versus = report.Side{Label: "a"}, report.Side{Label: "b"}
	nothing := example("none")
	nothing.Variants = []report.Variant{{Qualities: []report.Number{{Name: "accuracy", Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}}}}
	unknown := example("unknown")
	for i := range unknown.Variants {
		unknown.Variants[i].Constraints[0].Difference = report.Number{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	unknown.Unconstrained, unknown.Constant.Value = nil, math.NaN()
	for what, p := range map[string]*report.Page{"all": example("sex"), "one variant": bare, "no constraint": nothing, "not estimable": unknown, "hostile": example(hostile)} {
		text := written(t, p)
		if again := written(t, p); again != text {
			t.Errorf("%s: other bytes the second time", what)
		}
		_, body, _ := strings.Cut(text, "</head>")
		body = "<html>" + body
		decoder := xml.NewDecoder(strings.NewReader(body))
		decoder.Strict = false
		decoder.AutoClose = xml.HTMLAutoClose
		decoder.Entity = xml.HTMLEntity
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		for _, tag := range []string{"svg", "figure", "details", "table", "g", "div"} {
			if a, b := strings.Count(text, "<"+tag+">")+strings.Count(text, "<"+tag+" "), strings.Count(text, "</"+tag+">"); a != b {
				t.Errorf("%s: %d of <%s>, %d closed", what, a, tag, b)
			}
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: the page holds NaN or Inf", what)
		}
	}
}
