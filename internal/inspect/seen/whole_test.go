package seen

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheWholeOfWhatWasSeen compares with a file what is found out of records with columns of many kinds: codes among numbers, units that change, texts
// that end, values that are written in several ways, copies, sums of other lines, strata, weights and records that are rejected.
func TestTheWholeOfWhatWasSeen(t *testing.T) {
	for name, change := range map[string]func(c *model.Config){
		"classes": func(*model.Config) {},
		"missing": func(c *model.Config) {
			c.Record.Missing, c.Record.Weight, c.Record.ID = []record.Text{"?", "n/a"}, "weight", "id"
		},
		"numbers": func(c *model.Config) {
			c.Learner.Task, c.Record.Label = model.Regression, record.Label{Field: "amount"}
			c.Constraints = c.Constraints[:1]
			c.Constraints[0].Criterion = fairness.MeanDifference
		},
		"best": func(c *model.Config) {
			c.Constraints = c.Constraints[:1]
			c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"place"}, model.Values("each"), model.Values("best")
		},
		"keyed": func(c *model.Config) { c.Record.Key = "id" },
		"columns left out": func(c *model.Config) {
			c.Record.Ignore = []string{"id", "amount", "notThere"}
			c.Constraints[0].Attribute = model.OneOrMore{"region"}
			c.Constraints[0].Group, c.Constraints[0].Versus = model.Values("r1"), model.Values("r2")
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := counted()
			change(&c)
			r, err := New(c.WithDefaults())
			if err != nil {
				t.Fatal(err)
			}
			r.WithUnlabelled = name == "best"
			random := rand.New(rand.NewPCG(11, 5))
			lines := linesOfManyKinds(random, 1800)
			for _, line := range lines {
				_ = r.Add([]byte(line)) // what is rejected is counted
			}
			var text strings.Builder
			note := func(path string, values ...any) { text.WriteString(goldentest.Print(path, values)) }
			note("records", r.Known(), r.Positive(), r.Unlabelled(), r.Snapshot(), r.Numbers(), r.Fields(), r.RejectedTotal(), r.Rejected, r.Rejection, r.Totals)
			note("left out", r.LeftOut())
			note("weights", r.Weights, r.Weights.Count())
			note("values", r.ValuesOf("sex"), r.ValuesOf("region"), r.ValuesOf("none"), r.IsFeature("age"), r.IsFeature("y"), r.IsFeature("none"))
			for i, of := range r.Counts() {
				reach := r.Reach(of)
				of.Comparison = fairness.Comparison{Name: of.Comparison.Name}
				note(fmt.Sprint("counts ", i), of, reach)
			}
			for i := range r.Strata {
				all, left, alone := r.Strata[i].Alone()
				note(fmt.Sprint("strata ", i), r.Strata[i].Len(), all, left, alone)
			}
			runs, expected, sorted := r.Sequence.Sorted()
			from, to, shifted := r.Sequence.Shifted()
			note("sequence", runs, expected, sorted, from, to, shifted)
			copies, column := r.Copies.Found()
			unlike, differing := r.Unlike.Found()
			note("copies", copies, column, unlike, differing)
			for _, column := range r.Columns() {
				note("column "+column.Name, column, CodesOf(&column), IsScore(&column))
			}
			for _, name := range slices.Sorted(maps.Keys(r.Ends)) {
				e := r.Ends[name]
				above, all, below, from := e.Far()
				note("numbers of "+name, e.Factor(), e.Left(), e.Sorted(), e.Gap(), above, all, below, from)
			}
			for _, name := range slices.Sorted(maps.Keys(r.Written)) {
				w := r.Written[name]
				note("texts of "+name, w.ReadAs(), w.NewShare(), w.Left())
			}
			if r.Missed != nil {
				n, of, means := r.Missed.Means("status", "?")
				note("missed", n, of, means)
			}
			for i := range r.Pairs {
				p := &r.Pairs[i]
				from, to, shifted := p.Shift.Found()
				note(fmt.Sprint("pair ", i), p.Comparison, from, to, shifted)
				for _, name := range slices.Sorted(maps.Keys(r.Features)) {
					present, all := p.Present(name, true)
					own, strongest := p.Neighbours.Strongest([]string{name}, clue.Own)
					after, _ := p.Neighbours.Strongest([]string{name}, clue.After)
					note(fmt.Sprintf("pair %d, %s", i, name), p.Of(name, true), p.Of(name, false), present, all, own, after, strongest)
				}
			}
			evidence := r.Evidence()
			a, b, told, found := r.Beside.Best(func(string) bool { return true })
			note("evidence", evidence.Known, evidence.Positive, a, b, told, found, r.IDs, r.Lost.Texts, r.First.Records, r.Even.Records)
			for _, name := range slices.Sorted(maps.Keys(r.Features)) {
				present, all := r.Label.Present(name, false)
				own, strongest := r.Neighbours.Strongest([]string{name}, clue.Own)
				before, _ := r.Neighbours.Strongest([]string{name}, clue.Before)
				note("label by "+name, r.Label.Of(name, true), r.Label.Of(name, false), present, all, own, before, strongest, EvenGap(&r.Even, name), r.IsFeature(name))
			}
			goldentest.Compare(t, "whole-"+strings.ReplaceAll(name, " ", "-")+".txt", text.String())
		})
	}
}

// linesOfManyKinds are records as lines, some of which are no records.
func linesOfManyKinds(random *rand.Rand, n int) (lines []string) {
	for i := range n {
		late := i >= n/2
		height, temperature, score := 150+random.NormFloat64()*12, 10+random.NormFloat64()*4, 300+random.IntN(500)
		if late {
			height /= 100
		}
		if random.IntN(3) == 0 {
			temperature = temperature*9/5 + 32
		}
		if random.IntN(12) == 0 {
			score = 999
		}
		sex, status := []string{"M", "F", "X"}[random.IntN(5)/2], []string{"open", "closed", "?", "n/a", "Open "}[random.IntN(5)]
		region := fmt.Sprintf("r%d", random.IntN(3)+3*(i/(n/3)))
		code := fmt.Sprintf("%05d", random.IntN(300))
		y := random.IntN(2)
		if late {
			y *= random.IntN(2)
		}
		decimal := fmt.Sprintf("%d,%02d", random.IntN(90), random.IntN(100))
		line := fmt.Sprintf(`{"sex":%q,"place":%q,"y":"%d","age":%d,"height":%.2f,"temperature":%.1f,"score":%d,"status":%q,"region":%q,"code":%q,"price":%q,"id":"p%d","weight":%d,"amount":%.1f,"exp":"%.1e"}`,
			sex, []string{"a", "b", "c"}[random.IntN(3)], y, 18+random.IntN(60), height, temperature, score, status, region, code, decimal, i*3%(n/2), random.IntN(4),
			math.Exp(random.NormFloat64()*2), math.Exp(random.NormFloat64()*6))
		switch {
		case i%90 == 11:
			line = strings.Replace(line, `"y":"`, `"z":"`, 1) // without a label
		case i%150 == 20:
			line = line[:len(line)-5]
		case i%200 == 77:
			line = fmt.Sprintf(`{"sex":"Total","place":"","y":"","age":%d,"height":%d,"score":%d}`, 40*i, 160*i, 500*i)
		case i > 40 && i%17 == 3:
			line = lines[i-20]
		}
		lines = append(lines, line)
	}
	return lines
}
