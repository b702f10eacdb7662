package model

import (
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
)

// regression is what a learner of numbers has in the place of a classifier's trainer, windows and
// measurements.
//
//	regressionlabel.go     where labels lie and how far apart
//	regressionmodel.go     free and pressed weights, and a step
//	regressionmeans.go     the mean prediction of a side, exact for the weights of the moment
//	regressionsparsity.go  the penalty that shrinks columns of no use
//	regressionpressure.go  how far to go from the free weights to the pressed ones
type regression struct {
	model    *regressionModel
	windows  [][2]*fairness.Window[prediction] // per comparison: the group's and versus'
	measured *regressionPrequential            // of the published model
	free     *regressionPrequential            // of the free one; nil without enforced comparisons
}

// prediction is one that was made before its record was learnt.
type prediction struct{ value, weight float64 }

// regressionPrequential is the prequential evaluation of a regression: see prequential.
type regressionPrequential struct {
	rolling[*fairness.RegressionTally]
}

func newRegressionPrequential(comparisons int) *regressionPrequential {
	return &regressionPrequential{newRolling(func() *fairness.RegressionTally { return fairness.NewRegressionTally(comparisons) })}
}

func (p *regressionPrequential) add(label, prediction, constant, weight float64, sides []fairness.Side) {
	p.open.Add(label, prediction, constant, weight, sides)
	if p.open.Errors.Model.Records == blockRecords {
		p.close()
	}
}

func newRegression(config LearnerConfig, comparisons []fairness.Comparison) *regression {
	var enforced []int
	for i, c := range comparisons {
		if c.Enforce && config.Mode != Unconstrained {
			enforced = append(enforced, i)
		}
	}
	r := &regression{
		model:    newRegressionModel(config, enforced, comparisons),
		measured: newRegressionPrequential(len(comparisons)),
	}
	if len(enforced) > 0 {
		r.free = newRegressionPrequential(len(comparisons))
	}
	for range comparisons {
		r.windows = append(r.windows, [2]*fairness.Window[prediction]{
			fairness.NewWindow[prediction](config.Window), fairness.NewWindow[prediction](config.Window)})
	}
	return r
}

// grow makes room for the encoder's weights.
func (r *regression) grow(e *features.Frozen) {
	r.model.grow(e.Size())
	r.model.sparsity.grow(e, r.model.models)
}

// start takes the labels of the first records, before any is learnt.
func (r *regression) start(first []heldBack) {
	labels := make([]float64, len(first))
	for i := range first {
		labels[i] = first[i].label
	}
	r.model.label.start(labels)
}

// learn measures a row, and then learns from it. It returns how far the label was off the free model's
// prediction, and the variance of that, in units of the labels' spread.
func (r *regression) learn(row *Row, label, weight float64, sides []fairness.Side) (residual, variance float64) {
	shown, free := r.model.predict(row)
	constant := r.model.label.constant()
	r.measured.add(label, shown, constant, weight, sides)
	if r.free != nil {
		r.free.add(label, free, constant, weight, sides)
	}
	for i, side := range sides {
		switch side {
		case fairness.Group:
			r.windows[i][0].Push(prediction{shown, weight})
		case fairness.Versus:
			r.windows[i][1].Push(prediction{shown, weight})
		}
	}
	residual, variance = r.model.surprise(label, free)
	r.model.learn(row, label, shown, weight, sides)
	return residual, variance
}

// current measures each comparison on the most recent records of each side.
func (r *regression) current(comparisons []fairness.Comparison, o fairness.Options) []fairness.Estimate {
	all := r.measured.all()
	estimates := make([]fairness.Estimate, len(comparisons))
	for i, comparison := range comparisons {
		counts := all.Comparisons[i]
		for k, side := range [2]*fairness.Moments{&counts.Group, &counts.Versus} {
			*side = fairness.Moments{}
			for p := range r.windows[i][k].All() {
				side.Add(p.value, p.weight)
			}
		}
		estimates[i] = comparison.EstimateMeans(counts, o)
	}
	return estimates
}
