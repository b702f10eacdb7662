package history

import (
	"errors"
	"fmt"
	"time"
)

// Head is the last entry that counts. The zero Head is that of an empty history.
type Head struct {
	Sequence int64  `json:"sequence"`
	SHA256   string `json:"sha256"`
	Term     int64  `json:"term"`
}

// Break is a place where the chain is not whole.
type Break struct {
	// Offset is where in the log it was noticed; -1 if that is behind the end.
	Offset int64 `json:"offset"`
	// Sequence is that of the first entry concerned.
	Sequence int64 `json:"sequence"`
	// Time is that of the entry at Offset, if it could be read.
	Time time.Time `json:"time,omitzero"`
	// Problem says in words what is wrong.
	Problem string `json:"problem"`
}

// Standing says what an entry is to the chain.
type Standing int

// The standings.
const (
	Counts     Standing = iota
	Repeated            // the same bytes as an entry that counts
	Superseded          // another entry with this sequence came first
	Unreadable          // not an entry at all
)

// Chain follows the entries of one job in the order of the log. Everyone who follows the same log comes to
// the same result.
type Chain struct {
	head Head
	// sums are the SHA-256 of the entries that count, by sequence, as far as they are remembered.
	sums   map[int64]string
	memory int64
}

// Everything makes a chain remember all entries.
const Everything = 0

// NewChain returns a chain behind a head; the zero Head is that of an empty history. It remembers the sums
// of the last memory entries, or of Everything: what repeats or continues an entry that is forgotten is
// taken for Superseded.
func NewChain(head Head, memory int64) *Chain {
	return &Chain{head: head, sums: map[int64]string{head.Sequence: head.SHA256}, memory: memory}
}

// Head is the last entry that counts.
func (c *Chain) Head() Head { return c.head }

// Has says whether an entry with these bytes counts.
func (c *Chain) Has(sequence int64, sum string) bool { return c.sums[sequence] == sum && sum != "" }

// Most is the highest sequence and term that an entry may jump to; above it they go up one by one. No history gets that far: a larger
// number is damaged or forged, and would leave no next one.
const Most = 1<<50 - 1<<10

// possible says whether an entry can stand behind the head.
func (c *Chain) possible(e *Entry) bool {
	return e.Sequence <= max(Most, c.head.Sequence+1) && e.Term <= max(Most, c.head.Term+1)
}

// Follow takes the next value of the log. The entry is nil where it is Unreadable; a break may come with
// any standing. The error is ErrNewer: nothing can then be said.
func (c *Chain) Follow(offset int64, value []byte) (*Entry, Standing, *Break, error) {
	e, err := Decode(value)
	if errors.Is(err, ErrNewer) {
		return nil, Unreadable, nil, err
	}
	if e == nil {
		return nil, Unreadable, &Break{Offset: offset, Sequence: c.head.Sequence + 1, Problem: "the record is not an entry: it was altered or added"}, nil
	}
	if !c.possible(e) {
		return nil, Unreadable, &Break{Offset: offset, Sequence: c.head.Sequence + 1, Time: e.Time,
			Problem: fmt.Sprintf("an entry has the sequence %d and the term %d, which cannot be: it was altered or added", e.Sequence, e.Term)}, nil
	}
	sum := Sum(value)
	if c.Has(e.Sequence, sum) {
		return e, Repeated, nil, nil
	}
	found := func(format string, arguments ...any) *Break {
		return &Break{Offset: offset, Sequence: e.Sequence, Time: e.Time, Problem: fmt.Sprintf(format, arguments...)}
	}
	next := c.head.Sequence + 1
	switch {
	case e.Sequence < next:
		before, remembered := c.sums[e.Sequence-1]
		if !remembered || before == e.Previous {
			return e, Superseded, nil, nil
		}
		return e, Superseded, found("entry %d comes after entry %d: it was moved, altered or added", e.Sequence, c.head.Sequence), nil
	case e.Sequence > next:
		c.accept(e, sum)
		gap := found("entries %d to %d are missing: they were deleted or moved", next, e.Sequence-1)
		gap.Sequence = next
		return e, Counts, gap, nil
	case e.Previous != c.head.SHA256:
		at := found("entry %d does not continue entry %d: one of them was altered", e.Sequence, c.head.Sequence)
		c.accept(e, sum)
		return e, Counts, at, nil
	case e.Term < c.head.Term:
		return e, Superseded, found("entry %d has term %d, below term %d of the entry before: it was added", e.Sequence, e.Term, c.head.Term), nil
	}
	c.accept(e, sum)
	return e, Counts, nil, nil
}

func (c *Chain) accept(e *Entry, sum string) {
	c.head = Head{e.Sequence, sum, max(e.Term, c.head.Term)}
	c.sums[e.Sequence] = sum
	if c.memory != Everything {
		delete(c.sums, e.Sequence-c.memory)
	}
}

// Next completes an entry so that it continues the chain, and returns its bytes and their sum.
func (c *Chain) Next(e Entry) (value []byte, sum string, err error) {
	e.Sequence, e.Previous = c.head.Sequence+1, c.head.SHA256
	value, err = e.Encode()
	return value, Sum(value), err
}
