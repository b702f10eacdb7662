package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/model"
)

// Where the distance from the reference comes from: parts of the learner are replaced by those of the reference, one after the other, and then the
// learner learns the same records more often (-parts).

// passes is how often it does.
const passes = 4

// part is a way to decide: positive where the benefit is above a multiplier times the cost.
type part struct {
	name string
	most float64 // the largest multiplier
}

var replaced = []part{
	{"probabilities of two batch regressions, the reference", mostMultiplier},
	{"the log odds of both", 4},
	{"the free model of the learner, and the log odds of the group of the batch regression", 4},
	{"both models of the learner", 2},
	{"the free model of one pass, and the direction of four", 2},
	{"both models of four passes", 2},
}

// replace measures each way to decide, by multiplier, on the parts of a split.
func (f *file) replace(c model.Config, seed uint64, split int) (curves []reference) {
	curves = make([]reference, len(replaced))
	for held := range parts {
		train, test := f.cut(seed, split, held)
		batch := encode(f.columns, train, len(f.labels))
		positive, member := batch.fit(train, f.labels), batch.fit(train, f.members)
		benefit, cost := plugIn(f.columns, train, f.labels, f.members)
		free, direction := f.models(c, train, train)
		often, random := append([]int{}, train...), rand.New(rand.NewPCG(seed, uint64(parts*split+held)))
		for range passes - 1 {
			for _, at := range random.Perm(len(train)) {
				often = append(often, train[at])
			}
		}
		freeOften, directionOften := f.models(c, often, train)
		logOdds, ofGroup := odds(positive, .5), odds(member, f.share(train))
		for k, by := range [][2][]float64{{benefit, cost}, {logOdds, ofGroup}, {free, ofGroup}, {free, direction}, {free, directionOften}, {freeOften, directionOften}} {
			f.sweep(&curves[k], test, by[0], by[1], replaced[k].most)
		}
	}
	return curves
}

// sweep adds what is decided of the test records at each multiplier.
func (f *file) sweep(r *reference, test []int, benefit, cost []float64, most float64) {
	for at := range r {
		r[at].add(f.measure(test, func(i int) bool { return benefit[i] > most*float64(at)/(multipliers-1)*cost[i] }))
	}
}

// models returns the margins of the free model that was learnt from records in their order, and by how much the published one is below them, with
// their standard deviation over the training records.
func (f *file) models(c model.Config, order, train []int) (free, direction []float64) {
	learner := must(model.New(c))
	for _, k := range order {
		learner.Learn(&f.records[k])
	}
	classifier := must(must(learner.Document()).Classifier())
	free, direction = make([]float64, len(f.records)), make([]float64, len(f.records))
	for k := range f.records {
		decision := classifier.Decide(&f.records[k])
		free[k] = logOdds(decision.Probability)
		direction[k] = free[k] - decision.Margin
	}
	unit := deviation(free, train) / deviation(direction, train)
	for k := range direction {
		direction[k] *= unit
	}
	return free, direction
}

func deviation(values []float64, of []int) float64 {
	sum, square, n := 0.0, 0.0, float64(len(of))
	for _, k := range of {
		sum += values[k] / n
		square += values[k] * values[k] / n
	}
	return math.Sqrt(square - sum*sum)
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

// odds are log odds less those of a share.
func odds(probability []float64, share float64) (all []float64) {
	for _, p := range probability {
		all = append(all, logOdds(p)-logOdds(share))
	}
	return all
}

// share is that of the group among records.
func (f *file) share(records []int) (share float64) {
	for _, k := range records {
		if f.members[k] {
			share += 1 / float64(len(records))
		}
	}
	return share
}

// writeParts compares each way to decide with the learner, where their mean differences are equal.
func writeParts(out io.Writer, tau float64, results []outcome, curves [][]reference) error {
	if _, err := fmt.Fprintf(out, "\n| tau %.2f, decided by | error | the learner less it |\n|---|---|---|\n", tau); err != nil {
		return err
	}
	n, difference := float64(len(results)), 0.0
	for _, r := range results {
		difference += r.difference / n
	}
	for k, p := range replaced {
		of := make([]reference, len(curves))
		for split := range curves {
			of[split] = curves[split][k]
		}
		place, part, left := between(of, difference)
		wrong, above, square := 0.0, 0.0, 0.0
		for split := range of {
			w := of[split].wrongAt(place, part)
			d := results[split].wrong - w
			wrong, above, square = wrong+w/n, above+d/n, square+d*d/n
		}
		if _, err := fmt.Fprintf(out, "| %s | %.4f | %+.4f (%.4f), difference %+.4f off |\n", p.name, wrong, above, math.Sqrt(max(0, square-above*above)/(n-1)), left); err != nil {
			return err
		}
	}
	return nil
}
