package table

import (
	"math"
	"slices"
	"testing"
)

// cells makes a table of columns that are given by their values: a number, or a text that is a hash below 0; 0 is none.
func cells(columns map[string][]float64) *Table {
	t := &Table{index: map[string]int{}}
	names := []string{}
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c := column{name: name}
		for _, v := range columns[name] {
			switch {
			case v == 0:
				c.hashes, c.numbers = append(c.hashes, 0), append(c.numbers, math.NaN())
			case v < 0:
				c.hashes, c.numbers = append(c.hashes, uint64(-v)), append(c.numbers, math.NaN())
			default:
				c.hashes, c.numbers = append(c.hashes, math.Float64bits(v)), append(c.numbers, v)
			}
		}
		t.index[name] = len(t.columns)
		t.columns = append(t.columns, c)
		t.rows = make([]row, len(c.hashes))
	}
	return t
}

// times repeats values, each so often.
func times(pairs ...float64) (all []float64) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, slices.Repeat([]float64{pairs[i]}, int(pairs[i+1]))...)
	}
	return all
}

// rising are n numbers from first on.
func rising(first float64, n int) (all []float64) {
	for i := range n {
		all = append(all, first+float64(i))
	}
	return all
}

// TestTheBoundsOfASpike: how many rows it needs, which share, how different the others are, and that it is no end.
func TestTheBoundsOfASpike(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		x      float64
		rows   int
	}{
		"a spike":                {append(rising(1, 960), times(100.5, 40)...), 100.5, 40},
		"too few rows":           {append(rising(1, 900), times(100.5, 39)...), 0, 0},
		"too small a share":      {append(rising(1, 961), times(100.5, 40)...), 0, 0},
		"the lowest":             {append(rising(1, 960), times(.5, 40)...), 0, 0},
		"the highest":            {append(rising(1, 960), times(2000, 40)...), 0, 0},
		"the others repeat":      {append(slices.Concat(rising(1, 80), times(7, 20)), times(50.5, 40)...), 50.5, 40},
		"the others repeat more": {append(slices.Concat(rising(1, 79), times(7, 21)), times(50.5, 40)...), 0, 0},
		"the smaller of two":     {append(rising(1, 880), times(500.5, 40, 100.5, 40)...), 100.5, 40},
		"two, and others":        {append(rising(1, 1000), times(500.5, 80, 100.5, 80)...), 100.5, 80},
		"texts do not count":     {append(append(rising(1, 960), times(100.5, 40)...), times(-1, 500)...), 100.5, 40},
		"nothing":                {times(0, 100), 0, 0},
	} {
		if x, rows, of := cells(map[string][]float64{"c": c.values}).Spike("c"); x != c.x || rows != c.rows || (of == 0) != (c.rows == 0) {
			t.Errorf("%s: %v in %d of %d rows, want %v in %d", name, x, rows, of, c.x, c.rows)
		}
	}
	if _, rows, _ := cells(nil).Spike("none"); rows != 0 {
		t.Error("a spike of no column")
	}
}

// TestTheBoundsOfMergedCells: at least four blocks, in at most half of the rows, of which few follow each other.
func TestTheBoundsOfMergedCells(t *testing.T) {
	blocks := func(values []float64, below int) (all []float64) {
		for _, v := range values {
			all = append(all, v)
			all = append(all, times(0, float64(below))...)
		}
		return all
	}
	for name, c := range map[string]struct {
		values []float64
		filled int
		found  bool
	}{
		"four blocks":        {blocks([]float64{-1, -2, -1, -2}, 1), 4, true},
		"three blocks":       {blocks([]float64{-1, -2, -1}, 1), 3, false},
		"more than half":     {append(blocks([]float64{-1, -2, -1, -2}, 1), -1), 5, false},
		"too many different": {blocks([]float64{-1, -2, -3, -1}, 1), 4, false},
		"many rows a block":  {blocks([]float64{-1, -2, -3, -4}, 19), 4, true},
		"fewer rows a block": {blocks([]float64{-1, -2, -3, -4}, 18), 4, false},
		"the same again":     {blocks([]float64{-1, -1, -2, -1}, 1), 0, false},
		"no value at first":  {append([]float64{0}, blocks([]float64{-1, -2, -1, -2}, 1)...), 0, false},
	} {
		if filled, found := cells(map[string][]float64{"c": c.values}).Merged("c"); found != c.found || found && filled != c.filled {
			t.Errorf("%s: %d filled, %v", name, filled, found)
		}
	}
	thinned := cells(map[string][]float64{"c": blocks([]float64{-1, -2, -1, -2}, 1)})
	if thinned.least = 1; thinned.of("c") == nil {
		t.Fatal("no column")
	}
	if _, found := thinned.Merged("c"); found {
		t.Error("of every other row nothing is known of what follows")
	}
}

