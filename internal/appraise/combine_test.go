package appraise

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestPartsCombined are one appraisal of all records: in every count and sum, whatever part a record is in, and with pairs that only one part has met. The sums are of
// binary fractions, and exact in any order.
func TestPartsCombined(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	names := []string{"men", "women", "others"}
	made := func(pairs ...string) *Appraisal {
		a := &Appraisal{columns: newColumns(len(pairs))}
		for _, name := range pairs {
			a.Pairs = append(a.Pairs, Pair{Name: name, Group: Group{Label: name}, Versus: Group{Label: "rest"}, attributes: "sex"})
		}
		return a
	}
	add := func(a *Appraisal, name, column string, versus, positive bool, margin, weight float64) {
		a.Records++
		a.Ranking.Add(positive, margin, weight)
		a.columns.weight += weight
		at := a.columns.place(column)
		sums := &a.columns.sums[at]
		sums.weight, sums.sum, sums.squares = sums.weight+weight, sums.sum+weight*margin, sums.squares+weight*margin*margin
		for i := range a.Pairs {
			p, side := &a.Pairs[i], 0
			if p.Name != name {
				continue
			}
			g := &p.Group
			if versus {
				g, side = &p.Versus, 1
			}
			g.add(positive, margin, weight)
			a.columns.sides[i][side] += weight
			sums.sides[i][side] += weight * margin
		}
	}
	whole := made(names...)
	parts := []*Appraisal{made("men"), made("women", "men"), made("others", "women"), made()}
	for range 400 {
		at := random.IntN(3)
		name := parts[at].Pairs[random.IntN(len(parts[at].Pairs))].Name
		column := []string{"age", "job", "wage"}[random.IntN(1+at)]
		versus, positive := random.IntN(2) == 0, random.IntN(3) == 0
		margin, weight := float64(random.IntN(17)-8)/4, float64(1+random.IntN(4))/2
		for _, a := range []*Appraisal{whole, parts[at]} {
			add(a, name, column, versus, positive, margin, weight)
		}
	}
	into := parts[3]
	for _, part := range parts[:3] {
		into.Combine(part)
	}
	if into.Records != whole.Records || !reflect.DeepEqual(into.Ranking, whole.Ranking) || len(into.Pairs) != len(names) {
		t.Fatalf("%d records and %d pairs, want %d and %d", into.Records, len(into.Pairs), whole.Records, len(names))
	}
	for i := range whole.Pairs {
		got, want := &into.Pairs[i], &whole.Pairs[i]
		if got.Name != want.Name || got.Group.Confusion != want.Group.Confusion || got.Versus.Confusion != want.Versus.Confusion {
			t.Errorf("%s: %+v, want %+v", want.Name, got, want)
		}
		for _, sides := range [][2]*Group{{&got.Group, &want.Group}, {&got.Versus, &want.Versus}} {
			for bin := range sides[0].Calibration {
				if sides[0].Label != sides[1].Label || !closeTo(sides[0].Calibration[bin], sides[1].Calibration[bin]) {
					t.Errorf("%s, tenth %d of the score: %+v, want %+v", want.Name, bin, sides[0].Calibration[bin], sides[1].Calibration[bin])
				}
			}
		}
	}
	into.columns.place("of no record")
	columns := map[string]Column{}
	if all := into.columns.all(); len(all) != len(whole.columns.all()) {
		t.Errorf("%d columns", len(all))
	}
	for _, c := range into.columns.all() {
		columns[c.Name] = c
	}
	for _, want := range whole.columns.all() {
		if got := columns[want.Name]; !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	empty := made(names...)
	empty.Combine(whole)
	empty.Combine(made(names...))
	if !reflect.DeepEqual(empty.Ranking, whole.Ranking) || !reflect.DeepEqual(empty.Pairs, whole.Pairs) {
		t.Error("parts without records change what another part has seen")
	}
}

func closeTo(a, b Bin) bool {
	return a.Records == b.Records && a.Weight == b.Weight && a.Positive == b.Positive && a.squares == b.squares && math.Abs(a.Score-b.Score) < 1e-9
}

// TestCompleteSeparation has an interval from the rule of three for the rarer label, within 0 and 1; and one record of a label has none.
func TestCompleteSeparation(t *testing.T) {
	of := func(positives, negatives int, margin float64) fairness.Measure {
		var r Ranking
		for range positives {
			r.Add(true, margin, 1)
		}
		for range negatives {
			r.Add(false, 0, 1)
		}
		return r.AUC(.95)
	}
	for _, c := range []struct {
		positives, negatives  int
		margin, value, lo, hi float64
	}{
		{10, 30, 1, 1, .7, 1}, {30, 10, 1, 1, .7, 1}, {10, 30, -1, 0, 0, .3}, {10, 30, 0, .5, .2, .8}, {2, 30, 1, 1, 0, 1},
		{1, 30, 1, 1, math.NaN(), math.NaN()}, {30, 1, 1, 1, math.NaN(), math.NaN()}, {10, 30, 1000, 1, .7, 1}, {10, 30, -1000, 0, 0, .3},
	} {
		m := of(c.positives, c.negatives, c.margin)
		same := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 || math.IsNaN(x) && math.IsNaN(y) }
		if m.Value != c.value || !same(m.Lo, c.lo) || !same(m.Hi, c.hi) || m.Records != int64(c.positives+c.negatives) || m.Effective != float64(c.positives+c.negatives) {
			t.Errorf("%+v: %+v", c, m)
		}
	}
}
