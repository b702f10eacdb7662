package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// write prints the table of a stream, with the standard error of each error. It is followed by what it is above the default's in the same runs, with the
// standard error of this.
func write(out io.Writer, from stream, rungs []rung, runs [][]result, tau float64) error {
	change := from.change > 0
	if _, err := fmt.Fprintf(out, "\n%s (%d records, %d runs, tau %v)\n\n| learner | error | above the default | difference | SD | within tau | met | without a condition |%s time |\n|---|---|---|---|---|---|---|---|%s---|\n",
		from.title, from.records, len(runs), tau, pick(change, " records to recover: median, worst |"), pick(change, "---|")); err != nil {
		return err
	}
	for k, r := range rungs {
		column := func(of func(r result) float64) []float64 {
			values := make([]float64, len(runs))
			for run := range runs {
				values[run] = of(runs[run][k])
			}
			return values
		}
		paired, times := make([]float64, len(runs)), make([]float64, len(runs))
		for run := range runs {
			paired[run], times[run] = runs[run][k].error-runs[run][0].error, runs[run][k].seconds/runs[run][0].seconds
		}
		errors, scatter := moments(column(func(r result) float64 { return r.error }))
		above, spread := moments(paired)
		difference, sd := moments(column(func(r result) float64 { return r.difference }))
		if _, err := fmt.Fprintf(out, "| %s | %.4f ± %.4f | %s | %+.4f | %.4f | %.2f | %.2f | %.2f |%s %.2f |\n", r.title, errors, scatter/math.Sqrt(float64(len(runs))),
			pick(k > 0, fmt.Sprintf("%+.4f ± %.4f", above, spread/math.Sqrt(float64(len(runs))))), difference, sd,
			mean(column(func(r result) float64 { return toFloat(math.Abs(r.difference) <= tau) })),
			mean(column(func(r result) float64 { return toFloat(r.met) })),
			mean(column(func(r result) float64 { return toFloat(r.conditions == 0) })),
			pick(change, recoveries(column(func(r result) float64 { return r.recovery }))), median(times)); err != nil {
			return err
		}
	}
	return nil
}

func recoveries(values []float64) string {
	return fmt.Sprintf(" %.0f, %.0f |", median(values), slices.Max(values))
}

func pick(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

func toFloat(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// moments are mean and standard deviation.
func moments(values []float64) (average, sd float64) {
	average = mean(values)
	for _, v := range values {
		sd += (v - average) * (v - average)
	}
	return average, math.Sqrt(sd / float64(len(values)-1))
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
