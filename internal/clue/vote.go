package clue

import "github.com/fairstream/fairstream/internal/distinct"

// mostVotes is how many values of one column are told apart, allVotes of all columns.
const (
	mostVotes = 1024
	allVotes  = 1 << 18
)

// vote predicts one of two classes from one column: that of a value by the majority of the classes that came with it before, and
// that of a new value by the majority of those that came with new ones.
type vote struct {
	votes         distinct.Counts // records of the first class less those of the second, by hash of the value
	fresh         int32           // the same, of values when they were new
	all, original Told
}

// add takes in one record, and says whether its value is remembered from now on. Every column tells the class of a repeated
// record, as the class came with it before.
func (v *vote) add(hash uint64, first, repeated, room bool) (more bool) {
	votes := v.votes.Find(hash)
	majority := v.fresh
	if votes != nil {
		majority = *votes
	}
	wrong := (majority > 0) != first
	v.all.add(first, wrong)
	if !repeated {
		v.original.add(first, wrong)
	}
	step := int32(-1)
	if first {
		step = 1
	}
	if votes != nil {
		*votes += step
		return false
	}
	v.fresh += step
	if more = room && v.votes.Len() < mostVotes; more {
		v.votes.Make(hash, step)
	}
	return more
}
