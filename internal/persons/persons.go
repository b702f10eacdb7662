// Package persons says which records of a stream may count as independent ones: one of each person, a decision with the same identifier
// once, and whether records are copies of each other.
//
// A file uses only those before it: persons.go, once.go, content.go, repeats.go.
//
// The files:
//
//	once.go     a decision that is logged twice with the same identifier counts once
//	content.go  a hash by which copies of a record are noticed
//	repeats.go  when decisions are copies, or of one person in a row, though no key says so
//	persons.go  one record of each person counts (monitor.cluster); how many persons are remembered
package persons

import (
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
)

// Remembered is how many persons are remembered at least, and half of how many at most.
const Remembered = 8192

// Recent are the persons who were seen lately: of each, one decision counts for a sequence or a detector, which rest on independent
// decisions. A person is remembered until at least Remembered others came since the last decision about this one, and
// at most twice as many; then the next decision about the person counts again. A zero Recent has seen nobody.
type Recent struct {
	recent, earlier map[uint64]struct{} // recent has up to Remembered; those of earlier are about to be forgotten
}

// Meet notes a person, given by a hash that is not 0, and says whether this one is new or was forgotten.
func (p *Recent) Meet(person uint64) (isNew bool) {
	if _, ok := p.recent[person]; ok {
		return false
	}
	_, known := p.earlier[person]
	if p.recent == nil || len(p.recent) == Remembered {
		p.recent, p.earlier = p.earlier, p.recent
		clear(p.recent)
		if p.recent == nil {
			p.recent = make(map[uint64]struct{})
		}
	}
	p.recent[person] = struct{}{}
	return !known
}

// AppendState appends what a snapshot saves: the same persons always give the same bytes.
func (p *Recent) AppendState(dst []byte) []byte {
	c := codec.NewWriter(dst)
	p.Fields(c)
	return c.Bytes()
}

// Restore returns what AppendState wrote. The error says that the bytes are damaged.
func Restore(state []byte) (p Recent, err error) {
	c := codec.NewReader(state)
	p.Fields(c)
	return p, c.End()
}

// Fields codes what is saved.
func (p *Recent) Fields(c *codec.Coder) {
	for _, set := range [...]*map[uint64]struct{}{&p.recent, &p.earlier} {
		n := c.Length(len(*set), 1)
		c.Check(n <= Remembered)
		if c.Err() != nil {
			return
		}
		sorted := slices.Sorted(maps.Keys(*set))
		if c.Reading() {
			*set, sorted = make(map[uint64]struct{}, n), make([]uint64, n)
		}
		last := uint64(0)
		for _, person := range sorted {
			step := person - last
			c.Uint(&step)
			last += step
			c.Check(step > 0)
			(*set)[last] = struct{}{}
		}
		c.Check(len(*set) == n) // none beyond the largest number
	}
}
