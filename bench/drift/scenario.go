// Package main measures how the learner follows a stream that changes: three scenarios, the true risk
// difference of the published weights every few hundred records, a table and plots.
//
//	go run ./bench/drift [-out research/figures] [-only slow] [-fading 60000]
package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// scenario is a world for every record of a stream.
type scenario struct {
	name    string
	title   string
	records int
	change  int // first record of the change
	world   func(record int) synthetic.World
}

// scenarios are those of the README. before is the length of the steady stream that comes first, fading that of a drift.
func scenarios(before, fading int) []scenario {
	start := synthetic.World{Share: .4, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}
	flipped := start
	flipped.BaseA, flipped.BaseB = start.BaseB, start.BaseA
	fade := func(record, from, length int) float64 {
		return min(1, max(0, float64(record-from)/float64(length)))
	}
	return []scenario{
		{"abrupt", "the bias turns around at once", before + 30000, before, func(record int) synthetic.World {
			if record >= before {
				return flipped
			}
			return start
		}},
		{"slow", fmt.Sprintf("base rates drift for %d records", fading), before + fading + 20000, before, func(record int) synthetic.World {
			w, t := start, fade(record, before, fading)
			w.BaseA = .5 - .35*t
			w.BaseB = .25 + .35*t
			return w
		}},
		{"growth", fmt.Sprintf("a group grows from 1 %% to 40 %% in %d records", fading), before + fading + 20000, before, func(record int) synthetic.World {
			w, t := start, fade(record, before, fading)
			w.Share = .01 + .39*t
			return w
		}},
	}
}

// point is one look at the published weights.
type point struct {
	record        int
	difference    float64 // true, on a fresh sample of the world of that moment
	window        float64 // the learner's own estimate
	lo, hi        float64
	error         float64
	unconstrained float64 // true difference of the model without constraints
	freeError     float64
	deviation     float64 // standard error of the true difference
	met           bool
	named         bool // a condition stands
}

// said says that the document does not pass for a good one.
func (p *point) said() bool { return !p.met || p.named }

// silent is a document that passes for a good one although the truth is beyond tau by more than its measurement explains.
func (p *point) silent(tau float64) bool {
	return !p.said() && math.Abs(p.difference) > tau+2*p.deviation
}

// follow runs a scenario and looks every so many records.
func follow(s scenario, tau float64, seed uint64, every, sample int) ([]point, error) {
	learner, err := model.New(synthetic.Config(tau))
	if err != nil {
		return nil, err
	}
	stream, fresh := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
	var points []point
	for record := range s.records {
		p := s.world(record).Draw(stream)
		learner.Learn(&p.Record)
		if (record+1)%every != 0 || record < 2000 {
			continue
		}
		at, err := look(learner, s.world(record), fresh, sample)
		if err != nil {
			return nil, err
		}
		at.record = record + 1
		points = append(points, at)
	}
	return points, nil
}

func look(learner *model.Learner, w synthetic.World, fresh *rand.Rand, sample int) (point, error) {
	doc, err := learner.Document()
	if err != nil {
		return point{}, err
	}
	free, _, err := learner.UnconstrainedDocument()
	if err != nil {
		return point{}, err
	}
	published, err := document.NewEvaluation(doc)
	if err != nil {
		return point{}, err
	}
	unconstrained, err := document.NewEvaluation(free)
	if err != nil {
		return point{}, err
	}
	// Both groups alike, whatever their shares, so that the truth is known equally well for each; the
	// error is weighted back.
	share := w.Share
	w.Share = .5
	for range sample {
		p := w.Draw(fresh)
		if p.A {
			p.Record.Weight = 2 * share
		} else {
			p.Record.Weight = 2 * (1 - share)
		}
		published.Add(&p.Record)
		unconstrained.Add(&p.Record)
	}
	r, u, own := published.Report(), unconstrained.Report(), doc.Constraints[0]
	of := r.Constraints[0]
	return point{
		deviation: math.Sqrt(of.RateGroup*(1-of.RateGroup)/of.EffectiveGroup + of.RateVersus*(1-of.RateVersus)/of.EffectiveVersus),
		met:       own.Status == fairness.Met, named: len(doc.Measurements.Conditions) > 0,
		difference: r.Constraints[0].Value, error: 1 - r.Accuracy.Value,
		window: own.Value, lo: own.Lo, hi: own.Hi,
		unconstrained: u.Constraints[0].Value, freeError: 1 - u.Accuracy.Value,
	}, nil
}

// recovery is how many records after the change the difference was beyond the limit for the last time, 0 if it
// never was.
func recovery(points []point, change int, limit float64, difference func(point) float64) int {
	last := 0
	for _, p := range points {
		if p.record > change && math.Abs(difference(p)) > limit {
			last = p.record - change
		}
	}
	return last
}
