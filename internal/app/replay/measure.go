package replay

import (
	"context"

	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/pkg/document"
)

// keep writes the document that --save asked for.
func (r *Replay) keep(doc *document.Document, from orders) error {
	doc.Job = r.config.Job
	doc.Rejected = r.rejected.Total
	doc.Lineage.Program = program.Version()
	doc.Lineage.Input = r.train.Name + from.words()
	text, err := doc.Encode()
	if err != nil {
		return err
	}
	return r.saved().Write(append(text, '\n'))
}

// keepWhole writes what was learnt from all records beside the folds, once.
func (r *Replay) keepWhole() error {
	if r.whole == nil {
		return nil
	}
	doc, err := r.whole.Document()
	r.whole = nil
	if err != nil {
		return err
	}
	from := r.Orders // of which the first was learnt
	if seeds := from.seeds(); len(seeds) > 0 {
		from = orders{Seed: seeds[0], seeded: true}
	}
	return r.keep(doc, from)
}

// measure evaluates what was learnt, on the holdout too if there is one.
func (r *Replay) measure(ctx context.Context, seconds float64) ([]*findings.Result, error) {
	var results []*findings.Result
	var holdouts []*holdout
	for i, learner := range r.learners {
		doc, err := learner.Document()
		if err != nil {
			return nil, err
		}
		result := findings.NewResult(doc, seconds)
		result.Rejected, result.Reasons = r.rejected.Total, r.rejected.Reasons
		result.Tau, result.Relaxation = r.variant(i)
		if r.Orders.seeded {
			result.Shuffle = &r.Orders.Seed
		}
		results = append(results, result)
		if r.Save != "" {
			if err := r.keep(doc, r.Orders); err != nil {
				return nil, err
			}
		}
		if r.test.Name != "" {
			h, err := newHoldout(learner, doc, r.Page != "")
			if err != nil {
				return nil, err
			}
			holdouts = append(holdouts, h)
		}
	}
	if r.test.Name == "" {
		return results, nil
	}
	rejected, err := r.hold(ctx, holdouts)
	if err != nil {
		return nil, err
	}
	for i, h := range holdouts {
		results[i].Holdout = h.evaluation()
		results[i].Holdout.Rejected = rejected
	}
	return results, nil
}
