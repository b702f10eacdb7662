package model

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// example is a labelled record whose columns are known.
type example struct {
	row      features.Row
	sides    []fairness.Side  // by comparison
	levels   []fairness.Level // by attribute
	strata   []int            // by comparison, nil if none is within strata
	factors  []float64        // by comparison, of the weight in it, nil if none is within strata
	positive bool             // the label of a decision
	label    float64          // the label of a regression
	weight   float64          // above 0
}

// weightIn is the weight of the record in a comparison.
func (e *example) weightIn(comparison int) float64 {
	if e.factors == nil {
		return e.weight
	}
	return e.weight * e.factors[comparison]
}

// forecast is what is made of a row before it is learnt.
type forecast struct {
	// published and free are the predictions of the published model and of the one without constraints: of a
	// classifier the margins.
	published, free float64
	// margins are those of all models, valid until the next forecast.
	margins *linear.Margins
}

// method is how weights are learnt. A method has the margin 0 until it has learnt.
type method interface {
	// start takes the labels of the first records, before any is learnt.
	start(labels []float64)
	// grow makes room for the weights of the encoder.
	grow(e *features.Frozen)
	// forecast predicts a row.
	forecast(row *features.Row) forecast
	// learn takes one step from an example and its forecast.
	learn(e *example, f forecast)
	// adapt does what is not done for every record.
	adapt(e *features.Frozen)
	// weight is the j-th weight of the published model.
	weight(j int) float64
	// unconstrained is the j-th weight of the model without constraints; learnt is false if none is learnt.
	unconstrained(j int) (weight float64, learnt bool)
	// control says how each enforced constraint is kept.
	control(comparisons []fairness.Comparison) []control.Report
	// counts are the decisions that the published model makes of recent records of the sides of a comparison; ok is false
	// where they are not kept.
	counts(comparison int) (group, versus fairness.Count, ok bool)
	// outlook says what the next decisions will be like.
	outlook() outlook
	// inUse is how many weights the records determine rather than their prior, and from how many records; 0 where there is
	// no prior.
	inUse() (weights, records float64)
	// fields codes all that has been learnt of so many weights.
	fields(c *codec.Coder, size int32)
}

// outlook is what the next decisions will be like, as far as the ones before do not show it.
type outlook struct {
	// constant says that on recent records only (nearly) constant decisions keep every enforced constraint.
	constant bool
	// collapse is whether the next decisions depend on the records.
	collapse fairness.CollapseState
}

// newMethod returns the method of a configuration, and its evaluation. constraints are by comparison.
func newMethod(config LearnerConfig, comparisons []fairness.Comparison, constraints []Constraint) (method, evaluation, error) {
	if config.Mode == Paper {
		p, err := newPaper(config, comparisons, constraints)
		return p, newDecisions(len(comparisons), config.Window, false, false), err
	}
	comparisons = enforceable(config, comparisons)
	beside := countEnforced(comparisons) > 0
	if config.Task == Regression {
		loss := linear.NewSquared()
		m := newMeans(config, comparisons, loss)
		return m, newPredictions(m.models, &loss.Labels, len(comparisons), config.Window, beside), nil
	}
	m, err := newRates(config, comparisons, constraints)
	return m, newDecisions(len(comparisons), config.Window, beside, true), err
}
