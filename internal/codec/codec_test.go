package codec

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
)

type kind string

// sample has a field of every kind.
type sample struct {
	natural  uint64
	whole    int64
	count    int64
	number   float64
	single   float32
	finite   float64
	sum      float64
	truth    bool
	text     kind
	index    int32
	floats   []float64
	rising   []float64
	items    []item
	addition int64
	extended bool // writes and reads the addition
}

type item struct {
	name  string
	truth bool
}

func (s *sample) fields(c *Coder) {
	c.Section(func() {
		c.Uint(&s.natural)
		c.Int(&s.whole)
		c.Count(&s.count)
		c.Float(&s.number)
		c.Single(&s.single)
		c.Finite(&s.finite)
		c.Sum(&s.sum)
		c.Bool(&s.truth)
		Text(c, &s.text)
		Index(c, &s.index, 100)
		c.Floats(&s.floats)
		c.Ascending(&s.rising)
		Slice(c, &s.items, 2, func(i *item) {
			Text(c, &i.name)
			c.Bool(&i.truth)
		})
		if s.extended && c.More() {
			c.Int(&s.addition)
		}
	})
}

func full() sample {
	return sample{math.MaxUint64, math.MinInt64, math.MaxInt64, math.Inf(-1), -1.5, -math.MaxFloat64, LargestSum, true, "words", 99,
		[]float64{1, math.Inf(1), 0}, []float64{-3, 0, 7}, []item{{"a", true}, {"", false}}, 0, false}
}

func write(s sample) []byte {
	c := NewWriter([]byte("before"))
	s.fields(c)
	return c.Bytes()[len("before"):]
}

func read(data []byte, extended bool) (sample, error) {
	c := NewReader(data)
	s := sample{extended: extended, addition: 7}
	s.fields(c)
	return s, c.End()
}

// What is written is read back, field by field, and writes the same bytes.
func TestBothDirectionsAgree(t *testing.T) {
	for _, want := range []sample{full(), {}} {
		data := write(want)
		got, err := read(data, false)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(write(got), data) || got.natural != want.natural || got.whole != want.whole || got.text != want.text ||
			!slices.Equal(got.floats, want.floats) || !slices.Equal(got.items, want.items) || got.number != want.number {
			t.Errorf("%+v became %+v", want, got)
		}
	}
}

// A section that gets a field reads what was written before it had one; the other way round is refused.
func TestASectionMayGrow(t *testing.T) {
	old := full()
	young := full()
	young.extended, young.addition = true, 42
	if s, err := read(write(old), true); err != nil || s.addition != 7 {
		t.Errorf("an old state: %v, the added field is %d and should stay 7", err, s.addition)
	}
	if s, err := read(write(young), true); err != nil || s.addition != 42 {
		t.Errorf("a new state: %v, the added field is %d", err, s.addition)
	}
	if _, err := read(write(young), false); !errors.Is(err, ErrNewer) {
		t.Errorf("a new state in an old program: %v", err)
	}
}

// Every cut of a state is an error, and so are bytes after its end.
func TestCutStatesAreRefused(t *testing.T) {
	data := write(full())
	for n := range data {
		if _, err := read(data[:n], false); !errors.Is(err, ErrDamaged) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	if _, err := read(append(data, 0), false); err == nil {
		t.Error("a byte too many is taken")
	}
}

// Values out of their range are refused.
func TestRangesAreChecked(t *testing.T) {
	for name, spoil := range map[string]func(*sample){
		"a negative count":   func(s *sample) { s.count = -1 },
		"an infinity":        func(s *sample) { s.finite = math.Inf(1) },
		"not a number":       func(s *sample) { s.finite = math.NaN() },
		"a negative sum":     func(s *sample) { s.sum = -1e-300 },
		"a sum beyond all":   func(s *sample) { s.sum = 2 * LargestSum },
		"an index too large": func(s *sample) { s.index = 100 },
		"equal numbers":      func(s *sample) { s.rising = []float64{1, 1} },
		"a rising infinity":  func(s *sample) { s.rising = []float64{1, math.Inf(1)} },
	} {
		s := full()
		spoil(&s)
		if _, err := read(write(s), false); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A length is believed only as far as there are bytes.
func TestLengthsAreBounded(t *testing.T) {
	c := NewReader([]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3})
	allocated := testing.AllocsPerRun(10, func() {
		var x []float64
		c.data = []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3}
		c.err = nil
		if c.Floats(&x); x != nil {
			t.Error("numbers were made up")
		}
	})
	if !errors.Is(c.Err(), ErrDamaged) || allocated > 1 {
		t.Errorf("%v, %v allocations", c.Err(), allocated)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(write(full()))
	f.Add(write(sample{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := read(data, false)
		if err != nil {
			return
		}
		again, err := read(write(s), false)
		if err != nil || !bytes.Equal(write(again), write(s)) {
			t.Errorf("%+v is not read back: %v", s, err)
		}
	})
}
