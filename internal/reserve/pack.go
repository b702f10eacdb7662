package reserve

import (
	"encoding/binary"
	"math"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/record"
)

// leastPacked is the length of a packed record without attributes and features.
const leastPacked = 1 + 8 + 8

// pack appends a record: whether it is positive and what it brings, its label and weight, the attributes, and names and values of the
// features.
func pack(dst []byte, r *record.Record, brings control.Brings) []byte {
	first := 2 * byte(brings)
	if r.Positive {
		first++
	}
	dst = append(dst, first)
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(r.Label))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(r.Weight))
	for i := range r.Attributes {
		dst = packValue(dst, r.Attributes[i].Text, r.Attributes[i].Missing)
	}
	for i := range r.Features {
		f := &r.Features[i]
		dst = append(binary.AppendUvarint(dst, uint64(len(f.Name))), f.Name...)
		dst = packValue(dst, f.Text, f.Missing)
	}
	return dst
}

// packValue appends a value: its length and 1 before it, 0 if it is missing.
func packValue(dst, text []byte, missing bool) []byte {
	if missing {
		return append(dst, 0)
	}
	return append(binary.AppendUvarint(dst, uint64(len(text))+1), text...)
}

// unpack reads a packed record into r, which has room for the attributes, and says what it brings and whether it is one. r is valid as long as
// packed; names holds the names of features, each once.
func unpack(r *record.Record, packed []byte, names map[string]string) (brings control.Brings, ok bool) {
	if len(packed) < leastPacked {
		return brings, false
	}
	brings = control.Brings(packed[0] / 2)
	r.HasLabel, r.Positive = brings != control.Itself, packed[0]%2 == 1
	r.Label = math.Float64frombits(binary.LittleEndian.Uint64(packed[1:]))
	r.Weight = math.Float64frombits(binary.LittleEndian.Uint64(packed[9:]))
	if brings > control.Label || !(math.Abs(r.Label) <= record.MaxLabel) || !(r.Weight > 0 && r.Weight <= record.MaxWeight) {
		return brings, false
	}
	rest := packed[leastPacked:]
	for i := range r.Attributes {
		v := &r.Attributes[i]
		if v.Text, v.Missing, rest, ok = unpackValue(rest); !ok {
			return brings, false
		}
	}
	r.Features = r.Features[:0]
	for len(rest) > 0 {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size == 0 || size > uint64(len(rest)-n) {
			return brings, false
		}
		name := rest[n : n+int(size)]
		if _, met := names[string(name)]; !met {
			names[string(name)] = string(name)
		}
		f := record.Field{Name: names[string(name)], ID: record.NoName}
		if f.Text, f.Missing, rest, ok = unpackValue(rest[n+int(size):]); !ok {
			return brings, false
		}
		if !f.Missing {
			f.Hash = record.Hash(f.Text)
		}
		r.Features = append(r.Features, f)
	}
	return brings, true
}

func unpackValue(from []byte) (text []byte, missing bool, rest []byte, ok bool) {
	size, n := binary.Uvarint(from)
	switch {
	case n <= 0 || size > uint64(len(from)-n)+1:
		return nil, false, nil, false
	case size == 0:
		return nil, true, from[n:], true
	}
	end := n + int(size) - 1
	return from[n:end:end], false, from[end:], true
}
