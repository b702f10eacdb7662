package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Learner turns a sequence of records into weights. It belongs to one goroutine; what it hands out
// (documents, reports, states) is independent of it.
type Learner struct {
	// Settings.
	config      Config
	grouper     *fairness.Grouper
	comparisons []fairness.Comparison // equalized odds split
	options     fairness.Options

	// State: what a snapshot saves.
	version int64      // records learnt, those held back included
	held    []heldBack // the first records, until types and bins are decided from them
	decided bool       // they were
	encoder *features.Learning
	// A regression has the first of these, a classifier the others.
	regression *regression
	trainer    trainer
	windows    [][2]*window // per comparison: the group's and versus'
	measured,
	unconstrained *prequential // of the published and, in mode adaptive, of the free model

	// Scratch.
	row    Row
	levels []fairness.Level
	sides  []fairness.Side
}

// trainer is the part of a learner that owns weights. learn is called after margin, for the same row.
type trainer interface {
	// grow makes room for size weights.
	grow(size int32)
	// margin is that of the published weights.
	margin(row *Row) float64
	// learn takes one step; weight is positive.
	learn(row *Row, positive bool, weight float64, sides []fairness.Side)
	// weight is the j-th of the published weights.
	weight(j int) float64
	// write and read are the trainer's part of a state.
	write(w *writer)
	read(r *reader, size int32)
}

var (
	_ trainer = (*adaptive)(nil)
	_ trainer = (*paper)(nil)
)

// heldBack is one of the first records.
type heldBack struct {
	positive bool
	label    float64 // of a regression
	weight   float64
	levels   []fairness.Level
	features []record.Field // texts and names are its own
}

// Schema joins the record section with the attributes of the constraints; decoders come from it.
func (c Config) Schema() (*record.Schema, error) {
	return record.NewSchema(c.Record, c.Attributes())
}

