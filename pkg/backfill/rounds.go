package backfill

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// heldShare of the records, at most mostHeld, choose the multipliers.
	heldShare = .25
	mostHeld  = 200_000
	// roughly and nearly are what may be left of the mean objective while multipliers are chosen, and in the end.
	roughly = 2e-6
	nearly  = 1e-8
	// mostRounds bounds the passes, however slowly the objective falls, but for those that chose the strength of the priors.
	mostRounds = 80
)

// Phase is what the rounds are about.
type Phase string

// The phases, in their order.
const (
	Free       Phase = "free"        // the model without constraints
	Multiplier Phase = "multipliers" // the constrained models, and what presses them how strongly
	All        Phase = "all"         // all of them, from all records
	Done       Phase = "done"
)

// Rounds is how far the models are: what a killed backfill goes on from.
type Rounds struct {
	Phase   Phase      `json:"phase"`
	Passes  int        `json:"rounds"`
	Free    climb      `json:"free"`
	Pressed []*pressed `json:"pressed"`
	// What the last pass found.
	Loss     float64    `json:"loss"`
	Measured []Measured `json:"measured"`
	// Priors are how strongly priors hold.
	Priors strength `json:"priors"`
	// Sides are the shares of the records on both sides of each comparison.
	Sides [][2]float64 `json:"sides"`
	// Held is how many records choose multipliers, Summed how many were in the last sums.
	Held   int64 `json:"held_out"`
	Summed int64 `json:"summed"`
	// Information is what the records say about each weight, Touched the sum of its squared values over them.
	Information []float64 `json:"information,omitempty"`
	Touched     []float64 `json:"touched,omitempty"`
	// Unfinished says that the rounds ended before the objective stopped to fall.
	Unfinished bool `json:"unfinished,omitempty"`
}

// saved is what a killed backfill goes on from.
type saved struct {
	Survey Survey `json:"survey"`
	Rounds Rounds `json:"rounds"`
	// Learner is the state of the learner of the sample.
	Learner []byte `json:"learner"`
}

// fit computes rounds.
type fit struct {
	Rounds
	basis   model.Basis
	survey  *Survey
	reader  *reader
	learner []byte           // the state of the learner of the sample
	readers []*model.Learner // that learner by shard, for Read alone
}

// candidates are the models whose sums the next pass is to find: the one without constraints first.
func (f *fit) candidates() ([]candidate, error) {
	list := []candidate{{weights: slices.Clone(f.Free.Weights), settled: f.Phase == Multiplier}}
	for _, p := range f.Pressed {
		e := &f.basis.Enforced[p.Enforced]
		pushed, err := control.NewPushed(e.Relaxation, p.Multiplier, f.Sides[e.Index])
		if err != nil {
			return nil, err
		}
		c := candidate{weights: slices.Clone(p.Way.Weights), term: &term{comparison: e.Index, pushed: pushed, slopes: p.Slopes}}
		if p.Way.Base == nil {
			c.term.guess(f.Sides[e.Index])
		}
		list = append(list, c)
	}
	return list, nil
}

// isHeld says whether a record is held out to choose multipliers.
func (f *fit) isHeld(hash uint64) bool {
	share := min(heldShare, mostHeld/float64(max(1, f.survey.Labelled)))
	return record.Mix(0, hash) < uint64(share*math.MaxUint64)
}

// open lets one more worker read records as the learner of the sample does.
func (f *fit) open(config model.Config, learner []byte) (err error) {
	reader, err := model.Restore(config, learner)
	if err != nil {
		return err
	}
	f.learner, f.readers = learner, append(f.readers, reader)
	f.basis, err = reader.Basis()
	return err
}

// summing is the sum of a worker over all records but the newest.
type summing struct {
	*total
	f       *fit
	reads   *model.Learner
	models  []candidate
	weights float64 // the mean of all records
}

func (f *fit) summing(shard int, candidates []candidate) *summing {
	return &summing{total: newTotal(len(f.Free.Weights), f.basis.Comparisons, candidates), f: f, reads: f.readers[shard], models: candidates,
		weights: f.survey.Weight / float64(max(1, f.survey.Labelled))}
}

func (s *summing) take(at Place, rec *record.Record) {
	hash := s.f.reader.hash(at)
	if s.f.survey.isNewest(at, hash) {
		return
	}
	e, ok := s.reads.Read(rec, int64(hash>>1))
	if !ok {
		return
	}
	relative := min(largestRelative, e.Weight/s.weights)
	held := s.f.isHeld(hash)
	if held {
		s.hold(s.models, &e, relative)
	}
	if !held || s.f.Phase == All {
		s.add(s.models, &e, relative)
	}
}

func (s *summing) join(other part) { s.merge(other.(*summing).total) }

// pass sums all records but the newest.
func (f *fit) pass(ctx context.Context, candidates []candidate) (*total, error) {
	found, err := f.reader.over(ctx, sumsPass, saved{*f.survey, f.Rounds, f.learner}, func(shard int) part { return f.summing(shard, candidates) })
	if err != nil {
		return nil, err
	}
	return found.(*summing).total, nil
}

