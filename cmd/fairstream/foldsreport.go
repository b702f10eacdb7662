package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/pkg/fairness"
)

func (r *replay) writeFolds(results []*folded) error {
	if r.json {
		for _, result := range results {
			text, err := json.Marshal(result)
			if err != nil {
				return err
			}
			if _, err := r.out.Write(append(text, '\n')); err != nil {
				return err
			}
		}
		return nil
	}
	var text strings.Builder
	first := results[0]
	english.Fprintf(&text, "Learnt %s%s, each for %d of %d holdouts, in %.2f s; rejected %d.\n\nOn %d holdouts of %s each:\n\n",
		counted(first.Records, "record"), r.orders.words(), r.folds-1, r.folds, first.Seconds, first.Rejected, len(first.Holdouts), counted(first.Records/int64(r.folds), "record"))
	writeFoldTable(&text, results)
	r.writeChance(&text, first)
	for _, result := range results {
		result.writeOrders(&text)
	}
	for _, result := range results {
		for _, c := range result.Conditions {
			tau := ""
			if result.Tau != nil {
				tau = ", tau " + written(*result.Tau)
			}
			fmt.Fprintf(&text, "Note%s, %d of %d folds: %s\n", tau, c.Folds, len(first.Holdouts), conditionWords(c.Condition))
		}
	}
	_, err := io.WriteString(r.out, text.String())
	return err
}

func writeFoldTable(w io.Writer, results []*folded) {
	first := results[0]
	t := table.NewWriter()
	t.SetStyle(plain)
	header := table.Row{"tau"}
	for _, q := range first.Summary.Qualities {
		header = append(header, q.Name)
	}
	t.AppendHeader(append(header, "constraint", "difference", "furthest", "within tau"))
	rows := func(s summary, bounded bool) {
		var qualities, blank table.Row
		for i, q := range s.Qualities {
			format := first.Holdouts[0].Measures.qualities()[i]
			qualities, blank = append(qualities, q.words(format.format(format.measure))), append(blank, "")
		}
		if len(s.Constraints) == 0 {
			t.AppendRow(append(table.Row{"none"}, qualities...))
		}
		for i, c := range s.Constraints {
			tau := "none"
			if bounded {
				tau = written(c.Tau)
			}
			if i > 0 {
				tau = ""
			}
			difference, furthest := string(fairness.NotEstimable), ""
			if e := first.Holdouts[0].Constraints[i]; c.Holdouts > 0 {
				format := "%+.3f"
				if c.Criterion.OfMeans() {
					format = inUnits(e.Lo, e.Hi, "%+")
				}
				difference, furthest = c.spread.words(format), fmt.Sprintf(format, *c.Furthest)
			}
			row := append(append(table.Row{tau}, qualities...), c.words, difference, furthest)
			if bounded {
				row = append(row, c.within(len(first.Holdouts)))
			}
			t.AppendRow(row)
			qualities = blank
		}
	}
	for _, result := range results {
		rows(result.Summary, true)
	}
	if first.Unconstrained != nil {
		rows(*first.Unconstrained, false)
	}
	fmt.Fprintln(w, trimLines(t.Render()))
	fmt.Fprintln(w, "\nMean over the holdouts ± standard deviation between them.")
	if first.label != nil {
		fmt.Fprintln(w, unitWords(first.label, first.field, nil))
	}
}

// within says in how many holdouts the difference was within tau.
func (c constraintSummary) within(holdouts int) string {
	if c.Holdouts == 0 {
		return ""
	}
	words := fmt.Sprintf("%d of %d", c.Within, c.Holdouts)
	if !c.Enforced {
		words += fmt.Sprintf(" at %s, measured only", written(c.Tau))
	}
	if unknown := holdouts - c.Holdouts; unknown > 0 {
		words += fmt.Sprintf("; %d %s", unknown, fairness.NotEstimable)
	}
	return words
}

// writeChance says what chance makes of holdouts that are smaller than those tau is kept for.
func (r *replay) writeChance(w io.Writer, first *folded) {
	size := first.Records / int64(r.folds)
	for _, c := range first.Summary.Constraints {
		if c.Enforced && c.StandardError != nil && size < int64(r.config.Learner.HoldoutRecords)/2 {
			format := "%.3f"
			if c.Criterion.OfMeans() {
				format = inUnits(-*c.StandardError, *c.StandardError, "%")
			}
			english.Fprintf(w, "%s: chance alone moves the difference of so few records by "+format+" (its standard error); the margin below tau is for %d (learner.holdout_records).\n",
				c.Name, *c.StandardError, r.config.Learner.HoldoutRecords)
		}
	}
}

func (s spread) words(format string) string {
	switch {
	case s.Mean == nil:
		return string(fairness.NotEstimable)
	case s.SD == nil:
		return fmt.Sprintf(format, *s.Mean)
	}
	return fmt.Sprintf(format+" ± "+strings.Replace(format, "+", "", 1), *s.Mean, *s.SD)
}