// New returns a learner that has seen nothing. The error joins a record.Problem for everything that is
// wrong with the configuration.
func New(config Config) (*Learner, error) {
	config = config.WithDefaults()
	var problems []error
	for _, problem := range config.Validate() {
		problems = append(problems, problem)
	}
	if problems != nil {
		return nil, errors.Join(problems...)
	}
	grouper, err := fairness.NewGrouper(config.Comparisons())
	if err != nil {
		return nil, err
	}
	l := &Learner{
		config: config, grouper: grouper, comparisons: grouper.Comparisons(),
		options: fairness.Options{Level: config.Learner.Level, MinimumRecords: float64(config.Learner.MinimumRecords)},
		encoder: features.NewLearning(config.Learner.Config),
	}
	l.encoder.Resembles = func(name, field string) bool { return spelling.Field(name, []string{field}) != "" }
	l.levels = make([]fairness.Level, len(grouper.Attributes()))
	l.sides = make([]fairness.Side, len(l.comparisons))
	if config.Learner.Task == Regression {
		l.regression = newRegression(config.Learner, l.comparisons)
		l.regression.grow(&l.encoder.Frozen)
		return l, nil
	}
	l.measured = newPrequential(len(l.comparisons))
	if err := l.newTrainer(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *Learner) newTrainer() error {
	settings := l.perComparison()
	var enforced []int
	for i, c := range l.comparisons {
		if c.Enforce && l.config.Learner.Mode != Unconstrained {
			enforced = append(enforced, i)
		}
	}
	var names []surrogate.Name
	for _, c := range settings {
		names = append(names, c.Relaxation)
	}
	models := 0
	switch l.config.Learner.Mode {
	case Paper:
		p, err := newPaper(l.config.Learner, enforced, settings)
		if err != nil {
			return err
		}
		l.trainer = p
	default:
		a, err := newAdaptive(l.config.Learner, enforced, l.comparisons, names)
		if err != nil {
			return err
		}
		l.trainer = a
		if len(enforced) > 0 {
			models = a.models
			l.unconstrained = newPrequential(len(l.comparisons))
		}
	}
	l.trainer.grow(l.encoder.Size())
	for _, c := range l.comparisons {
		kept := models
		if !c.Enforce {
			kept = 0
		}
		var sides [2]*window
		for i := range sides {
			sides[i] = newWindow(l.config.Learner.Window, kept)
		}
		l.windows = append(l.windows, sides)
	}
	return nil
}

// perComparison returns the constraint behind each comparison.
func (l *Learner) perComparison() []Constraint {
	var constraints []Constraint
	for _, c := range l.config.Constraints {
		for range c.Comparison().Parts() {
			constraints = append(constraints, c)
		}
	}
	return constraints
}

// Learn measures the record and learns from it. The record must have a label; nothing of it is kept
// beyond the call, but for the first records, which are copied.
func (l *Learner) Learn(r *record.Record) {
	if !r.HasLabel {
		panic("model: Learn needs a record with a label")
	}
	l.version++
	if r.Weight <= 0 {
		return // a weight of 0 contributes nothing
	}
	for i := range l.levels {
		l.levels[i] = fairness.MissingLevel
		if v := &r.Attributes[i]; !v.Missing {
			l.levels[i] = l.grouper.Level(i, v.Text)
		}
	}
	if !l.decided {
		l.hold(r)
		return
	}
	l.learn(r.Features, r.Layout, l.levels, r.Positive, r.Label, r.Weight)
}

// learn is Learn once columns are decided.
func (l *Learner) learn(fields []record.Field, layout uint64, levels []fairness.Level, positive bool, label, weight float64) {
	l.grouper.Sides(l.sides, levels, positive)
	l.encoder.Encode(&l.row, fields, layout)
	if l.regression != nil {
		l.regression.grow(&l.encoder.Frozen)
		residual, variance := l.regression.learn(&l.row, label, weight, l.sides)
		l.encoder.Reveal(residual, variance, weight)
		l.regression.model.judge(&l.encoder.Frozen)
		return
	}
	l.trainer.grow(l.encoder.Size())

	margin := l.trainer.margin(&l.row)
	published := newForecast(margin)
	l.measured.add(published, positive, weight, l.sides)
	a, _ := l.trainer.(*adaptive)
	var margins []float64
	free := published // of the model without constraints: in mode paper there is only the published one
	if a != nil {
		margins = a.average
	}
	if l.unconstrained != nil {
		free = newForecast(margins[0])
		l.unconstrained.add(free, positive, weight, l.sides)
	}
	l.encoder.Reveal(free.residual(positive), float64(free.positive*free.negative), weight)
	l.trainer.learn(&l.row, positive, weight, l.sides)
	var gradients []float64
	if a != nil {
		gradients = a.gradient
		if a.everyone != nil {
			a.everyone.push(&l.row, margins, gradients, weight, margin > 0, positive)
		}
	}
	for i, side := range l.sides {
		switch side {
		case fairness.Group:
			l.windows[i][0].push(&l.row, margins, gradients, weight, margin > 0, positive)
		case fairness.Versus:
			l.windows[i][1].push(&l.row, margins, gradients, weight, margin > 0, positive)
		}
	}
	if a != nil {
		a.tune(l.windows)
		a.judge(&l.encoder.Frozen)
	}
}

// hold keeps one of the first records; when there are enough, columns are decided and they are learnt.
func (l *Learner) hold(r *record.Record) {
	h := heldBack{positive: r.Positive, label: r.Label, weight: r.Weight, levels: append([]fairness.Level(nil), l.levels...)}
	for _, f := range r.Features {
		f.Text = append([]byte(nil), f.Text...)
		f.ID = record.NoName
		h.features = append(h.features, f)
	}
	l.held = append(l.held, h)
	if len(l.held) >= l.config.Learner.Warmup {
		l.decide()
	}
}

func (l *Learner) decide() {
	held := l.held
	l.held, l.decided = nil, true
	l.encoder.Refuse(l.absent(held))
	for i := range held {
		l.encoder.Observe(held[i].features)
	}
	l.encoder.Infer()
	if l.regression != nil {
		l.regression.start(held)
	}
	for i := range held {
		h := &held[i]
		l.learn(h.features, 0, h.levels, h.positive, h.label, h.weight)
	}
}

// absent lists the attributes that no record held back has. The configuration probably misspells them, and then a field
// of which the name is near holds what must not be a feature.
func (l *Learner) absent(held []heldBack) (absent []string) {
	for i, name := range l.grouper.Attributes() {
		if !slices.ContainsFunc(held, func(h heldBack) bool { return h.levels[i] != fairness.MissingLevel }) {
			absent = append(absent, name)
		}
	}
	return absent
}

// settled returns l, or, while first records are held back, a learner that has learnt them.
func (l *Learner) settled() *Learner {
	if l.decided {
		return l
	}
	early, err := New(l.config)
	if err != nil {
		panic("model: a configuration that was valid no longer is")
	}
	early.version = l.version
	early.held = l.held
	early.decide()
	return early
}

// Version is the number of records learnt.
func (l *Learner) Version() int64 { return l.version }

// Config returns the configuration with every default filled in.
func (l *Learner) Config() Config { return l.config }

// Ready says whether the learner has weights: the first records are held back until the types of columns are known.
func (l *Learner) Ready() bool { return l.decided }

// Margin is that of the weights that Document would publish now, bit for bit, at a cost of O(non-zeros): the prediction
// of a regression, or what a classifier decides by. A learner that is not Ready has no weights yet: its margin is 0.
func (l *Learner) Margin(r *record.Record) float64 {
	margin := 0.0
	if l.decided {
		l.encoder.Frozen.Encode(&l.row, r.Features, r.Layout)
		for i, j := range l.row.Index {
			margin += float64(l.weight(int(j)) * l.row.At(i))
		}
	}
	return margin
}

// Decide is the decision of the weights that Document would publish now. The learner must be a classifier.
func (l *Learner) Decide(r *record.Record) document.Decision {
	if l.config.Learner.Task != Classification {
		panic("model: a regression has no decisions")
	}
	return document.NewDecision(l.Margin(r), 0)
}

// weight is the j-th of the published weights.
func (l *Learner) weight(j int) float64 {
	if l.regression != nil {
		return l.regression.model.weight(j, l.regression.model.pressures)
	}
	return l.trainer.weight(j)
}

// published returns the published weights.
func (l *Learner) published() []float64 {
	weights := make([]float64, l.encoder.Size())
	for j := range weights {
		weights[j] = l.weight(j)
	}
	return weights
}

// Weights is how many weights there are.
func (l *Learner) Weights() int { return int(l.encoder.Size()) }

// diverged says whether the weights have become infinite or not a number, which only step sizes that are
// far too large bring about.
func (l *Learner) diverged() error {
	for _, w := range l.published() {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			key := "a smaller learner.step"
			if l.config.Learner.Mode == Paper {
				key = "a larger learner.paper.k"
			}
			return fmt.Errorf("model: the weights diverged after %d records: use smaller steps (%s)", l.version, key)
		}
	}
	return nil
}
