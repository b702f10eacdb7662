package history

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Log is the whole history of a job, as an audit needs it.
type Log struct {
	chain *Chain
	// all are the entries that continue the chain, and facts what they tell, as soon as somebody asks.
	all    []noted
	facts  *facts
	breaks []Break
	// first is the sequence of the first entry; above 1 if the beginning is gone.
	first                int64
	repeated, superseded int
}

// facts are what the entries tell together.
type facts struct {
	// entries are those that count, each ID once: the first one that told it.
	entries    []*Entry
	breaks     []Break
	signatures EntrySignatures
}

// NewLog returns a log without entries.
func NewLog() *Log { return &Log{chain: NewChain(Head{}, Everything)} }

// Head is the last entry so far.
func (l *Log) Head() Head { return l.chain.Head() }

// Add takes the next value of the history topic. The error is ErrNewer.
func (l *Log) Add(offset int64, value []byte, seal Seal) error {
	e, standing, problem, err := l.chain.Follow(offset, value)
	if err != nil {
		return fmt.Errorf("%w (offset %d)", err, offset)
	}
	switch standing {
	case Repeated:
		l.repeated++
	case Superseded:
		l.superseded++
	case Counts:
		if l.first == 0 {
			l.first, problem = e.Sequence, nil // what is missing before is judged by the period asked for
		}
		l.all, l.facts = append(l.all, noted{e, Sum(value), seal}), nil
	}
	if problem != nil {
		l.breaks = append(l.breaks, *problem)
	}
	return nil
}

// tell sorts out what counts.
func (l *Log) tell() *facts {
	if l.facts != nil {
		return l.facts
	}
	f := &facts{}
	var refused map[int64]bool
	f.signatures, refused = signatures(l.all)
	foreign, told := disowned(l.all, refused), map[string]*Entry{}
	for _, e := range l.all {
		if one, is := foreign[e.Sequence]; is {
			f.breaks = append(f.breaks, Break{Offset: -1, Sequence: e.Sequence, Time: e.Time, Problem: fmt.Sprintf("entry %d is not by the owner of the job: %s", e.Sequence, one.Reason)})
			continue
		}
		if refused[e.Sequence] {
			continue
		}
		before := told[e.ID]
		switch {
		case before == nil, e.Kind == Configuration && !before.SameEvent(e.Entry): // it may change again before a snapshot covers it
			told[e.ID] = e.Entry
			f.entries = append(f.entries, e.Entry)
		case !before.SameEvent(e.Entry):
			f.breaks = append(f.breaks, Break{Offset: -1, Sequence: e.Sequence, Time: e.Time, Problem: fmt.Sprintf("entries %d and %d tell %s differently: one of them was added", before.Sequence, e.Sequence, e.ID)})
		}
	}
	l.facts = f
	return f
}

// Expect notes that an entry must be there, because a snapshot or a document refers to it; where names that.
func (l *Log) Expect(sequence int64, sum, where string) {
	if sequence < 1 || sequence < l.first || l.chain.Has(sequence, sum) {
		return
	}
	problem := fmt.Sprintf("%s refers to entry %d, which is not in the history: it was altered or deleted", where, sequence)
	if slices.ContainsFunc(l.breaks, func(b Break) bool { return b.Offset < 0 && b.Sequence == sequence }) {
		return
	}
	l.breaks = append(l.breaks, Break{Offset: -1, Sequence: sequence, Problem: problem})
}

// ExpectWeights notes that a document must have the weights that the history told when it was published, if it did.
func (l *Log) ExpectWeights(key, sha256, where string) {
	for _, e := range l.tell().entries {
		if e.Kind == Publication && e.Publication.Key == key && e.Publication.WeightsSHA256 != sha256 {
			l.breaks = append(l.breaks, Break{Offset: -1, Sequence: e.Sequence, Time: e.Time,
				Problem: fmt.Sprintf("%s has other weights than entry %d says: one of them was altered", where, e.Sequence)})
			return
		}
	}
}

// Told is the key of the document of the last publication; empty if there is none.
func (l *Log) Told() string {
	for _, e := range slices.Backward(l.tell().entries) {
		if e.Kind == Publication {
			return e.Publication.Key
		}
	}
	return ""
}

// Decisions are the changes of verdicts and alarms, in order.
func (l *Log) Decisions() (all []Judged) {
	for _, e := range l.tell().entries {
		if e.Kind == Decisions {
			all = append(all, *e.Decisions)
		}
	}
	return all
}

// begins is the time of the first entry.
func (l *Log) begins() time.Time {
	if entries := l.tell().entries; len(entries) > 0 {
		return entries[0].Time
	}
	return time.Time{}
}

// broken lists the breaks that concern a period. A beginning that is gone does so only if the period
// reaches back to it: a topic with a limited retention loses its beginning.
func (l *Log) broken(since time.Time) []Break {
	breaks := append(slices.Clone(l.breaks), l.tell().breaks...)
	if l.first > 1 && (since.IsZero() || since.Before(l.begins())) {
		breaks = append(breaks, Break{Offset: -1, Sequence: 1, Time: l.begins(),
			Problem: fmt.Sprintf("the history begins with entry %d: entries 1 to %d were deleted", l.first, l.first-1)})
	}
	slices.SortStableFunc(breaks, func(a, b Break) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return breaks
}
