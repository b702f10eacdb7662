package replay

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// holdout measures a learner's weights, and those without constraints that it learnt alongside, on the
// same records.
type holdout struct {
	weights, unconstrained *measurement // unconstrained may be nil
	familiarity            *document.Familiarity
	columns                []string // of the model
}

// measurement is of one document.
type measurement struct {
	*document.Evaluation
	of        *document.Document
	appraisal *appraise.Appraisal
	lacks     bool // some of the records have no label
}

// newHoldout prepares the measurement. columns says whether margins are to be split by column.
func newHoldout(learner *model.Learner, doc *document.Document, columns bool) (*holdout, error) {
	familiarity, err := doc.Familiarity()
	if err != nil {
		return nil, err
	}
	learnt, err := doc.Columns()
	if err != nil {
		return nil, err
	}
	weights, err := newMeasurement(doc, columns)
	if err != nil || doc.Measurements.Unconstrained == nil {
		return &holdout{weights: weights, familiarity: familiarity, columns: learnt}, err
	}
	free, _, err := learner.UnconstrainedDocument()
	if err != nil {
		return nil, err
	}
	unconstrained, err := newMeasurement(free, columns)
	return &holdout{weights, unconstrained, familiarity, learnt}, err
}

func newMeasurement(doc *document.Document, columns bool) (*measurement, error) {
	evaluation, err := document.NewEvaluation(doc)
	if err != nil {
		return nil, err
	}
	appraisal, err := appraise.New(doc, columns)
	if err != nil {
		return nil, err
	}
	evaluation.Observe, err = appraisal.Observer(doc)
	return &measurement{Evaluation: evaluation, of: doc, appraisal: appraisal}, err
}

func (m *measurement) evaluation(unconstrained *findings.Evaluation) *findings.Evaluation {
	report := m.Report()
	if m.lacks {
		m.of.Measurements.Limit(&report)
	}
	e := findings.NewEvaluation(&report, nil)
	e.Unconstrained, e.Appraisal = unconstrained, m.appraisal
	if e.Measures.Decisions != nil {
		auc := m.appraisal.Ranking.AUC(report.Accuracy.Level)
		e.Measures.AUC = &auc
		e.Groups = findings.NewGroupReports(m.appraisal, report.Accuracy.Level)
	}
	return e
}

func (h *holdout) add(rec *record.Record) {
	for _, m := range [...]*measurement{h.weights, h.unconstrained} {
		if m != nil {
			m.Add(rec)
			m.lacks = m.lacks || !rec.HasLabel
		}
	}
}

func (h *holdout) evaluation() *findings.Evaluation {
	if h.unconstrained == nil {
		return h.weights.evaluation(nil)
	}
	return h.weights.evaluation(h.unconstrained.evaluation(nil))
}

// hold goes over the holdout once, with all holdouts side by side, and returns how many records were
// rejected.
func (r *Replay) hold(ctx context.Context, holdouts []*holdout) (rejected int64, err error) {
	var rejects input.Rejections
	var measured int64
	var seen labels
	r.learnt.Close()
	attributes := r.schema.Attributes()
	p := &input.Pass{Source: r.test, Schema: r.schema, Labelled: true, Reject: rejects.Add,
		Each: func(rec *record.Record) {
			for _, h := range holdouts {
				h.add(rec)
			}
			if measured < looked && len(holdouts) == 1 {
				holdouts[0].familiarity.Add(rec)
			}
			seen.add(rec)
			r.learnt.Add(rec)
			r.held.Hold(rec, attributes)
			r.beside.Add(rec, nil)
			measured++
		}}
	if err := p.Open(); err != nil {
		return 0, err
	}
	stop := input.ShowProgress(r.Err, p, "measuring")
	err = p.Run(ctx)
	stop()
	rejects.Write(r.Err, measured+rejects.Total, r.test.Name)
	if err == nil && measured == 0 && rejects.Total > 0 && rejects.Total == rejects.Reasons[record.MissingLabel] {
		err = p.NoLabel()
	}
	if err == nil {
		r.warnHoldout(holdouts, &seen, measured)
	}
	return rejects.Total, err
}

