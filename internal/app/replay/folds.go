package replay

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// folded is what replay --folds found with one configuration: the n-th good record is in holdout n modulo the number
// of folds, and is decided by weights learnt from all the others, in the file's order.
type folded struct {
	Tau *float64 `json:"tau,omitempty"`
	// Relaxation is set when the command line gave several.
	Relaxation surrogate.Name `json:"relaxation,omitempty"`

	Records  int64                   `json:"records"`
	Rejected int64                   `json:"rejected"`
	Reasons  map[record.Reason]int64 `json:"reasons,omitempty"`
	Seconds  float64                 `json:"seconds"`
	// Holdouts has one measurement for each fold, of one order after the other.
	Holdouts []*findings.Evaluation `json:"holdouts"`
	// Summary is over the holdouts, and Unconstrained the same without constraints.
	Summary       Summary  `json:"summary"`
	Unconstrained *Summary `json:"unconstrained,omitempty"`
	// Orders has a summary for each random order of the records.
	Orders []order `json:"orders,omitempty"`
	// Conditions are of the learners, and in how many folds each was found.
	Conditions []foldedCondition `json:"conditions,omitempty"`
	label      *document.LabelSummary
	field      string
	document   *document.Document // of the last fold
}

// foldedCondition is a condition and the number of folds whose learners have it.
type foldedCondition struct {
	document.Condition
	Folds int `json:"folds"`
}

// foldResults learns the weights of all folds and all taus in one pass, and measures them in a second.
func (r *Replay) foldResults(ctx context.Context) ([]*folded, error) {
	if r.reads(input.Bundled) && !r.train.InMemory() {
		r.train = input.AllBundled()
	}
	start := time.Now()
	records, err := r.each(ctx, "learning", func(n int, rec *record.Record) {
		if r.whole != nil {
			r.whole.Learn(rec)
		}
		for i, learner := range r.learners {
			if n%r.Folds != i%r.Folds {
				learner.Add(rec)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	var holdouts []*holdout
	var documents []*document.Document
	for _, learner := range r.learners {
		doc, err := learner.Document()
		if err != nil {
			return nil, err
		}
		documents = append(documents, doc)
		h, err := newHoldout(learner, doc, r.Page != "")
		if err != nil {
			return nil, err
		}
		holdouts = append(holdouts, h)
	}
	rejected, reasons := r.rejected.Total, r.rejected.Reasons
	if err := r.keepWhole(); err != nil {
		return nil, err
	}
	again, err := r.each(ctx, "measuring", func(n int, rec *record.Record) {
		for i := n % r.Folds; i < len(holdouts); i += r.Folds {
			holdouts[i].add(rec)
		}
	})
	if err != nil {
		return nil, err
	}
	if again != records {
		return nil, fmt.Errorf("%s changed between the two passes over it: %d good records, then %d", r.train.Name, records, again)
	}
	var results []*folded
	for i := range len(r.learners) / r.Folds {
		result := &folded{Records: int64(records), Rejected: rejected, Reasons: reasons, Seconds: seconds}
		result.Tau, result.Relaxation = r.variant(i)
		for _, h := range holdouts[i*r.Folds : (i+1)*r.Folds] {
			result.Holdouts = append(result.Holdouts, h.evaluation())
		}
		result.summarize()
		for _, doc := range documents[i*r.Folds : (i+1)*r.Folds] {
			result.addConditions(doc.Measurements.Conditions)
			result.label, result.field, result.document = doc.Label, doc.Config.Record.Label.Field, doc
		}
		results = append(results, result)
	}
	return results, nil
}

// each goes over the input once and hands on every good record with its number.
func (r *Replay) each(ctx context.Context, doing string, do func(n int, rec *record.Record)) (records int, err error) {
	var seen labels
	r.units = sequence.Units{}
	r.rejected = input.Rejections{}
	p := &input.Pass{Source: r.train, Schema: r.schema, Labelled: true, Reject: r.rejected.Add,
		Each: func(rec *record.Record) {
			do(records, rec)
			seen.add(rec)
			r.lookForUnits(rec)
			if doing == "learning" && !r.repeated {
				r.meaning.Add(rec, nil)
			}
			records++
		}}
	if err := p.Open(); err != nil {
		return 0, err
	}
	stop := input.ShowProgress(r.Err, p, doing)
	err = p.Run(ctx)
	stop()
	if err != nil || doing != "learning" || r.repeated {
		return records, err
	}
	r.rejected.Write(r.Err, int64(records)+r.rejected.Total, r.train.Name)
	switch {
	case records == 0:
		return 0, r.nothingLearnt(p)
	case records < r.Folds:
		return 0, fmt.Errorf("--folds %d: %s has %s, fewer than one for each holdout", r.Folds, r.train.Name, english.Counted(int64(records), "record"))
	}
	r.warn(p, &seen)
	return records, nil
}

// addConditions counts the conditions of a fold, each once: several comparisons of a constraint may have it.
func (f *folded) addConditions(conditions []document.Condition) {
	type kind struct {
		code       document.ConditionCode
		constraint string
	}
	counted := map[kind]bool{}
	for _, c := range conditions {
		if k := (kind{c.Code, c.Constraint}); !counted[k] && !findings.OfColumns(c) {
			counted[k] = true
			f.addCondition(c, 1)
		}
	}
}

// addCondition counts a condition in more folds.
func (f *folded) addCondition(c document.Condition, folds int) {
	i := slices.IndexFunc(f.Conditions, func(known foldedCondition) bool { return known.Code == c.Code && known.Constraint == c.Constraint })
	if i < 0 {
		i = len(f.Conditions)
		f.Conditions = append(f.Conditions, foldedCondition{Condition: c})
	}
	f.Conditions[i].Folds += folds
}

// pooled appraises the holdouts of the first order together, in which every record comes once; if free, the models
// without constraints, nil if there are none.
func (f *folded) pooled(folds int, free bool) *appraise.Appraisal {
	pooled, err := appraise.New(f.document, f.Holdouts[0].Appraisal.HasColumns())
	if err != nil {
		return nil
	}
	for _, e := range f.Holdouts[:folds] {
		if free {
			e = e.Unconstrained
		}
		if e == nil {
			return nil
		}
		pooled.Combine(e.Appraisal)
	}
	return pooled
}

func (f *folded) summarize() {
	f.Summary = summarize(f.Holdouts)
	var free []*findings.Evaluation
	for _, e := range f.Holdouts {
		if e.Unconstrained != nil {
			free = append(free, e.Unconstrained)
		}
	}
	if len(free) > 0 {
		without := summarize(free)
		f.Unconstrained = &without
	}
}

// order is what the holdouts of one order of the records have in common.
type order struct {
	Seed    uint64  `json:"seed"`
	Summary Summary `json:"summary"`
}

// add takes in the holdouts of another order.
func (f *folded) add(other *folded) {
	f.Seconds += other.Seconds
	f.Holdouts = append(f.Holdouts, other.Holdouts...)
	for _, c := range other.Conditions {
		f.addCondition(c.Condition, c.Folds)
	}
	f.summarize()
}

// FoldsOfBundled learns from the bundled records with each of so many holdouts left out in turn, and sums them up.
func FoldsOfBundled(ctx context.Context, c config.Config, folds int) (*Summary, error) {
	r := Replay{Streams: &program.Streams{Err: io.Discard}, Settings: Settings{config: c, Inputs: []string{input.Bundled}, Folds: folds}}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	results, err := r.foldResults(ctx)
	if err != nil {
		return nil, err
	}
	return &results[0].Summary, nil
}
