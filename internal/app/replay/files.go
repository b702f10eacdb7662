package replay

import (
	"context"
	"slices"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// Of each of several files the times of the first ofFile records are compared, if there are leastOfFile.
	ofFile      = 200
	leastOfFile = 20
)

// span is from when to when the times of a column go.
type span struct {
	first, last int64
	times       int
}

// beginning is the span of each column with times among the first records of a file; none of standard input, which cannot be read again.
func (r *Replay) beginning(name string) map[string]span {
	of := r.Format
	if r.reads(input.StandardInput) {
		of = "" // which is of standard input
	}
	from, err := input.NewSource(name, of, r.In)
	if err != nil || name == input.StandardInput {
		return nil
	}
	found := map[string]span{}
	decoder := profile.AllFeatures(record.Config{At: r.config.Record.At}).NewDecoder()
	var rec record.Record
	s := input.Sample{Most: ofFile, Reject: func(*record.Rejection) {}}
	s.Use = func(raw []byte) {
		if !s.Decode(decoder, &rec, raw) {
			return
		}
		for _, f := range rec.Features {
			at, is := profile.ParseTime(f.Text)
			if !is || f.Missing || profile.IsAttributeName(f.Name) { // as a date of birth
				continue
			}
			of, seen := found[f.Name]
			if of.times++; !seen {
				of.first, of.last = at.Unix(), at.Unix()
			}
			of.first, of.last = min(of.first, at.Unix()), max(of.last, at.Unix())
			found[f.Name] = of
		}
	}
	if s.FromFile(context.Background(), from, r.config.Record) != nil {
		return nil
	}
	return found
}

// disordered is the first of several files whose first records are later, by a time, than those of the next file.
func (r *Replay) disordered() (first, second, column string) {
	if len(r.Inputs) < 2 {
		return "", "", ""
	}
	var before map[string]span
	for i, name := range r.Inputs {
		of := r.beginning(name)
		var later []string
		for column, a := range before {
			if b, has := of[column]; has && min(a.times, b.times) >= leastOfFile && a.first > b.last {
				later = append(later, column)
			}
		}
		if len(later) > 0 {
			return r.Inputs[i-1], name, slices.Min(later)
		}
		before = of
	}
	return "", "", ""
}
