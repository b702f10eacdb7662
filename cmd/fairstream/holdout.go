package main

import (
	"context"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// holdout measures a learner's weights, and those without constraints that it learnt alongside, on the
// same records.
type holdout struct {
	weights, unconstrained *document.Evaluation // unconstrained may be nil
}

func newHoldout(learner *model.Learner, doc *document.Document) (*holdout, error) {
	weights, err := document.NewEvaluation(doc)
	if err != nil || doc.Measurements.Unconstrained == nil {
		return &holdout{weights: weights}, err
	}
	free, _, err := learner.UnconstrainedDocument()
	if err != nil {
		return nil, err
	}
	unconstrained, err := document.NewEvaluation(free)
	return &holdout{weights, unconstrained}, err
}

func (h *holdout) add(rec *record.Record) {
	h.weights.Add(rec)
	if h.unconstrained != nil {
		h.unconstrained.Add(rec)
	}
}

func (h *holdout) evaluation() *evaluation {
	report := h.weights.Report()
	if h.unconstrained == nil {
		return newEvaluation(&report, nil)
	}
	free := h.unconstrained.Report()
	return newEvaluation(&report, &free)
}

// hold goes over the holdout once, with all holdouts side by side, and returns how many records were
// rejected.
func (r *replay) hold(ctx context.Context, holdouts []*holdout) (rejected int64, err error) {
	var rejects rejects
	var measured int64
	p := &pass{source: r.test, schema: r.schema, labelled: true, reject: rejects.add,
		each: func(rec *record.Record) {
			for _, h := range holdouts {
				h.add(rec)
			}
			measured++
		}}
	if err := p.open(); err != nil {
		return 0, err
	}
	stop := watch(r.err, p, "measuring")
	err = p.run(ctx)
	stop()
	rejects.write(r.err, measured+rejects.total, r.test.name)
	if err == nil && measured == 0 && rejects.total > 0 && rejects.total == rejects.reasons[record.MissingLabel] {
		err = p.noLabel()
	}
	return rejects.total, err
}
