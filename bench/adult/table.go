package main

import (
	"fmt"
	"io"
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// tableHead names the columns: |d| is the absolute difference of rates on the held-out records, and SE its
// standard error in one run.
const tableHead = "| tau | relaxation | difference of | runs | error | largest error | difference | SD | SE | mean abs | largest abs | within tau | tau + 0.025 | tau + 2 SE | tau + 3 SE | not estimable | seconds |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// row is one comparison over all runs.
type row struct {
	first          fairness.Estimate // of the first run, for its names
	values, errors []float64         // where estimable: difference and standard error
	notEstimable   int
}

// rows gathers the comparisons, in the order of the reports.
func rows(runs []held) []row {
	all := make([]row, len(runs[0].report.Constraints))
	for _, run := range runs {
		for i, e := range run.report.Constraints {
			r := &all[i]
			if r.first.Name == "" {
				r.first = e
			}
			if e.Status == fairness.NotEstimable {
				r.notEstimable++
				continue
			}
			r.values, r.errors = append(r.values, e.Value), append(r.errors, standardError(e))
		}
	}
	return all
}

// standardError is that of the difference of two rates of independent samples of equal weights.
func standardError(e fairness.Estimate) float64 {
	variance := func(rate float64, n int64) float64 { return rate * (1 - rate) / float64(n) }
	return math.Sqrt(variance(e.RateGroup, e.NGroup) + variance(e.RateVersus, e.NVersus))
}

// within counts the runs with |difference| ≤ bound + k standard errors.
func (r row) within(bound, k float64) (count int) {
	for i, v := range r.values {
		if math.Abs(v) <= bound+k*r.errors[i] {
			count++
		}
	}
	return count
}

// write prints the rows of one configuration.
func write(out io.Writer, runs []held, tau float64, relaxation surrogate.Name) error {
	name := string(relaxation)
	if tau == 0 {
		name = "unconstrained"
	}
	var errors []float64
	seconds := 0.0
	for _, run := range runs {
		errors = append(errors, 1-run.report.Accuracy.Value)
		seconds += run.seconds / float64(len(runs))
	}
	e, _, worst := moments(errors)
	for _, r := range rows(runs) {
		mean, deviation, _ := moments(r.values)
		of := fmt.Sprintf("%s, %s", r.first.Name, r.first.Criterion)
		var absolute []float64
		for _, v := range r.values {
			absolute = append(absolute, math.Abs(v))
		}
		size, _, largest := moments(absolute)
		se, _, _ := moments(r.errors)
		_, err := fmt.Fprintf(out, "| %.2f | %s | %s | %d | %.4f | %.4f | %+.4f | %.4f | %.4f | %.4f | %.3f | %d | %d | %d | %d | %d | %.3f |\n",
			tau, name, of, len(runs), e, worst, mean, deviation, se, size, largest,
			r.within(tau, 0), r.within(tau+.025, 0), r.within(tau, 2), r.within(tau, 3), r.notEstimable, seconds)
		if err != nil {
			return err
		}
	}
	return nil
}

// moments returns the mean, the standard deviation and the largest of values.
func moments(values []float64) (mean, deviation, largest float64) {
	for _, v := range values {
		mean += v / float64(len(values))
		largest = max(largest, v)
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(deviation), largest
}
