package main

import (
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	changesOf = 100_000 // records of a stream
	look      = 64      // records between verdicts, as in pkg/monitor
)

// changes are how often verdicts change: first those of the sequence, then those that are told.
type changes struct {
	mean    [2]float64
	largest [2]int
}

func (s study) changes(from stream) (c changes) {
	runs := max(10, s.runs/5)
	for _, counts := range parallel(runs, func(i int) [2]int { return changed(from, uint64(i), min(changesOf, 5*s.records)) }) {
		for k, n := range counts {
			c.mean[k] += float64(n) / float64(runs)
			c.largest[k] = max(c.largest[k], n)
		}
	}
	return c
}

// changed counts the changes in one stream.
func changed(from stream, seed uint64, records int) (counts [2]int) {
	random := rand.New(rand.NewPCG(seed, 3))
	var sides [2]fairness.Trials
	told := [2]fairness.Status{fairness.NotEstimable, fairness.NotEstimable}
	for record := range records {
		side, positive, _ := from.draw(random, record)
		sides[side-fairness.Group].Add(positive)
		if record%look != look-1 {
			continue
		}
		q := comparison.Sequence(sides[0], sides[1], fairness.SequenceOptions{Level: level})
		for k, now := range [2]fairness.Status{q.Status, comparison.Settled(told[1], q)} {
			if now != told[k] {
				told[k] = now
				counts[k]++
			}
		}
	}
	return counts
}
