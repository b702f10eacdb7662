package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"gonum.org/v1/gonum/stat"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// mostFolds bounds the learners that are in memory together.
const mostFolds = 100

// folded is what replay --folds found with one configuration: the n-th good record is in holdout n modulo the number
// of folds, and is decided by weights learnt from all the others, in the file's order.
type folded struct {
	Tau      *float64                `json:"tau,omitempty"`
	Records  int64                   `json:"records"`
	Rejected int64                   `json:"rejected"`
	Reasons  map[record.Reason]int64 `json:"reasons,omitempty"`
	Seconds  float64                 `json:"seconds"`
	// Holdouts has one measurement for each fold.
	Holdouts []*evaluation `json:"holdouts"`
	// Summary is over the holdouts, and Unconstrained the same without constraints.
	Summary       summary  `json:"summary"`
	Unconstrained *summary `json:"unconstrained,omitempty"`
	label         *model.LabelSummary
	field         string
}

// summary is over holdouts.
type summary struct {
	Qualities   []spread            `json:"qualities"`
	Constraints []constraintSummary `json:"constraints"`
}

// spread is how a number varies between holdouts.
type spread struct {
	Name     string  `json:"name"`
	Mean     float64 `json:"mean"`
	SD       float64 `json:"standard_deviation"`
	Holdouts int     `json:"holdouts"`
}

// constraintSummary counts the holdouts in which a constraint was met, of those in which it could be estimated.
type constraintSummary struct {
	spread
	Criterion fairness.Criterion `json:"criterion"`
	Tau       float64            `json:"tau"`
	Furthest  float64            `json:"furthest"` // the difference furthest from 0
	Within    int                `json:"within"`
	words     string
}

// checkFolds says what --folds does not go with.
func (r *replay) checkFolds() error {
	switch {
	case r.folds < 2 || r.folds > mostFolds:
		return fmt.Errorf("--folds %d: give a number from 2 to %d", r.folds, mostFolds)
	case r.holdout != "":
		return errors.New("--folds and --holdout are two ways to hold records out: give one")
	case r.save != "":
		return errors.New("--folds learns several weights, of which --save could keep none: give one of them")
	case r.input == standardInput:
		return errors.New("--folds reads its input twice, and standard input can be read once: name a file")
	}
	return nil
}

// runFolds learns the weights of all folds and all taus in one pass, and measures them in a second.
func (r *replay) runFolds(ctx context.Context) error {
	if r.input == bundled {
		r.train = allBundled()
	}
	configs, err := r.configs()
	if err != nil {
		return err
	}
	var learners []*model.Learner // of the first configuration, then of the second
	for _, c := range configs {
		for range r.folds {
			learner, err := model.New(c)
			if err != nil {
				return err
			}
			learners = append(learners, learner)
		}
	}
	start := time.Now()
	records, err := r.each(ctx, "learning", func(n int, rec *record.Record) {
		for i, learner := range learners {
			if n%r.folds != i%r.folds {
				learner.Learn(rec)
			}
		}
	})
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	var holdouts []*holdout
	for _, learner := range learners {
		document, err := learner.Document()
		if err != nil {
			return err
		}
		h, err := newHoldout(learner, document)
		if err != nil {
			return err
		}
		holdouts = append(holdouts, h)
	}
	rejected, reasons := r.rejected.total, r.rejected.reasons
	if _, err := r.each(ctx, "measuring", func(n int, rec *record.Record) {
		for i := n % r.folds; i < len(holdouts); i += r.folds {
			holdouts[i].add(rec)
		}
	}); err != nil {
		return err
	}
	var results []*folded
	for i := range configs {
		result := &folded{Records: int64(records), Rejected: rejected, Reasons: reasons, Seconds: seconds}
		if len(r.taus) > 0 {
			result.Tau = &r.taus[i]
		}
		for _, h := range holdouts[i*r.folds : (i+1)*r.folds] {
			result.Holdouts = append(result.Holdouts, h.evaluation())
		}
		result.summarize()
		document, err := learners[i*r.folds].Document()
		if err != nil {
			return err
		}
		result.label, result.field = document.Label, document.Config.Record.Label.Field
		results = append(results, result)
	}
	return r.writeFolds(results)
}

// each goes over the input once and hands on every good record with its number.
func (r *replay) each(ctx context.Context, doing string, do func(n int, rec *record.Record)) (records int, err error) {
	var seen labels
	r.rejected = rejects{}
	p := &pass{source: r.train, schema: r.schema, labelled: true, reject: r.rejected.add,
		each: func(rec *record.Record) {
			do(records, rec)
			seen.add(rec)
			records++
		}}
	if err := p.open(); err != nil {
		return 0, err
	}
	stop := watch(r.err, p, doing)
	err = p.run(ctx)
	stop()
	if err != nil || doing != "learning" {
		return records, err
	}
	r.rejected.write(r.err, int64(records)+r.rejected.total, r.train.name)
	switch {
	case records == 0:
		return 0, r.nothingLearnt(p)
	case records < r.folds:
		return 0, fmt.Errorf("--folds %d: %s has %s, fewer than one for each holdout", r.folds, r.train.name, counted(int64(records), "record"))
	}
	r.warn(p, &seen)
	return records, nil
}

