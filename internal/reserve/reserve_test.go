package reserve

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/record"
)

// What is held stays as it was while the reserve writes over its oldest records, and twice over.
func TestHold(t *testing.T) {
	s := New(.5, 3)
	add := func(text string) {
		s.Add(&record.Record{HasLabel: true, Weight: 1, Features: []record.Field{{Name: "a", Text: []byte(text)}}}, control.Both)
	}
	var helds []*Reserve
	var wants [][][]byte
	for i := range 12 {
		add(fmt.Sprint("text ", i))
		held := s.Hold()
		want := make([][]byte, 0, len(held.records))
		for _, packed := range held.records {
			want = append(want, bytes.Clone(packed))
		}
		helds, wants = append(helds, held), append(wants, want)
	}
	for i := range 9 {
		add(fmt.Sprint("other ", i))
	}
	for i, held := range helds {
		if !slices.EqualFunc(held.records, wants[i], bytes.Equal) || held.Count() != int64(i+1) {
			t.Errorf("after %d records %d were held, and they changed", i+1, held.Count())
		}
	}
	if s.lent != 0 {
		t.Errorf("%d records are still thought to be read elsewhere", s.lent)
	}
}

// filled is a reserve that has taken so many records: every third brings a label that came later, every third no label.
func filled(n, capacity int) *Reserve {
	s := New(1-1e-9, capacity)
	for i := range n {
		brings := []control.Brings{control.Both, control.Itself, control.Label}[i%3]
		s.Add(&record.Record{HasLabel: brings != control.Itself, Positive: i%2 == 0, Label: float64(i % 2), Weight: 1, Attributes: []record.Value{{Text: []byte("m")}}, Features: []record.Field{{Name: "a", Text: []byte(fmt.Sprint(i))}}}, brings)
	}
	return s
}

// TestTheStateOfAReserve is read as it was written, whether its ring is full or not; and what no reserve can have written is refused.
func TestTheStateOfAReserve(t *testing.T) {
	for _, n := range []int{0, 1, 3, 5, 6, 7, 11} {
		s := filled(n, 6)
		c := codec.NewWriter(nil)
		s.Fields(c, 1)
		state := c.Bytes()
		again := New(1-1e-9, 6)
		read := codec.NewReader(state)
		if again.Fields(read, 1); read.Err() != nil {
			t.Fatalf("%d records: %v", n, read.Err())
		}
		if again.Count() != s.Count() || again.Labelled() != s.Labelled() || again.next != s.next || !slices.EqualFunc(again.records, s.records, bytes.Equal) {
			t.Errorf("%d records: %d, %d with a label, next %d; want %d, %d, %d", n, again.Count(), again.Labelled(), again.next, s.Count(), s.Labelled(), s.next)
		}
		if want := int64(n - (n+1)/3); s.Labelled() != want {
			t.Errorf("%d of %d records have a label, want %d", s.Labelled(), n, want)
		}
		for end := range state {
			cut := codec.NewReader(state[:end])
			New(1-1e-9, 6).Fields(cut, 1)
			if cut.Err() == nil {
				t.Errorf("%d of %d bytes are a state", end, len(state))
			}
		}
		small := codec.NewReader(state)
		if New(1-1e-9, 2).Fields(small, 1); (small.Err() == nil) != (n < 3) {
			t.Errorf("%d records in a ring of two: %v", n, small.Err())
		}
	}
	for name, spoil := range map[string]func(s *Reserve){
		"fewer came than are kept":           func(s *Reserve) { s.count = 2 },
		"a place in a ring that is not full": func(s *Reserve) { s.next = 1 },
		"more lack a label than came":        func(s *Reserve) { s.bare = 4 },
		"no record":                          func(s *Reserve) { s.records[1] = make([]byte, leastPacked) },
	} {
		s := filled(3, 6)
		spoil(s)
		c := codec.NewWriter(nil)
		s.Fields(c, 1)
		read := codec.NewReader(c.Bytes())
		if New(1-1e-9, 6).Fields(read, 1); read.Err() == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}

// TestWhatAReserveTakes: of a share of 0 none, of one of nearly 1 nearly all; by the identifier of a record, else by its key, else by its number.
func TestWhatAReserveTakes(t *testing.T) {
	none, half := New(0, 3), New(0.5, 3)
	taken := 0
	for i := range int64(1000) {
		r := &record.Record{ID: []byte(fmt.Sprint("id", i)), Key: []byte("k")}
		if none.Takes(r, i) {
			t.Fatal("nothing is to be reserved")
		}
		if half.Takes(r, i) != half.Takes(r, i+1) || half.Takes(r, i) != half.Takes(&record.Record{Key: r.ID}, 7) {
			t.Fatal("a record with an identifier is taken by its number")
		}
		if half.Takes(&record.Record{}, i) {
			taken++
		}
	}
	if taken < 440 || taken > 560 { // within four standard deviations of 500
		t.Errorf("%d of 1,000 are taken", taken)
	}
}
