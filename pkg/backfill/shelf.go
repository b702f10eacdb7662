package backfill

import (
	"encoding/binary"
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/record"
)

// shelf keeps records in little memory: their texts, and the numbers of the names of their fields.
type shelf struct {
	names   []string
	numbers map[string]uint64
	pieces  [][]byte
}

// book is where a record stands.
type book struct {
	at         Place
	hash       uint64
	piece, off int
}

// pieceBytes is how much memory a shelf takes at once.
const pieceBytes = 4 << 20

// put keeps a record.
func (s *shelf) put(r *record.Record, at Place, hash uint64) book {
	last := len(s.pieces) - 1
	if last < 0 || len(s.pieces[last]) > pieceBytes-pieceBytes/8 {
		s.pieces = append(s.pieces, make([]byte, 0, pieceBytes))
		last++
	}
	p := s.pieces[last]
	b := book{at: at, hash: hash, piece: last, off: len(p)}
	flags := byte(0)
	if r.HasLabel {
		flags |= 1
	}
	if r.Positive {
		flags |= 2
	}
	p = append(p, flags)
	p = binary.LittleEndian.AppendUint64(p, math.Float64bits(r.Label))
	p = binary.LittleEndian.AppendUint64(p, math.Float64bits(r.Weight))
	p = appendText(appendText(p, r.ID, r.ID == nil), r.Key, r.Key == nil)
	p = binary.AppendUvarint(p, uint64(len(r.Features)))
	for i := range r.Features {
		f := &r.Features[i]
		p = appendText(binary.AppendUvarint(p, s.number(f.Name)), f.Text, f.Missing)
	}
	for i := range r.Attributes {
		p = appendText(p, r.Attributes[i].Text, r.Attributes[i].Missing)
	}
	s.pieces[last] = p
	return b
}

// fields are all records of the shelf.
func (s *shelf) fields(c *codec.Coder) {
	codec.Slice(c, &s.names, 1, func(name *string) { codec.Text(c, name) })
	codec.Slice(c, &s.pieces, 1, func(piece *[]byte) {
		text := string(*piece)
		codec.Text(c, &text)
		*piece = []byte(text)
	})
}

// fields are where a record stands on a shelf.
func (b *book) fields(c *codec.Coder, s *shelf, files int) {
	b.at.fields(c, files)
	c.Uint(&b.hash)
	codec.Index(c, &b.piece, len(s.pieces))
	if c.Err() == nil {
		codec.Index(c, &b.off, len(s.pieces[b.piece]))
	}
}

// number is that of a name.
func (s *shelf) number(name string) uint64 {
	if n, known := s.numbers[name]; known {
		return n
	}
	if s.numbers == nil {
		s.numbers = map[string]uint64{}
	}
	n := uint64(len(s.names))
	s.names, s.numbers[name] = append(s.names, name), n
	return n
}

// get returns a record again. It is valid until the shelf is gone, but for r.Features and r.Attributes, which are used again.
func (s *shelf) get(b book, r *record.Record, attributes int) {
	p := s.pieces[b.piece][b.off:]
	*r = record.Record{HasLabel: p[0]&1 != 0, Positive: p[0]&2 != 0, Features: r.Features[:0], Attributes: r.Attributes[:0],
		Label: math.Float64frombits(binary.LittleEndian.Uint64(p[1:])), Weight: math.Float64frombits(binary.LittleEndian.Uint64(p[9:]))}
	p = p[17:]
	r.ID, _, p = cutText(p)
	r.Key, _, p = cutText(p)
	fields, n := binary.Uvarint(p)
	p = p[n:]
	for range fields {
		name, n := binary.Uvarint(p)
		f := record.Field{Name: s.names[name], ID: record.NoName}
		if f.Text, f.Missing, p = cutText(p[n:]); !f.Missing {
			f.Hash = record.Hash(f.Text)
		}
		r.Features = append(r.Features, f)
	}
	for range attributes {
		var v record.Value
		v.Text, v.Missing, p = cutText(p)
		r.Attributes = append(r.Attributes, v)
	}
}

// appendText appends a text with its length, 0 for one that is missing.
func appendText(p, text []byte, missing bool) []byte {
	if missing {
		return binary.AppendUvarint(p, 0)
	}
	return append(binary.AppendUvarint(p, uint64(len(text))+1), text...)
}

func cutText(p []byte) (text []byte, missing bool, rest []byte) {
	length, n := binary.Uvarint(p)
	if length == 0 {
		return nil, true, p[n:]
	}
	end := n + int(length) - 1
	return p[n:end:end], false, p[end:]
}
