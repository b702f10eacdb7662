package features

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestConfigProblems: each limit of the configuration at its bounds and just beyond.
func TestConfigProblems(t *testing.T) {
	if d := DefaultConfig(); d.Vocabulary != (VocabularyConfig{Levels: 8192, Buckets: 1024, Columns: 8192}) || d.Validate() != nil {
		t.Errorf("the default is %+v with %v", d, d.Validate())
	}
	columns := func(c ColumnConfig) func(*Config) {
		return func(all *Config) { all.Columns = map[string]ColumnConfig{"x": c} }
	}
	crosses := func(names ...string) func(*Config) {
		return func(c *Config) { c.Crosses = [][]string{{"a", "b"}, names} }
	}
	for name, test := range map[string]struct {
		change func(*Config)
		want   string // the key that is reported, empty if none
	}{
		"one level":         {func(c *Config) { c.Vocabulary.Levels = 1 }, ""},
		"no level":          {func(c *Config) { c.Vocabulary.Levels = 0 }, "vocabulary.levels"},
		"a million levels":  {func(c *Config) { c.Vocabulary.Levels = 1_000_000 }, ""},
		"more levels":       {func(c *Config) { c.Vocabulary.Levels = 1_000_001 }, "vocabulary.levels"},
		"one bucket":        {func(c *Config) { c.Vocabulary.Buckets = 1 }, ""},
		"no bucket":         {func(c *Config) { c.Vocabulary.Buckets = 0 }, "vocabulary.buckets"},
		"a million buckets": {func(c *Config) { c.Vocabulary.Buckets = 1_000_000 }, ""},
		"more buckets":      {func(c *Config) { c.Vocabulary.Buckets = 1_000_001 }, "vocabulary.buckets"},
		"65,536 columns":    {func(c *Config) { c.Vocabulary.Columns = 65_536 }, ""},
		"more columns":      {func(c *Config) { c.Vocabulary.Columns = 65_537 }, "vocabulary.columns"},
		"no columns":        {func(c *Config) { c.Vocabulary.Columns = 0 }, "vocabulary.columns"},
		"numeric":           {columns(ColumnConfig{Type: Numeric, Encoding: Standardized}), ""},
		"categorical":       {columns(ColumnConfig{Type: Categorical}), ""},
		"no type":           {columns(ColumnConfig{}), "columns.x.type"},
		"another type":      {columns(ColumnConfig{Type: "text"}), "columns.x.type"},
		"another encoding":  {columns(ColumnConfig{Type: Numeric, Encoding: "spline"}), "columns.x.encoding"},
		"bins of texts":     {columns(ColumnConfig{Type: Categorical, Encoding: Bins}), "columns.x.encoding"},
		"a cross of two":    {crosses("b", "a"), ""},
		"a cross of one":    {crosses("a"), "crosses[1]"},
		"a cross of twice":  {crosses("a", "b", "a"), "crosses[1]"},
		"a cross of none":   {crosses("a", ""), "crosses[1]"},
	} {
		c := DefaultConfig()
		test.change(&c)
		problems := c.Validate()
		if (len(problems) == 0) != (test.want == "") || len(problems) > 1 || len(problems) == 1 && problems[0].Path != test.want {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// TestColumnsThatCannotBe: each number of a column at its bounds and just beyond, of an encoder with 20 weights.
func TestColumnsThatCannotBe(t *testing.T) {
	binned := func() Column {
		return Column{Kind: Binned, Binning: newBinning([]float64{1, 2, 3}), Linear: 1, Mean: 2, Scale: 1, Low: 1, High: 3}
	}
	bins := binned()
	fine, coarse := bins.Binning.count(), bins.CoarseBins()
	knots := func() Column { return Column{Kind: Interpolated, Knots: []float64{1, 2, 4}, First: 17} }
	scaled := func() Column { return Column{Kind: Scaled, First: 19, Mean: 1, Scale: 2} }
	of := func(made func() Column, change func(*Column)) Column {
		c := made()
		change(&c)
		return c
	}
	for name, test := range map[string]struct {
		column Column
		taken  bool
	}{
		"levels":                    {Column{Kind: Levelled, Missing: 19}, true},
		"a missing weight behind":   {Column{Kind: Levelled, Missing: 20}, false},
		"a missing weight before":   {Column{Kind: Levelled, Missing: -1}, false},
		"another kind":              {Column{Kind: Scaled + 1}, false},
		"knots":                     {knots(), true},
		"knots behind":              {of(knots, func(c *Column) { c.First = 18 }), false},
		"knots before":              {of(knots, func(c *Column) { c.First = -1 }), false},
		"no knots":                  {of(knots, func(c *Column) { c.Knots = nil }), false},
		"a knot twice":              {of(knots, func(c *Column) { c.Knots[1] = 1 }), false},
		"a knot without end":        {of(knots, func(c *Column) { c.Knots[2] = math.Inf(1) }), false},
		"a knot as large as can be": {of(knots, func(c *Column) { c.Knots[2] = math.MaxFloat64 }), true},
		"a knot that is NaN":        {of(knots, func(c *Column) { c.Knots[0] = math.NaN() }), false},
		"scaled":                    {scaled(), true},
		"scaled behind":             {of(scaled, func(c *Column) { c.First = 20 }), false},
		"no scale":                  {of(scaled, func(c *Column) { c.Scale = 0 }), false},
		"a scale without end":       {of(scaled, func(c *Column) { c.Scale = math.Inf(1) }), false},
		"the largest scale":         {of(scaled, func(c *Column) { c.Scale = math.MaxFloat64 }), true},
		"the largest mean":          {of(scaled, func(c *Column) { c.Mean = -largestNumber }), true},
		"a mean beyond":             {of(scaled, func(c *Column) { c.Mean = 1.1 * largestNumber }), false},
		"bins":                      {binned(), true},
		"bins at the end":           {of(binned, func(c *Column) { c.First, c.Linear = 20-fine, 19 }), true},
		"bins behind":               {of(binned, func(c *Column) { c.First = 21 - fine }), false},
		"coarse bins at the end":    {of(binned, func(c *Column) { c.FirstCoarse = 20 - coarse }), true},
		"coarse bins behind":        {of(binned, func(c *Column) { c.FirstCoarse = 21 - coarse }), false},
		"coarse bins before":        {of(binned, func(c *Column) { c.FirstCoarse = -1 }), false},
		"a line behind":             {of(binned, func(c *Column) { c.Linear = 20 }), false},
		"an edge too many":          {of(binned, func(c *Column) { c.Binning.Edges = append(c.Binning.Edges, 99) }), false},
		"too few single ones":       {of(binned, func(c *Column) { c.Binning.Single = c.Binning.Single[1:] }), false},
		"a first bin of one value":  {of(binned, func(c *Column) { c.Binning.Single[0] = true }), false},
		"a coarse bin before":       {of(binned, func(c *Column) { c.Binning.Coarse[0] = -1 }), false},
		"a coarse bin behind":       {of(binned, func(c *Column) { c.Binning.Coarse[0] = fine }), false},
		"bounds that are one":       {of(binned, func(c *Column) { c.Low, c.High = 2, 2 }), true},
		"bounds the wrong way":      {of(binned, func(c *Column) { c.Low = 3.1 }), false},
		"a low bound beyond":        {of(binned, func(c *Column) { c.Scale, c.Low = 1e-300, -1.1*largestNumber }), false},
		"a high bound beyond":       {of(binned, func(c *Column) { c.Scale, c.High = 1e-300, 1.1*largestNumber }), false},
		"the largest bounds":        {of(binned, func(c *Column) { c.Scale, c.Low, c.High = 1e-300, -largestNumber, largestNumber }), true},
		"the largest low number":    {of(binned, func(c *Column) { c.Low, c.Mean = -largestStandardized, 0 }), true},
		"a low number beyond":       {of(binned, func(c *Column) { c.Low, c.Mean = -1.1*largestStandardized, 0 }), false},
		"the largest high number":   {of(binned, func(c *Column) { c.High, c.Mean = largestStandardized, 0 }), true},
		"a high number beyond":      {of(binned, func(c *Column) { c.High, c.Mean = 1.1*largestStandardized, 0 }), false},
	} {
		if err := test.column.check(20); (err == nil) != test.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPartsThatCannotBe: levels and shared weights at their bounds and just beyond.
func TestPartsThatCannotBe(t *testing.T) {
	whole := Parts{Columns: []Column{{Name: "a", Kind: Levelled}, {Name: "b", Kind: Levelled}}, Crosses: [][]string{{"a", "b"}}, Size: 20}
	level := func(slot Slot, weight int32) func(*Parts) {
		return func(p *Parts) { p.Levels = []Level{{Slot: slot, Weight: weight, Key: 5}} }
	}
	shared := func(first, count int32) func(*Parts) { return func(p *Parts) { p.Shared, p.Buckets = first, count } }
	for name, test := range map[string]struct {
		change func(*Parts)
		taken  bool
	}{
		"a level":                     {level(ColumnSlot(1), 19), true},
		"a level of no column":        {level(ColumnSlot(2), 19), false},
		"a level before all columns":  {level(ColumnSlot(-1), 19), false},
		"a level of the cross":        {level(CrossSlot(0), 1), true},
		"a level of no cross":         {level(CrossSlot(1), 1), false},
		"a level of the intercept":    {level(ColumnSlot(0), 0), false},
		"a level of a weight behind":  {level(ColumnSlot(0), 20), false},
		"a level twice":               {func(p *Parts) { level(ColumnSlot(0), 3)(p); p.Levels = append(p.Levels, p.Levels[0]) }, false},
		"shared weights":              {shared(17, 3), true},
		"shared weights behind":       {shared(17, 4), false},
		"a shared weight":             {shared(1, 1), true},
		"one without a bucket":        {shared(1, 0), false},
		"shared weights, none":        {shared(17, 0), false},
		"shared weights, not yet any": {shared(0, 5), true},
		"shared weights before":       {shared(-1, 3), false},
		"a column twice":              {func(p *Parts) { p.Columns = append(p.Columns, Column{Name: "a", Kind: Levelled}) }, false},
	} {
		p := whole
		test.change(&p)
		if _, err := NewFrozen(p); (err == nil) != test.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRowsAreCoded: a row is read as it was written, and refused where an index does not exist.
func TestRowsAreCoded(t *testing.T) {
	read := func(row Row, size int32) (again Row, err error) {
		w := codec.NewWriter(nil)
		row.Fields(w, math.MaxInt32)
		r := codec.NewReader(w.Bytes())
		again.Fields(r, size)
		return again, r.End()
	}
	for _, row := range []Row{{}, {Index: []int32{0}}, {Index: []int32{0, 7, 3}}, {Index: []int32{0, 7, 3}, Value: []float32{1, -2, .5}}} {
		if again, err := read(row, 8); err != nil || !reflect.DeepEqual(again, row) {
			t.Errorf("%v is read as %v with %v", row, again, err)
		}
	}
	for _, row := range []Row{{Index: []int32{0, 8}}, {Index: []int32{0, -1}}} {
		if again, err := read(row, 8); err == nil || len(again.Index) != 0 {
			t.Errorf("%v is read as %v of 8 weights", row, again)
		}
	}
}

// TestPacked: a row is unpacked as it was, whatever was packed and unpacked before, in as little memory as Packed says.
func TestPacked(t *testing.T) {
	nan := float32(math.NaN())
	ones := func(n int) []float32 { return slices.Repeat([]float32{1}, n) }
	many := make([]int32, 1000)
	for i := range many {
		many[i] = int32(i * 65)
	}
	few := slices.Clone(many[:9])
	few[3] = math.MaxUint16
	far := slices.Clone(few)
	far[8] = math.MaxUint16 + 1
	scaled := ones(9)
	scaled[0], scaled[7], scaled[8] = -.5, float32(math.Copysign(0, -1)), nan
	var p Packed
	var to Row
	var slab Slab
	for _, test := range []struct {
		row   Row
		bytes int
	}{
		{Row{}, 0}, {Row{Index: few}, 5 + 18}, {Row{Index: far}, 5 + 36}, {Row{Index: few, Value: scaled}, 5 + 18 + 2 + 12}, {Row{Index: far, Value: scaled}, 5 + 36 + 2 + 12},
		{Row{Index: few, Value: ones(9)}, 5 + 18}, {Row{Index: many}, 5 + 2000}, {Row{}, 0}, {Row{Index: []int32{0}}, 5 + 2},
	} {
		p.Pack(&test.row, &slab)
		p.Unpack(&to)
		same := slices.Equal(to.Index, test.row.Index) && len(p) == test.bytes && cap(p)%32 == 0 && (len(to.Value) == 0 || len(to.Value) == len(to.Index))
		for i := range to.Index {
			same = same && math.Float64bits(to.At(i)) == math.Float64bits(test.row.At(i))
		}
		if !same {
			t.Errorf("%v is packed in %d bytes, want %d, and unpacked as %v", test.row, len(p), test.bytes, to)
		}
	}
	if got := testing.AllocsPerRun(10, func() { p.Pack(&Row{Index: few, Value: scaled}, &slab); p.Unpack(&to) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// TestRowsOfASlab: rows stay what they are beside each other, and when others grow; there are many to an allocation, and long ones have memory of their own.
func TestRowsOfASlab(t *testing.T) {
	row := func(i, n int) *Row {
		r := &Row{}
		for k := range n {
			r.Add(int32(i*1000+k), 1)
		}
		return r
	}
	const rows = 3000
	packed := make([]Packed, rows)
	var slab Slab
	short := row(7, 14)
	if got := testing.AllocsPerRun(1, func() {
		clear(packed)
		slab = nil
		for i := range packed {
			packed[i].Pack(short, &slab)
		}
	}); got > 100 {
		t.Errorf("%v allocations for %d rows", got, rows)
	}
	length := func(i int) int { return []int{14, 40, 3, 5000}[i%4] }
	for i := range packed {
		packed[i].Pack(row(i%60, length(i)), &slab)
	}
	var to Row
	for i := range packed {
		if packed[i].Unpack(&to); !slices.Equal(to.Index, row(i%60, length(i)).Index) {
			t.Fatalf("row %d is %v", i, to.Index)
		}
	}
	var none Slab
	long := Packed{}
	if long.Pack(row(0, 5000), &none); len(none) > 0 {
		t.Error("a long row took a slab")
	}
}

// TestHowManyColumnsPass: z² grows by 2 ln 2 with each doubling of the columns that are tested, from 32 on.
func TestHowManyColumnsPass(t *testing.T) {
	for columns, doublings := range map[int]float64{0: 0, 1: 0, 31: 0, 32: 1, 63: 1, 64: 2, 127: 2, 128: 3, 500: 4} {
		if got, want := passingOf(columns), math.Sqrt(9+2*math.Ln2*doublings); math.Abs(got-want) > 1e-12 {
			t.Errorf("of %d columns: %v, want %v", columns, got, want)
		}
	}
}

// TestATrustedColumn: twenty values whose dispersion is twice what chance makes of it, and no fewer.
func TestATrustedColumn(t *testing.T) {
	for _, test := range []struct {
		values int
		square float64
		want   bool
	}{{19, 5, false}, {20, 2, true}, {20, 1.99, false}, {21, 2, true}} {
		var c trial
		for range test.values {
			c.end(test.square)
		}
		if c.trusted != test.want {
			t.Errorf("%d values of %v: trusted %t", test.values, test.square, c.trusted)
		}
	}
}

// TestTheLargestResidualOutweighsNothing: a test has a deviation once its variance is as large as the square of its largest residual.
func TestTheLargestResidualOutweighsNothing(t *testing.T) {
	for _, test := range []struct{ variance, want float64 }{{0, 0}, {.99, 0}, {1, 9}, {4, 2.25}} {
		if got := (&scoreTest{sum: 3, largest: 1, variance: test.variance}).deviation(); got != test.want {
			t.Errorf("a variance of %v gives %v, want %v", test.variance, got, test.want)
		}
	}
	if got := shorten([]byte(strings.Repeat("x", longestText+1))); got != strings.Repeat("x", longestText)+"…" {
		t.Errorf("a text of a byte too many is %q", got)
	}
}

// TestNumbersInWords: what a number contributes to crosses, by the kind of its column.
func TestNumbersInWords(t *testing.T) {
	for _, test := range []struct {
		column Column
		x      float64
		want   string
	}{
		{Column{Kind: Scaled, Mean: 10, Scale: .5}, 13, "about 14"}, // 1.5 rounds to 2 deviations of 2
		{Column{Kind: Scaled, Mean: 10, Scale: .5}, -99, "about 0"},
		{Column{Kind: Interpolated, Knots: []float64{1, 3, 8}}, 2, "[1, 3]"},
		{Column{Kind: Interpolated, Knots: []float64{1, 3, 8}}, 99, "[3, 8]"},
		{Column{Kind: Interpolated, Knots: []float64{3}}, 2, "any number"},
	} {
		var row Row
		if got := test.column.words(test.column.encode(&row, test.x).token); got != test.want {
			t.Errorf("%v is called %q, want %q", test.x, got, test.want)
		}
	}
}

// TestRememberedTextFillsACacheLine: whoever looks a text up then waits for memory once.
func TestRememberedTextFillsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(remembered{}); size != 64 {
		t.Errorf("a remembered text takes %d bytes", size)
	}
}

// TestLayoutsAreNoMoreThanAShortcut: records whose layout is known are encoded as others are, whether their fields have columns, get them or
// never will.
func TestLayoutsAreNoMoreThanAShortcut(t *testing.T) {
	settings := DefaultConfig()
	settings.Vocabulary.Columns = 4
	known, unknown := NewLearning(settings), NewLearning(settings)
	layouts := [][]string{{"a", "b"}, {"b", "a", "c"}, {"a.0", "b"}, {"d", "e", "f", "a"}, {"a", "b"}}
	for i := range 200 {
		at := i / 3 % len(layouts)
		var named []string
		for k, name := range layouts[at] {
			named = append(named, name, fmt.Sprint((i+k)%5))
		}
		var rows [2]string
		for k, l := range []*Learning{known, unknown} {
			r := record.Record{Features: fields(named...), Layout: uint64((1 - k) * (at + 1))}
			var frozen, row Row
			l.Frozen.Encode(&frozen, &r)
			unread := fmt.Sprint(l.Unread())
			l.Encode(&row, &r)
			rows[k] = fmt.Sprint(frozen, unread, row, l.Ignored(), l.Size())
		}
		if rows[0] != rows[1] {
			t.Fatalf("record %d: with its layout %s, without %s", i, rows[0], rows[1])
		}
	}
	if known.Ignored() == 0 {
		t.Error("no column was refused")
	}
}
