package codec

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// TestNumbersThatAreCutOff are damaged, and are 0.
func TestNumbersThatAreCutOff(t *testing.T) {
	for _, data := range [][]byte{nil, {0x80}, slices.Repeat([]byte{0xff}, 11)} {
		c, x := NewReader(data), int64(7)
		if c.Int(&x); x != 0 || !errors.Is(c.Err(), ErrDamaged) {
			t.Errorf("%x is %d, %v", data, x, c.Err())
		}
		c, n := NewReader(data), uint64(7)
		if c.Uint(&n); n != 0 || !errors.Is(c.Err(), ErrDamaged) {
			t.Errorf("%x is %d, %v", data, n, c.Err())
		}
	}
	for _, data := range [][]byte{nil, make([]byte, 3)} {
		c, x, y := NewReader(data), 2.5, float32(2.5)
		if c.Float(&x); x != 0 || !errors.Is(c.Err(), ErrDamaged) {
			t.Errorf("%x is %v, %v", data, x, c.Err())
		}
		if c.Single(&y); y != 0 {
			t.Errorf("%x is %v", data, y)
		}
	}
	for number, want := range []int{0, 1, 2, 0, 0} {
		c, x := NewReader([]byte{byte(number)}), 7
		if Index(c, &x, 3); x != want || (c.Err() == nil) != (number < 3) {
			t.Errorf("%d of 3 is %d, %v", number, x, c.Err())
		}
	}
	first := errors.New("first")
	r := NewReader([]byte{2, 4})
	r.Fail(first)
	if r.Fail(ErrDamaged); !errors.Is(r.Err(), first) {
		t.Errorf("%v", r.Err())
	}
	w := NewWriter(nil)
	if w.Fail(first); w.Err() != nil {
		t.Errorf("what is written fails: %v", w.Err())
	}
	r = NewReader([]byte{2, 4, 6})
	x := int64(0)
	r.Int(&x)
	if r.Rest(); x != 1 || r.End() != nil {
		t.Errorf("what is left was skipped: %d, %v", x, r.End())
	}
	if w.Int(&x); len(w.Bytes()) != 1 {
		t.Errorf("%x", w.Bytes())
	}
	if w.Rest(); len(w.Bytes()) != 1 {
		t.Errorf("what was written is skipped")
	}
}

// TestTheLastFieldMayBeAny: what is written can be read where nothing follows it, and is damaged without its last byte.
func TestTheLastFieldMayBeAny(t *testing.T) {
	text, count, whole, number, bit := "hello", uint64(300), int64(-7), 2.5, true
	texts := []string{"", "a", "bc"}
	for name, field := range map[string]func(c *Coder){
		"text": func(c *Coder) { Text(c, &text) }, "count": func(c *Coder) { c.Uint(&count) }, "whole number": func(c *Coder) { c.Int(&whole) }, "number": func(c *Coder) { c.Float(&number) },
		"truth value": func(c *Coder) { c.Bool(&bit) }, "list": func(c *Coder) { Slice(c, &texts, 1, func(x *string) { Text(c, x) }) },
	} {
		w := NewWriter(nil)
		field(w)
		data := w.Bytes()
		text, count, whole, number, bit, texts = "", 0, 0, 0, false, nil
		r := NewReader(data)
		if field(r); r.End() != nil {
			t.Errorf("%s: %v", name, r.End())
		}
		again := NewWriter(nil)
		if field(again); !slices.Equal(again.Bytes(), data) {
			t.Errorf("%s: %x is read as %x", name, data, again.Bytes())
		}
		cut := NewReader(data[:len(data)-1])
		if field(cut); !errors.Is(cut.Err(), ErrDamaged) {
			t.Errorf("%s without its last byte: %v", name, cut.Err())
		}
		text, count, whole, number, bit, texts = "hello", 300, -7, 2.5, true, []string{"", "a", "bc"}
	}
}

