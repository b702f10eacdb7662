package model

import (
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// controller keeps differences within tau.
type controller interface {
	// Grow takes note of new weights of the encoder.
	Grow(e *features.Frozen)
	// Publish is the margin that is published, of those of all models.
	Publish(margins []float64) float64
	// Interpolation returns the interpolation weights by constrained model, Shift what is added to every margin.
	Interpolation() []float64
	Shift() float64
	// Push returns what the constraints add to the gradient of each model for a record.
	Push(r *control.Record) []float64
	// Observe takes in a record that was learnt with these gradients.
	Observe(r *control.Record, gradients []float64)
	// Reports says how each enforced constraint is kept.
	Reports(comparisons []fairness.Comparison) []control.Report
	// Counts are the decisions that the published model makes of recent records of a comparison, and by how much their difference varies more than that of
	// as many independent ones; none (false) if it keeps no records of it.
	Counts(comparison int) (group, versus fairness.Count, inflation float64, ok bool)
	// Predicted are the mean predictions that the published model makes of them, less the centre of the labels, none (false)
	// of decisions.
	Predicted(comparison int) (means [2]float64, ok bool)
	// Constant says that on recent records only (nearly) constant decisions keep every enforced constraint, Collapse
	// whether the next decisions depend on the records.
	Constant() bool
	Collapse() fairness.CollapseState
	// Fields codes all that the control has learnt.
	Fields(c *codec.Coder, size int32)
}

var (
	_ controller = (*control.Rates)(nil)
	_ controller = (*control.Means)(nil)
)

// constrained is the method of the modes adaptive and unconstrained, for both tasks: models that are learnt side by side,
// and the control of what is published of them.
type constrained struct {
	models  *linear.Models
	keeper  controller
	scale   linear.Scale    // of labels
	margins *linear.Margins // scratch
	record  control.Record  // scratch: on the stack it would be allocated
}

// newRates returns the method that learns decisions.
func newRates(config LearnerConfig, comparisons []fairness.Comparison, constraints []Constraint) (*constrained, error) {
	m := newConstrained(config, linear.NewLogistic(), countEnforced(comparisons), 0)
	relaxations := make([]surrogate.Name, len(constraints))
	for i := range constraints {
		relaxations[i] = constraints[i].Relaxation
	}
	rates, err := control.NewRates(controlSettings(config, comparisons), comparisons, relaxations, m.models)
	m.keeper = rates
	return m, err
}

// newMeans returns the method that learns predictions of a number.
func newMeans(config LearnerConfig, comparisons []fairness.Comparison, loss *linear.Squared) *constrained {
	m := newConstrained(config, loss, countEnforced(comparisons), 2)
	m.keeper = control.NewMeans(controlSettings(config, comparisons), comparisons, m.models)
	return m
}

func newConstrained(config LearnerConfig, loss linear.Loss, enforced, sums int) *constrained {
	models := linear.New(linear.Settings{Most: enforced, Sums: sums, Window: config.Window,
		Step: config.Step, Regularization: config.Regularization, Sparsity: config.Sparsity, Forgetting: float64(config.Forgetting), Without: config.without}, loss)
	return &constrained{models: models, scale: loss, margins: models.NewMargins()}
}

// enforceable returns the comparisons, of which mode unconstrained enforces none.
func enforceable(config LearnerConfig, comparisons []fairness.Comparison) []fairness.Comparison {
	comparisons = slices.Clone(comparisons)
	for i := range comparisons {
		comparisons[i].Enforce = comparisons[i].Enforce && config.Mode != Unconstrained
	}
	return comparisons
}

func countEnforced(comparisons []fairness.Comparison) (count int) {
	for _, c := range comparisons {
		if c.Enforce {
			count++
		}
	}
	return count
}

func controlSettings(config LearnerConfig, comparisons []fairness.Comparison) control.Settings {
	return control.Settings{Aim: control.NewAim(config.Confidence, countEnforced(comparisons), config.HoldoutRecords, config.Level),
		Window: config.Window, Minimum: config.MinimumRecords, Forgetting: float64(config.Forgetting), Without: config.without}
}

func (m *constrained) start(labels []float64) { m.scale.Start(labels) }

func (m *constrained) grow(e *features.Frozen) {
	m.models.Grow(e)
	m.keeper.Grow(e)
}

func (m *constrained) forecast(row *features.Row) forecast {
	m.models.Margins(m.margins, row)
	published := m.keeper.Publish(m.margins.Average)
	return forecast{published: m.scale.Prediction(published), free: m.scale.Prediction(m.margins.Average[0]), margins: m.margins}
}

func (m *constrained) learn(e *example, f forecast) {
	relative, r := 0.0, &m.record
	if e.brings == control.Itself {
		relative = m.models.Relative(e.weight)
	} else {
		relative = m.models.Count(e.weight)
	}
	r.Brings, r.Number, r.Row, r.Margins, r.Published, r.Positive = e.brings, e.number, &e.row, f.margins, f.published-m.scale.Centre(), e.positive // no copy: see Influence.Margins
	r.Weight, r.Relative, r.Labelled, r.Scale, r.Sides, r.Factors = e.weight, relative, e.labelled, e.scale, e.sides, e.factors
	push := m.keeper.Push(&m.record)
	var gradients []float64
	if e.brings == control.Itself {
		gradients = m.models.Press(&e.row, push, relative)
	} else {
		gradients = m.models.Step(&e.row, f.margins, push, m.scale.Label(e.positive, e.label), relative)
	}
	m.keeper.Observe(&m.record, gradients)
}

func (m *constrained) adapt(e *features.Frozen) { m.models.Adapt(e) }

func (m *constrained) weight(j int) float64 {
	w := m.models.Weight(j, m.keeper.Interpolation())
	if j == int(features.Intercept) {
		w += m.keeper.Shift() + m.scale.Centre()
	}
	return w
}

func (m *constrained) weights(published, free []float64, from int) (learnt bool) {
	m.models.Weights(published, free, from, m.keeper.Interpolation())
	if at := int(features.Intercept) - from; at >= 0 && at < len(published) {
		published[at] += m.keeper.Shift() + m.scale.Centre()
		free[at] += m.scale.Centre()
	}
	return true
}

func (m *constrained) control(comparisons []fairness.Comparison) []control.Report {
	return m.keeper.Reports(comparisons)
}

func (m *constrained) counts(comparison int) (group, versus fairness.Count, inflation float64, ok bool) {
	return m.keeper.Counts(comparison)
}

func (m *constrained) means(comparison int) (means [2]float64, ok bool) {
	means, ok = m.keeper.Predicted(comparison)
	for i := range means {
		means[i] = m.scale.Prediction(means[i])
	}
	return means, ok
}

func (m *constrained) outlook() outlook { return outlook{m.keeper.Constant(), m.keeper.Collapse()} }

func (m *constrained) inUse() (weights, records float64) { return m.models.InUse() }

func (m *constrained) fields(c *codec.Coder, size int32) {
	m.models.Fields(c, size)
	m.keeper.Fields(c, size)
	c.Check(m.models.Models() == len(m.keeper.Interpolation())+1)
}
