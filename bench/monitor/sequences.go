package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	tau   = 0.05
	level = 0.95
)

var comparison = fairness.Comparison{Name: "study", Criterion: fairness.DemographicParity, Tau: tau}

// outcome is what the sequence of one stream came to.
type outcome struct {
	violated int  // the record at which it first said violated, 0 for never
	missed   bool // it once excluded the true difference of the running means
	verdict  bool // it could be estimated in the end
}

// follow looks at the sequence after every record.
func (s study) follow(from stream, seed uint64) (o outcome) {
	random := rand.New(rand.NewPCG(seed, 1))
	options := fairness.SequenceOptions{Level: level, Exact: s.exact}
	var sides [2]fairness.Trials
	var truth [2]float64
	for record := range s.records {
		side, positive, rate := from.draw(random, record)
		sides[side-fairness.Group].Add(positive)
		truth[side-fairness.Group] += rate
		difference := truth[0]/float64(sides[0].Records) - truth[1]/float64(sides[1].Records)
		if !s.exact {
			if tooFew(sides) {
				continue
			}
			if o.verdict = true; within(sides, difference) {
				continue
			}
		}
		q := comparison.Sequence(sides[0], sides[1], options)
		if q.Status == fairness.NotEstimable {
			continue
		}
		o.verdict = true
		if o.violated == 0 && q.Status == fairness.Violated {
			o.violated = record + 1
		}
		o.missed = o.missed || difference < q.Lo || difference > q.Hi
	}
	return o
}

// tooFew saves the words that Sequence would say.
func tooFew(sides [2]fairness.Trials) bool {
	return slices.ContainsFunc(sides[:], func(t fairness.Trials) bool {
		return t.Positives < fairness.SequenceMinimum || t.Records-t.Positives < fairness.SequenceMinimum
	})
}

// within spares most looks: an asymptotic sequence of the level 0.95 reaches at least √(2 ln 20) = 2.447 standard errors to either side, so
// that it neither misses the truth nor says violated.
func within(sides [2]fairness.Trials, truth float64) bool {
	variance, value := 0.0, 0.0
	for i, t := range sides {
		n := float64(t.Records)
		p := (float64(t.Positives) + 2) / (n + 4)
		variance += p * (1 - p) / n
		value += float64(1-2*i) * float64(t.Positives) / n
	}
	const least = 5.99
	beyond := max(0, math.Abs(value)-tau)
	return max(beyond*beyond, (value-truth)*(value-truth)) < least*variance
}

// cell is a share of streams, with Wilson's interval.
type cell struct {
	value, lo, hi float64
	estimable     float64 // share of streams with a sequence
}

// calibration is the share of streams of which the sequence says violated, and of which it misses the truth.
func (s study) calibration(from stream) (violated, missed cell) {
	var falseVerdicts, misses, estimable int
	for _, o := range parallel(s.runs, func(i int) outcome { return s.follow(from, uint64(i)) }) {
		if o.violated > 0 {
			falseVerdicts++
		}
		if o.missed {
			misses++
		}
		if o.verdict {
			estimable++
		}
	}
	return s.cell(falseVerdicts, estimable), s.cell(misses, estimable)
}

func (s study) cell(count, estimable int) cell {
	c := cell{value: float64(count) / float64(s.runs), estimable: float64(estimable) / float64(s.runs)}
	c.lo, c.hi = fairness.Wilson(c.value, float64(s.runs), 0.95)
	return c
}

// pointwise is the share of streams of which Newcombe's interval, from 100 records a side on, once says violated.
func (s study) pointwise(from stream) cell {
	count := 0
	for _, violated := range parallel(s.runs, func(i int) bool {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		var sides [2]fairness.Trials
		for record := range s.records {
			side, positive, _ := from.draw(random, record)
			sides[side-fairness.Group].Add(positive)
			group, versus := sides[0], sides[1]
			if min(group.Records, versus.Records) < 100 {
				continue
			}
			n1, n0 := float64(group.Records), float64(versus.Records)
			if lo, hi := fairness.Newcombe(float64(group.Positives)/n1, n1, float64(versus.Positives)/n0, n0, level); lo > tau || hi < -tau {
				return true
			}
		}
		return false
	}) {
		if violated {
			count++
		}
	}
	return s.cell(count, s.runs)
}

// power is the median number of records after which a stream is said to be violated, the number of records of the study if it is not.
func (s study) power(from stream) int {
	records := parallel(s.runs, func(i int) int {
		if at := s.follow(from, uint64(i)).violated; at > 0 {
			return at
		}
		return s.records
	})
	slices.Sort(records)
	return records[len(records)/2]
}
