package reserve

import (
	"encoding/binary"
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
)

// Reserve is the newest of the reserved records.
type Reserve struct {
	below    uint64 // hashes below it are reserved
	capacity int

	count   int64    // records and later labels reserved so far
	bare    int64    // of these, records without a label
	records [][]byte // packed, a ring
	next    int      // where the next record goes, once full
	lent    int      // so many of the next records that would be written over may be read elsewhere
}

// Count is how many records and later labels were reserved so far.
func (s *Reserve) Count() int64 { return s.count }

// New returns a reserve that takes a share of the records, and keeps so many.
func New(share float64, capacity int) *Reserve {
	return &Reserve{below: uint64(share * 0x1p64), capacity: capacity}
}

// Takes says whether a record, which is that number of the stream, is reserved.
func (s *Reserve) Takes(r *record.Record, number int64) bool {
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

// Add keeps what a record brings, whose weight is above 0.
func (s *Reserve) Add(r *record.Record, brings control.Brings) {
	s.count++
	if brings == control.Itself {
		s.bare++
	}
	if len(s.records) < s.capacity {
		s.records = append(s.records, pack(nil, r, brings))
		return
	}
	into := s.records[s.next][:0]
	if s.lent > 0 {
		s.lent--
		into = nil
	}
	s.records[s.next] = pack(into, r, brings)
	s.next = (s.next + 1) % s.capacity
}

// Labelled is how many labels were reserved so far.
func (s *Reserve) Labelled() int64 { return s.count - s.bare }

// Hold is the reserve as it is now, for Measure on another goroutine while more is added to s.
func (s *Reserve) Hold() *Reserve {
	held := *s
	held.records = slices.Clone(s.records)
	s.lent = len(s.records)
	return &held
}

// Measure measures a document on all that are kept, nil if nothing is to be reserved.
func (s *Reserve) Measure(d *document.Document, attributes int) (*document.Report, error) {
	if s.below == 0 {
		return nil, nil
	}
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return nil, err
	}
	r, names := record.Record{Attributes: make([]record.Value, attributes)}, map[string]string{}
	for i := range s.records {
		brings, ok := unpack(&r, s.records[(s.next+i)%len(s.records)], names)
		switch {
		case ok && brings == control.Label:
			evaluation.AddLate(&r)
		case ok:
			evaluation.Add(&r)
		}
	}
	report := evaluation.Report()
	return &report, nil
}

// Fields codes the records, with so many attributes.
func (s *Reserve) Fields(c *codec.Coder, attributes int) {
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
				_, ok := unpack(&r, *packed, names)
				c.Check(ok)
			}
		})
		c.Check(len(s.records) <= s.capacity && (s.next == 0 || len(s.records) == s.capacity) && int64(len(s.records)) <= s.count)
		if c.More() {
			c.Count(&s.bare)
			c.Check(s.bare <= s.count)
		}
	})
}
