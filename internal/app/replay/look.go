package replay

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// firstRecords are what the first records of an input hold, read once more after the learning, whose speed it does
// not change. Of standard input and of pipes, which cannot be read again, nothing is known.
type firstRecords struct {
	seen *inspect.Inspection
	read int // how many they are
}

// looked is how many of the first records are looked at, fewer of those that have many fields (inspect.Enough).
const looked = 2000

func (r *Replay) lookAt(from input.Source) (look firstRecords) {
	if !r.again() && !from.InMemory() {
		return look
	}
	seen, err := inspect.New(r.config.Model())
	if err != nil {
		return look
	}
	seen.Cluster = r.config.Monitor.Cluster
	if left, known := r.learners[0].LeftOut(); known {
		seen.LeaveOut(left)
	}
	s := input.Sample{Most: looked, Reject: func(*record.Rejection) {}} // what is rejected was told
	fields := 0
	s.Use = func(raw []byte) {
		_ = seen.Add(raw)
		if fields += seen.Fields(); inspect.Enough(s.Read, fields) {
			s.Most = s.Read
		}
	}
	if s.FromFile(context.Background(), from, r.config.Record) == nil {
		look.seen, look.read = seen, s.Read
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
func (l firstRecords) columnFindings() []find.Finding {
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

// mostProxies is for how many proxies it is measured what it costs to do without them: each takes one more pass.
const mostProxies = 3

// withoutProxy says what becomes of accuracy and differences without a column, in words that go on a sentence; nothing if it cannot be
// measured.
func (r *Replay) withoutProxy(from input.Source, column string) string {
	configs, err := r.configs()
	if err != nil || r.config.Learner.Task != model.Classification || r.reads(input.StandardInput) && !from.InMemory() {
		return ""
	}
	with, err := model.New(configs[0])
	if err != nil {
		return ""
	}
	fewer := configs[0]
	fewer.Record.Ignore = append(slices.Clone(fewer.Record.Ignore), column)
	without, err := model.New(fewer)
	if err != nil {
		return "" // another key names the column
	}
	for _, learner := range []*model.Learner{with, without} {
		schema, err := learner.Config().Schema()
		if err != nil {
			return ""
		}
		p := &input.Pass{Source: from, Schema: schema, Labelled: true, Reject: func(*record.Rejection) {}, Each: func(rec *record.Record) { learner.Add(rec) }}
		if p.Open() != nil || p.Run(context.Background()) != nil {
			return ""
		}
	}
	before, after := with.Measurements().Prequential, without.Measurements().Prequential
	words := fmt.Sprintf(". Without %q, one more pass found: accuracy %.3f instead of %.3f", column, after.Accuracy.Value, before.Accuracy.Value)
	for i, e := range before.Constraints {
		if i < len(after.Constraints) && e.Status != fairness.NotEstimable && after.Constraints[i].Status != fairness.NotEstimable {
			words += fmt.Sprintf("; %s %+.3f instead of %+.3f", e.Name, after.Constraints[i].Value, e.Value)
		}
	}
	return words + " (mean over all decisions as they were made)"
}

// older names a time by which the first records that are held out are older than the first that were learnt; nothing if there is none.
func (r *Replay) older(held firstRecords) string {
	if r.look == nil || held.seen == nil {
		return ""
	}
	for _, c := range held.seen.Columns() {
		if c.Kind != profile.Time || profile.IsAttributeName(c.Name) { // as a date of birth
			continue
		}
		these, those := held.seen.Even.Column(c.Name), r.look.Even.Column(c.Name)
		if these == nil || those == nil {
			continue
		}
		if a, b := these.Sorted(), those.Sorted(); min(len(a), len(b)) >= leastOlder && a[len(a)-1-len(a)/20] < b[len(b)/20] {
			return c.Name
		}
	}
	return ""
}

// leastOlder is how many times of each are compared.
const leastOlder = 100

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

// beginning is the span of each column with times among the first records of a file; none of standard input and of pipes, which cannot be read again.
func (r *Replay) beginning(name string) map[string]span {
	of := r.Format
	if r.reads(input.StandardInput) {
		of = "" // which is of standard input
	}
	from, err := input.NewSource(name, of, r.In)
	if info, missing := os.Stat(name); err != nil || missing != nil || !info.Mode().IsRegular() {
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
