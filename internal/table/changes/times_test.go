package changes_test

import (
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/changes"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// numbers is a table of one column, x, with n values.
func numbers(n int, of func(i int) float64) *table.Table {
	var x []float64
	for i := range n {
		x = append(x, of(i))
	}
	return tabletest.Cells(map[string][]float64{"x": x})
}

// TestBreaks: a level of its own in each part, of enough rows and different numbers, and neither part rises or falls.
func TestBreaks(t *testing.T) {
	cycle := func(of int, low float64) func(int) float64 {
		return func(i int) float64 { return low + float64(i%of) }
	}
	parts := func(n int, first, then func(i int) float64) func(int) float64 {
		return func(i int) float64 {
			if i < n {
				return first(i)
			}
			return then(i - n)
		}
	}
	type level struct{ low, below, above, high float64 }
	for name, c := range map[string]struct {
		rows int
		of   func(i int) float64
		want level
	}{
		"up":                  {200, parts(100, cycle(50, 1), cycle(50, 1001)), level{1, 50, 1001, 1050}},
		"down":                {200, parts(100, cycle(50, 1001), cycle(50, 1)), level{1001, 1050, 1, 50}},
		"missing in between":  {205, parts(105, parts(5, func(int) float64 { return 0 }, cycle(50, 1)), cycle(50, 1001)), level{1, 50, 1001, 1050}},
		"a short first part":  {199, parts(99, cycle(50, 1), cycle(50, 1001)), level{}},
		"a short second part": {199, parts(100, cycle(50, 1), cycle(50, 1001)), level{}},
		"they touch":          {200, parts(100, cycle(50, 1), cycle(50, 50)), level{}},
		"just apart":          {200, parts(100, cycle(50, 1), cycle(50, 51)), level{1, 50, 51, 100}},
		"the first rises":     {200, parts(100, cycle(100, 1), cycle(50, 1001)), level{}},
		"the second rises":    {200, parts(100, cycle(50, 1), cycle(100, 1001)), level{}},
		"thirty numbers":      {200, parts(100, cycle(30, 1), cycle(30, 1001)), level{1, 30, 1001, 1030}},
		"twenty-nine before":  {200, parts(100, cycle(29, 1), cycle(30, 1001)), level{}},
		"twenty-nine after":   {200, parts(100, cycle(30, 1), cycle(29, 1001)), level{}},
		"one level":           {200, cycle(50, 1), level{}},
	} {
		var got level
		found := false
		if got.low, got.below, got.above, got.high, found = changes.Breaks(numbers(c.rows, c.of), "x"); got != c.want || found != (c.want != level{}) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, found, c.want)
		}
	}
	if _, _, _, _, found := changes.Breaks(numbers(200, cycle(50, 1)), "y"); found {
		t.Error("a column that is not there")
	}
}

const hour, day = 3600., 86_400.

// TestClock: hours that are turned, from some time on or in one category, by as much as they are. Days begin at 8, for twelve hours.
func TestClock(t *testing.T) {
	at := func(i, turn int) float64 { return day*float64(1000+i) + hour*float64((8+i/3*7%12+turn+24)%24) }
	category := func(name string) bool { return name == "zone" }
	made := func(n int, turn func(i int) int) *table.Table {
		var times, zones, others []float64
		for i := range n {
			times, zones, others = append(times, at(i, turn(i))), append(zones, -float64(1+i%3/2)), append(others, -float64(1+i%2))
		}
		return tabletest.Cells(map[string][]float64{"at": times, "zone": zones, "other": others})
	}
	later := func(from, by int) func(int) int {
		return func(i int) int {
			if i >= from {
				return by
			}
			return 0
		}
	}
	zoned := func(by int) func(int) int { return func(i int) int { return i % 3 / 2 * by } }
	for name, c := range map[string]struct {
		table *table.Table
		want  changes.Turn
	}{
		"as it was":                {made(600, later(0, 0)), changes.Turn{}},
		"later from the middle":    {made(600, later(300, 6)), changes.Turn{Hours: 6}},
		"earlier":                  {made(600, later(300, -5)), changes.Turn{Hours: -5}},
		"half a day":               {made(600, later(300, 12)), changes.Turn{Hours: 12}},
		"eleven hours earlier":     {made(600, later(300, 13)), changes.Turn{Hours: -11}},
		"in one zone":              {made(600, zoned(5)), changes.Turn{Category: "zone", Level: 2, Hours: 5}},
		"one hour in one zone":     {made(600, zoned(1)), changes.Turn{}}, // chance, of 200 rows
		"250 rows, from the 125th": {made(250, later(125, 8)), changes.Turn{Hours: 8}},
		"249 rows":                 {made(249, later(125, 8)), changes.Turn{}}, // 99 in the last two fifths
		"300 rows in zones":        {made(300, zoned(8)), changes.Turn{Category: "zone", Level: 2, Hours: 8}},
		"297 rows in zones":        {made(297, zoned(8)), changes.Turn{}},
	} {
		got, is := changes.Clock(c.table, "at", category)
		if got != c.want || is != (c.want != changes.Turn{}) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, is, c.want)
		}
	}
	if got, is := changes.Clock(made(600, zoned(5)), "at", func(string) bool { return false }); is {
		t.Errorf("by a column that is no category: %+v", got)
	}
	if _, is := changes.Clock(made(600, zoned(5)), "none", category); is {
		t.Error("a column that is not there")
	}
	midnight := numbers(600, func(i int) float64 { return day * float64(1+i) })
	if got, is := changes.Clock(midnight, "x", category); is {
		t.Errorf("dates: %+v", got)
	}
}

