package features

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestNarrowRows: what a packed row says of itself is what it unpacks to, with no non-zeros, with and without values, with narrow indices and wide ones.
func TestNarrowRows(t *testing.T) {
	source := rand.New(rand.NewPCG(4, 5))
	var slab Slab
	var unpacked Row
	for _, n := range []int{0, 1, 7, 8, 9, 31} {
		for _, largest := range []int32{1 << 16, 1 << 20} {
			for _, valued := range []bool{false, true} {
				row := Row{}
				for i := range n {
					row.Index, row.Value = append(row.Index, source.Int32N(largest)), append(row.Value, 1)
					if valued && i%3 == 0 {
						row.Value[i] = source.Float32() + 2
					}
				}
				wide := n > 0 && slices.Max(row.Index) >= 1<<16
				var p Packed
				p.Pack(&row, &slab)
				p.Unpack(&unpacked)
				if p.NonZeros() != n || len(unpacked.Index) != n {
					t.Errorf("%d of %d non-zeros", p.NonZeros(), n)
				}
				indices, marked, values, narrow := p.Narrow()
				if narrow == wide || wide && (indices != nil || marked != nil || values != nil) {
					t.Errorf("%d non-zeros below %d: narrow %t", n, largest, narrow)
				}
				if wide {
					continue
				}
				if len(indices) != 2*n {
					t.Fatalf("%d bytes of %d indices", len(indices), n)
				}
				for i, j := range row.Index {
					if got := int32(binary.LittleEndian.Uint16(indices[2*i:])); got != j {
						t.Errorf("index %d is %d, not %d", i, got, j)
					}
					value := float32(1)
					if len(marked) > 0 && marked[i/8]>>(i%8)&1 == 1 {
						value = math.Float32frombits(binary.LittleEndian.Uint32(values))
						values = values[4:]
					}
					if value != row.Value[i] {
						t.Errorf("the value of non-zero %d is %v, not %v", i, value, row.Value[i])
					}
				}
				if len(values) > 3 && valued { // memory is taken in larger units, and p is no longer than its row
					t.Errorf("%d bytes are left of the values", len(values))
				}
			}
		}
	}
}

// TestCellsOfRecords: the cell of a text is that of its hash, and of a number that of its magnitude, however it is written and whether or not it is
// remembered; an encoder that was forked finds the same.
func TestCellsOfRecords(t *testing.T) {
	e := testEncoder(t, nil, slices.Repeat(numbers(1, 60), 5)...)
	var row Row
	cells := func(e *Frozen, pairs ...string) string {
		text := ""
		e.VisitCells(&record.Record{Features: fields(pairs...)}, func(column, cell int) { text += fmt.Sprintf("%s:%d ", e.columns[column].Name, cell) })
		return text
	}
	of := func(x float64) int { return int(cellOf(magnitude(x))) }
	for range 2 { // the second time they are remembered
		for text, want := range map[string]int{"8": of(8), "9": of(8), "8.0": of(8), "9.99": of(8), "10": of(10), "-8": of(-8), "16": of(16), "ten": CellOf([]byte("ten"))} {
			fork := e.Fork()
			if got := cells(&e.Frozen, "x", text); got != fmt.Sprintf("x:%d ", want) || cells(fork, "x", text) != got || cells(fork, "x", text) != got {
				t.Errorf("%s is in cell %s and of a fork in %s, not in %d", text, got, cells(fork, "x", text), want)
			}
			e.Frozen.Encode(&row, &record.Record{Features: fields("x", text)})
			first := fmt.Sprint(row)
			fork.Encode(&row, &record.Record{Features: fields("x", text)})
			if fmt.Sprint(row) != first {
				t.Errorf("a fork encodes %s as %v, not as %s", text, row, first)
			}
		}
	}
	for _, different := range [][2]float64{{8, 10}, {8, -8}, {8, 16}, {10, 12}, {12, 14}, {1, .5}, {.1, .3}} {
		if magnitude(different[0]) == magnitude(different[1]) {
			t.Errorf("%v and %v have one magnitude", different[0], different[1])
		}
	}
	if got := cells(&e.Frozen, "unknown", "5"); got != "" {
		t.Errorf("a field without a column is in %s", got)
	}
}

