package features

import (
	"errors"
	"unicode/utf8"

	"github.com/fairstream/fairstream/pkg/record"
)

// Slot is what a level belongs to: one column or one cross of an encoder. The zero Slot is the first column.
type Slot struct {
	index int32
	cross bool
}

// ColumnSlot is that of the i-th column.
func ColumnSlot(i int) Slot { return Slot{index: int32(i)} }

// CrossSlot is that of the i-th cross.
func CrossSlot(i int) Slot { return Slot{index: int32(i), cross: true} }

// Column returns the index of the column, and false for a cross.
func (s Slot) Column() (int, bool) { return int(s.index), !s.cross }

// Cross returns the index of the cross, and false for a column.
func (s Slot) Cross() (int, bool) { return int(s.index), s.cross }

// firstCross keeps the keys of crosses apart from those of columns.
const firstCross = 1 << 32

// Key mixes a hash with the slot (record.Mix), so that a text has another key in another column. In a
// column the hash is record.Hash of the text. Keys are part of published documents.
func (s Slot) Key(hash uint64) uint64 {
	number := uint64(s.index)
	if s.cross {
		number += firstCross
	}
	return record.Mix(number, hash)
}

// Level is one known value of a column, or one known combination of a cross.
type Level struct {
	Slot   Slot
	Weight int32 // its index, above 0
	Key    uint64
	Text   string // for people: of a long text only the beginning
}

// vocabulary gives levels their weights. Values without a weight of their own share a fixed number of weights, the
// buckets, by hash.
//
// Levels are found by their 64-bit key alone. Two levels with the same key would share a weight, as two that are hashed
// to one bucket do; at the default limit that has a chance of one in 10^12.
type vocabulary struct {
	levels  []Level
	columns []int            // how many of the levels each column has: of those up to the last that has some
	weights map[uint64]int32 // of the levels, by key
	shared  int32            // first weight of the buckets, 0 while there are none
	buckets int32            // how many there are, or will be
}

// find returns the weight of a known level, or 0.
func (v *vocabulary) find(key uint64) int32 { return v.weights[key] }

// bucket returns the shared weight of a level without its own, or 0 while there are no buckets.
func (v *vocabulary) bucket(key uint64) int32 {
	if v.shared == 0 {
		return 0
	}
	return v.shared + int32(uint32(key>>32)%uint32(v.buckets))
}

// add makes a level known. It must not hold the key.
func (v *vocabulary) add(l Level) {
	if v.weights == nil {
		v.weights = map[uint64]int32{}
	}
	v.levels = append(v.levels, l)
	v.weights[l.Key] = l.Weight
	if index, ok := l.Slot.Column(); ok {
		for index >= len(v.columns) {
			v.columns = append(v.columns, 0)
		}
		v.columns[index]++
	}
}

// counts is how many levels each of so many columns has.
func (v *vocabulary) counts(columns int) []int {
	counts := make([]int, columns)
	copy(counts, v.columns)
	return counts
}

// check returns what is wrong with a level that has been read, before it is added.
func (v *vocabulary) check(l Level, columns, crosses int, size int32) error {
	most := columns
	if l.Slot.cross {
		most = crosses
	}
	switch {
	case l.Slot.index < 0 || int(l.Slot.index) >= most:
		return errors.New("a level belongs to no column or cross")
	case l.Weight <= 0 || l.Weight >= size:
		return errors.New("the weight of a level does not exist")
	case v.find(l.Key) != 0:
		return errors.New("a level comes twice")
	}
	return nil
}

// longestText is how many bytes of a level are kept for people.
const longestText = 64

// shorten keeps what is shown of a level. The whole of a long one is known by its key.
func shorten(text []byte) string {
	if len(text) <= longestText {
		return string(text)
	}
	end := longestText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end]) + "…"
}
