package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Runs of one group: sources that bring one group at a time, such as a branch, a shift or a partition.

// inRuns is a stream whose records come in runs of one group. A run has 1 to 2 mean − 1 records, its group is drawn by the share.
type inRuns struct {
	stream
	mean  int
	drift float64 // by what the rates of both groups have risen or fallen at the end
	over  int     // in so many records, after which the drift turns; 0: no drift
}

// draw returns what draws the records of one stream, in their order.
func (s inRuns) draw(random *rand.Rand) func(record int) (side fairness.Side, positive bool) {
	side, left := fairness.Versus, 0
	return func(record int) (fairness.Side, bool) {
		group, versus, share := s.at(record)
		if left == 0 {
			side, left = fairness.Versus, 1
			if random.Float64() < share {
				side = fairness.Group
			}
			if s.mean > 1 {
				left += random.IntN(2*s.mean - 1)
			}
		}
		left--
		rate := versus
		if side == fairness.Group {
			rate = group
		}
		if s.over > 0 {
			at := math.Mod(float64(record)/float64(s.over), 2)
			rate += s.drift * min(at, 2-at)
		}
		return side, random.Float64() < rate
	}
}

// alarms of a stream in runs: how many streams raise one before the change or, without a change, at all, and how soon after it.
func (s study) alarmsInRuns(from inRuns, threshold float64, records int) (first []int) {
	return parallel(s.runs, func(i int) int {
		next := from.draw(rand.New(rand.NewPCG(uint64(i), 57)))
		var d fairness.Detector
		for record := range records {
			side, positive := next(record)
			if d.Add(side, positive, &comparison) && d.Evidence() >= threshold {
				if record >= from.changeAt {
					return record
				}
				d.Restart()
			}
		}
		return -1
	})
}

// delay is the median number of records from the change to the first alarm behind it; never counts as all records.
func (s study) delay(from inRuns) (median, never int) {
	var delays []int
	for _, at := range s.alarmsInRuns(from, runLength, from.changeAt+afterTheChange) {
		if at < 0 {
			at, never = from.changeAt+afterTheChange, never+1
		}
		delays = append(delays, at-from.changeAt)
	}
	slices.Sort(delays)
	return delays[len(delays)/2], never
}

// falseInRuns is the share of streams of so many records with an alarm, of which at most records/threshold are promised.
func (s study) falseInRuns(from inRuns, threshold float64, records int) cell {
	count := 0
	for _, at := range s.alarmsInRuns(from, threshold, records) {
		if at >= 0 {
			count++
		}
	}
	return s.cell(count, s.runs)
}

// driftThreshold and driftRecords: at most 40 % of the streams without a difference above tau may raise an alarm.
const (
	driftThreshold = 50_000
	driftRecords   = 20_000
)

// writeRuns prints how soon a change is found in runs of one group, and what is raised without a difference above tau.
func (s study) writeRuns(p *printer) {
	p.say("\n| mean run | median delay in records | without alarm |\n|---|---|---|\n")
	for _, mean := range []int{1, 6, 20, 60, 200, 1000} {
		from := inRuns{stream: stream{base: 0.3, difference: 0.15, share: 0.3, changeAt: 10_000}, mean: mean}
		median, never := s.delay(from)
		p.say("| %d | %d | %d |\n", mean, median, never)
	}
	p.say("\n| mean run | difference | rates of both groups | streams with an alarm in %d records; at most %.2f are promised |\n|---|---|---|---|\n", driftRecords, float64(driftRecords)/driftThreshold)
	for _, mean := range []int{1, 20, 200} {
		for _, difference := range []float64{0, tau, -tau} {
			for _, drift := range []float64{0, 0.3, -0.3} {
				from := inRuns{stream: stream{base: 0.5 - drift/2, difference: difference, share: 0.3}, mean: mean, drift: drift, over: driftRecords}
				moving := "steady"
				if drift != 0 {
					moving = map[bool]string{true: "rise by 0.3", false: "fall by 0.3"}[drift > 0]
				}
				f := s.falseInRuns(from, driftThreshold, driftRecords)
				p.say("| %d | %+v | %s | %.3f (%.3f to %.3f) |\n", mean, difference, moving, f.value, f.lo, f.hi)
			}
		}
	}
}
