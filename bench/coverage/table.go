package main

import (
	"fmt"
	"io"
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

const tableHead = "| population | records | looks | error | true difference | SD | within tau | covered by the interval | half-width | truth − document | SD | met | inconclusive | violated | without a condition | 10,000 new records within tau | SE | the same without a condition | SE |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// write prints a row for every number of records.
func write(out io.Writer, p drawnFrom, tau float64, looks []look) error {
	for _, records := range p.looks {
		var some, good []look
		for _, l := range looks {
			if l.records != records || l.claim.Status == fairness.NotEstimable {
				continue
			}
			some = append(some, l)
			if len(l.conditions) == 0 {
				good = append(good, l)
			}
		}
		truth, sd := moments(some, func(l look) float64 { return l.truth })
		off, offSD := moments(some, func(l look) float64 { return l.truth - l.claim.Value })
		errors, _ := moments(some, func(l look) float64 { return l.error })
		width, _ := moments(some, func(l look) float64 { return (l.claim.Hi - l.claim.Lo) / 2 })
		if _, err := fmt.Fprintf(out, "| %s | %d | %d | %.4f | %+.4f | %.4f | %.3f | %.3f | %.4f | %+.4f | %.4f | %.2f | %.2f | %.2f | %.2f | %s | %s |\n", p.name, records, len(some),
			errors, truth, sd, share(some, func(l look) bool { return math.Abs(l.truth) <= tau }), share(some, look.covered), width, off, offSD,
			share(some, status(fairness.Met)), share(some, status(fairness.Inconclusive)), share(some, status(fairness.Violated)),
			float64(len(good))/float64(len(some)), kept(some), kept(good)); err != nil {
			return err
		}
	}
	return nil
}

// kept is the mean probability that new records are within tau, and its standard error.
func kept(looks []look) string {
	if len(looks) < 2 {
		return "– | –"
	}
	mean, sd := moments(looks, func(l look) float64 { return l.kept })
	return fmt.Sprintf("%.3f | %.3f", mean, sd/math.Sqrt(float64(len(looks))))
}

// covered says whether the interval holds the truth or, of a truth that is measured with a doubt, whether they differ by no more than both errors together.
func (l look) covered() bool {
	if l.doubt > 0 {
		return math.Abs(l.claim.Value-l.truth) <= math.Hypot((l.claim.Hi-l.claim.Lo)/2, l.doubt)
	}
	return l.claim.Lo <= l.truth && l.truth <= l.claim.Hi
}

func status(s fairness.Status) func(look) bool {
	return func(l look) bool { return l.claim.Status == s }
}

func share(looks []look, is func(look) bool) float64 {
	n := 0
	for _, l := range looks {
		if is(l) {
			n++
		}
	}
	return float64(n) / float64(len(looks))
}

// moments are mean and standard deviation.
func moments(looks []look, of func(look) float64) (mean, sd float64) {
	for _, l := range looks {
		mean += of(l) / float64(len(looks))
	}
	for _, l := range looks {
		sd += (of(l) - mean) * (of(l) - mean)
	}
	return mean, math.Sqrt(sd / float64(len(looks)-1))
}
