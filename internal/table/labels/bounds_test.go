package labels_test

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/labels"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// labelled is a table of n rows with the columns that are given; positive says which have that label.
func labelled(n int, positive func(i int) bool, columns map[string]func(i int) float64) *table.Table {
	values := map[string][]float64{}
	for name, of := range columns {
		for i := range n {
			values[name] = append(values[name], of(i))
		}
	}
	t := tabletest.Cells(values)
	for i := range t.Kept {
		t.Kept[i].Labelled, t.Kept[i].Positive = true, positive(i)
	}
	t.Records = n
	return t
}

func rising(i int) float64 { return float64(1 + i) }

// shares makes labels of which so many in twenty are positive, alike in all parts of a stretch: one from each bound on.
func shares(bounds []int, inTwenty []int) func(i int) bool {
	return func(i int) bool {
		at := 0
		for at+1 < len(bounds) && i >= bounds[at+1] {
			at++
		}
		return i*7%20 < inTwenty[at]
	}
}

// TestJump: at a number among many different ones, by much more than chance, and no slope that goes on.
func TestJump(t *testing.T) {
	jump := shares([]int{0, 200}, []int{4, 16})
	for name, c := range map[string]struct {
		table     *table.Table
		at        float64
		below, up float64
	}{
		"at the 201st of 400":    {labelled(400, jump, map[string]func(i int) float64{"x": rising}), 201, .2, .8},
		"of 399":                 {labelled(399, jump, map[string]func(i int) float64{"x": rising}), 0, 0, 0},
		"downwards":              {labelled(400, func(i int) bool { return !jump(i) }, map[string]func(i int) float64{"x": rising}), 201, .8, .2},
		"eight and twelve":       {labelled(400, shares([]int{0, 200}, []int{8, 12}), map[string]func(i int) float64{"x": rising}), 0, 0, 0},
		"six and fourteen":       {labelled(400, shares([]int{0, 200}, []int{6, 14}), map[string]func(i int) float64{"x": rising}), 201, .3, .7},
		"a slope":                {labelled(400, shares([]int{0, 100, 200, 300}, []int{1, 6, 14, 19}), map[string]func(i int) float64{"x": rising}), 0, 0, 0},
		"a slight slope":         {labelled(400, shares([]int{0, 100, 200, 300}, []int{3, 6, 14, 17}), map[string]func(i int) float64{"x": rising}), 201, .3, .7},
		"a slope below alone":    {labelled(400, shares([]int{0, 100, 200}, []int{1, 6, 14}), map[string]func(i int) float64{"x": rising}), 0, 0, 0},
		"a slope above alone":    {labelled(400, shares([]int{0, 200, 300}, []int{6, 14, 19}), map[string]func(i int) float64{"x": rising}), 0, 0, 0},
		"two rows a number":      {labelled(400, jump, map[string]func(i int) float64{"x": func(i int) float64 { return float64(1 + i/2) }}), 101, .2, .8},
		"four rows a number":     {labelled(400, jump, map[string]func(i int) float64{"x": func(i int) float64 { return float64(1 + i/4) }}), 0, 0, 0},
		"at no border of values": {labelled(400, jump, map[string]func(i int) float64{"x": func(i int) float64 { return float64(1 + (i+1)/2) }}), 0, 0, 0},
		"without a value":        {labelled(500, shares([]int{0, 300}, []int{4, 16}), map[string]func(i int) float64{"x": func(i int) float64 { return tabletest.Pick(i < 100, 0, rising(i)) }}), 301, .2, .8},
		"sixteenths of 4,000":    {labelled(4000, shares([]int{0, 2000}, []int{8, 12}), map[string]func(i int) float64{"x": rising}), 0, 0, 0},
		"of 4,000, by more":      {labelled(4000, shares([]int{0, 2000}, []int{6, 14}), map[string]func(i int) float64{"x": rising}), 2001, .3, .7},
	} {
		at, below, above, found := labels.Jump(c.table, "x")
		if at != c.at || found != (c.at != 0) || math.Abs(below-c.below) > .011 || math.Abs(above-c.up) > .011 {
			t.Errorf("%s: from %v to %v at %v, %v", name, below, above, at, found)
		}
	}
	if at, below, above, found := labels.Jump(labelled(400, jump, map[string]func(i int) float64{"x": rising}), "y"); at != 0 || below != 0 || above != 0 || found {
		t.Errorf("of a column that is not there: from %v to %v at %v, %v", below, above, at, found)
	}
}

