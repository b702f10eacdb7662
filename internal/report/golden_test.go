package report_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/report"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestPagesAreDrawnAsBefore compares whole pages of made-up numbers with files. Before a changed file is committed, open the pages:
// marks stand over their ticks, bars end at their numbers, and labels do not overlap.
func TestPagesAreDrawnAsBefore(t *testing.T) {
	regression := example("pay")
	regression.Varied = "relaxation"
	for i := range regression.Variants {
		v := &regression.Variants[i]
		v.Qualities[0] = report.Number{Name: "root mean squared error", Value: 1200 + 300*float64(i), Lo: 1100, Hi: 1800}
		v.Constraints[0].Difference = report.Number{Value: -40, Lo: -90, Hi: 10}
		v.Constraints[0].Tau, v.Constraints[0].Enforced = 60, i == 0
		v.Columns = append(v.Columns, report.Column{Name: "age", With: []float64{-30}, Without: []float64{50}, Importance: 2, Share: .9}, report.Column{Name: "rare", With: []float64{1}, Share: .004, Importance: .1})
	}
	one := example("sex")
	one.Unconstrained, one.Variants, one.Notes = nil, one.Variants[:1], nil
	one.Variants[0].Pairs[0].Versus = report.Side{Label: "b", Rates: []report.Number{{Name: "positive labels", Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}, {Name: "precision", Value: 1, Lo: .7, Hi: 1}}}
	several := example("sex")
	for i := range several.Variants {
		second := several.Variants[i].Constraints[0]
		second.Name, second.Enforced, second.Status = "age", false, "violated"
		several.Variants[i].Constraints = append(several.Variants[i].Constraints, second)
		several.Variants[i].Columns[0].With = append(several.Variants[i].Columns[0].With, -.3)
	}
	many := example("a name that is too long for the place that it has beside a bar")
	for i := range 8 {
		v := many.Variants[i%2]
		v.Name = fmt.Sprintf("a relaxation with a long name %d", i)
		v.Qualities = []report.Number{{Name: "accuracy", Value: .8 + .1*float64(i%3), Lo: .79, Hi: .95}}
		v.Constraints = []report.Constraint{v.Constraints[0]}
		v.Constraints[0].Difference = report.Number{Value: .3*float64(i%2) - .05, Lo: -.1, Hi: .3}
		many.Variants = append(many.Variants, v)
	}
	for i := range 16 {
		many.Variants[0].Columns = append(many.Variants[0].Columns, report.Column{Name: fmt.Sprintf("column_%d", i), With: []float64{.01 * float64(i-4)}, Without: []float64{.02 * float64(i)}, Importance: float64(i), Share: float64(i) / 20})
	}
	unknown := example("unknown")
	unknown.Variants[1].Constraints[0].Difference = report.Number{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	unknown.Constant.Value = math.NaN()
	for name, p := range map[string]*report.Page{"bounds": example("sex"), "one": one, "several": several, "regression": regression, "unknown": unknown, "many": many} {
		_, got, _ := strings.Cut(written(t, p), "</head>")
		path := filepath.Join("testdata", name+".html")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs; look at the page that go test ./internal/report -update writes", path)
		}
	}
}