// TestTheBoundsOfShiftedCells: how many rows, of how many kinds, how common there and how rare here.
func TestTheBoundsOfShiftedCells(t *testing.T) {
	// Of 1,000 rows a has texts 1 and 2, which are those of b, in a few.
	shifted := func(ones, twos, rest float64, common float64) *Table {
		return cells(map[string][]float64{"a": slices.Concat(times(-1, ones, -2, twos, -3, rest), times(0, 1000-ones-twos-rest)), "b": times(-1, common, -2, common, -9, 1000-2*common)})
	}
	for name, c := range map[string]struct {
		table *Table
		rows  int
	}{
		"shifted":        {shifted(5, 5, 900, 50), 10},
		"too few rows":   {shifted(5, 4, 900, 50), 0},
		"one kind":       {shifted(10, 0, 900, 50), 0},
		"not common":     {shifted(5, 5, 900, 49), 0},
		"not rare here":  {shifted(5, 5, 90, 50), 0},
		"just rare here": {shifted(5, 5, 91, 50), 10},
	} {
		here, there, rows := c.table.Shifted(anything)
		if rows != c.rows || (rows > 0) != (here == "a" && there == "b") {
			t.Errorf("%s: %d rows of %q in %q, want %d", name, rows, there, here, c.rows)
		}
	}
	if _, _, rows := shifted(5, 5, 900, 50).Shifted(func(name string) bool { return name == "a" }); rows != 0 {
		t.Errorf("%d rows, and only one column may be meant", rows)
	}
	two := cells(map[string][]float64{"a": slices.Concat(times(-1, 6, -2, 6, -3, 988)), "b": times(-1, 500, -2, 500), "c": slices.Concat(times(-1, 6, -2, 6, -4, 988))})
	if here, _, rows := two.Shifted(anything); here != "a" || rows != 12 {
		t.Errorf("of two that are shifted alike the first is meant: %q, %d", here, rows)
	}
}

// TestTheBoundsOfAValueThatTells: how many rows have it, how many of them may be of the other label, and which share of the label it has.
func TestTheBoundsOfAValueThatTells(t *testing.T) {
	// A column whose value 1 has rows positive and others negative; the remaining rows of 1,000 are as labelled.
	made := func(positive, negative, restPositive, restNegative int) *Table {
		t := cells(map[string][]float64{"c": slices.Concat(times(-1, float64(positive+negative)), times(-2, float64(restPositive+restNegative)))})
		for r := range t.rows {
			t.rows[r].labelled = true
			t.rows[r].positive = r < positive || r >= positive+negative && r < positive+negative+restPositive
		}
		return t
	}
	for name, c := range map[string]struct {
		table *Table
		rows  int
	}{
		"all of one label":        {made(150, 0, 150, 700), 150},
		"at least a hundred":      {made(100, 0, 100, 800), 100},
		"fewer than a hundred":    {made(99, 0, 100, 801), 0},
		"one of the other":        {made(149, 1, 150, 700), 150},
		"two of the other":        {made(148, 2, 150, 700), 0},
		"two of more":             {made(198, 2, 100, 700), 200},
		"a tenth of the rarer":    {made(100, 0, 300, 600), 100},
		"less than a tenth of it": {made(100, 0, 901, 1000), 0},
		"of the more frequent":    {made(300, 0, 700, 400), 300},
		"too few of these":        {made(299, 0, 701, 400), 0},
	} {
		level, positive, found := c.table.Telling("c")
		if found != (c.rows > 0) || found && (level.Rows != c.rows || !positive || level.Hash != 1) {
			t.Errorf("%s: %+v, %v, %v; want %d rows", name, level, positive, found, c.rows)
		}
	}
	if _, _, found := made(150, 0, 150, 700).Telling("none"); found {
		t.Error("a value of no column tells")
	}
	repeated := made(150, 0, 150, 700)
	for r := range 60 {
		repeated.rows[r].repeated = true
	}
	if _, _, found := repeated.Telling("c"); found {
		t.Error("copies count")
	}
}

// TestBinsOfNumbers end at the quantiles of those rows.
func TestBinsOfNumbers(t *testing.T) {
	c := cells(map[string][]float64{"c": append(rising(1, 1001), times(0, 5)...)}).of("c")
	rows := make([]int, 1006)
	for i := range rows {
		rows[i] = 1005 - i
	}
	ends := c.quantiles(rows)
	if len(ends) != numberBins-1 || !slices.IsSorted(ends) {
		t.Fatalf("%v", ends)
	}
	for q, end := range ends {
		if want := 1 + float64((q+1)*1000/numberBins); end != want {
			t.Errorf("end %d is %v, want %v", q, end, want)
		}
	}
	if ends := c.quantiles(rows[:5]); ends != nil {
		t.Errorf("%v of no number", ends)
	}
	if ends := c.quantiles([]int{4, 4, 4}); !slices.Equal(ends, []float64{5}) {
		t.Errorf("%v of one number", ends)
	}
}
