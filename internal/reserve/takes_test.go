package reserve

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhichRecordsAreReserved: by their identifier, or else their key, or else their number, so that a label that comes later finds its record; about the
// share of them, and none or all at the ends.
func TestWhichRecordsAreReserved(t *testing.T) {
	s := New(.25, 10)
	taken := func(of func(i int) (*record.Record, int64)) (n int) {
		for i := range 4000 {
			if r, number := of(i); s.Takes(r, number) {
				n++
			}
		}
		return n
	}
	id := func(i int) []byte { return fmt.Append(nil, "person ", i) }
	for name, of := range map[string]func(i int) (*record.Record, int64){
		"by identifier": func(i int) (*record.Record, int64) { return &record.Record{ID: id(i), Key: []byte("k")}, 7 },
		"by key":        func(i int) (*record.Record, int64) { return &record.Record{Key: id(i)}, 7 },
		"by number":     func(i int) (*record.Record, int64) { return &record.Record{}, int64(i) },
	} {
		if n := taken(of); n < 900 || n > 1100 {
			t.Errorf("%s: %d of 4,000", name, n)
		}
	}
	if n := taken(func(int) (*record.Record, int64) { return &record.Record{ID: []byte("one")}, 7 }); n != 0 && n != 4000 {
		t.Errorf("one record is taken %d times of 4,000", n)
	}
	for i := range 100 {
		r := &record.Record{ID: id(i)}
		if s.Takes(r, 1) != s.Takes(&record.Record{Key: id(i)}, 2) {
			t.Fatal("an identifier and the same key are not the same")
		}
		if New(0, 10).Takes(r, 1) {
			t.Fatal("a share of 0 takes a record")
		}
	}
}

// TestTheLastThatIsTaken: a record whose hash is below the share, and not one at it, by its ID, its key or its number.
func TestTheLastThatIsTaken(t *testing.T) {
	number := binary.LittleEndian.AppendUint64(nil, 7)
	for _, c := range []struct {
		r        record.Record
		identity []byte
	}{
		{record.Record{ID: []byte("id"), Key: []byte("key")}, []byte("id")}, {record.Record{Key: []byte("key")}, []byte("key")}, {record.Record{}, number},
	} {
		hash := record.Hash(c.identity)
		if at, above := (Reserve{below: hash}), (Reserve{below: hash + 1}); at.Takes(&c.r, 7) || !above.Takes(&c.r, 7) {
			t.Errorf("%s: %v at its hash, %v above", c.identity, at.Takes(&c.r, 7), above.Takes(&c.r, 7))
		}
	}
}

// TestBoundsOfAPackedRecord: the largest label and weight are read, and nothing beyond.
func TestBoundsOfAPackedRecord(t *testing.T) {
	for _, c := range []struct {
		label, weight float64
		want          bool
	}{
		{record.MaxLabel, 1, true}, {-record.MaxLabel, record.MaxWeight, true}, {0, math.SmallestNonzeroFloat64, true},
		{math.Nextafter(record.MaxLabel, math.Inf(1)), 1, false}, {math.NaN(), 1, false}, {0, math.Nextafter(record.MaxWeight, math.Inf(1)), false}, {0, 0, false},
	} {
		packed := pack(nil, &record.Record{HasLabel: true, Label: c.label, Weight: c.weight}, control.Both)
		if _, ok := unpack(&record.Record{}, packed, map[string]string{}); ok != c.want {
			t.Errorf("label %v, weight %v: %v", c.label, c.weight, ok)
		}
	}
}