// TestHalved: twelve hours without the other twelve, of enough times at enough of them.
func TestHalved(t *testing.T) {
	among := func(hours ...int) func(i int) float64 {
		return func(i int) float64 { return day*float64(1+i) + hour*float64(hours[i%len(hours)]) }
	}
	for name, c := range map[string]struct {
		rows int
		of   func(i int) float64
		want bool
	}{
		"1 to 12": {120, among(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), true}, "eight of them": {100, among(1, 2, 3, 4, 5, 6, 7, 12), true},
		"99 times": {99, among(1, 2, 3, 4, 5, 6, 7, 12), false}, "seven of them": {100, among(1, 2, 3, 4, 5, 6, 12), false}, "never 12": {100, among(1, 2, 3, 4, 5, 6, 7, 8, 9), false},
		"at 0": {100, among(0, 1, 2, 3, 4, 5, 6, 7, 12), false}, "at 13": {100, among(1, 2, 3, 4, 5, 6, 7, 12, 13), false}, "at 23": {100, among(1, 2, 3, 4, 5, 6, 7, 12, 23), false},
	} {
		if got := changes.Halved(numbers(c.rows, c.of), "x"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if changes.Halved(numbers(120, among(1, 2, 3, 4, 5, 6, 7, 8, 12)), "y") {
		t.Error("a column that is not there")
	}
}

// TestEdge: a first or last time of many rows that is farther from the others than these are apart.
func TestEdge(t *testing.T) {
	for name, c := range map[string]struct {
		x    []float64
		at   float64
		rows int
	}{
		"early":              {slices.Concat(tabletest.Times(1, 10), tabletest.Rising(1000, 90)), 1, 10},
		"late":               {slices.Concat(tabletest.Rising(1000, 90), tabletest.Times(9999, 10)), 9999, 10},
		"few early":          {slices.Concat(tabletest.Times(1, 9), tabletest.Rising(1000, 91)), 0, 0},
		"few late":           {slices.Concat(tabletest.Rising(1000, 91), tabletest.Times(9999, 9)), 0, 0},
		"few in all":         {slices.Concat(tabletest.Times(1, 10), tabletest.Rising(1000, 89)), 0, 0},
		"near, early":        {slices.Concat(tabletest.Times(911, 10), tabletest.Rising(1000, 90)), 0, 0},
		"just farther":       {slices.Concat(tabletest.Times(910, 10), tabletest.Rising(1000, 90)), 910, 10},
		"near, late":         {slices.Concat(tabletest.Rising(1000, 90), tabletest.Times(1178, 10)), 0, 0},
		"just farther, late": {slices.Concat(tabletest.Rising(1000, 90), tabletest.Times(1179, 10)), 1179, 10},
		"one time":           {tabletest.Times(5, 200), 0, 0},
		"none between":       {slices.Concat(tabletest.Times(0, 5, 1, 10), tabletest.Rising(1000, 90)), 1, 10},
	} {
		if at, rows := changes.Edge(tabletest.Cells(map[string][]float64{"x": c.x}), "x"); at != c.at || rows != c.rows {
			t.Errorf("%s: %v in %d rows, want %v in %d", name, at, rows, c.at, c.rows)
		}
	}
	if _, rows := changes.Edge(numbers(200, func(i int) float64 { return 1 }), "y"); rows != 0 {
		t.Error("a column that is not there")
	}
}

// TestLater counts the rows that have two different times.
func TestLater(t *testing.T) {
	two := tabletest.Cells(map[string][]float64{"a": {5, 5, 5, 0, 7, 9}, "b": {4, 5, 6, 7, 0, 1}})
	if first, second := changes.Later(two, "a", "b"); first != 2 || second != 1 {
		t.Errorf("a is the later one in %d rows and b in %d", first, second)
	}
	for _, names := range [][2]string{{"a", "c"}, {"c", "b"}} {
		if first, second := changes.Later(two, names[0], names[1]); first != 0 || second != 0 {
			t.Errorf("%v: %d and %d", names, first, second)
		}
	}
}

// TestTheBoundsOfBackwards: from the newest to the oldest, or in parts of which the later one comes first; one step in 200 may go the other way.
func TestTheBoundsOfBackwards(t *testing.T) {
	falling := func(n int) []float64 {
		x := tabletest.Rising(1000, n)
		slices.Reverse(x)
		return x
	}
	for name, c := range map[string]struct {
		x    []float64
		want changes.Order
	}{
		"newest first":             {falling(101), changes.NewestFirst},
		"too few":                  {falling(100), changes.AnyOrder},
		"oldest first":             {tabletest.Rising(1000, 101), changes.AnyOrder},
		"one step in 201 upwards":  {slices.Concat([]float64{1500}, []float64{1501}, falling(200)), changes.NewestFirst},
		"one step in 200 upwards":  {slices.Concat([]float64{1500}, []float64{1501}, falling(199)), changes.AnyOrder},
		"two parts":                {slices.Concat(tabletest.Rising(2000, 101), tabletest.Rising(1000, 101)), changes.LaterFirst},
		"two shorter parts":        {slices.Concat(tabletest.Rising(2000, 101), tabletest.Rising(1000, 100)), changes.AnyOrder},
		"two parts in their order": {slices.Concat(tabletest.Rising(1000, 101), tabletest.Rising(900, 150), tabletest.Rising(2000, 1)), changes.AnyOrder},
		"it ends where it began":   {slices.Concat(falling(150), []float64{1149}), changes.AnyOrder},
		"days without a value":     {slices.Concat(falling(60), tabletest.Times(0, 9), tabletest.Times(999, 50), tabletest.Rising(500, 1), []float64{499, 0, 498}), changes.AnyOrder},
	} {
		if got := changes.Backwards(tabletest.Cells(map[string][]float64{"x": c.x}), "x"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := changes.Backwards(tabletest.Cells(map[string][]float64{"x": falling(200)}), "y"); got != changes.AnyOrder {
		t.Errorf("a column that is not there: %q", got)
	}
}

// TestTheBoundsOfRounded: two fifths of 250 rows are 100, of which 97 are rounded in one part, and 30 in the other.
func TestTheBoundsOfRounded(t *testing.T) {
	// of 250 numbers the first and the last 100 are multiples of so many, but for as many as are given
	made := func(first, firstOff, last, lastOff int) *table.Table {
		return numbers(250, func(i int) float64 {
			unit, off, at := first, firstOff, i
			if i >= 150 {
				unit, off, at = last, lastOff, i-150
			}
			if at < off {
				return float64(10_000*(1+at)) + 0.5
			}
			return float64(10_000*(1+at) + unit)
		})
	}
	type result struct {
		to          float64
		last, found bool
	}
	for name, c := range map[string]struct {
		table *table.Table
		want  result
	}{
		"the last":            {made(1, 100, 1, 0), result{1, true, true}},
		"the first":           {made(1, 0, 1, 100), result{1, false, true}},
		"97 of 100":           {made(1, 100, 1, 3), result{1, true, true}},
		"96 of 100":           {made(1, 100, 1, 4), result{}},
		"30 of the others":    {made(1, 70, 1, 0), result{1, true, true}},
		"31 of the others":    {made(1, 69, 1, 0), result{}},
		"to tens":             {made(1, 0, 10, 0), result{10, true, true}},
		"to hundreds, before": {made(100, 0, 1, 0), result{100, false, true}},
		"to thousands":        {made(1, 0, 1000, 0), result{1000, true, true}},
		"both":                {made(10, 0, 10, 0), result{}},
		"too few rows":        {numbers(249, func(i int) float64 { return float64(1+i) + float64(i/125)/2 }), result{}},
		"five numbers":        {numbers(250, func(i int) float64 { return float64(1+i%5) + float64(i/125)*0.5*float64(i%125) }), result{}},
		"four whole numbers":  {numbers(250, func(i int) float64 { return tabletest.Pick(i < 125, float64(1+i%4), float64(i)+.5) }), result{}},
		"five whole numbers":  {numbers(250, func(i int) float64 { return tabletest.Pick(i < 125, float64(1+i%5), float64(i)+.5) }), result{1, false, true}},
		"a value is missing": {numbers(250, func(i int) float64 {
			return tabletest.Pick(i == 7, 0, tabletest.Pick(i < 125, float64(1+i), float64(i)+.5))
		}), result{}},
	} {
		var got result
		if got.to, got.last, got.found = changes.Rounded(c.table, "x"); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if _, _, found := changes.Rounded(made(1, 100, 1, 0), "y"); found {
		t.Error("a column that is not there")
	}
}
