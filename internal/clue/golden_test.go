package clue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestGoldenClues: what columns of many kinds tell of a class, alone, in pairs and beside other records, after so many records.
func TestGoldenClues(t *testing.T) {
	var text strings.Builder
	random := rand.New(rand.NewPCG(5, 11))
	var classes Classes
	var pairs Pairs
	var beside Neighbours
	names := []string{"noise", "leak", "half", "shade", "twin", "shifted", "noisy", "benefit", "last", "ids", "before", "months"}
	told := func(x Told) string { return fmt.Sprintf("%d/%d/%d/%d", x.Records, x.First, x.Wrong, x.WrongFirst) }
	every := func(name string) bool { return name != "twin" }
	was := false
	for i := 1; i <= 9000; i++ {
		first := random.IntN(3) == 0
		noise := random.NormFloat64()
		sign := -1.
		if first {
			sign = 1
		}
		amount := 0.
		if first && random.IntN(8) == 0 {
			amount = 100 + noise
		}
		previous := 0.
		if was {
			previous = 1
		}
		numbers := []float64{noise, sign*3 + random.NormFloat64(), sign + random.NormFloat64(), math.NaN(), 2*noise + 1e-3*random.NormFloat64(), 3*noise + 40,
			noise + .05*random.NormFloat64(), amount, noise + 2*sign + .2, math.NaN(), previous, float64(i / 700)}
		texts := []string{3: fmt.Sprint("shade", int(sign)+random.IntN(6)), 9: fmt.Sprint("id", random.IntN(3000))}
		var features []record.Field
		var parsed []float64
		for c, name := range names {
			missing := name == "half" && (!first || i%2 == 0) || name == "shade" && i%5 == 0 || name == "last" && i%11 == 0
			f := record.Field{Name: name, Missing: missing}
			if c < len(texts) && texts[c] != "" {
				f.Text = []byte(texts[c])
			} else {
				f.Text = fmt.Append(nil, numbers[c])
			}
			x := numbers[c]
			if f.Hash = record.Hash(f.Text); missing {
				f.Text, f.Hash, x = nil, 0, math.NaN()
			}
			features, parsed = append(features, f), append(parsed, x)
		}
		repeated := i%7 == 0
		classes.Add(first, repeated)
		for c := range features {
			classes.Tell(names[c], features[c].Hash, parsed[c], features[c].Missing, first, repeated)
		}
		pairs.Add(features, parsed, first)
		beside.Add(features, parsed, first)
		was = first
		if i != 199 && i != 200 && i != 400 && i != 2050 && i%3000 != 0 {
			continue
		}
		fmt.Fprintf(&text, "after %d\n", i)
		for _, name := range names {
			for _, copies := range []bool{false, true} {
				present, all := classes.Present(name, copies)
				only, of, found := classes.Only(name, copies)
				above, ofAbove, foundAbove := classes.OnlyAbove(name, copies)
				fmt.Fprintf(&text, "%s, copies %v: of %s, nearly all %v, present %s of %s, only %s %v %v, above %s %v %v\n", name, copies, told(classes.Of(name, copies)),
					classes.Of(name, copies).NearlyAll(), told(present), told(all), told(only), of, found, told(above), ofAbove, foundAbove)
			}
			fmt.Fprintf(&text, "%s:", name)
			for _, whose := range []Beside{Own, Before, After} {
				sum, strongest := beside.Strongest([]string{name, "none"}, whose)
				fmt.Fprintf(&text, " %.6g %q %s", sum, strongest, told(beside.Tells(name, whose)))
			}
			text.WriteByte('\n')
		}
		for _, whose := range []Beside{Own, Before, After} {
			sum, strongest := beside.Strongest(names, whose)
			fmt.Fprintf(&text, "strongest %.6g %q\n", sum, strongest)
		}
		for _, may := range []func(string) bool{every, func(name string) bool { return name != "leak" && name != "last" }, func(string) bool { return true }} {
			a, b, best, found := pairs.Best(may)
			fmt.Fprintf(&text, "best %q %q %s %v\n", a, b, told(best), found)
			for _, twin := range pairs.Twins(may) {
				fmt.Fprintf(&text, "twins %s %s %d %.6g %v\n", twin.First, twin.Second, twin.Records, twin.Factor, twin.Proportional)
			}
		}
		for k := range pairs.names {
			for j := range k {
				fmt.Fprintf(&text, "%s %s %v\n", pairs.names[j], pairs.names[k], pairs.pairs[pairOf(j, k)].counts)
			}
		}
	}
	goldentest.Compare(t, "clues.txt", text.String())
}

