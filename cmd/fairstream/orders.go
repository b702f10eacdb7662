package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
)

// mostOrders bounds how often replay --orders learns.
const mostOrders = 100

// orders are the random orders in which replay reads its input; without a seed it is the file's order.
type orders struct {
	seed   uint64
	seeded bool // --shuffle was given
	number int  // of --orders, 0 without it
}

// order is what the holdouts of one order of the records have in common.
type order struct {
	Seed    uint64  `json:"seed"`
	Summary summary `json:"summary"`
}

// checkOrders says what --shuffle and --orders do not go with.
func (r *replay) checkOrders(given bool) error {
	switch {
	case !given:
		return nil
	case r.orders.number < 2 || r.orders.number > mostOrders:
		return fmt.Errorf("--orders %d: give a number from 2 to %d", r.orders.number, mostOrders)
	case r.folds == 0:
		return errors.New("--orders is for --folds: add --folds 5, so that each order is measured on all records")
	}
	return nil
}

// seeds are those of the orders, none if the records are read in the file's order.
func (o orders) seeds() []uint64 {
	if !o.seeded && o.number == 0 {
		return nil
	}
	first := o.seed
	if !o.seeded {
		first = 1
	}
	seeds := make([]uint64, max(1, o.number))
	for i := range seeds {
		seeds[i] = first + uint64(i)
	}
	return seeds
}

// words say in which order the records were read, if it was not the file's.
func (o orders) words() string {
	switch seeds := o.seeds(); len(seeds) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" in the random order of seed %d", seeds[0])
	default:
		return fmt.Sprintf(" in the %d random orders of seeds %d to %d", len(seeds), seeds[0], seeds[len(seeds)-1])
	}
}

// shuffleInput makes the sources random orders of what they were, which share the rows in memory. A holdout in a file of
// its own is only measured on, so its order is left as it is.
func (r *replay) shuffleInput(seed uint64) {
	held := r.test.Name != "" && r.holdout == ""
	takes := r.test.Takes
	r.train = input.Shuffle(r.train, seed)
	if held {
		r.test = r.train
		r.test.Takes = takes
	}
}

// runFolds learns and measures all folds in each order, and sums them up.
func (r *replay) runFolds(ctx context.Context) error {
	seeds := r.orders.seeds()
	if len(seeds) == 0 {
		results, err := r.foldResults(ctx)
		if err != nil {
			return err
		}
		return errors.Join(r.writeFolds(results), r.labelsDiffer())
	}
	if r.input == input.Bundled {
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

// add takes in the holdouts of another order.
func (f *folded) add(other *folded) {
	f.Seconds += other.Seconds
	f.Holdouts = append(f.Holdouts, other.Holdouts...)
	for _, c := range other.Conditions {
		f.addCondition(c.Condition, c.Folds)
	}
	f.summarize()
}

// writeOrders says how the means of the orders differ, which tells a chance of the order from one of the holdouts.
func (f *folded) writeOrders(w io.Writer) {
	if len(f.Orders) < 2 {
		return
	}
	for i, c := range f.Summary.Constraints {
		var means []float64
		for _, o := range f.Orders {
			if mean := o.Summary.Constraints[i].Mean; mean != nil {
				means = append(means, *mean)
			}
		}
		between := newSpread(c.Name, means)
		if between.Mean == nil {
			continue
		}
		format := "%+.3f"
		if c.Criterion.OfMeans() {
			format = english.InUnits(-*between.Mean, *between.Mean, "%+")
		}
		fmt.Fprintln(w, english.Prose(fmt.Sprintf("%s%s: the means of the %d orders are %s (mean ± standard deviation between orders).", c.Name, findings.OfVariant(f.Tau, f.Relaxation), between.Holdouts, between.words(format))))
	}
}
