package main

import (
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// simpson is a population of two groups that are treated alike, or differ by the same amount, at every moment. Halfway the share of the group
// falls, and the rates of both rise.
type simpson struct {
	difference   float64
	base, rise   float64 // the rate of versus at first, and by how much it rises
	share, falls float64
}

func (s simpson) draw(random *rand.Rand, at float64) (side fairness.Side, positive bool) {
	side, rate, share := fairness.Versus, s.base, s.share
	if at >= 0.5 {
		rate, share = s.base+s.rise, s.share-s.falls
	}
	if random.Float64() < share {
		side, rate = fairness.Group, rate+s.difference
	}
	return side, random.Float64() < rate
}

// looked is the first record at which the totals, and the difference at equal time, say violated; 0 for never. It looks every 16 records.
func (s study) looked(draw func(random *rand.Rand, at float64) (fairness.Side, bool), seed uint64) (totals, equal int) {
	random := rand.New(rand.NewPCG(seed, 6))
	var d fairness.Detector
	var sides [2]fairness.Trials
	options := fairness.SequenceOptions{Level: level}
	for record := range s.records {
		side, positive := draw(random, float64(record)/float64(s.records))
		sides[side-fairness.Group].Add(positive)
		d.Add(side, positive, &comparison)
		if record%16 != 15 {
			continue
		}
		if totals == 0 && comparison.Sequence(sides[0], sides[1], options).Status == fairness.Violated {
			totals = record + 1
		}
		if equal == 0 && comparison.AtEqualTime(&d.Differences, sides[0], sides[1], options).Status == fairness.Violated {
			equal = record + 1
		}
		if equal > 0 && totals > 0 {
			break
		}
	}
	return totals, equal
}

// firstViolated are the shares of streams that ever say violated, of totals and at equal time, and the median records to it.
func (s study) firstViolated(draw func(random *rand.Rand, at float64) (fairness.Side, bool)) (ever [2]cell, median [2]int) {
	firsts := parallel(s.runs, func(i int) [2]int {
		totals, equal := s.looked(draw, uint64(i))
		return [2]int{totals, equal}
	})
	for k := range ever {
		var all []int
		for _, f := range firsts {
			if f[k] > 0 {
				all = append(all, f[k])
			}
		}
		ever[k] = s.cell(len(all), s.runs)
		for len(all) < s.runs {
			all = append(all, s.records)
		}
		slices.Sort(all)
		median[k] = all[len(all)/2]
	}
	return ever, median
}

// writeEqual prints how often both sequences say violated, and how soon.
func (s study) writeEqual(p *printer) {
	p.say("\n| difference at every moment | rates of versus | share of the group | ever violated: totals | at equal time |\n|---|---|---|---|---|\n")
	for _, from := range []simpson{
		{0, .2, .1, .5, .3}, {0, .2, .2, .5, .3}, {0, .2, .3, .5, .3}, {0, .2, .3, .5, .4}, {0, .5, -.3, .5, .4}, {0, .25, .3, .5, .45},
		{tau, .25, 0, .5, 0}, {tau, .25, 0, .1, 0}, {tau, .05, 0, .1, 0}, {-tau, .3, 0, .3, 0}, {tau, .2, .3, .5, .4},
	} {
		ever, _ := s.firstViolated(from.draw)
		p.say("| %+v | %v to %.2v | %v to %.2v | %.3f | %.3f (≤ %.3f) |\n", from.difference, from.base, from.base+from.rise, from.share, from.share-from.falls, ever[0].value, ever[1].value, ever[1].hi)
	}
	p.say("\n| difference | base rate | share of the group | median records to violated: totals | at equal time |\n|---|---|---|---|---|\n")
	for _, from := range []simpson{{.15, .14, 0, .5, 0}, {.15, .14, 0, .3, 0}, {.15, .14, 0, .1, 0}, {-.15, .29, 0, .5, 0}, {-.15, .29, 0, .3, 0}, {-.15, .29, 0, .1, 0}} {
		_, median := s.firstViolated(from.draw)
		p.say("| %+v | %v | %v | %d | %d |\n", from.difference, from.base, from.share, median[0], median[1])
	}
}