// TestDecided: in one level, or one fifth of the rows, a threshold of one column tells every label, and elsewhere none does.
func TestDecided(t *testing.T) {
	// In the level 2 of a, or in the last fifth, the label follows from x, but for so many rows.
	number := func(i int) float64 { return float64(1 + i*37%101) }
	random := func(i int) bool { return i*i%7 < 3 }
	rule := func(is func(i int) bool, wrong int) func(i int) bool {
		return func(i int) bool {
			if !is(i) {
				return random(i)
			}
			decided := number(i) > 50
			if wrong > 0 && number(i) > 90 {
				wrong--
				return !decided
			}
			return decided
		}
	}
	inLevel := func(every int) func(i int) bool { return func(i int) bool { return i%every == 0 } }
	level := func(every int) func(i int) float64 {
		return func(i int) float64 { return tabletest.Pick(i%every == 0, -2, -1) }
	}
	category := func(name string) bool { return name == "a" }
	columns := func(every int) map[string]func(i int) float64 {
		return map[string]func(i int) float64{"a": level(every), "x": number, "y": func(i int) float64 { return float64(1 + i*53%97) }}
	}
	last := func(i int) bool { return i >= 800 }
	for name, c := range map[string]struct {
		table *table.Table
		want  labels.Rule
	}{
		"one in four":         {labelled(800, rule(inLevel(4), 0), columns(4)), labels.Rule{By: "x", Column: "a", Level: 2, Rows: 200}},
		"one in eight of 800": {labelled(800, rule(inLevel(8), 0), columns(8)), labels.Rule{By: "x", Column: "a", Level: 2, Rows: 100}},
		"one in eight of 792": {labelled(792, rule(inLevel(8), 0), columns(8)), labels.Rule{}},
		"one is wrong of 200": {labelled(800, rule(inLevel(4), 1), columns(4)), labels.Rule{By: "x", Column: "a", Level: 2, Rows: 200}},
		"two are wrong":       {labelled(800, rule(inLevel(4), 2), columns(4)), labels.Rule{}},
		"in half":             {labelled(800, rule(inLevel(2), 0), columns(2)), labels.Rule{By: "x", Column: "a", Level: 2, Rows: 400}},
		"in all":              {labelled(800, rule(func(int) bool { return true }, 0), columns(4)), labels.Rule{}},
		"in none":             {labelled(800, random, columns(4)), labels.Rule{}},
		"in the last fifth":   {labelled(1000, rule(last, 0), columns(4)), labels.Rule{By: "x", Rows: 200, From: 800, To: 1000, Of: 1000}},
		"rarely the one label": {labelled(800, func(i int) bool {
			return tabletest.Pick(i%4 == 0, tabletest.Pick(number(i) > 90, 1, 0), tabletest.Pick(random(i), 1, 0)) == 1
		}, columns(4)), labels.Rule{}},
	} {
		got, found := labels.Decided(c.table, tabletest.Anything, category)
		if got != c.want || found != (c.want != labels.Rule{}) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, found, c.want)
		}
	}
	both := columns(4) // the label follows from w, too, whose order is that of x
	both["w"] = func(i int) float64 { return 2 * number(i) }
	if got, _ := labels.Decided(labelled(800, rule(inLevel(4), 0), both), tabletest.Anything, category); got.By != "w" || got.Rows != 200 {
		t.Errorf("two columns that tell as much: %+v, not the first", got)
	}
	found := labelled(800, rule(inLevel(4), 0), columns(4))
	if got, is := labels.Decided(found, tabletest.Anything, func(string) bool { return false }); is {
		t.Errorf("by a column that is no category: %+v", got)
	}
	if got, is := labels.Decided(found, func(name string) bool { return name != "x" }, category); is {
		t.Errorf("a column that is not meant: %+v", got)
	}
}

// TestSettled: all rows of a level have one label, and every other level has both about as often.
func TestSettled(t *testing.T) {
	// Rows of the levels 1, 2, ... with so many positive ones of so many.
	made := func(of ...[2]int) *table.Table {
		var levels []float64
		var positive []bool
		for k, rows := range of {
			for i := range rows[1] {
				levels, positive = append(levels, -float64(k+1)), append(positive, i < rows[0])
			}
		}
		return labelled(len(levels), func(i int) bool { return positive[i] }, map[string]func(i int) float64{"x": func(i int) float64 { return levels[i] }})
	}
	for name, c := range map[string]struct {
		table    *table.Table
		level    uint64
		positive bool
	}{
		"negative":               {made([2]int{0, 100}, [2]int{50, 100}, [2]int{50, 100}), 1, false},
		"positive":               {made([2]int{100, 100}, [2]int{50, 100}, [2]int{50, 100}), 1, true},
		"99 rows":                {made([2]int{0, 99}, [2]int{50, 100}, [2]int{50, 100}), 0, false},
		"one of the other label": {made([2]int{1, 100}, [2]int{50, 100}, [2]int{50, 100}), 0, false},
		"one other level":        {made([2]int{0, 100}, [2]int{50, 100}), 0, false},
		"a small other level":    {made([2]int{0, 100}, [2]int{50, 100}, [2]int{15, 29}), 0, false},
		"just large enough":      {made([2]int{0, 100}, [2]int{50, 100}, [2]int{15, 30}), 1, false},
		"chance has brought 25":  {made([2]int{0, 100}, [2]int{25, 100}, [2]int{25, 100}), 1, false},
		"and 24":                 {made([2]int{0, 100}, [2]int{24, 100}, [2]int{24, 100}), 0, false},
		"another is unlike":      {made([2]int{0, 100}, [2]int{70, 100}, [2]int{20, 100}, [2]int{45, 100}), 0, false},
		"the larger of two":      {made([2]int{0, 100}, [2]int{0, 120}, [2]int{60, 100}, [2]int{60, 100}), 0, false}, // each is unlike for the other
	} {
		level, positive, found := labels.Settled(c.table, "x")
		if level.Hash != c.level || found != (c.level > 0) || positive != c.positive || found && level.Rows != 100 {
			t.Errorf("%s: %+v, %v, %v", name, level, positive, found)
		}
	}
	for range 20 { // in whatever order levels come: the larger of two that have each another label, or the one with the smaller hash
		for want, table := range map[uint64]*table.Table{
			1: made([2]int{100, 100}, [2]int{0, 100}, [2]int{50, 100}, [2]int{50, 100}), 2: made([2]int{100, 100}, [2]int{0, 101}, [2]int{50, 100}, [2]int{50, 100}),
		} {
			if level, positive, found := labels.Settled(table, "x"); !found || level.Hash != want || positive != (want == 1) {
				t.Fatalf("of two: %+v, %v, want %d", level, positive, want)
			}
		}
	}
	if _, _, found := labels.Settled(made([2]int{0, 100}, [2]int{50, 100}, [2]int{50, 100}), "y"); found {
		t.Error("a column that is not there")
	}
}
