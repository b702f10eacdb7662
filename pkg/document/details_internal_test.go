package document

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheTextThatMovedIsNamed: of texts with weights of their own, the one whose share differs most, if it is short and alone in its cell.
func TestTheTextThatMovedIsNamed(t *testing.T) {
	for moved, want := range map[string]string{"town 1": "town 1", strings.Repeat("x", shownText): strings.Repeat("x", shownText), strings.Repeat("x", shownText+1): "", "unknown": ""} {
		towns := []string{"town 0", moved, "town 2", "town 3", "town 4"}
		parts := features.Parts{Columns: []features.Column{{Name: "age", Kind: features.Scaled, Scale: 1, First: 1}, {Name: "town", Kind: features.Levelled}}, Size: 8}
		for i, town := range towns {
			if town != "unknown" {
				slot := features.ColumnSlot(1)
				parts.Levels = append(parts.Levels, features.Level{Slot: slot, Text: town, Key: slot.Key(record.Hash([]byte(town))), Weight: int32(2 + i)})
			}
		}
		d, err := New(Classification, parts, make([]float64, parts.Size))
		if err != nil {
			t.Fatal(err)
		}
		draw := func(random *rand.Rand) record.Record {
			return record.Record{Features: []record.Field{field("age", strconv.Itoa(20+random.IntN(50))), field("town", towns[random.IntN(5)])}}
		}
		random := rand.New(rand.NewPCG(4, 4))
		d.Spread = spreadOf(t, parts, random, draw)
		f, err := d.Familiarity()
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			r := draw(random)
			r.Features[1] = field("town", moved)
			f.AddSpread(&r)
		}
		shifts := f.Shifts()
		if len(shifts) != 1 || shifts[0].Column != "town" || !shifts[0].Far || shifts[0].Level != want || want != "" && (shifts[0].Is != 1 || math.Abs(shifts[0].Was-.2) > .03) {
			t.Errorf("%s: %+v", moved, shifts)
		}
	}
}

