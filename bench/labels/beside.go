package main

import (
	"fmt"
	"io"
	"math"
)

// What records without a label add where labels are missing at random: the same streams, and the same labels, if the others count, and if they do
// not.

// beside prints a line for each share of random labels.
func (p *plan) beside(w io.Writer) error {
	for _, s := range selections {
		if s.known == nil || !s.random || s.known(applicant{}) == 1 {
			continue
		}
		without := *p
		without.reject = true
		counted, err := p.all(&s)
		if err != nil {
			return err
		}
		rejected, err := without.all(&s)
		if err != nil {
			return err
		}
		paired := func(of func(o *outcome) float64) string {
			at := -1
			return mean(counted, func(o *outcome) float64 {
				at++
				return of(o) - of(&rejected[at])
			}, "%+.5f")
		}
		size := func(o *outcome) float64 { // of the interval: that of the harmonic mean
			e := &o.claims[0]
			return 1 / (1/e.EffectiveGroup + 1/e.EffectiveVersus)
		}
		covered := func(of []outcome) string {
			return mean(of, func(o *outcome) float64 {
				return hit(o.claims[0].Lo <= o.truths[0].Value && o.truths[0].Value <= o.claims[0].Hi)
			}, "%.3f")
		}
		fmt.Fprintf(w, "%s, %d streams: error on all records higher by %s; true difference beyond tau more often by %s; half-width of parity %.4f instead of %.4f: %.3f times, by its records %.3f; covered %s, %s\n",
			s.name, p.streams, paired(func(o *outcome) float64 { return -o.accuracy }),
			paired(func(o *outcome) float64 { return hit(math.Abs(o.truths[0].Value) > p.config.Constraints[0].Tau) }),
			average(counted, half(0)), average(rejected, half(0)), average(counted, half(0))/average(rejected, half(0)),
			math.Sqrt(average(rejected, size)/average(counted, size)), covered(counted), covered(rejected))
	}
	return nil
}
