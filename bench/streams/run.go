package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// every is how many records there are between two looks.
const every = 2000

const (
	// mostSilent is the share of looks that may be silent, mostAlarms of the looks at steady streams that may have one of the
	// conditions.
	mostSilent = .01
	mostAlarms = .01
)

// look is one document of a stream.
type look struct {
	records    int
	claim      fairness.Estimate
	truth      float64
	deviation  float64 // standard error of the truth
	error      float64
	last       bool
	conditions []document.ConditionCode
}

func (l *look) beyond() bool { return math.Abs(l.truth) > l.claim.Tau+2*l.deviation }
func (l *look) met() bool    { return l.claim.Status == fairness.Met }
func (l *look) silent() bool { return l.beyond() && l.met() && len(l.conditions) == 0 }

// unclear says that a look may be silent: whether the truth is beyond tau is not known yet.
func (l *look) unclear() bool {
	return l.met() && len(l.conditions) == 0 && math.Abs(l.truth) > l.claim.Tau-3*l.deviation
}

// missed says whether the truth is outside the interval by more than its own error.
func (l *look) missed() bool {
	return l.truth < l.claim.Lo-2*l.deviation || l.truth > l.claim.Hi+2*l.deviation
}

func (l *look) String() string {
	return fmt.Sprintf("%6d  true %+.3f  shown %+.3f [%+.3f, %+.3f] %-12s error %.4f %v\n", l.records, l.truth, l.claim.Value, l.claim.Lo, l.claim.Hi, l.claim.Status, l.error, l.conditions)
}

// follow learns one stream, and looks at its documents: once for each comparison.
func (c *scenario) follow(p pool, seed uint64) (looks []look, err error) {
	s := c.order(p, rand.New(rand.NewPCG(seed, 5)))
	learner, err := model.New(c.config(tau))
	if err != nil {
		return nil, err
	}
	for i := range s.records {
		learner.Learn(&s.records[i])
		n := i + 1
		if n <= s.from || n%cmp.Or(s.every, every) != 0 {
			continue
		}
		of, err := measure(learner, s, n)
		if err != nil {
			return nil, err
		}
		for k := range of {
			of[k].records = n
		}
		looks = append(looks, of...)
	}
	looks[len(looks)-1].last = true
	return looks, nil
}

// measure looks at the document after so many records. Where a look may be silent, more people are measured as long as there are others.
func measure(learner *model.Learner, s stream, learnt int) (looks []look, err error) {
	d, err := learner.Document()
	if err != nil {
		return nil, err
	}
	evaluation, err := document.NewEvaluation(d)
	if err != nil {
		return nil, err
	}
	for unclear, rounds := true, 0; unclear && rounds < s.rounds; rounds++ {
		for _, r := range s.truth(learnt) {
			evaluation.Add(&r)
		}
		looks, unclear = looks[:0], false
		report := evaluation.Report()
		for k, of := range report.Constraints {
			l := look{claim: d.Constraints[k], truth: of.Value, error: 1 - report.Accuracy.Value,
				deviation: math.Sqrt(of.RateGroup*(1-of.RateGroup)/of.EffectiveGroup + of.RateVersus*(1-of.RateVersus)/of.EffectiveVersus)}
			for _, condition := range d.Measurements.Conditions {
				if condition.Constraint == "" || condition.Constraint == l.claim.Name {
					l.conditions = append(l.conditions, condition.Code)
				}
			}
			unclear = unclear || l.unclear()
			looks = append(looks, l)
		}
	}
	return looks, nil
}

const tableHead = "| case | streams | looks | truth missed by the interval | met | beyond tau | silent | with a condition | final error | codes |\n|---|---|---|---|---|---|---|---|---|---|\n"

// found is what came of the streams of a case.
type found struct {
	scenario                                   *scenario
	streams, looks                             int
	missed, met, beyond, silent, alarms, named int
	error                                      float64
	codes                                      map[document.ConditionCode]int
}

func (f *found) add(looks []look) {
	f.streams++
	if f.codes == nil {
		f.codes = map[document.ConditionCode]int{}
	}
	for i := range looks {
		l := &looks[i]
		f.looks++
		count(&f.missed, l.missed())
		count(&f.met, l.met())
		count(&f.beyond, l.beyond())
		count(&f.silent, l.silent())
		count(&f.named, len(l.conditions) > 0)
		count(&f.alarms, slices.ContainsFunc(l.conditions, func(c document.ConditionCode) bool { return slices.Contains(studied, c) }))
		for _, code := range l.conditions {
			f.codes[code]++
		}
		if l.last {
			f.error += l.error
		}
	}
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}

func (f *found) passes() bool {
	return float64(f.silent) <= mostSilent*float64(f.looks) && (!f.scenario.steady || float64(f.alarms) <= mostAlarms*float64(f.looks))
}

func (f *found) row() string {
	var codes []string
	for _, code := range slices.Sorted(maps.Keys(f.codes)) {
		codes = append(codes, fmt.Sprintf("%s %d", code, f.codes[code]))
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %.4f | %s |\n", f.scenario.name, f.streams, f.looks, f.missed, f.met, f.beyond, f.silent, f.named,
		f.error/float64(f.streams), strings.Join(codes, ", "))
}

// studied are the conditions that must not stand on steady streams.
var studied = []document.ConditionCode{document.OneSideAway, document.FieldsMoved, document.OneValue, document.PriceJumped, document.Unsteady, document.RepeatedRecords}