// round is one pass, and what follows from it.
func (f *fit) round(ctx context.Context) error {
	candidates, err := f.candidates()
	if err != nil {
		return err
	}
	t, err := f.pass(ctx, candidates)
	if err != nil {
		return err
	}
	f.Passes++
	if t.records == 0 || t.held.records == 0 {
		return fmt.Errorf("of %d records, %d remain to be summed and %d to choose multipliers on: too few for a backfill", f.survey.Records, t.records, t.held.records)
	}
	f.look(t)
	moved := true
	if f.Phase != Multiplier {
		moved = f.climb(t, 0, &candidates[0], &f.Free)
	}
	for k, p := range f.Pressed {
		c := &candidates[k+1]
		t.turn(k+1, c)
		p.Slopes = c.term.slopes
		if !f.climb(t, k+1, c, &p.Way) {
			moved = false
			continue
		}
		if f.Phase == Multiplier && p.Way.near(f.left()) && !p.Found && p.judge(f.Measured[p.Enforced]) {
			if err := f.press(t, k+1, c, p); err != nil {
				return err
			}
		}
	}
	switch {
	case moved:
		f.proceed()
	case f.isLong():
		f.Phase, f.Unfinished = Done, true
	}
	return nil
}

func (f *fit) isLong() bool { return f.Passes >= mostRounds+f.Priors.Passes }

// press sets a model out for its next multiplier, from the sums that are there.
func (f *fit) press(t *total, k int, c *candidate, p *pressed) (err error) {
	e := &f.basis.Enforced[p.Enforced]
	if c.term.pushed, err = control.NewPushed(e.Relaxation, p.Multiplier, f.Sides[e.Index]); err != nil {
		return err
	}
	t.turn(k, c)
	p.Slopes = c.term.slopes
	p.Way.begin(c.weights)
	f.climb(t, k, c, &p.Way)
	return nil
}

// proceed begins the next phase where this one is at its end.
func (f *fit) proceed() {
	if f.isLong() {
		f.Phase, f.Unfinished = Done, true
		return
	}
	near := f.Phase == Multiplier || f.Free.near(f.left())
	for _, p := range f.Pressed {
		near = near && p.Way.near(f.left()) && (p.Found || f.Phase != Multiplier)
	}
	if !near {
		return
	}
	if f.Phase == Free && f.Priors.areOpen(f.Summed, len(f.Free.Weights)) {
		f.Free.begin(f.Priors.next(f.Passes, f.Loss, f.Free.Base))
		return
	}
	switch f.Phase {
	case Free, Multiplier:
		if f.Phase = All; f.pressMore() {
			f.Phase = Multiplier
			return
		}
		f.Free.begin(f.Free.Weights)
		for _, p := range f.Pressed {
			p.Way.begin(p.Way.Weights)
		}
	case All:
		f.Phase = Done
	}
}

// pressMore presses the constraints that the models do not keep, and says whether there are any.
func (f *fit) pressMore() (more bool) {
	for i, m := range f.Measured {
		at := slices.IndexFunc(f.Pressed, func(p *pressed) bool { return p.Enforced == i })
		switch {
		case !m.Estimable:
		case at < 0 && math.Abs(m.Difference) > m.Target+closeEnough:
			f.Pressed = append(f.Pressed, press(i, m, f.Free.Weights))
			more = true
		case at >= 0 && f.Pressed[at].again(m):
			more = true
		}
	}
	return more
}

// left is how much may be left of the objective.
func (f *fit) left() float64 {
	if f.Phase == All {
		return nearly
	}
	return roughly
}

// look takes in what decisions the models make, and what the records are.
func (f *fit) look(t *total) {
	f.Loss, f.Held, f.Summed = t.held.loss.value()/t.held.weight.value(), t.held.records, t.records
	f.Sides = f.Sides[:0]
	for _, side := range t.sides {
		f.Sides = append(f.Sides, [2]float64{side[0].value() / t.weight.value(), side[1].value() / t.weight.value()})
	}
	f.Measured = f.Measured[:0]
	for i := range f.basis.Enforced {
		f.Measured = append(f.Measured, t.measure(&f.basis.Enforced[i], &f.basis.Aim, f.basis.Window, max(1, len(f.basis.Enforced))))
	}
	if f.Phase != Multiplier {
		f.Information, f.Touched = t.information(), values(t.touched)
	}
}

// climb takes one step of a model, or shortens its last one: then it returns false.
func (f *fit) climb(t *total, k int, c *candidate, way *climb) bool {
	precisions := f.Priors.of(f.basis.Precisions)
	gradient := t.slopeOf(k, c, precisions, f.basis.Regularization)
	if way.shorten(gradient) {
		return false
	}
	if !t.dense {
		way.learn(gradient)
	}
	way.set(gradient, t.direction(k, c, way, gradient, precisions, f.basis.Regularization), t.weight.value())
	return true
}