// TestGroupsThatWereFound: those that a document holds are known, without them nobody is in one.
func TestGroupsThatWereFound(t *testing.T) {
	config, err := NewConfig([]byte(`{"learner": {"level": 0.95, "minimum_records": 30}, "constraints": [{"name": "race", "attribute": "race", "group": "each", "versus": "rest", "criterion": "demographic-parity", "tau": 0.05}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for known, found := range map[int]*fairness.Found{0: nil, 2: {Values: [][]string{{"a", "b"}}, Groups: [][][]string{{{"a"}, {"b"}}}}} {
		g, err := newGrouping(&Document{Config: config, Found: found})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, c := range g.grouper.Comparisons() {
			if c.Known() {
				count++
			}
		}
		if count != known {
			t.Errorf("%d groups are known, want %d", count, known)
		}
	}
	if _, err := newGrouping(&Document{Config: config, Found: &fairness.Found{Values: [][]string{{"a"}, {"b"}}}}); err == nil {
		t.Error("groups of another configuration are adopted")
	}
}

// TestProbabilitiesThatAreGiven: a classifier says whether it has them.
func TestProbabilitiesThatAreGiven(t *testing.T) {
	parts := features.Parts{Columns: []features.Column{{Name: "age", Kind: features.Scaled, Scale: 1, First: 1}}, Size: 2}
	for _, given := range []bool{false, true} {
		d, err := New(Classification, parts, []float64{.5, 1})
		if err != nil {
			t.Fatal(err)
		}
		if given {
			if d.Probability, err = NewProbability(parts, []float64{.25, 1}); err != nil {
				t.Fatal(err)
			}
		}
		c, err := d.Classifier()
		if err != nil {
			t.Fatal(err)
		}
		r := record.Record{Features: []record.Field{field("age", "0")}}
		decision := c.Decide(&r)
		if c.GivesProbability() != given || math.IsNaN(decision.Probability) == given || decision.Margin != .5 {
			t.Errorf("given %t: %t, %+v", given, c.GivesProbability(), decision)
		}
	}
}

// TestKnotsAndCoarseBinsOfAModel: a term for each knot, and no coarse bin that does not exist.
func TestKnotsAndCoarseBinsOfAModel(t *testing.T) {
	column := bodyColumn{Name: "age", Type: features.Numeric, Knots: []float64{1.5, 20, 3e10}, KnotWeights: []float64{.1, .2, .3}}
	if got, want := fmt.Sprint(column.explain()), fmt.Sprint([]Term{{"age", "at 1.5", KnotTerm, .1}, {"age", "at 20", KnotTerm, .2}, {"age", "at 3e+10", KnotTerm, .3}}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, c := range []struct {
		coarse []int32
		bins   []float64
		want   bool
	}{{[]int32{0, 1}, []float64{.1, .2}, true}, {[]int32{0, 2}, []float64{.1, .2}, false}, {[]int32{-1, 0}, []float64{.1, .2}, false}, {[]int32{0, 1}, nil, true}, {[]int32{0, 9}, nil, false}, {[]int32{0, -1}, nil, false}} {
		column := bodyColumn{Name: "age", Type: features.Numeric, Edges: []float64{5}, Coarse: c.coarse, CoarseBins: c.bins, Bins: []float64{1, 2}, SingleValue: []bool{false, false}}
		if _, _, err := (&body{Columns: []bodyColumn{column}}).assemble(); (err == nil) != c.want {
			t.Errorf("coarse bins %v of %v: %v", c.coarse, c.bins, err)
		}
	}
}

// TestFamiliarityOfADocument: columns of words and of numbers are compared in the order of the document; columns of which too little is known are left out.
func TestFamiliarityOfADocument(t *testing.T) {
	town := features.ColumnSlot(2)
	parts := features.Parts{Columns: []features.Column{{Name: "hours", Kind: features.Scaled, Scale: 1, First: 1}, {Name: "rare", Kind: features.Levelled}, {Name: "town", Kind: features.Levelled}, {Name: "age", Kind: features.Scaled, Mean: 40, Scale: .1, First: 2}}, Size: 4,
		Levels: []features.Level{{Slot: town, Text: "a", Key: town.Key(record.Hash([]byte("a"))), Weight: 3}}}
	d, err := New(Classification, parts, make([]float64, parts.Size))
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Familiarity()
	if err != nil {
		t.Fatal(err)
	}
	for range leastFamiliar {
		f.Add(&record.Record{Features: []record.Field{field("town", "b"), field("age", "900"), field("rare", "x"), field("hours", "77")}})
	}
	var got []string
	for _, u := range f.Unfamiliar() {
		got = append(got, fmt.Sprintf("%s: %d of %d, %s", u.Column, u.Unknown, u.Values, u.Learnt))
	}
	if want := `[hours: 100 of 100, mostly numbers from -5 to 5 town: 100 of 100, "a" age: 100 of 100, mostly numbers from -10 to 90]`; fmt.Sprint(got) != want {
		t.Errorf("%v\nwant %s", got, want)
	}
	for x, want := range map[float64]string{999.96: "1000", 1000: "1000", 123456: "123456", -123456: "-123456", 1e12: "1e+12", 999999999999: "999999999999", .012345: "0.01235"} {
		if got := shortly(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}

// TestOneLabelInAReport: all labels are the same, of decisions and of numbers; of no record nothing is said.
func TestOneLabelInAReport(t *testing.T) {
	decided := func(records int64, accuracy float64) Report {
		r := Report{Records: records, Decisions: &Decisions{}}
		r.ConstantAccuracy.Value = accuracy
		return r
	}
	predicted := func(records int64, squared float64) Report {
		r := Report{Records: records, Predictions: &Predictions{}}
		r.RSquared.Value = squared
		return r
	}
	for i, c := range []struct {
		of   Report
		want bool
	}{{decided(1, 1), true}, {decided(0, 1), false}, {decided(9, .9), false}, {predicted(1, math.NaN()), true}, {predicted(0, math.NaN()), false}, {predicted(9, .5), false}, {Report{Records: 3}, false}} {
		if got := c.of.oneLabel(); got != c.want {
			t.Errorf("report %d: %t", i, got)
		}
	}
}
