package main

import (
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// stream is a population of two groups of which the rates of positive decisions are known at every record.
type stream struct {
	base       float64 // mean rate of versus
	difference float64 // rate of the group minus that of versus, at every record
	share      float64 // mean share of the group
	rates      bool    // the rates of both groups move together, by half of the base rate
	shares     bool    // the share of the group moves, by half of it
	changeAt   int     // the record from which on there is a difference; 0 for the first
}

// at returns the rates and the share at a record.
func (s stream) at(record int) (group, versus, share float64) {
	versus, share = s.base, s.share
	if s.rates {
		versus *= 1 + 0.5*math.Sin(2*math.Pi*float64(record)/5000)
	}
	if s.shares {
		share *= 1 + 0.5*math.Cos(2*math.Pi*float64(record)/7000)
	}
	if record < s.changeAt {
		return versus, versus, share
	}
	return versus + s.difference, versus, share
}

// draw returns the side and the decision of a record, and the rate of its side.
func (s stream) draw(random *rand.Rand, record int) (side fairness.Side, positive bool, rate float64) {
	group, versus, share := s.at(record)
	side, rate = fairness.Versus, versus
	if random.Float64() < share {
		side, rate = fairness.Group, group
	}
	return side, random.Float64() < rate, rate
}