func (f *folded) summarize() {
	f.Summary = summarize(f.Holdouts)
	var free []*evaluation
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

func summarize(holdouts []*evaluation) (s summary) {
	for i, q := range holdouts[0].Measures.qualities() {
		var values []float64
		for _, e := range holdouts {
			values = append(values, e.Measures.qualities()[i].measure.Value)
		}
		s.Qualities = append(s.Qualities, newSpread(q.name, values))
	}
	for i, c := range holdouts[0].Constraints {
		of := constraintSummary{Criterion: c.Criterion, Tau: c.Tau, words: constraintWords(c)}
		if !c.Enforced {
			of.words += ", measured only"
		}
		var values []float64
		for _, e := range holdouts {
			c := e.Constraints[i]
			if c.Status == fairness.NotEstimable {
				continue
			}
			values = append(values, c.Value)
			if math.Abs(c.Value) > math.Abs(of.Furthest) {
				of.Furthest = c.Value
			}
			if c.Status == fairness.Met {
				of.Within++
			}
		}
		of.spread = newSpread(c.Name, values)
		s.Constraints = append(s.Constraints, of)
	}
	return s
}

// newSpread has a mean and a standard deviation of 0 where there are too few values for them: Holdouts says so.
func newSpread(name string, values []float64) spread {
	s := spread{Name: name, Holdouts: len(values)}
	switch len(values) {
	case 0:
	case 1:
		s.Mean = values[0]
	default:
		s.Mean, s.SD = stat.MeanStdDev(values, nil)
	}
	return s
}

func (r *replay) writeFolds(results []*folded) error {
	if r.json {
		for _, result := range results {
			text, err := json.Marshal(result)
			if err != nil {
				return err
			}
			if _, err := r.out.Write(append(text, '\n')); err != nil {
				return err
			}
		}
		return nil
	}
	var text strings.Builder
	first := results[0]
	english.Fprintf(&text, "Learnt %s, each for %d of %d holdouts, in %.2f s; rejected %d.\n\nOn %d holdouts of %d records:\n\n",
		counted(first.Records, "record"), r.folds-1, r.folds, first.Seconds, first.Rejected, r.folds, first.Records/int64(r.folds))
	writeFoldTable(&text, results)
	_, err := io.WriteString(r.out, text.String())
	return err
}

func writeFoldTable(w io.Writer, results []*folded) {
	first := results[0]
	t := table.NewWriter()
	t.SetStyle(plain)
	header := table.Row{"tau"}
	for _, q := range first.Summary.Qualities {
		header = append(header, q.Name)
	}
	t.AppendHeader(append(header, "constraint", "difference", "furthest", "within tau"))
	rows := func(s summary, bounded bool) {
		var qualities, blank table.Row
		for i, q := range s.Qualities {
			format := first.Holdouts[0].Measures.qualities()[i]
			qualities, blank = append(qualities, q.words(format.format(format.measure))), append(blank, "")
		}
		if len(s.Constraints) == 0 {
			t.AppendRow(append(table.Row{"none"}, qualities...))
		}
		for i, c := range s.Constraints {
			tau, within := "none", ""
			if bounded {
				tau = written(c.Tau)
				switch unknown := len(first.Holdouts) - c.Holdouts; {
				case c.Holdouts > 0 && unknown > 0:
					within = fmt.Sprintf("%d of %d, %d not estimable", c.Within, c.Holdouts, unknown)
				case c.Holdouts > 0:
					within = fmt.Sprintf("%d of %d", c.Within, c.Holdouts)
				}
			}
			difference, furthest := "not estimable", ""
			if e := first.Holdouts[0].Constraints[i]; c.Holdouts > 0 {
				format := "%+.3f"
				if c.Criterion.OfMeans() {
					format = inUnits(e.Lo, e.Hi, "%+")
				}
				difference, furthest = c.spread.words(format), fmt.Sprintf(format, c.Furthest)
			}
			t.AppendRow(append(append(table.Row{tau}, qualities...), c.words, difference, furthest, within))
			qualities = blank
		}
	}
	for _, result := range results {
		rows(result.Summary, true)
	}
	if first.Unconstrained != nil {
		rows(*first.Unconstrained, false)
	}
	fmt.Fprintln(w, trimLines(t.Render()))
	fmt.Fprintln(w, "\nMean over the holdouts ± standard deviation between them.")
	if first.label != nil {
		fmt.Fprintln(w, unitWords(first.label, first.field, nil))
	}
}

func (s spread) words(format string) string {
	unsigned := strings.Replace(format, "+", "", 1)
	if s.Holdouts < 2 {
		return fmt.Sprintf(format, s.Mean)
	}
	return fmt.Sprintf(format+" ± "+unsigned, s.Mean, s.SD)
}