// TestColumnsOfOneLevel: those that have had one text and never none.
func TestColumnsOfOneLevel(t *testing.T) {
	l := NewLearning(DefaultConfig())
	var row Row
	for i := range 600 {
		r := fields("one", "a", "two", "b"+fmt.Sprint(i%2), "gaps", "c", "number", "7", "late", "z")
		if i%3 == 0 {
			r = fields("one", "a", "two", "b1", "gaps", "?", "number", "7", "late", "z")
		}
		if i < 300 {
			l.Observe(r)
			continue
		}
		if i == 300 {
			l.Infer()
		}
		l.Encode(&row, &record.Record{Features: r})
	}
	var names []string
	for _, i := range l.OneLevel() {
		names = append(names, l.columns[i].Name)
	}
	if slices.Sort(names); fmt.Sprint(names) != "[late one]" {
		t.Errorf("%v have one level", names)
	}
}

// TestFieldsThatAreLeftOut have no column, also once the encoder was saved and read.
func TestFieldsThatAreLeftOut(t *testing.T) {
	l := NewLearning(everyKind())
	l.LeaveOut([]string{"b"})
	l.LeaveOut([]string{"d", "e"})
	again, err := read(write(l))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Learning{l, again} {
		if fmt.Sprint(l.LeftOut()) != "[b d e]" {
			t.Errorf("%v are left out", l.LeftOut())
		}
		l.Observe(fields("a", "1", "b", "1", "c", "1", "e", "1"))
		if !l.Has("a") || l.Has("b") || !l.Has("c") || l.Has("d") || l.Has("e") {
			t.Errorf("columns %+v", l.columns)
		}
	}
	if !bytes.Equal(write(l), write(again)) {
		t.Error("what was read is written differently")
	}
}

// TestWhenAColumnIsInferred: with 256 values, and not before.
func TestWhenAColumnIsInferred(t *testing.T) {
	for values, want := range map[int]bool{leastSample - 1: false, leastSample: true} {
		l := NewLearning(DefaultConfig())
		for i := range values {
			l.Observe(fields("x", fmt.Sprint(i)))
		}
		l.Infer()
		if got := l.columns[0].Kind != Untyped; got != want {
			t.Errorf("after %d values: inferred %t", values, got)
		}
	}
}

// TestNumbersThatAreAlwaysZero: they say nothing, although they are often absent.
func TestNumbersThatAreAlwaysZero(t *testing.T) {
	for _, x := range []string{"0", "1e-160"} {
		l := NewLearning(DefaultConfig())
		for i := range 1200 {
			if i%2 == 0 {
				l.Observe(fields("x", x, "y", "1"))
			} else {
				l.Observe(fields("y", "1"))
			}
		}
		l.Infer()
		if c := l.columns[0]; c.Kind != Binned || c.Linear != 0 || math.IsInf(c.Scale, 0) {
			t.Errorf("numbers that are always %s become %+v", x, c)
		}
	}
}

// TestNamesThatBeginWithAPoint: empty parts of a name are parts like others.
func TestNamesThatBeginWithAPoint(t *testing.T) {
	l := layout{byName: map[string]int32{"": 1, "a": 2, "a.": 3, "a.b": 4}, fresh: []string{".x", "a..y", "a.b"}}
	if got := l.parents(nil); !slices.Equal(got, []int32{1, 2, 3}) {
		t.Errorf("they are parts of %v", got)
	}
}

