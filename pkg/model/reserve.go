package model

import (
	"encoding/binary"
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
)

// Records that are never learnt.
//
// A share of the records is reserved (evaluation.share): nothing is learnt from them, so what a document decides of them is
// what it decides of new records, without any correction. They are kept as they came, because columns get further weights
// later: each document encodes and decides all of them by itself.

// reserve is the newest of the reserved records.
type reserve struct {
	below    uint64 // hashes below it are reserved
	capacity int

	count   int64    // records reserved so far
	records [][]byte // packed, a ring
	next    int      // where the next record goes, once full
}

func newReserve(share float64, capacity int) *reserve {
	return &reserve{below: uint64(share * 0x1p64), capacity: capacity}
}

// takes says whether a record, which is that number of the stream, is reserved.
func (s *reserve) takes(r *record.Record, number int64) bool {
	if s.below == 0 {
		return false
	}
	identity := r.ID
	if identity == nil {
		identity = r.Key
	}
	if identity == nil {
		var bytes [8]byte
		binary.LittleEndian.PutUint64(bytes[:], uint64(number))
		return record.Hash(bytes[:]) < s.below
	}
	return record.Hash(identity) < s.below
}

// add keeps a record, whose weight is above 0.
func (s *reserve) add(r *record.Record) {
	s.count++
	if len(s.records) < s.capacity {
		s.records = append(s.records, pack(nil, r))
		return
	}
	s.records[s.next] = pack(s.records[s.next][:0], r)
	s.next = (s.next + 1) % s.capacity
}

// measure measures a document on all that are kept, nil if nothing is to be reserved.
func (s *reserve) measure(d *document.Document, attributes int) (*document.Report, error) {
	if s.below == 0 {
		return nil, nil
	}
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return nil, err
	}
	r, names := record.Record{Attributes: make([]record.Value, attributes)}, map[string]string{}
	for i := range s.records {
		if unpack(&r, s.records[(s.next+i)%len(s.records)], names) {
			evaluation.Add(&r)
		}
	}
	report := evaluation.Report()
	return &report, nil
}

func (s *reserve) fields(c *codec.Coder, attributes int) {
	c.Section(func() {
		c.Count(&s.count)
		codec.Index(c, &s.next, s.capacity)
		var r record.Record
		names := map[string]string{}
		codec.Slice(c, &s.records, leastPacked, func(packed *[]byte) {
			text := string(*packed)
			codec.Text(c, &text)
			if c.Reading() && c.Err() == nil {
				*packed, r.Attributes = []byte(text), make([]record.Value, attributes)
				c.Check(unpack(&r, *packed, names))
			}
		})
		c.Check(len(s.records) <= s.capacity && (s.next == 0 || len(s.records) == s.capacity) && int64(len(s.records)) <= s.count)
	})
}

// leastPacked is the length of a packed record without attributes and features.
const leastPacked = 1 + 8 + 8

// pack appends a record: whether it is positive, its label and weight, the attributes, and names and values of the features.
func pack(dst []byte, r *record.Record) []byte {
	positive := byte(0)
	if r.Positive {
		positive = 1
	}
	dst = append(dst, positive)
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

// unpack reads a packed record into r, which has room for the attributes, and says whether it is one. r is valid as long as
// packed; names holds the names of features, each once.
func unpack(r *record.Record, packed []byte, names map[string]string) bool {
	if len(packed) < leastPacked {
		return false
	}
	r.HasLabel, r.Positive = true, packed[0] == 1
	r.Label = math.Float64frombits(binary.LittleEndian.Uint64(packed[1:]))
	r.Weight = math.Float64frombits(binary.LittleEndian.Uint64(packed[9:]))
	if packed[0] > 1 || !(math.Abs(r.Label) <= record.MaxLabel) || !(r.Weight > 0 && r.Weight <= record.MaxWeight) {
		return false
	}
	var ok bool
	rest := packed[leastPacked:]
	for i := range r.Attributes {
		v := &r.Attributes[i]
		if v.Text, v.Missing, rest, ok = unpackValue(rest); !ok {
			return false
		}
	}
	r.Features = r.Features[:0]
	for len(rest) > 0 {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size == 0 || size > uint64(len(rest)-n) {
			return false
		}
		name := rest[n : n+int(size)]
		if _, met := names[string(name)]; !met {
			names[string(name)] = string(name)
		}
		f := record.Field{Name: names[string(name)], ID: record.NoName}
		if f.Text, f.Missing, rest, ok = unpackValue(rest[n+int(size):]); !ok {
			return false
		}
		if !f.Missing {
			f.Hash = record.Hash(f.Text)
		}
		r.Features = append(r.Features, f)
	}
	return true
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
