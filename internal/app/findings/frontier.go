package findings

import (
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// ShownQualities is how many qualities have a column beside so many constraints, within 80 characters.
func ShownQualities(all, constraints int, relaxation surrogate.Name) int {
	if constraints > 1 || relaxation != "" {
		return 1
	}
	return min(all, 2)
}

// VariantWords is what tells results apart: the bound, or the relaxation.
func VariantWords(tau *float64, relaxation surrogate.Name) string {
	switch {
	case relaxation != "":
		return string(relaxation)
	case tau != nil:
		return english.Number(*tau)
	}
	return ""
}

// OfVariant is the variant after a comma, with its kind.
func OfVariant(tau *float64, relaxation surrogate.Name) string {
	words := VariantWords(tau, relaxation)
	switch {
	case words == "":
		return ""
	case relaxation == "":
		return ", tau " + words
	}
	return ", " + words
}

// WriteFrontier compares bounds, or relaxations: what each costs in accuracy and what it brings.
func WriteFrontier(w io.Writer, results []*Result) {
	writeWhere(w, results[0])
	first := results[0].Measured()
	shown := ShownQualities(len(first.Measures.Qualities()), len(first.Constraints), results[0].Relaxation)
	if words := onlyConstraint(first.Constraints); words != "" {
		fmt.Fprintf(w, "%s\n\n", words)
	}
	t := english.NewTable()
	variant := "tau"
	if results[0].Relaxation != "" {
		variant = "relaxation"
	}
	header := table.Row{variant}
	for _, q := range first.Measures.Qualities()[:shown] {
		header = append(header, text.WrapSoft(q.Name, 18))
	}
	if len(first.Constraints) > 1 {
		header = append(header, "constraint")
	}
	t.AppendHeader(append(header, "difference", "status"))
	rows := func(variant string, e *Evaluation, status func(fairness.Estimate) string) {
		cells, blank := table.Row{variant}, table.Row{""}
		for _, q := range e.Measures.Qualities()[:shown] {
			cells, blank = append(cells, english.Stacked(q.Words())), append(blank, "")
		}
		if len(e.Constraints) == 0 {
			t.AppendRow(cells)
		}
		for _, c := range e.Constraints {
			row := slices.Clone(cells)
			if len(first.Constraints) > 1 {
				row = append(row, fmt.Sprintf("%s\n%s", ShortWords(c, first.Constraints), c.Criterion))
			}
			t.AppendRow(append(row, english.Stacked(Difference(c)), status(c)))
			cells = blank
		}
	}
	for _, r := range results {
		rows(VariantWords(r.Tau, r.Relaxation), r.Measured(), func(c fairness.Estimate) string {
			if !c.Enforced {
				return fmt.Sprintf("%s\nat %s, only\nmeasured", c.Status, english.Number(c.Tau))
			}
			return string(c.Status)
		})
	}
	if free := first.Unconstrained; free != nil {
		rows("none", free, func(fairness.Estimate) string { return "" })
	}
	fmt.Fprintln(w, english.Render(t))
	best := first.Measures.Qualities()[0]
	fmt.Fprintln(w, "\n"+english.Prose(fmt.Sprintf("A %s has %s %s and difference 0. Intervals have level %v.", first.Measures.ConstantWords(), best.Name, best.ConstantWords(), LevelOf(first))))
	if len(first.Constraints) > 1 {
		WritePairs(w, first.Constraints)
	}
	if label := results[0].Label; label != nil {
		fmt.Fprintln(w, english.Prose(UnitWords(label, results[0].field, nil)))
	}
	for _, r := range results {
		for _, c := range r.Measured().Constraints {
			if need := c.Need(); need != "" {
				fmt.Fprintln(w, english.Prose(fmt.Sprintf("%s, %s is inconclusive: %s.", VariantWords(r.Tau, r.Relaxation), c.Name, need)))
			}
		}
		for _, condition := range r.Conditions {
			if OfColumns(condition) {
				continue
			}
			fmt.Fprintln(w, english.Prose(fmt.Sprintf("Note%s: %s", OfVariant(r.Tau, r.Relaxation), ConditionWords(condition))))
		}
	}
}
