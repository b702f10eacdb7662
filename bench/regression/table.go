package main

import (
	"fmt"
	"io"
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// tableHead names the columns. Differences and tau are in standard deviations of the labels, errors in shares of
// their variance. "batch" is the optimum with the same difference on the learnt records, "excess" how much larger
// the error is, in per cent of batch's, mean and standard error over the runs. The difference is that on the
// records held out, its mean and standard deviation over the runs, and the standard error of one holdout.
// "batch at tau" is the optimum with the difference tau on the learnt records.
const tableHead = "| data | tau | runs | error | batch | excess % | aim | difference | SD | SE of a run | largest | within tau | share, 95 % | batch at tau: within | error |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// write prints the row of one bound.
func write(out io.Writer, d dataset, tau float64, runs []held) error {
	var errors, batch, excess, differences, standard, aims, atTau []float64
	largest, within, batchWithin := 0.0, 0, 0
	for _, h := range runs {
		value, variance := h.report.Constraints[0].Value, h.spread*h.spread
		errors, batch = append(errors, h.report.MSE.Value/variance), append(batch, h.same.mse/variance)
		excess = append(excess, 100*(h.report.MSE.Value/h.same.mse-1))
		differences, standard = append(differences, value/h.spread), append(standard, h.standard/h.spread)
		aims = append(aims, h.aim/h.spread)
		largest = max(largest, math.Abs(value)/h.spread)
		atTau = append(atTau, h.atTau.mse/variance)
		if math.Abs(value) <= h.tau {
			within++
		}
		if math.Abs(h.atTau.difference) <= h.tau {
			batchWithin++
		}
	}
	above, scatter := moments(excess)
	aim := "–"
	if tau > 0 {
		aim = fmt.Sprintf("%.4f", mean(aims))
	}
	difference, deviation := moments(differences)
	row := fmt.Sprintf("| %s | %v | %d | %.4f | %.4f | %+.2f ± %.2f | %s | %+.4f | %.4f | %.4f | %.4f |",
		d.name, tau, len(runs), mean(errors), mean(batch), above, scatter/math.Sqrt(float64(len(runs))), aim, difference, deviation, mean(standard), largest)
	if tau == 0 {
		row += " – | – | – | – |"
	} else {
		lo, hi := fairness.Wilson(float64(within)/float64(len(runs)), float64(len(runs)), .95)
		row += fmt.Sprintf(" %d | %.2f to %.2f | %d | %.4f |", within, lo, hi, batchWithin, mean(atTau))
	}
	_, err := fmt.Fprintln(out, row)
	return err
}

func mean(values []float64) float64 {
	mean, _ := moments(values)
	return mean
}

// moments returns the mean and the standard deviation of values.
func moments(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / max(1, float64(len(values)-1))
	}
	return mean, math.Sqrt(deviation)
}