// TestWhatIsReadReplacesWhatWasThere, also where nothing can be read.
func TestWhatIsReadReplacesWhatWasThere(t *testing.T) {
	for _, data := range [][]byte{{0, 0, 0}, nil} {
		numbers, items, truth, r := []float64{1, 2}, []int64{1, 2}, true, NewReader(data)
		r.Floats(&numbers)
		Slice(r, &items, 1, r.Int)
		if r.Bool(&truth); len(numbers) != 0 || len(items) != 0 || truth {
			t.Errorf("%x is read as %v, %v, %v", data, numbers, items, truth)
		}
	}
}

// TestListsEndWithAnError: what stood before it is there. A list that only grows is coded like any other.
func TestListsEndWithAnError(t *testing.T) {
	numbers := []int64{1, 2, 3, 4}
	w := NewWriter(nil)
	Lasting(w, &numbers, 1, func(c *Coder, x *int64) { c.Int(x) })
	plain := NewWriter(nil)
	Slice(plain, &numbers, 1, func(x *int64) { plain.Int(x) })
	if !slices.Equal(w.Bytes(), plain.Bytes()) {
		t.Errorf("%x and %x", w.Bytes(), plain.Bytes())
	}
	var read []int64
	r := NewReader(w.Bytes())
	if Lasting(r, &read, 1, func(c *Coder, x *int64) { c.Int(x) }); !slices.Equal(read, numbers) || r.End() != nil {
		t.Errorf("%v, %v", read, r.End())
	}
	read, r = nil, NewReader(w.Bytes())
	if Slice(r, &read, 1, func(x *int64) { r.Int(x); r.Check(*x != 3) }); !slices.Equal(read, []int64{1, 2}) || r.Err() == nil {
		t.Errorf("%v, %v", read, r.Err())
	}
}

// TestNumbersThatAscend: each is above the one before, and finite.
func TestNumbersThatAscend(t *testing.T) {
	for _, c := range []struct {
		list []float64
		good bool
	}{{nil, true}, {[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, true}, {[]float64{1}, true}, {[]float64{1, 1}, false}, {[]float64{2, 1}, false}, {[]float64{math.Inf(1)}, false}, {[]float64{math.Inf(-1)}, false}, {[]float64{math.NaN()}, false}} {
		w := NewWriter(nil)
		w.Floats(&c.list)
		r, read := NewReader(w.Bytes()), []float64(nil)
		if r.Ascending(&read); (r.End() == nil) != c.good {
			t.Errorf("%v: %v", c.list, r.End())
		}
	}
}

// TestTheLimitOfHolding is that of the bytes that are written: as many are held, and one more is not.
func TestTheLimitOfHolding(t *testing.T) {
	x := 1.5
	fields := func(c *Coder) {
		c.Float(&x)
		c.Section(func() { c.Float(&x) })
	}
	w := NewWriter(nil)
	fields(w)
	limit := 16 // the length of the section is written later
	if Hold(limit, fields) == nil || Hold(limit-1, fields) != nil {
		t.Errorf("held within %d: %v, within %d: %v", limit, Hold(limit, fields) != nil, limit-1, Hold(limit-1, fields) != nil)
	}
	again := NewWriter(nil)
	if Hold(limit, fields)(again); !slices.Equal(again.Bytes(), w.Bytes()) {
		t.Errorf("%x and %x", again.Bytes(), w.Bytes())
	}
}

// TestTruthValues are 0 and 1; anything else is damaged.
func TestTruthValues(t *testing.T) {
	for b, want := range []bool{false, true, false} {
		x := !want
		r := NewReader([]byte{byte(b), 9})
		if r.Bool(&x); x != want || (r.Err() == nil) != (b <= 1) {
			t.Errorf("%d is %v, %v", b, x, r.Err())
		}
		if b > 1 {
			continue
		}
		w := NewWriter(nil)
		if w.Bool(&x); len(w.Bytes()) != 1 || w.Bytes()[0] != byte(b) {
			t.Errorf("%v is written as %x", x, w.Bytes())
		}
	}
}
