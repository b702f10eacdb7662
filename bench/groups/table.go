package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// line is what became of one comparison over all holdouts.
type line struct {
	fairness.Estimate
	values, free []float64
	estimable    int
	kept         int // the value itself is within tau
	clear        int // the interval of the holdout is beyond tau
	claimed      map[fairness.Status]int
	wrong        int // clear, and the document says met
}

// write prints the tables of a scenario, in Markdown.
func write(out io.Writer, of scenario, outcomes []outcome) error {
	var text strings.Builder
	fmt.Fprintf(&text, "## %s\n\n", of.what)
	var errors, free, excess []float64
	for _, o := range outcomes {
		wrong := 1 - o.report.Accuracy.Value
		errors, free = append(errors, wrong), append(free, 1-o.free.Accuracy.Value)
		if o.optimum != nil {
			if best := o.optimum.At(o.report.Constraints[0].Value); !math.IsNaN(best) {
				excess = append(excess, wrong-best)
			}
		}
	}
	fmt.Fprintf(&text, "%d holdouts. Error %s, without constraints %s.", len(outcomes), words(errors, "%.4f"), words(free, "%.4f"))
	if len(excess) > 0 {
		fmt.Fprintf(&text, " Above the linear optimum of the same columns at the same value, on %d holdouts: %s.", len(excess), words(excess, "%+.4f"))
	}
	fmt.Fprint(&text, "\n\n| comparison | value | without constraints | furthest | within tau | clearly beyond tau | the document says met, inconclusive, violated, not estimable | clearly beyond tau, and the document says met |\n|---|---|---|---|---|---|---|---|\n")
	for _, l := range lines(outcomes) {
		format := "%+.3f"
		furthest := 0.0
		for _, value := range l.values {
			if math.Abs(value) > math.Abs(furthest) {
				furthest = value
			}
		}
		if l.Criterion.OfRatio() {
			format, furthest = "%.3f", minimum(l.values)
		}
		if l.estimable == 0 {
			fmt.Fprintf(&text, "| %s: %s, %s | | | | | | %s | |\n", l.Name, l.Group, l.Versus, l.claims())
			continue
		}
		fmt.Fprintf(&text, "| %s: %s, %s | %s | %s | "+format+" | %d of %d | %d | %s | %d of %d |\n", l.Name, l.Group, l.Versus,
			words(l.values, format), words(l.free, format), furthest, l.kept, l.estimable, l.clear, l.claims(), l.wrong, l.claimed[fairness.Met])
	}
	fmt.Fprintln(&text)
	_, err := io.WriteString(out, text.String())
	return err
}

// lines has one entry for each comparison that any holdout has.
func lines(outcomes []outcome) (all []*line) {
	for _, o := range outcomes {
		for i, e := range o.report.Constraints {
			var l *line
			for _, known := range all {
				if known.Same(e) {
					l = known
				}
			}
			if l == nil {
				l = &line{Estimate: e, claimed: map[fairness.Status]int{}}
				all = append(all, l)
			}
			claim := fairness.NotEstimable
			for _, c := range o.claims {
				if c.Same(e) {
					claim = c.Status
				}
			}
			l.claimed[claim]++
			if e.Status == fairness.NotEstimable {
				continue
			}
			l.estimable++
			l.values, l.free = append(l.values, e.Value), append(l.free, o.free.Constraints[i].Value)
			if e.Within() {
				l.kept++
			}
			if e.Status == fairness.Violated {
				l.clear++
				if claim == fairness.Met {
					l.wrong++
				}
			}
		}
	}
	return all
}

// claims are the verdicts of the documents.
func (l *line) claims() string {
	return fmt.Sprintf("%d, %d, %d, %d", l.claimed[fairness.Met], l.claimed[fairness.Inconclusive], l.claimed[fairness.Violated], l.claimed[fairness.NotEstimable])
}

func minimum(values []float64) float64 {
	least := math.Inf(1)
	for _, value := range values {
		least = min(least, value)
	}
	return least
}

func words(values []float64, format string) string {
	mean, deviation := stat.MeanStdDev(values, nil)
	return fmt.Sprintf(format+" ± %.4f", mean, deviation)
}
