package model

import (
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// MostInherited is how many enforced comparisons a learner can inherit.
const MostInherited = 4

// Basis is what sums over records need of a learner that has learnt some of them.
type Basis struct {
	// Weights are those of the model without constraints, Precisions those of their priors.
	Weights, Precisions []float64
	// Regularization is the weight mu of (mu/2)|w|² for each record that has the weight's column.
	Regularization float64
	// Warmup is the smallest number of records whose sums mean something, Window how many recent records of each side are kept.
	Warmup, Window int
	// Comparisons is how many there are in Example.Sides, Enforced are those to be kept within their tau.
	Comparisons int
	Enforced    []Enforceable
	// Aim is how far within.
	Aim control.Aim
}

// Enforceable is a comparison that has groups.
type Enforceable struct {
	// Index is its place in Example.Sides.
	Index      int
	Name       string
	Tau        float64
	Relative   bool // rates are compared by their ratio
	Relaxation surrogate.Name
}

// Example is a record as sums take it. It is valid until the next one is read.
type Example struct {
	Row      *features.Row
	Sides    []fairness.Side // by comparison
	Positive bool
	Weight   float64
}

// Inherited is what sums over records found: the start of a learner that did not learn these records one by one.
type Inherited struct {
	Models linear.Given
	// Records is how many records were in the sums.
	Records int64
	// Sides are the shares of them on both sides of each comparison.
	Sides [][2]float64
	// Constraints have a model each, in the order of Models.Weights after the first.
	Constraints []control.Given
}

// errHeld says that the first records are still waiting.
var errHeld = errors.New("the records are fewer than learner.warmup, so no column has a type yet: set learner.warmup lower")

// Inheritable returns the reasons why a learner of this configuration cannot start from sums over records.
func (c Config) Inheritable() (problems []error) {
	refuse := func(field, text string) { problems = append(problems, fmt.Errorf("%s: %s", field, text)) }
	if c.Learner.Task == Regression {
		refuse("learner.task", "sums over records are made for classification; set it to classification, or learn the history with `fairstream run`")
	}
	if c.Learner.Mode == Paper {
		refuse("learner.mode", "mode paper learns one record after the other; set it to adaptive")
	}
	enforced := 0
	for i, constraint := range c.Constraints {
		if constraint.Strata != "" && constraint.Enforced() {
			refuse(fmt.Sprintf("constraints[%d].strata", i), "sums over records do not compare within strata; set enforce: false, or leave strata out")
		}
		if constraint.Enforced() {
			enforced += len(constraint.Comparison().Parts())
		}
	}
	if enforced > MostInherited {
		refuse("constraints", fmt.Sprintf("%d comparisons are enforced, and sums over records keep at most %d; set enforce: false for the others", enforced, MostInherited))
	}
	return problems
}

// Basis returns what sums over records need. The learner must have learnt its first records.
func (l *Learner) Basis() (Basis, error) {
	if !l.ready {
		return Basis{}, errHeld
	}
	models := l.method.(*constrained).models
	config := l.config.Learner
	b := Basis{Comparisons: len(l.about.comparisons), Precisions: models.Penalties(), Regularization: config.Regularization, Warmup: config.Warmup, Window: config.Window}
	for j := range l.encoder.Size() {
		b.Weights = append(b.Weights, models.Weight(int(j), nil))
	}
	per := l.config.perComparison()
	comparisons := enforceable(config, l.about.comparisons)
	for i := range comparisons {
		if c := &comparisons[i]; c.Enforce && c.Known() {
			b.Enforced = append(b.Enforced, Enforceable{i, c.Name, c.Bound(), c.Criterion.OfRatio(), per[i].Relaxation})
		}
	}
	if len(b.Enforced) > MostInherited {
		return b, fmt.Errorf("constraints: the records have %d groups to compare, and sums over records keep at most %d comparisons; name the groups instead of each", len(b.Enforced), MostInherited)
	}
	b.Aim = control.NewAim(config.Confidence, len(b.Enforced), config.HoldoutRecords, config.Level)
	return b, nil
}

// Read encodes a record, which is that number of a stream, as the learner would, without learning anything from it. ok is false of one that
// is in no sum: without a label, of weight 0, or reserved for evaluation.
func (l *Learner) Read(r *record.Record, number int64) (e Example, ok bool) {
	if !r.HasLabel || r.Weight <= 0 || l.reserve.Takes(r, number) {
		return e, false
	}
	for i := range l.levels {
		l.levels[i] = fairness.MissingLevel
		if v := &r.Attributes[i]; !v.Missing {
			l.levels[i] = l.grouper.Known(i, v.Text)
		}
	}
	l.grouper.Sides(l.example.sides, l.levels, r.Positive)
	l.encoder.Frozen.Encode(&l.example.row, r)
	return Example{&l.example.row, l.example.sides, r.Positive, r.Weight}, true
}

// AttributeCount is how many attributes a record of the learner has.
func (l *Learner) AttributeCount() int { return len(l.levels) }

// Inherit returns a learner of the same configuration, groups and columns that begins with given models. It has measured
// nothing, so whatever it publishes was measured on records that come from now on. The error is that of a damaged encoder.
func (l *Learner) Inherit(from Inherited) (*Learner, error) {
	if !l.ready {
		return nil, errHeld
	}
	heir, err := New(l.config)
	if err != nil {
		return nil, err
	}
	if err := heir.grouper.Adopt(l.grouper.Found()); err != nil {
		return nil, err
	}
	own, parent := heir.method.(*constrained), l.method.(*constrained)
	if err := errors.Join(clone(l.encoder.Fields, heir.encoder.Fields), clone(
		func(c *codec.Coder) { parent.models.Fields(c, l.encoder.Size()) },
		func(c *codec.Coder) { own.models.Fields(c, l.encoder.Size()) })); err != nil {
		return nil, err
	}
	for own.models.Models() > 1 {
		own.models.Leave(1)
	}
	own.keeper.(*control.Rates).Give(float64(from.Records), from.Sides, from.Constraints)
	own.models.Give(from.Models)
	heir.ready, heir.version = true, from.Records
	return heir, nil
}

// Warm has a learner that began with given models add its first records: those that each hands to take. Multipliers stay as they were given until
// the last of these records, and are then chosen from what was measured of all of them.
func (l *Learner) Warm(each func(take func(*record.Record))) {
	keeper := l.method.(*constrained).keeper.(*control.Rates)
	keeper.Hold()
	each(func(r *record.Record) { l.Add(r) })
	keeper.Choose()
}

// clone codes what write does, and has read read it.
func clone(write, read func(*codec.Coder)) error {
	written := codec.NewWriter(nil)
	write(written)
	r := codec.NewReader(written.Bytes())
	read(r)
	return r.End()
}