// TestTextsWithoutABeginning: of bytes that begin no rune nothing is shown.
func TestTextsWithoutABeginning(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("\x80", 65): "…", "a" + strings.Repeat("\x80", 64): "…", strings.Repeat("x", 63) + "éy": strings.Repeat("x", 63) + "…",
		strings.Repeat("x", 62) + "éy": strings.Repeat("x", 62) + "é…", strings.Repeat("x", 61) + "日本": strings.Repeat("x", 61) + "日…",
		strings.Repeat("x", 62) + "日本": strings.Repeat("x", 62) + "…",
	} {
		if got := shorten([]byte(text)); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// TestResidualsAtTheirBounds: what is as large as can be counts, and what is larger does not.
func TestResidualsAtTheirBounds(t *testing.T) {
	beyond := math.Nextafter(largestResidual, math.Inf(1))
	for i, c := range []struct {
		residual, variance float64
		taken              bool
	}{
		{largestResidual, 1, true}, {-largestResidual, 1, true}, {beyond, 1, false}, {-beyond, 1, false}, {1, largestResidual, true}, {1, beyond, false},
		{math.NaN(), 1, false}, {1, math.NaN(), false}, {.5, .25, true},
	} {
		l := learnt(800)
		var row Row
		l.Encode(&row, &record.Record{Features: everyRecord(rand.New(rand.NewPCG(2, 9)))})
		before := write(l)
		l.Reveal(c.residual, c.variance, 1)
		if got := !bytes.Equal(before, write(l)); got != c.taken {
			t.Errorf("%d: %+v is taken: %t", i, c, got)
		}
	}
}

// TestRoomOfASlab: what is left of a slab is given to the last byte, and what is too long for slabs has memory of its own.
func TestRoomOfASlab(t *testing.T) {
	s := Slab(make([]byte, 96))
	first := s.cut(32)
	last := s.cut(64)
	if len(s) != 0 || cap(first) != 32 || cap(last) != 64 || len(last) != 0 {
		t.Errorf("%d bytes are left of a slab, %d and %d given", len(s), cap(first), cap(last))
	}
	if room := s.cut(slabBytes/8 + 1); len(s) != 0 || cap(room) < slabBytes/8+1 {
		t.Errorf("%d bytes take a slab", slabBytes/8+1)
	}
	if room := s.cut(slabBytes / 8); len(s) != slabBytes-slabBytes/8 || cap(room) != slabBytes/8 {
		t.Errorf("%d bytes take no slab, of which %d are left", slabBytes/8, len(s))
	}
}

// TestBoundsOfNumbersThatAreMostlyOne: where the quartiles are one number, bounds come from the outer hundredths; where these are too, all numbers are within.
func TestBoundsOfNumbersThatAreMostlyOne(t *testing.T) {
	sample := make([]float64, 1001)
	for i := range sample {
		switch {
		case i == 0:
			sample[i] = -1e6
		case i <= 50:
			sample[i] = -1
		case i == 1000:
			sample[i] = 1e6
		case i >= 950:
			sample[i] = 1
		}
	}
	var c Column
	if want := boundSpreads * 2 / percentRange; !c.bounds(sample) || math.Abs(c.High-want) > 1e-12 || math.Abs(c.Low+want) > 1e-12 {
		t.Errorf("bounds are %v and %v, want ±%v", c.Low, c.High, want)
	}
	for i := range sample[1:1000] {
		sample[i+1] = 0
	}
	if !c.bounds(sample) || c.Low != -1e6 || c.High != 1e6 {
		t.Errorf("bounds are %v and %v", c.Low, c.High)
	}
	if c.bounds([]float64{3, 3, 3}) || c.Low != 3 || c.High != 3 {
		t.Errorf("of one number, bounds are %v and %v", c.Low, c.High)
	}
}

// TestGroupsAndLinesThatAreNotThere: a group without bins says nothing, nor does a slope where all bins have one number; bins of exactly the least variance
// take part, and no column with one bin is tested.
func TestGroupsAndLinesThatAreNotThere(t *testing.T) {
	one := func(int) int32 { return 1 }
	bins := func(variance float64) []binEvidence {
		return []binEvidence{{residual: 9, variance: variance}, {residual: -9, variance: variance}}
	}
	// 2·81/variance has one degree of freedom less: √(324/variance) − √1.
	for _, c := range []struct {
		variance, least float64
		want            bool
	}{{4, 7.99, true}, {4, 8.01, false}, {leastVariance, 11.7, true}, {leastVariance, 11.8, false}, {math.Nextafter(leastVariance, 0), 0, false}} {
		for groups := 2; groups <= 3; groups++ {
			if got := deviates(bins(c.variance), one, make([]binEvidence, groups), 1, c.least); got != c.want {
				t.Errorf("variances of %v deviate by %v in %d groups: %t", c.variance, c.least, groups, got)
			}
		}
	}
	for numbers, want := range map[int]bool{1: true, 0: false} {
		var e evidence
		c := Column{Kind: Binned}
		c.Binning.Edges, c.Binning.Coarse, c.Binning.Single = make([]float64, numbers), make([]int32, numbers+1), make([]bool, numbers+1)
		if e.open(&c); (len(e.bins) > 0) != want {
			t.Errorf("%d edges: %d bins are tested", numbers, len(e.bins))
		}
	}
}
