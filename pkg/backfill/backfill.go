package backfill

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Options are what a backfill is to do.
type Options struct {
	Model  model.Config
	Source Source
	// Shards is how many files are read at the same time. It changes no bit of the result.
	Shards int
	// Elsewhere, if it is not nil, makes the passes in other processes: then Source is asked for names only.
	Elsewhere Elsewhere
	// ByTime orders records by their time; otherwise by file and position.
	ByTime bool
	// Sample is how many records the columns are found from; 0 means DefaultSample.
	Sample int
	// Saved is what Save was given last by a backfill that was killed, nil if there is none.
	Saved []byte
	// Save keeps how far the backfill is; nil keeps nothing.
	Save func(saved []byte) error
	// Tell is told what has just been done; nil tells nobody.
	Tell func(Progress)
}

// Progress is how far a backfill is.
type Progress struct {
	Survey  Survey
	Weights int // of each model; 0 before the sample was learnt
	Rounds  Rounds
	Took    time.Duration // of the last pass
}

// Result is what a backfill leaves.
type Result struct {
	// Learner has learnt the newest records, Before is what it began as.
	Learner, Before *model.Learner
	Survey          Survey
	Rounds          Rounds
	Weights         int
}

// Run learns a history.
func Run(ctx context.Context, o Options) (*Result, error) {
	for _, problem := range o.Model.WithDefaults().Inheritable() {
		return nil, problem
	}
	if o.Shards <= 0 || o.Shards > len(o.Source.Names()) {
		o.Shards = max(1, len(o.Source.Names()))
	}
	if o.Sample <= 0 {
		o.Sample = DefaultSample
	}
	if o.Tell == nil {
		o.Tell = func(Progress) {}
	}
	if o.Save == nil {
		o.Save = func([]byte) error { return nil }
	}
	r := newReader(o.Source.Keys(), o.ByTime)
	r.source, r.elsewhere, r.shards = o.Source, o.Elsewhere, o.Shards
	if r.elsewhere != nil {
		r.shards = 1
	}
	var s saved
	if o.Saved != nil {
		if err := json.Unmarshal(o.Saved, &s); err != nil {
			return nil, fmt.Errorf("backfill: what was saved is damaged: %w", err)
		}
	} else if err := begin(ctx, &o, r, &s); err != nil {
		return nil, err
	}
	return finish(ctx, &o, r, &s)
}

// begin surveys the records, and learns the sample.
func begin(ctx context.Context, o *Options, r *reader, s *saved) (err error) {
	started := time.Now()
	if s.Survey, err = r.survey(ctx, o.Model, o.Sample); err != nil {
		return err
	}
	if s.Survey.Labelled == 0 || !(s.Survey.Weight > 0) {
		return fmt.Errorf("record.label.field: none of %d records has a label and a weight above 0", s.Survey.Records)
	}
	if s.Survey.Timeless == s.Survey.Records {
		return fmt.Errorf("record.time.field: none of %d records has a time, and they are to be ordered by it", s.Survey.Records)
	}
	o.Tell(Progress{Survey: s.Survey, Took: time.Since(started)})
	started = time.Now()
	sample, err := r.gather(ctx, samplePass, &s.Survey, s.Survey.isSampled, byHash)
	if err != nil {
		return err
	}
	learner, err := model.New(o.Model)
	if err != nil {
		return err
	}
	sample.each(learner.AttributeCount(), func(rec *record.Record) { learner.Add(rec) })
	basis, err := learner.Basis()
	if learner.Version() < int64(o.Model.WithDefaults().Learner.Warmup) {
		return fmt.Errorf("columns are to be found from %d records, of %d that are not among the newest, and learner.warmup asks for more: learn so short a history with one learner (fairstream replay or run), or set learner.warmup lower",
			learner.Version(), s.Survey.Records-s.Survey.Newest)
	}
	if err != nil {
		return err
	}
	s.Learner, s.Rounds.Phase, s.Rounds.Priors = learner.AppendState(nil), Free, strength{Factor: 1}
	s.Rounds.Free.begin(basis.Weights)
	o.Tell(Progress{Survey: s.Survey, Weights: len(basis.Weights), Rounds: s.Rounds, Took: time.Since(started)})
	return o.save(s)
}

func (o *Options) save(s *saved) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	return o.Save(data)
}

// finish computes the rounds that remain, and has a learner learn the newest records.
func finish(ctx context.Context, o *Options, r *reader, s *saved) (*Result, error) {
	f := &fit{survey: &s.Survey, reader: r, Rounds: s.Rounds}
	for range r.shards {
		if err := f.open(o.Model, s.Learner); err != nil {
			return nil, err
		}
	}
	var err error
	for f.Phase != Done {
		started := time.Now()
		if err := f.round(ctx); err != nil {
			return nil, err
		}
		o.Tell(Progress{Survey: s.Survey, Weights: len(f.basis.Weights), Rounds: f.Rounds, Took: time.Since(started)})
		if s.Rounds = f.Rounds; f.Phase != Done {
			if err := o.save(s); err != nil {
				return nil, err
			}
		}
	}
	var learners [2]*model.Learner
	for i := range learners {
		if learners[i], err = f.readers[0].Inherit(f.inherited()); err != nil {
			return nil, err
		}
	}
	learner := learners[0]
	newest, err := r.gather(ctx, newestPass, &s.Survey, s.Survey.isNewest, byPlace)
	if err != nil {
		return nil, err
	}
	learner.Warm(func(take func(*record.Record)) { newest.each(learner.AttributeCount(), take) })
	return &Result{Learner: learner, Before: learners[1], Survey: s.Survey, Rounds: f.Rounds, Weights: len(f.basis.Weights)}, nil
}

func byPlace(a, b book) int { return a.at.compare(b.at) }

func byHash(a, b book) int {
	switch {
	case a.hash < b.hash:
		return -1
	case a.hash > b.hash:
		return 1
	}
	return byPlace(a, b)
}

// inherited is what the rounds found, for a learner.
func (f *fit) inherited() model.Inherited {
	at := func(c *climb) []float64 {
		if c.Base != nil { // where the last sums are of
			return c.Base
		}
		return c.Weights
	}
	found := model.Inherited{Records: f.Summed, Sides: f.Sides, Models: linear.Given{Records: float64(f.Summed),
		MeanWeight: f.survey.Weight / float64(f.survey.Labelled), Information: f.Information, Touched: f.Touched, Weights: [][]float64{at(&f.Free)}}}
	order := slices.Clone(f.Pressed)
	slices.SortFunc(order, func(a, b *pressed) int { return a.Enforced - b.Enforced })
	for _, p := range order {
		e := &f.basis.Enforced[p.Enforced]
		found.Models.Weights = append(found.Models.Weights, at(&p.Way))
		found.Constraints = append(found.Constraints, control.Given{Comparison: e.Index, Multiplier: p.Multiplier, Rates: f.Measured[p.Enforced].Rates})
	}
	return found
}
