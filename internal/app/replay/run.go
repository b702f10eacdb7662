package replay

import (
	"context"
	"errors"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

// New is a replay that nothing has been checked of.
func New(streams *program.Streams, asked Settings) *Replay {
	return &Replay{Streams: streams, Settings: asked}
}

// CheckArguments says what is wrong on the command line. given says whether a flag was.
func (r *Replay) CheckArguments(taus, relaxations []string, given func(flag string) bool) error {
	r.Orders.seeded = given("shuffle")
	err := errors.Join(r.parseTaus(taus, given("tau")), r.parseRelaxations(relaxations), r.findSources(), r.checkOrders(given("orders")))
	if given("folds") {
		err = errors.Join(err, r.checkFolds())
	}
	return err
}

// Configure says what is wrong in the configuration, or could not be written in the end. files are those of the configuration.
func (r *Replay) Configure(c config.Config, files []string) error {
	r.config = c
	return errors.Join(r.prepare(), r.checkPage(), r.checkOutputs(files))
}

// Run learns, measures and reports.
func (r *Replay) Run(ctx context.Context) error {
	if r.Folds > 0 {
		return r.runFolds(ctx)
	}
	if seeds := r.Orders.seeds(); len(seeds) > 0 {
		r.shuffleInput(seeds[0])
	}
	seconds, err := r.learn(ctx)
	if err != nil {
		return err
	}
	results, err := r.measure(ctx, seconds)
	if err != nil {
		return err
	}
	if r.Page != "" {
		if err := r.writePage(results); err != nil {
			return err
		}
	}
	r.meaning.Write(r.Err)
	r.meaning.WriteHoldout(r.Err, r.beside)
	if !r.JSON {
		if err := r.report(results); err != nil {
			return err
		}
		return r.worth(results)
	}
	for _, result := range results {
		line, err := result.Line()
		if err != nil {
			return err
		}
		if _, err := r.Out.Write(line); err != nil {
			return err
		}
	}
	return r.worth(results)
}

// runFolds learns and measures all folds in each order, and sums them up.
func (r *Replay) runFolds(ctx context.Context) error {
	seeds := r.Orders.seeds()
	if len(seeds) == 0 {
		results, err := r.foldResults(ctx)
		if err != nil {
			return err
		}
		return errors.Join(r.writeFolds(results), r.labelsDiffer())
	}
	if r.reads(input.Bundled) {
		r.train = input.AllBundled()
	}
	r.shuffleInput(seeds[0])
	var results []*folded
	for i, seed := range seeds {
		if i > 0 {
			r.train = input.Shuffle(r.train, seed)
			if err := r.prepare(); err != nil {
				return err
			}
		}
		found, err := r.foldResults(ctx)
		if err != nil {
			return err
		}
		if results == nil {
			results = found
		}
		for t, f := range found {
			results[t].Orders = append(results[t].Orders, order{seed, summarize(f.Holdouts)})
			if i > 0 {
				results[t].add(f)
			}
		}
		r.repeated = true
	}
	return errors.Join(r.writeFolds(results), r.labelsDiffer())
}
