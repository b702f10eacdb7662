package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// look is one document of one stream.
type look struct {
	records    int
	claim      fairness.Estimate // the document's, on the reserved records if there are any
	truth      float64           // difference of its weights on the population
	doubt      float64           // half-width of the interval of the truth, if it is measured on the records that have not come
	error      float64           // of its weights on the population
	kept       float64           // probability that the difference of holdout new records is within tau
	conditions []document.Condition
}

func (s study) measure(p drawnFrom) ([]look, error) {
	c := p.config(s.tau)
	enforced := !s.measured
	c.Constraints[0].Relaxation, c.Constraints[0].Enforce, c.Evaluation.Share = s.relaxation, &enforced, s.share
	from, err := p.open(c)
	if err != nil {
		return nil, err
	}
	if last := slices.Max(p.looks); s.once && last >= len(from.Truth) {
		return nil, fmt.Errorf("-once: no records are left to measure on after %d of %d", last, len(from.Truth))
	}
	var looks []look
	for i := range s.runs {
		some, err := s.follow(c, from, p.looks, s.seed+uint64(i))
		if err != nil {
			return nil, err
		}
		looks = append(looks, some...)
	}
	return looks, nil
}

// follow learns one stream and looks after some numbers of records.
func (s study) follow(c model.Config, from population.Source, at []int, seed uint64) (looks []look, err error) {
	learner, err := model.New(c)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 1))
	rest := from
	if s.once {
		rest.Truth = slices.Clone(from.Truth)
		random.Shuffle(len(rest.Truth), func(i, j int) { rest.Truth[i], rest.Truth[j] = rest.Truth[j], rest.Truth[i] })
		rest.Draw = func(*rand.Rand, int) record.Record {
			r := rest.Truth[0]
			rest.Truth = rest.Truth[1:]
			return r
		}
	}
	learnt := 0
	for _, records := range at {
		for ; learnt < records; learnt++ {
			r := rest.Draw(random, learnt)
			learner.Learn(&r)
		}
		l, err := measureDocument(learner, rest)
		if err != nil {
			return nil, err
		}
		if l.records = records; !s.once {
			l.doubt = 0
		}
		looks = append(looks, l)
	}
	return looks, nil
}

func measureDocument(learner *model.Learner, from population.Source) (look, error) {
	d, err := learner.Document()
	if err != nil {
		return look{}, err
	}
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return look{}, err
	}
	for i := range from.Truth {
		evaluation.Add(&from.Truth[i])
	}
	r := evaluation.Report()
	claim := d.Constraints[0]
	if reserved := d.Measurements.Evaluation; reserved != nil {
		claim = reserved.Constraints[0]
	}
	truth := r.Constraints[0]
	came := d.Measurements.Prequential
	group, versus := came.Constraints[0].NGroup, came.Constraints[0].NVersus
	return look{claim: claim, truth: truth.Value, doubt: (truth.Hi - truth.Lo) / 2, error: 1 - r.Accuracy.Value, conditions: d.Measurements.Conditions,
		kept: within(&truth, float64(group)/float64(came.Records), float64(versus)/float64(came.Records))}, nil
}

// holdout is how many new records learner.confidence speaks of: the default of learner.holdout_records.
const holdout = 10_000

// within is the probability that the difference of holdout new records, of which these shares are on each side, is within tau, where the truth is this.
func within(truth *fairness.Estimate, group, versus float64) float64 {
	variance := (truth.RateGroup*(1-truth.RateGroup)/group + truth.RateVersus*(1-truth.RateVersus)/versus) / holdout
	below := func(x float64) float64 { return math.Erf(x/math.Sqrt(2*variance)) / 2 }
	return below(truth.Tau-truth.Value) + below(truth.Tau+truth.Value)
}
