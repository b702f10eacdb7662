package seen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestShift: what is true of the first and of the newest five hundred.
func TestShift(t *testing.T) {
	shifted := func(first, between, newest int) bool {
		var s Shift
		for i := range ShiftRecords {
			s.add(i < first)
		}
		for range between {
			s.add(true)
		}
		for i := range ShiftRecords {
			s.add(i < newest)
		}
		from, to, is := s.Found()
		if from != float64(first)/ShiftRecords || to != float64(newest)/ShiftRecords {
			t.Errorf("from %v to %v, want %d and %d of %d", from, to, first, newest, ShiftRecords)
		}
		return is
	}
	for _, c := range []struct {
		first, between, newest int
		want                   bool
	}{{250, 0, 250, false}, {250, 0, 324, false}, {50, 0, 125, true}, {50, 0, 124, false}, {250, 0, 325, true}, {250, 777, 175, true}, {250, 300, 176, false}, {30, 0, 0, true}, {29, 0, 0, false}, {0, 0, 30, true}, {500, 0, 470, true}, {470, 9, 500, true}, {471, 0, 500, false}} {
		if got := shifted(c.first, c.between, c.newest); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	var short Shift
	for i := range 2*ShiftRecords - 1 {
		short.add(i < ShiftRecords)
	}
	if _, _, is := short.Found(); is {
		t.Error("too few are enough")
	}
}

// TestLabels: runs of equal labels, and what a random order has.
func TestLabels(t *testing.T) {
	in := func(n int, positive func(i int) bool) *Labels {
		var l Labels
		for i := range n {
			l.Add(positive(i))
		}
		return &l
	}
	sorted := in(600, func(i int) bool { return i < 200 })
	if runs, random, is := sorted.Sorted(); runs != 2 || math.Abs(random-267.67) > .01 || !is || sorted.Known != 600 || sorted.Positive != 200 {
		t.Errorf("sorted: %d runs, %v at random, %v", runs, random, is)
	}
	if from, to, is := in(1000, func(i int) bool { return i%2 == 0 || i >= 500 }).Shifted(); from != .5 || to != 1 || !is {
		t.Errorf("the share goes from %v to %v, %v", from, to, is)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for name, c := range map[string]struct {
		l    *Labels
		want bool
	}{
		"by chance":        {in(600, func(int) bool { return random.IntN(2) == 0 }), false},
		"alternating":      {in(600, func(i int) bool { return i%2 == 0 }), false},
		"199":              {in(199, func(i int) bool { return i < 100 }), false},
		"200":              {in(200, func(i int) bool { return i < 100 }), true},
		"runs of ten":      {in(1000, func(i int) bool { return i/10%2 == 0 }), true}, // 100 runs, of 501 at random
		"runs of nine":     {in(990, func(i int) bool { return i/9%2 == 0 }), false},  // 110 of 496
		"one of a label":   {in(1000, func(i int) bool { return i == 500 }), false},   // 3 runs, of 3 at random
		"a few at the end": {in(2000, func(i int) bool { return i >= 1996 }), false},  // 2 runs, of 9 at random
		"more at the end":  {in(2000, func(i int) bool { return i >= 1900 }), true},
	} {
		if runs, expected, is := c.l.Sorted(); is != c.want {
			t.Errorf("%s: %d runs, %v at random: %v", name, runs, expected, is)
		}
	}
}

// TestWithin: the two groups in each stratum.
func TestWithin(t *testing.T) {
	var w Within
	if all, left, alone := w.Alone(); all+left != 0 || alone != 0 || w.Len() != 0 {
		t.Error("of nothing something is alone")
	}
	add := func(stratum, group, versus int) {
		for range group {
			w.add(stratum, fairness.Group)
		}
		for range versus {
			w.add(stratum, fairness.Versus)
		}
	}
	add(0, 50, 50)
	add(1, 2, 98)
	add(2, 1, 99)
	add(3, 0, 40)
	add(-1, 3, 4)
	if all, left, alone := w.Alone(); all != 347 || left != 147 || alone != 2 || w.Len() != 4 || w.None() != 7 {
		t.Errorf("of %d records %d are left out, in %d of %d strata", all, left, alone, w.Len())
	}
}

// counted is a configuration with two comparisons of the same groups, one within strata.
func counted() model.Config {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Constraints: []model.Constraint{
		{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("M"), Versus: model.Values("F"), Tau: .1},
		{Name: "opportunity", Attribute: model.OneOrMore{"sex"}, Group: model.Values("M"), Versus: model.Values("F"), Tau: .1, Criterion: fairness.EqualOpportunity},
		{Name: "within", Attribute: model.OneOrMore{"sex"}, Group: model.Values("M"), Versus: model.Values("F"), Strata: "place", Tau: .1},
	}}
	return c.WithDefaults()
}

// TestCountsAreThoseOfTheRecords, counted again one by one.
func TestCountsAreThoseOfTheRecords(t *testing.T) {
	r, err := New(counted())
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	var want [3]Counts
	var missing, known, positives int64
	var weights, squares float64
	for range 2000 {
		sex, place, y := []string{"M", "F", "X", ""}[random.IntN(4)], []string{"a", "b", ""}[random.IntN(3)], []string{"1", "0", ""}[random.IntN(3)]
		line := fmt.Sprintf(`{"sex":%q,"place":%q,"y":%q,"age":%d}`, sex, place, y, random.IntN(50))
		line = strings.ReplaceAll(line, `""`, "null")
		if err := r.Add([]byte(line)); err != nil {
			t.Fatal(err)
		}
		weights++
		squares++
		if y == "" {
			missing++
			continue
		}
		known++
		positive := y == "1"
		if positive {
			positives++
		}
		for k := range want {
			c := &want[k]
			one := func(n, plus *int64) {
				*n++
				if positive {
					*plus++
				}
			}
			var none int64
			switch {
			case k == 1 && !positive && sex != "":
				c.Excluded++
				continue
			case k == 2 && place == "" && (sex == "M" || sex == "F" || sex == "X"):
				one(&c.Unknown, &c.UnknownPositive)
				one(&c.NoStratum, &c.NoStratumPositive)
				continue
			case sex == "":
				if k == 1 && !positive {
					c.Excluded++
					continue
				}
				one(&c.Unknown, &c.UnknownPositive)
				continue
			case sex == "M":
				one(&c.Group, &c.GroupPositive)
			case sex == "F":
				one(&c.Versus, &c.VersusPositive)
			default:
				c.Neither++
			}
			one(&none, &c.KnownPositive)
		}
	}
	got := r.Counts()
	if len(got) != 3 {
		t.Fatalf("%d comparisons", len(got))
	}
	for k, c := range got {
		c.Comparison = fairness.Comparison{}
		if fmt.Sprint(c) != fmt.Sprint(want[k]) {
			t.Errorf("%d: %+v\nwant %+v", k, c, want[k])
		}
	}
	if r.Known() != known || r.Positive() != positives || r.Unlabelled() != missing || r.Weights.Records != weights || r.Weights.Count() != weights {
		t.Errorf("%d of %d labels are positive, %d records have none", r.Positive(), r.Known(), r.Unlabelled())
	}
	if !r.IsFeature("age") || r.IsFeature("sex") || r.IsFeature("y") || r.Fields() < 2 || !strings.HasPrefix(r.ValuesOf("sex"), `: the values of "sex" are `) || r.ValuesOf("nowhere") != "" {
		t.Errorf("features %v, %d fields, values %q", r.Features, r.Fields(), r.ValuesOf("sex"))
	}
	if len(r.Pairs) != 1 || AttributesOf(r.Grouper.Comparisons()[0]) != "sex" {
		t.Errorf("%d pairs of groups", len(r.Pairs))
	}
	if e := r.Evidence(); e != &r.Sequence {
		t.Error("labels of records that are no copies are left out")
	}
}

// TestWeights: how many equal ones count as much.
func TestWeights(t *testing.T) {
	var w Weights
	if w.Count() != 0 {
		t.Error("nothing counts")
	}
	for _, x := range []float64{0, 3, 4, 0, 5} {
		w.add(x)
	}
	if w.Records != 5 || w.Zeros != 2 || w.Count() != 144./50 {
		t.Errorf("%+v count as %v", w, w.Count())
	}
}

// TestLinesOfSums: lines with a word for a sum, in which a quarter of the values at least is missing.
func TestLinesOfSums(t *testing.T) {
	r, err := New(counted())
	if err != nil {
		t.Fatal(err)
	}
	field := func(text string) record.Field { return record.Field{Text: []byte(text), Missing: text == ""} }
	is := func(texts ...string) bool {
		whole := &record.Record{}
		for _, text := range texts {
			whole.Features = append(whole.Features, field(text))
		}
		return r.isTotal(whole)
	}
	for _, c := range []struct {
		texts []string
		want  bool
	}{{[]string{"a", "b", "c", "d"}, false}, {[]string{"Total", "1", "2", ""}, true}, {[]string{"Total", "1", "2", "3"}, false}, {[]string{" Summe: ", "", "", "3"}, true}, {[]string{"partial", "", "", "3"}, false}, {[]string{"", "", "", ""}, false}} {
		if got := is(c.texts...); got != c.want {
			t.Errorf("%q: %v", c.texts, got)
		}
	}
}

// TestRejections are counted by their reason, and the first is kept.
func TestRejections(t *testing.T) {
	r, err := New(counted())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"[]", "{", "{", `{"y":"1"}`} {
		_ = r.Add([]byte(line))
	}
	r.Reject(fmt.Errorf("no rejection"))
	if r.RejectedTotal() != 3 || r.Rejected[record.Reason("malformed_json")] != 2 || r.Rejection == nil || r.Rejection.Reason != "not_an_object" || r.Known() != 1 {
		t.Errorf("%d rejected: %v, the first %v", r.RejectedTotal(), r.Rejected, r.Rejection)
	}
}
