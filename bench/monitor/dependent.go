package main

import (
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// people is a stream in which each person has several records, one after the other, at a difference of tau.
type people struct {
	records int
	alike   float64 // probability that a record repeats the first decision about the person; else it is drawn anew
	share   float64
}

// draw returns what draws the records of one stream.
func (s people) draw() func(random *rand.Rand, _ float64) (fairness.Side, bool) {
	next := s.persons()
	return func(random *rand.Rand, _ float64) (fairness.Side, bool) {
		side, positive, _ := next(random)
		return side, positive
	}
}

// persons is the same with the number of the person, from 1.
func (s people) persons() func(random *rand.Rand) (fairness.Side, bool, uint64) {
	var person uint64
	var side fairness.Side
	var first bool
	left := 0
	return func(random *rand.Rand) (fairness.Side, bool, uint64) {
		rate := func() float64 {
			if side == fairness.Group {
				return 0.25 + tau
			}
			return 0.25
		}
		if left == 0 {
			person++
			side, left = fairness.Versus, s.records
			if random.Float64() < s.share {
				side = fairness.Group
			}
			first = random.Float64() < rate()
			left--
			return side, first, person
		}
		left--
		if random.Float64() < s.alike {
			return side, first, person
		}
		return side, random.Float64() < rate(), person
	}
}

// writeDependent prints what records that depend on each other do to the verdict and to alarms.
func (s study) writeDependent(p *printer) {
	p.say("\n| records of a person | share of the group | ever violated: totals | at equal time | measured run length for a promise of 5,000 |\n|---|---|---|---|---|\n")
	for _, from := range []people{{1, 0, .5}, {4, .3, .5}, {5, 1, .5}, {20, 1, .5}, {4, .3, .1}, {5, 1, .1}} {
		firsts := parallel(s.runs, func(i int) [2]int {
			totals, equal := s.looked(from.draw(), uint64(i))
			return [2]int{totals, equal}
		})
		var ever [2]float64
		for _, f := range firsts {
			for k := range ever {
				if f[k] > 0 {
					ever[k] += 1 / float64(s.runs)
				}
			}
		}
		p.say("| %d, %v alike | %v | %.3f | %.3f | %.0f |\n", from.records, from.alike, from.share, ever[0], ever[1], s.dependentLength(from))
	}
}

// dependentLength is the mean number of records to a false alarm for a promise of 5,000.
func (s study) dependentLength(from people) float64 {
	const promised, most = 5000, 500_000
	sum, runs := 0, max(10, s.runs/4)
	for _, at := range parallel(runs, func(i int) int {
		random, next := rand.New(rand.NewPCG(uint64(i), 8)), from.draw()
		var d fairness.Detector
		for record := range most {
			side, positive := next(random, 0)
			if d.Add(side, positive, &comparison) && d.Evidence() >= promised {
				return record + 1
			}
		}
		return most
	}) {
		sum += at
	}
	return float64(sum) / float64(runs)
}
