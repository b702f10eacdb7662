package model

import (
	"math"
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWeightsThatAreNumbers: the largest floating-point number is finite, and infinities are not.
func TestWeightsThatAreNumbers(t *testing.T) {
	for w, want := range map[float64]bool{0: true, math.MaxFloat64: true, -math.MaxFloat64: true, math.Inf(1): false, math.Inf(-1): false} {
		if areFinite([]float64{1, w}) != want {
			t.Errorf("%v: %t", w, !want)
		}
	}
	if areFinite([]float64{math.NaN(), 1}) || !areFinite(nil) {
		t.Error("NaN is taken for finite, or an empty list of weights is not")
	}
}

// TestOnHowManyDecisionsARateRests: on all of the window in mode paper; otherwise on fewer, because decisions are counted again by models that have learnt them.
func TestOnHowManyDecisionsARateRests(t *testing.T) {
	c := Config{Learner: LearnerConfig{Mode: Adaptive, Task: Classification, Window: 2000}}
	paper, regression := c, c
	paper.Learner.Mode, regression.Learner.Task = Paper, Regression
	for records, want := range map[int64][3]float64{
		100: {100, 100 / control.MeanInflation, 100 / control.Inflation}, 1000: {1000, 1000 / control.MeanInflation, 750 / control.Inflation},
		2000: {2000, 2000 / control.MeanInflation, 1500 / control.Inflation}, 9000: {2000, 2000 / control.MeanInflation, 2000 / control.Inflation},
	} {
		if got := [3]float64{paper.Decisions(records), regression.Decisions(records), c.Decisions(records)}; got != want {
			t.Errorf("%d records: %v, want %v", records, got, want)
		}
	}
}

// TestGivenPropensitiesWeigh: a record whose label would come with a quarter of the probability stands for four times as many; one whose labels depend on nothing
// for itself.
func TestGivenPropensitiesWeigh(t *testing.T) {
	u := newUnlabelled(nil, 1000)
	plain := u.weigh(&example{weight: 2}, nil, nil)
	rare, sure := u.weigh(&example{weight: 2, propensity: .25}, nil, nil), u.weigh(&example{weight: 2, propensity: 1}, nil, nil)
	if plain != 2 || !(rare > sure) || math.Abs(rare/sure-4) > .05 {
		t.Errorf("weights of %v, %v with a propensity of 1/4 and %v with 1", plain, rare, sure)
	}
}

// TestWhoHasNoLabels: a decision or a group is named if a hundred records with labels are of the other kind, and a hundred of it never get one.
func TestWhoHasNoLabels(t *testing.T) {
	a := about{comparisons: []fairness.Comparison{{Group: []fairness.Term{fairness.Is("sex", "f")}, Rest: true}}}
	for _, c := range []struct {
		known, never int64
		mean         float64 // of the decisions that have a label
		decisions    bool
		want         []string
	}{
		{fewestNever, fewestNever, 1, true, []string{"with a negative decision"}}, {fewestNever, fewestNever, 0, true, []string{"with a positive decision"}},
		{fewestNever - 1, fewestNever, 1, true, nil}, {fewestNever, fewestNever - 1, 1, true, nil}, {fewestNever, fewestNever, .999, true, nil}, {fewestNever, fewestNever, 1, false, nil},
	} {
		s := fairness.NewSelection(1)
		s.Known.Decided = fairness.Moments{Records: c.known, Weight: float64(c.known), Mean: c.mean}
		s.Never.Decided = fairness.Moments{Records: c.never, Weight: float64(c.never), Mean: 1 - c.mean}
		if got := withoutLabels(s, a, c.decisions); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
	s := fairness.NewSelection(1)
	s.Known.Groups[0] = fairness.Moments{Records: fewestNever, Weight: fewestNever, Mean: 0}
	s.Never.Groups[0] = fairness.Moments{Records: 2 * fewestNever, Weight: 2 * fewestNever, Mean: .5}
	if got, want := withoutLabels(s, a, true), []string{"of " + a.comparisons[0].GroupLabel()}; !reflect.DeepEqual(got, want) {
		t.Errorf("of a group: %q, want %q", got, want)
	}
}

// TestOpenLabelsAtTheBound: they are told of from so many records on, if more than a tenth wait.
func TestOpenLabelsAtTheBound(t *testing.T) {
	for _, c := range []struct {
		records, late int64
		want          int
	}{{LabelsBy, .9 * LabelsBy, 0}, {LabelsBy, .9*LabelsBy - 1, 1}, {LabelsBy - 1, 0, 0}, {LabelsBy, 0, 1}, {LabelsBy, LabelsBy, 0}} {
		u := newUnlabelled(nil, 1000)
		u.records, u.late = c.records, c.late
		conditions, selective, never := u.selected(about{}, Config{}, 1)
		if len(conditions) != c.want || selective || never {
			t.Errorf("%d of %d came: %+v", c.late, c.records, conditions)
		}
		if none, _, _ := u.selected(about{}, Config{}, 0); len(none) != map[bool]int{true: 1}[c.records >= LabelsBy] {
			t.Errorf("no label of %d records: %+v", c.records, none)
		}
	}
}

// TestDecisionsByMargins: a margin above 0 is decided positively.
func TestDecisionsByMargins(t *testing.T) {
	m := Made{Margin: .5}
	if d := m.Decision(); !d.Positive || d.Margin != .5 {
		t.Errorf("a margin of 0.5 is decided as %+v", d)
	}
	if d := (Made{Margin: -.5}).Decision(); d.Positive {
		t.Errorf("a margin of −0.5 is decided as %+v", d)
	}
}

// TestWeightsOfAState: what is remembered of a record has a weight above 0, and at most the largest of a record; a prediction is no larger than one can be.
func TestWeightsOfAState(t *testing.T) {
	comparisons := []fairness.Comparison{{}}
	read := func(write, again interface{ fields(*codec.Coder) }) error {
		w := codec.NewWriter(nil)
		write.fields(w)
		r := codec.NewReader(w.Bytes())
		again.fields(r)
		return r.End()
	}
	for weight, want := range map[float64]bool{1: true, record.MaxWeight: true, 0: false, -1: false, math.Nextafter(record.MaxWeight, math.Inf(1)): false} {
		made := func() *decisions { return newDecisions(comparisons, 10, false, false) }
		d := made()
		d.sides[0][1].Push(decision{true, weight})
		if err := read(d, made()); (err == nil) != want {
			t.Errorf("a decision of weight %v: %v", weight, err)
		}
		for value, possible := range map[float64]bool{2: true, linear.LargestPrediction: true, -linear.LargestPrediction: true, math.Nextafter(linear.LargestPrediction, math.Inf(1)): false} {
			predicted := func() *predictions {
				return newPredictions(linear.New(linear.Settings{Step: 1, Forgetting: 100}, linear.NewSquared()), &linear.NewSquared().Labels, 1, 10, false)
			}
			p := predicted()
			p.sides[0][0].Push(prediction{value, weight})
			if err := read(p, predicted()); (err == nil) != (want && possible) {
				t.Errorf("a prediction of %v, of weight %v: %v", value, weight, err)
			}
		}
	}
}

// TestStrataThatNobodyIsIn have no say in how records of a side are weighted.
func TestStrataThatNobodyIsIn(t *testing.T) {
	s := strata{weights: [][][2]float64{{{0, 0}, {1, 3}, {2, 0}, {0, 4}}, {{2, 0}, {0, 0}}}}
	for side, want := range [2]float64{.25, .75 / 7} { // of weights 3 and 7, 1 and 3 of which have 3/4 and 1/4 of the other side beside them
		if got := s.mean(0, side); math.Abs(got-want) > 1e-12 {
			t.Errorf("side %d: %v, want %v", side, got, want)
		}
	}
	if s.mean(1, 0) != 1 {
		t.Errorf("without a stratum that both sides are in: %v", s.mean(1, 0))
	}
}

// TestAMarginOfZeroIsDecidedNegatively, whether the label is known or not, and in what is remembered of the sides.
func TestAMarginOfZeroIsDecidedNegatively(t *testing.T) {
	for margin, positive := range map[float64]float64{0: 0, 5e-324: 1, -1: 0} {
		d := newDecisions([]fairness.Comparison{{Criterion: fairness.DemographicParity}}, 10, true, false)
		e := example{positive: true, weight: 1, labelled: 1, sides: []fairness.Side{fairness.Group}}
		d.add(&e, forecast{published: margin, free: margin})
		e.brings = control.Itself
		d.add(&e, forecast{published: margin, free: margin})
		for name, all := range map[string]*fairness.Tally{"published": d.tally(&d.published, false), "free": d.tally(d.free, false)} {
			if c := all.Comparisons[0].Group; c.Records != 2 || c.PositiveWeight != 2*positive || all.Confusion.TruePositive != positive || all.Confusion.FalseNegative != 1-positive {
				t.Errorf("%s, a margin of %v: %+v, %+v", name, margin, c, all.Confusion)
			}
		}
		if c := d.decided(0, 0); c.Records != 2 || c.PositiveWeight != 2*positive {
			t.Errorf("a margin of %v: %+v is remembered", margin, c)
		}
	}
}

// told is a control that knows which encoder it was told of.
type told struct {
	controller
	of *features.Frozen
}

func (k *told) Grow(e *features.Frozen) { k.of = e }

// TestControlsAreToldOfNewWeights: with the models, which then have room for them.
func TestControlsAreToldOfNewWeights(t *testing.T) {
	encoder, err := features.NewFrozen(features.Parts{Size: 3})
	if err != nil {
		t.Fatal(err)
	}
	var keeper told
	m := constrained{models: linear.New(linear.Settings{Step: 1, Forgetting: 100}, linear.NewSquared()), keeper: &keeper}
	if m.grow(encoder); keeper.of != encoder {
		t.Error("the control was not told")
	}
	var row features.Row
	row.Add(2, 1)
	m.models.Margins(m.models.NewMargins(), &row)
}
