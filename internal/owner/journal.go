package owner

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/modeltopic"
)

// journal follows the state topic of a job, record by record in the order of the log, and decides what
// counts. It is pure: everyone who reads the same log comes to the same result.
//
//  1. A claim counts if its term is above that of every claim before it: the first of equals wins. Its
//     owner is then in force.
//  2. A snapshot counts, where its last part stands in the log, if its owner is then in force and its
//     sequence is above that of the owner's last that counted.
//  3. A snapshot of which a part is deleted counts no more.
//  4. Restored is the last snapshot that counts.
//  5. A record that no owner of this version can have written does not count (garbage.go).
//  6. A request waits until its answer, or its deletion.
type journal struct {
	job string
	// keep says whether the bytes of snapshots are kept; an owner who only watches needs none.
	keep bool
	// check says whether the bytes of a snapshot are damaged.
	check func(state []byte) error

	holder  Claim     // in force; Term 0 before the first
	before  Claim     // in force before that
	last    Reference // the last snapshot that counts; Sequence 0 if there is none
	state   []byte    // its bytes, if kept
	pending map[Reference]*assembly

	// signs counts the records of the holder; left says that it gave the job up.
	signs int64
	left  bool
	// leftAt is when the holder gave the job up, and beforeLeft when the one before did; nil if it did not say so.
	leftAt, beforeLeft *time.Time

	// live are the keys of the job with a value, and what they belong to. What neither holder nor last
	// needs is garbage.
	live map[string]Reference

	// garbled is garbage by its key (garbage.go), and damaged why a snapshot that was complete, damagedAs, does not count.
	garbled   map[string]Garbage
	damaged   error
	damagedAs Reference

	// requests are those that wait for an answer, and what is left of others.
	requests requestLog
}

// Garbage is a record of the state topic that belongs to the job by its key, and that no program of this version writes: a beat that is no JSON, a
// claim of a term that no owner can have, a part that is damaged. It is passed over, since one such record must not end a job.
type Garbage struct {
	Key    string
	Offset int64
	Reason string
}

// assembly is a snapshot of which not all parts have been read.
type assembly struct {
	parts   [][]byte
	present []bool
	missing int
}

func newJournal(job string) *journal {
	return &journal{job: job, keep: true, check: checkSnapshot, pending: map[Reference]*assembly{}, live: map[string]Reference{}}
}

// apply follows one record.
func (j *journal) apply(key, value []byte) error {
	kind, ours := kindOf(j.job, key)
	switch {
	case !ours || kind == ReplayKind:
		return nil
	case value == nil:
		j.remove(string(key))
		return nil
	case kind == requestKind:
		j.requests.request(j.job, key, value)
		return nil
	case kind == answerKind:
		j.requests.answer(j.job, key, value)
		return nil
	case kind == claimKind:
		return j.claim(key, value)
	case kind == beatKind:
		return j.beat(key, value)
	case kind == stateKind:
		return j.part(key, value)
	}
	return errors.New("state topic: a key of an unknown kind")
}

// remove follows a deletion. Only a reset deletes the last snapshot: clean-up deletes older ones.
func (j *journal) remove(key string) {
	r := j.live[key]
	if r == j.last {
		j.last, j.state = Reference{}, nil
	}
	if r == j.damagedAs {
		j.damaged = nil
	}
	delete(j.live, key)
	j.requests.remove(j.job, key)
}

func (j *journal) claim(key, value []byte) error {
	c, err := decodeClaim(value)
	if err != nil {
		return err
	}
	if c.Job != j.job || c.Owner == "" || c.Term < 1 || c.Term > max(MostClaimed, min(j.holder.Term+1, modeltopic.MostTerm)) {
		return fmt.Errorf("state topic: a claim that no owner can have written: term %d behind term %d", c.Term, j.holder.Term)
	}
	if c.Term <= j.holder.Term {
		j.live[string(key)] = Reference{} // it never counts
		return nil
	}
	j.live[string(key)] = Reference{Owner: c.Owner, Term: c.Term}
	j.before, j.holder = j.holder, c
	j.beforeLeft, j.leftAt = j.leftAt, nil
	j.signs++
	j.left = false
	clear(j.pending)
	return nil
}

func (j *journal) beat(key, value []byte) error {
	b, err := decodeBeat(value)
	if err != nil {
		return err
	}
	j.live[string(key)] = Reference{Owner: b.Owner, Term: b.Term}
	if b.Owner == j.holder.Owner && b.Term == j.holder.Term {
		j.signs++
		j.left, j.leftAt = b.Leaving, b.At
	}
	return nil
}

func (j *journal) part(key, value []byte) error {
	h, body, err := decodePart(value)
	if err != nil {
		return err
	}
	reference := h.reference()
	j.live[string(key)] = reference
	if !j.may(reference) {
		return nil
	}
	j.signs++
	a := j.pending[reference]
	if a == nil {
		a = &assembly{make([][]byte, h.Parts), make([]bool, h.Parts), h.Parts}
		j.pending[reference] = a
	}
	if h.Parts != len(a.parts) {
		return fmt.Errorf("state topic: the parts of snapshot %d of %s disagree on how many there are", h.Sequence, h.Owner)
	}
	if a.present[h.Part] {
		return nil // a copy
	}
	a.present[h.Part] = true
	a.missing--
	if j.keep {
		a.parts[h.Part] = slices.Clone(body)
	}
	if a.missing == 0 {
		return j.count(reference, a)
	}
	return nil
}

// may says whether a snapshot would count if it were complete now.
func (j *journal) may(r Reference) bool {
	return r.Owner == j.holder.Owner && r.Term == j.holder.Term && (r.Term != j.last.Term || r.Sequence > j.last.Sequence)
}

// count makes a snapshot that is complete the last. One that is damaged is passed over: an earlier one may stand in the log still.
func (j *journal) count(r Reference, a *assembly) error {
	if j.keep {
		state := slices.Concat(a.parts...)
		if err := j.check(state); err != nil {
			delete(j.pending, r)
			j.damagedAs, j.damaged = r, fmt.Errorf("snapshot %d of term %d: %w", r.Sequence, r.Term, err)
			return j.damaged
		}
		j.state, j.damaged = state, nil
	}
	j.last = r
	for other := range j.pending {
		if other.Sequence <= r.Sequence {
			delete(j.pending, other)
		}
	}
	return nil
}

// garbage lists the keys that nobody needs any more, in order. It is empty until the owner in force has
// a snapshot of its own that counts (rule "clean-up" in doc.go).
func (j *journal) garbage() [][]byte {
	if j.last.Term != j.holder.Term {
		return nil
	}
	var keys [][]byte
	for key, r := range j.live {
		inForce := r.Sequence == 0 && r.Term == j.holder.Term
		if !inForce && r != j.last && !j.may(r) {
			keys = append(keys, []byte(key))
		}
	}
	for key := range j.requests.useless {
		keys = append(keys, []byte(key))
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys
}