// TestTheBoundsOfNearlyOne: from how many records on, and with how many of the other class, records count as those of one class.
func TestTheBoundsOfNearlyOne(t *testing.T) {
	for _, test := range []struct {
		some, all     Told
		having, class int64
		first         bool
	}{
		{Told{Records: 100, First: 100}, Told{Records: 300, First: 150}, 100, 150, true},
		{Told{Records: 99, First: 99}, Told{Records: 300, First: 150}, -1, 150, true},
		{Told{Records: 100, First: 99}, Told{Records: 300, First: 150}, 99, 150, true},
		{Told{Records: 100, First: 98}, Told{Records: 300, First: 150}, -1, 150, true},
		{Told{Records: 100, First: 0}, Told{Records: 300, First: 150}, 100, 150, false},
		{Told{Records: 100, First: 1}, Told{Records: 300, First: 150}, 99, 150, false},
		{Told{Records: 100, First: 2}, Told{Records: 300, First: 150}, -1, 150, false},
		{Told{Records: 200, First: 100}, Told{Records: 300, First: 150}, -1, 150, false},
		{Told{Records: 150, First: 150}, Told{Records: 300, First: 200}, 150, 200, true},
		{Told{Records: 150, First: 150}, Told{Records: 300, First: 201}, -1, 201, true},
		{Told{Records: 900, First: 898}, Told{Records: 1200, First: 1000}, 898, 1000, true},
		{Told{Records: 900, First: 897}, Told{Records: 1200, First: 1000}, -1, 1000, true},
	} {
		if having, class, first := nearlyOne(test.some, test.all); having != test.having || class != test.class || first != test.first {
			t.Errorf("%+v: %d of %d, first %v", test, having, class, first)
		}
	}
}

// TestTheBoundsOfAStump: when the threshold is chosen, how many numbers are kept until then, and how many columns, values and pairs there are.
func TestTheBoundsOfAStump(t *testing.T) {
	for _, test := range []struct{ rarer, chosenAt int }{{leastRarer, leastPoints}, {leastRarer - 1, mostPoints}, {0, mostPoints}} {
		var s stump
		kept := 0
		for i := 1; i <= mostPoints; i++ {
			if kept += s.add(float64(i), i <= test.rarer, false, true); s.chosen != (i >= test.chosenAt) || !s.chosen && kept != i || s.chosen && kept != 0 {
				t.Fatalf("%d of a class: after %d numbers chosen %v, %d are kept", test.rarer, i, s.chosen, kept)
			}
		}
	}
	var s stump
	if s.add(1, true, false, false) != 0 || !s.chosen || s.points != nil {
		t.Errorf("without room %+v", s)
	}
	var v vote
	for i := range uint64(mostVotes + 5) {
		if more := v.add(i+1, true, false, true); more != (i < mostVotes) {
			t.Fatalf("value %d is remembered: %v", i, more)
		}
	}
	if v.add(1, true, false, true) || v.add(mostVotes+50, true, false, false) {
		t.Error("a known value, or one without room, is new")
	}
	var n Neighbours
	var p Pairs
	for i := range associatedColumns + 2 {
		name := fmt.Sprint(i)
		if got := n.columnOf(i, name) != nil; got != (i < associatedColumns) {
			t.Errorf("column %d is counted: %v", i, got)
		}
		if at, ok := p.column(name); ok != (i < mostPaired) || ok && at != i {
			t.Errorf("column %d is paired: %d %v", i, at, ok)
		}
	}
	seen := map[int]bool{}
	for i := range mostPaired {
		for j := range i {
			if at := pairOf(j, i); seen[at] || at < 0 || at >= len(p.pairs) {
				t.Errorf("pair %d, %d is in place %d", j, i, at)
			} else {
				seen[at] = true
			}
		}
	}
}
