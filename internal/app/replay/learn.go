package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// learn goes over the input once, with all learners side by side.
func (r *Replay) learn(ctx context.Context) (seconds float64, err error) {
	var seen labels
	arriving := arrivals{learners: r.learners, timed: r.schema.Config().Label.Time != ""}
	if labels := r.config.Stream.Labels; labels.Holds() {
		arriving.age = labels.Age
	}
	r.units = sequence.Units{}
	attributes := r.schema.Attributes()
	p := &input.Pass{Source: r.train, Schema: r.schema, Labelled: true, Reject: r.rejected.Add,
		Each: func(rec *record.Record) {
			arriving.add(rec)
			seen.add(rec)
			r.lookForUnits(rec)
			r.meaning.Add(rec, nil)
			if r.test.Name != "" && rec.HasLabel {
				r.learnt.Add(rec)
				r.held.Learnt(rec, attributes)
			}
		}}
	if err := p.Open(); err != nil {
		return 0, err
	}
	stop := input.ShowProgress(r.Err, p, "learning")
	start := time.Now()
	err = p.Run(ctx)
	arriving.end()
	seconds = time.Since(start).Seconds()
	stop()
	learnt := arriving.number
	r.records = learnt
	r.rejected.Write(r.Err, learnt+r.rejected.Total, r.train.Name)
	if err != nil {
		return 0, err
	}
	if learnt == 0 {
		return 0, r.nothingLearnt(p)
	}
	r.warn(p, &seen)
	return seconds, nil
}

// nothingLearnt says why.
func (r *Replay) nothingLearnt(p *input.Pass) error {
	switch {
	case r.rejected.Total == 0:
		return fmt.Errorf("%s holds no records", p.Source.Name)
	case r.rejected.Reasons[record.MissingLabel] == r.rejected.Total:
		return p.NoLabel()
	}
	return fmt.Errorf("nothing was learnt: every record of %s was rejected", p.Source.Name)
}

// labelsDiffer is an error if all labels were the same: what was learnt from them says nothing.
func (r *Replay) labelsDiffer() error {
	if !r.oneLabel {
		return nil
	}
	return fmt.Errorf("what was learnt from %s is useless: every label is the same, see the warning", r.train.Name)
}

// worth is an error if mode paper learnt weights that are worse than a constant decision. Its step sizes are the
// user's, and wrong ones show so; the other modes choose theirs.
func (r *Replay) worth(results []*findings.Result) error {
	if err := r.labelsDiffer(); err != nil {
		return err
	}
	if r.config.Learner.Mode != model.Paper {
		return nil
	}
	for _, result := range results {
		m := result.Measured().Measures
		if m.Accuracy.Hi < m.ConstantAccuracy.Value {
			return fmt.Errorf("the weights are worse than a constant decision: accuracy %.3f (at most %.3f) of %s, where the constant decision has %.3f. The steps of mode paper were too large: set a larger learner.paper.k, or a larger threshold",
				m.Accuracy.Value, m.Accuracy.Hi, english.Counted(m.Accuracy.Records, "record"), m.ConstantAccuracy.Value)
		}
	}
	return nil
}
