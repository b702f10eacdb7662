package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

var methods = [...]string{"one learner", "sums", "sums, then the newest", "sums of all but 20,000, then these"}

// outcome is what weights do on a holdout: beside is by how much the error is above that of one learner at the same difference, above by how
// much it is above that of the best linear weights. measured and verdict are what the first document with these weights says of the difference.
type outcome struct {
	error, difference, measured, beside, above float64
	verdict                                    string
}

// isWithin says whether the difference on the holdout is.
func (o *outcome) isWithin(tau float64) bool { return math.Abs(o.difference) <= tau }

const tableHeader = "| records | tau | weights from | error | difference | beyond what its document says | within tau | share within, less that of one learner | beyond one learner | beyond the optimum | its document says |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|"

// write writes a row of the table: means, with their standard errors over the splits. one is what one learner does on the same splits.
func write(out io.Writer, data string, tau float64, name string, found, one []outcome) {
	within, verdicts := 0, map[string]int{}
	var errors, differences, beyond, share, beside, above []float64
	for i, o := range found {
		verdicts[o.verdict]++
		less := 0.0
		if o.isWithin(tau) {
			within++
			less++
		}
		if one[i].isWithin(tau) {
			less--
		}
		errors, differences, beyond, share = append(errors, o.error), append(differences, o.difference), append(beyond, o.difference-o.measured), append(share, less)
		beside, above = append(beside, o.beside), append(above, o.above)
	}
	var said []string
	for _, verdict := range slices.Sorted(maps.Keys(verdicts)) {
		said = append(said, fmt.Sprintf("%d %s", verdicts[verdict], strings.ReplaceAll(verdict, "_", " ")))
	}
	fmt.Fprintf(out, "| %s | %.2f | %s | %s | %s | %s | %d of %d | %s | %s | %s | %s |\n", data, tau, name, mean(errors), mean(differences), mean(beyond), within, len(found), mean(share),
		mean(beside), mean(above), strings.Join(said, ", "))
}

// mean leaves out what is not a number: a difference that no multiplier of the optimum has, or that a document does not estimate.
func mean(values []float64) string {
	sum, squares, n := 0.0, 0.0, 0.0
	for _, x := range values {
		if !math.IsNaN(x) {
			sum, n = sum+x, n+1
		}
	}
	for _, x := range values {
		if !math.IsNaN(x) {
			squares += (x - sum/n) * (x - sum/n)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.4f ± %.4f", sum/n, math.Sqrt(squares/max(1, n-1)/n))
}
