package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/pkg/fairness"
)

func (r *Replay) writeFolds(results []*folded) error {
	if r.Page != "" {
		if err := r.writeFoldsPage(results); err != nil {
			return err
		}
	}
	if r.JSON {
		for _, result := range results {
			text, err := json.Marshal(result)
			if err != nil {
				return err
			}
			if _, err := r.Out.Write(append(text, '\n')); err != nil {
				return err
			}
		}
		return nil
	}
	r.meaning.Write(r.Err)
	var out strings.Builder
	first := results[0]
	english.Fprintf(&out, "%d-fold cross-validation of %s%s,\nin %.2f s; rejected %d.\n\nOn %d holdouts of %s each:\n\n",
		r.Folds, english.Counted(first.Records, "record"), r.Orders.words(), first.Seconds, first.Rejected, len(first.Holdouts), english.Counted(first.Records/int64(r.Folds), "record"))
	writeFoldTable(&out, results)
	r.writeChance(&out, results)
	if len(results) == 1 && len(first.Orders) < 2 {
		if pooled := first.pooled(r.Folds, false); pooled != nil && len(pooled.Pairs) > 0 && pooled.Ranking.Counted() {
			fmt.Fprintln(&out, "\nAll holdouts of one order together:")
			findings.WriteGroups(&out, findings.NewGroupReports(pooled, findings.LevelOf(first.Holdouts[0])))
		}
	}
	for _, result := range results {
		result.writeOrders(&out)
	}
	for _, result := range results {
		for _, c := range result.Conditions {
			fmt.Fprintln(&out, english.Prose(fmt.Sprintf("Note%s, %d of %d folds: %s", findings.OfVariant(result.Tau, result.Relaxation), c.Folds, len(first.Holdouts), findings.ConditionWords(c.Condition))))
		}
	}
	_, err := io.WriteString(r.Out, out.String())
	return err
}

func writeFoldTable(w io.Writer, results []*folded) {
	first := results[0]
	shown := findings.ShownQualities(len(first.Summary.Qualities), len(first.Summary.Constraints), first.Relaxation)
	several := len(first.Summary.Constraints) > 1
	if len(first.Summary.Constraints) == 1 {
		fmt.Fprintf(w, "%s\n\n", first.Summary.Constraints[0].words)
	}
	t := english.NewTable()
	variant := "tau"
	if first.Relaxation != "" {
		variant = "relaxation"
	}
	header := table.Row{variant}
	for _, q := range first.Summary.Qualities[:shown] {
		header = append(header, text.WrapSoft(q.Name, 18))
	}
	difference := "difference"
	if slices.ContainsFunc(first.Summary.Constraints, func(c constraintSummary) bool { return c.Criterion.OfRatio() }) {
		difference = "difference\nor ratio"
	}
	if several {
		header = append(header, "constraint", difference+"\n(furthest)")
	} else {
		header = append(header, difference, "furthest")
	}
	t.AppendHeader(append(header, "within tau"))
	rows := func(s Summary, variant string) {
		bounded := variant != "none"
		var qualities, blank table.Row
		for i, q := range s.Qualities[:shown] {
			format := first.Holdouts[0].Measures.Qualities()[i]
			qualities, blank = append(qualities, q.words(format.Format(format.Measure))), append(blank, "")
		}
		if len(s.Constraints) == 0 {
			t.AppendRow(append(table.Row{"none"}, qualities...))
		}
		for i, c := range s.Constraints {
			tau := variant
			if variant == "" {
				tau = english.Number(c.Tau)
			}
			if i > 0 {
				tau = ""
			}
			difference, furthest := string(fairness.NotEstimable), "–"
			if c.Holdouts > 0 {
				difference, furthest = c.spread.words(c.format), fmt.Sprintf(c.format, *c.Furthest)
			}
			row := append(table.Row{tau}, qualities...)
			if several {
				row = append(row, fmt.Sprintf("%s\n%s", c.short, c.Criterion), fmt.Sprintf("%s\n(%s)", difference, furthest))
			} else {
				row = append(row, difference, furthest)
			}
			if bounded {
				row = append(row, c.within(len(first.Holdouts)))
			}
			t.AppendRow(row)
			qualities = blank
		}
	}
	for _, result := range results {
		rows(result.Summary, string(result.Relaxation))
	}
	if first.Unconstrained != nil {
		rows(*first.Unconstrained, "none")
	}
	fmt.Fprintln(w, english.Render(t))
	fmt.Fprintln(w, "\nMean over the holdouts ± standard deviation between them.")
	if several {
		findings.WritePairs(w, first.Holdouts[0].Constraints)
	}
	if first.label != nil {
		fmt.Fprintln(w, english.Prose(findings.UnitWords(first.label, first.field, nil)))
	}
}

// writeChance says what chance makes of holdouts that are smaller than those tau is kept for, from the tau at which it makes
// least of them to the tau at which it makes most.
func (r *Replay) writeChance(w io.Writer, results []*folded) {
	first := results[0]
	size := first.Records / int64(r.Folds)
	for i, c := range first.Summary.Constraints {
		if !c.Enforced || size >= int64(r.config.Learner.HoldoutRecords)/2 {
			continue
		}
		var errors []float64
		for _, result := range results {
			if e := result.Summary.Constraints[i].StandardError; e != nil {
				errors = append(errors, *e)
			}
		}
		if errors == nil {
			continue
		}
		least, most := slices.Min(errors), slices.Max(errors)
		format := "%.3f"
		if c.Criterion.OfMeans() {
			format = english.InUnits(-most, most, "%")
		}
		by := fmt.Sprintf(format, least)
		if upTo := fmt.Sprintf(format, most); upTo != by {
			by += " to " + upTo
		}
		fmt.Fprintln(w, english.Prose(english.Sprintf("%s: chance alone moves the difference of so few records by %s (its standard error); the margin below tau is for %d (learner.holdout_records).",
			c.Name, by, r.config.Learner.HoldoutRecords)))
	}
}

// writeOrders says how the means of the orders differ, which tells a chance of the order from one of the holdouts.
func (f *folded) writeOrders(w io.Writer) {
	if len(f.Orders) < 2 {
		return
	}
	for i, c := range f.Summary.Constraints {
		var means []float64
		for _, o := range f.Orders {
			if mean := o.Summary.Constraints[i].Mean; mean != nil {
				means = append(means, *mean)
			}
		}
		between := newSpread(c.Name, means)
		if between.Mean == nil {
			continue
		}
		format := "%+.3f"
		switch {
		case c.Criterion.OfMeans():
			format = english.InUnits(-*between.Mean, *between.Mean, "%+")
		case c.Criterion.OfRatio():
			format = "%.3f"
		}
		fmt.Fprintln(w, english.Prose(fmt.Sprintf("%s%s: the means of the %d orders are %s (mean ± standard deviation between orders).", c.Name, findings.OfVariant(f.Tau, f.Relaxation), between.Holdouts, between.words(format))))
	}
}