// warnHoldout tells of a holdout that is not like the records that were learnt: all its labels are alike, or its columns have other texts
// or other numbers; and of one with records that were learnt.
func (r *Replay) warnHoldout(holdouts []*holdout, seen *labels, records int64) {
	if seen.any && !seen.differ && records >= leastAlike && r.config.Learner.Task == model.Classification {
		word := "no record"
		if seen.first.Positive {
			word = "every record"
		}
		english.Fprintf(r.Err, "Warning: record.label.positive: %s of %s is positive: are its labels written as in the records that were learnt?\n", word, r.test.Name)
	}
	r.warnSwapped(holdouts, records)
	if copies, column := r.learnt.Found(); copies > 0 {
		english.Fprintf(r.Err, "Warning: %s: at least %d of %s were learnt: they equal a learnt record in every field, although %q has a value of its own in nearly every record. "+
			"Measurements on them do not hold for new records: hold others out, or use --folds 5\n", r.test.Name, copies, english.Counted(records, "record"), column)
	} else if words := r.meaning.Learnt(r.beside); words != "" {
		fmt.Fprintf(r.Err, "Warning: %s: %s\n", r.test.Name, words)
	}
	if len(holdouts) != 1 {
		return
	}
	if r.config.Record.Time.Field == "" && r.Holdout != "" && !r.shared && !r.reads(r.Holdout) && r.Holdout != input.StandardInput { // by record.time, it is said of all records
		if name := r.older(r.lookAt(r.test)); name != "" {
			english.Fprintf(r.Err, "Warning: %s: judging by %q, its first records are older than the first records that were learnt. Decisions are about the newest records: were the two files exchanged?\n", r.test.Name, name)
		}
	}
	if auc := holdouts[0].weights.evaluation(nil).Measures.AUC; auc != nil && auc.Hi < .5 && records >= leastAlike {
		english.Fprintf(r.Err, "Warning: record.label.positive: the scores put the records of %s in the wrong order (AUC %.3f, at most %.3f): does %q mean the opposite there?\n", r.test.Name, auc.Value, auc.Hi, r.config.Record.Label.Field)
	}
	var told []string // columns
	for _, unfamiliar := range holdouts[0].familiarity.Unfamiliar() {
		told = append(told, unfamiliar.Column)
		fmt.Fprintf(r.Err, "Warning: %s: %s\n", r.test.Name, unfamiliar)
	}
	for _, e := range holdouts[0].weights.evaluation(nil).Constraints {
		i := slices.IndexFunc(r.config.Constraints, func(c model.Constraint) bool { return c.Name == e.Name })
		if i < 0 || records < leastAlike || !seen.differ || e.NGroup > 0 && e.NVersus > 0 {
			continue
		}
		path, group := "group", e.Group
		if e.NGroup > 0 {
			path, group = "versus", e.Versus
		}
		english.Fprintf(r.Err, "Warning: constraints[%d].%s: none of %s of %s is %s: is %q written there as in the records that were learnt?\n",
			i, path, english.Counted(records, "record"), r.test.Name, group, strings.Join(r.config.Constraints[i].Attribute, ", "))
		told = append(told, r.config.Constraints[i].Attribute...)
	}
	label := r.config.Record.Label.Field
	if !seen.differ || r.config.Record.Key != "" {
		label = "" // that they are all alike was told, or they come in records of their own
	}
	compared := append(r.schema.Attributes(), holdouts[0].columns...)
	for _, difference := range r.held.Differences(label, func(name string) bool { return slices.Contains(compared, name) && !slices.Contains(told, name) }) {
		english.Fprintf(r.Err, "Warning: %s: %s\n", r.test.Name, difference)
	}
}

// warnSwapped tells of a holdout that is much larger than what was learnt.
func (r *Replay) warnSwapped(holdouts []*holdout, records int64) {
	if learnt := r.records; len(holdouts) == 1 && learnt > 0 && records >= leastAlike && records >= mostHeldOut*learnt {
		if r.shared {
			english.Fprintf(r.Err, "Warning: --holdout %s: that share is held out, %s, and only %d were learnt: --holdout 0.2 holds out a fifth\n", r.Holdout, english.Counted(records, "record"), learnt)
			return
		}
		english.Fprintf(r.Err, "Warning: --holdout: %s has %s, and only %d were learnt from %s: were --input and --holdout swapped? More records to learn from make better weights\n",
			r.test.Name, english.Counted(records, "record"), learnt, r.train.Name)
	}
}

// mostHeldOut is how many times as many records are held out as learnt where both may be meant.
const mostHeldOut = 3

// leastAlike is how many labels are not all alike by chance.
const leastAlike = 200

// OfBundled measures what a learner learnt on the bundled records that are held out.
func OfBundled(ctx context.Context, learner *model.Learner, doc *document.Document) (*findings.Evaluation, error) {
	h, err := newHoldout(learner, doc, false)
	if err != nil {
		return nil, err
	}
	schema, err := doc.Schema()
	if err != nil {
		return nil, err
	}
	r := Replay{Streams: &program.Streams{Err: io.Discard}, test: input.PartOfBundled(true), schema: schema}
	if _, err := r.hold(ctx, []*holdout{h}); err != nil {
		return nil, err
	}
	return h.evaluation(), nil
}
