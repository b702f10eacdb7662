package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// mostFolds bounds the learners that are in memory together, one for each fold and tau.
const mostFolds = 100

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
	Summary       summary  `json:"summary"`
	Unconstrained *summary `json:"unconstrained,omitempty"`
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

// summary is over holdouts.
type summary struct {
	Qualities   []spread            `json:"qualities"`
	Constraints []constraintSummary `json:"constraints"`
}

// spread is how a number varies between the holdouts in which it could be estimated. It has no mean if there are none, and no
// standard deviation if there are fewer than two.
type spread struct {
	Name     string   `json:"name"`
	Mean     *float64 `json:"mean"`
	SD       *float64 `json:"standard_deviation"`
	Holdouts int      `json:"holdouts"`
}

// constraintSummary counts the holdouts whose measured value keeps to tau, of those in which it could
// be estimated. Holdouts repeat the measurement, so what counts is the difference itself and not its interval.
type constraintSummary struct {
	spread
	Criterion fairness.Criterion `json:"criterion"`
	Group     string             `json:"group"`
	Versus    string             `json:"versus"`
	Tau       float64            `json:"tau"`
	Enforced  bool               `json:"enforced"`
	Furthest  *float64           `json:"furthest"` // the difference furthest from 0, or the least ratio
	Within    int                `json:"within"`
	// StandardError is the mean of those of the holdouts' own differences: what chance alone makes of them.
	StandardError        *float64 `json:"standard_error"`
	words, short, format string
}

// checkFolds says what --folds does not go with.
func (r *replay) checkFolds() error {
	switch {
	case r.folds < 2 || r.folds > mostFolds:
		return fmt.Errorf("--folds %d: give a number from 2 to %d", r.folds, mostFolds)
	case r.folds*r.variants() > mostFolds:
		return fmt.Errorf("--folds %d with %d values of --tau or --relaxation: they make %d learners, %d are the most", r.folds, r.variants(), r.folds*r.variants(), mostFolds)
	case r.holdout != "":
		return errors.New("--folds and --holdout are two ways to hold records out: give one")
	case r.save != "":
		return errors.New("--folds and --save cannot be combined: cross-validation trains several models and saves none")
	case r.input == input.StandardInput && len(r.orders.seeds()) == 0:
		return errors.New("--folds reads its input twice, and standard input can be read once: name a file, or add --shuffle 1, which keeps the records in memory")
	}
	if info, err := os.Stat(r.input); r.input != input.Bundled && len(r.orders.seeds()) == 0 && err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("--folds reads its input twice: %s is not a regular file", r.input)
	}
	return nil
}

// foldResults learns the weights of all folds and all taus in one pass, and measures them in a second.
func (r *replay) foldResults(ctx context.Context) ([]*folded, error) {
	if r.input == input.Bundled && !r.train.InMemory() {
		r.train = input.AllBundled()
	}
	start := time.Now()
	records, err := r.each(ctx, "learning", func(n int, rec *record.Record) {
		for i, learner := range r.learners {
			if n%r.folds != i%r.folds {
				learner.Learn(rec)
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
		h, err := newHoldout(learner, doc, r.page != "")
		if err != nil {
			return nil, err
		}
		holdouts = append(holdouts, h)
	}
	rejected, reasons := r.rejected.Total, r.rejected.Reasons
	again, err := r.each(ctx, "measuring", func(n int, rec *record.Record) {
		for i := n % r.folds; i < len(holdouts); i += r.folds {
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
	for i := range len(r.learners) / r.folds {
		result := &folded{Records: int64(records), Rejected: rejected, Reasons: reasons, Seconds: seconds}
		result.Tau, result.Relaxation = r.variant(i)
		for _, h := range holdouts[i*r.folds : (i+1)*r.folds] {
			result.Holdouts = append(result.Holdouts, h.evaluation())
		}
		result.summarize()
		for _, doc := range documents[i*r.folds : (i+1)*r.folds] {
			for _, c := range doc.Measurements.Conditions {
				if !findings.OfColumns(c) {
					result.addCondition(c, 1)
				}
			}
			result.label, result.field, result.document = doc.Label, doc.Config.Record.Label.Field, doc
		}
		results = append(results, result)
	}
	return results, nil
}

// each goes over the input once and hands on every good record with its number.
func (r *replay) each(ctx context.Context, doing string, do func(n int, rec *record.Record)) (records int, err error) {
	var seen labels
	r.rejected = input.Rejections{}
	p := &input.Pass{Source: r.train, Schema: r.schema, Labelled: true, Reject: r.rejected.Add,
		Each: func(rec *record.Record) {
			do(records, rec)
			seen.add(rec)
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
	case records < r.folds:
		return 0, fmt.Errorf("--folds %d: %s has %s, fewer than one for each holdout", r.folds, r.train.Name, english.Counted(int64(records), "record"))
	}
	r.warn(p, &seen)
	return records, nil
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

func summarize(holdouts []*findings.Evaluation) (s summary) {
	for i, q := range holdouts[0].Measures.Qualities() {
		var values []float64
		for _, e := range holdouts {
			values = append(values, e.Measures.Qualities()[i].Measure.Value)
		}
		s.Qualities = append(s.Qualities, newSpread(q.Name, values))
	}
	all := rowsOf(holdouts)
	for _, c := range all {
		of := constraintSummary{Criterion: c.Criterion, Group: c.Group, Versus: c.Versus, Tau: c.Tau, Enforced: c.Enforced,
			words: findings.ConstraintWords(c), short: findings.ShortWords(c, all), format: findings.ValueFormat(c)}
		var values, errors []float64
		for _, e := range holdouts {
			i := slices.IndexFunc(e.Constraints, c.Same)
			if i < 0 || e.Constraints[i].Status == fairness.NotEstimable {
				continue
			}
			c := e.Constraints[i]
			values = append(values, c.Value)
			errors = append(errors, (c.Hi-c.Lo)/2/fairness.NormalQuantile((1+c.Level)/2))
			if of.Furthest == nil || c.Criterion.OfRatio() && c.Value < *of.Furthest || !c.Criterion.OfRatio() && math.Abs(c.Value) > math.Abs(*of.Furthest) {
				of.Furthest = findings.Finite(c.Value)
			}
			if c.Within() {
				of.Within++
			}
		}
		of.spread, of.StandardError = newSpread(c.Name, values), newSpread("", errors).Mean
		s.Constraints = append(s.Constraints, of)
	}
	return s
}

// rowsOf has one estimate of each comparison that any holdout has: the learners meet the values of a constraint of each in
// the order of their own records.
func rowsOf(holdouts []*findings.Evaluation) (rows []fairness.Estimate) {
	for _, e := range holdouts {
		for _, c := range e.Constraints {
			if !slices.ContainsFunc(rows, c.Same) {
				rows = append(rows, c)
			}
		}
	}
	return rows
}

// newSpread leaves out what is not a number.
func newSpread(name string, values []float64) spread {
	values = slices.DeleteFunc(values, math.IsNaN)
	s := spread{Name: name, Holdouts: len(values)}
	if len(values) > 0 {
		mean, deviation := stat.MeanStdDev(values, nil)
		s.Mean, s.SD = findings.Finite(mean), findings.Finite(deviation)
	}
	return s
}
