package replay

import (
	"context"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/pkg/record"
)

// firstRecords are what the first records of an input hold, read once more after the learning, whose speed it does
// not change. Of standard input, which cannot be read again, nothing is known.
type firstRecords struct{ seen *inspect.Inspection }

// looked is how many of the first records are looked at.
const looked = 2000

func (r *Replay) lookAt(from input.Source) (look firstRecords) {
	if r.reads(input.StandardInput) && !from.InMemory() {
		return look
	}
	seen, err := inspect.New(r.config.Model())
	if err != nil {
		return look
	}
	s := input.Sample{Most: looked, Use: func(raw []byte) { _ = seen.Add(raw) }, Reject: func(*record.Rejection) {}} // what is rejected was told
	if s.FromFile(context.Background(), from, r.config.Record) == nil {
		look.seen = seen
	}
	return look
}

// valuesOf lists the values of fields, in words that go on a sentence.
func (l firstRecords) valuesOf(fields ...string) (words string) {
	if l.seen == nil {
		return ""
	}
	for _, field := range fields {
		words += l.seen.ValuesOf(field)
	}
	if words != "" {
		words = " In the first records" + words[1:] + "."
	}
	return words
}

// columnFindings lists what is odd of single columns.
func (l firstRecords) columnFindings() []inspect.Finding {
	if l.seen == nil {
		return nil
	}
	return l.seen.ColumnFindings()
}

// lookForUnits looks for columns whose unit changes on the way through the input.
func (r *Replay) lookForUnits(rec *record.Record) {
	if !r.units.Passes() {
		r.units.Add(rec)
	}
}
