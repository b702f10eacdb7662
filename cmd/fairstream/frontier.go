package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// shownQualities is how many qualities have a column beside so many constraints, within 80 characters.
func shownQualities(all, constraints int, relaxation surrogate.Name) int {
	if constraints > 1 || relaxation != "" {
		return 1
	}
	return min(all, 2)
}

// variantWords is what tells results apart: the bound, or the relaxation.
func variantWords(tau *float64, relaxation surrogate.Name) string {
	switch {
	case relaxation != "":
		return string(relaxation)
	case tau != nil:
		return english.Number(*tau)
	}
	return ""
}

// ofVariant is the variant after a comma, with its kind.
func ofVariant(tau *float64, relaxation surrogate.Name) string {
	words := variantWords(tau, relaxation)
	switch {
	case words == "":
		return ""
	case relaxation == "":
		return ", tau " + words
	}
	return ", " + words
}

// writeFrontier compares bounds, or relaxations: what each costs in accuracy and what it brings.
func writeFrontier(w io.Writer, results []*result) {
	writeWhere(w, results[0])
	first := results[0].measured()
	shown := shownQualities(len(first.Measures.qualities()), len(first.Constraints), results[0].Relaxation)
	if words := onlyConstraint(first.Constraints); words != "" {
		fmt.Fprintf(w, "%s\n\n", words)
	}
	t := english.NewTable()
	variant := "tau"
	if results[0].Relaxation != "" {
		variant = "relaxation"
	}
	header := table.Row{variant}
	for _, q := range first.Measures.qualities()[:shown] {
		header = append(header, text.WrapSoft(q.name, 18))
	}
	if len(first.Constraints) > 1 {
		header = append(header, "constraint")
	}
	t.AppendHeader(append(header, "difference", "status"))
	rows := func(variant string, e *evaluation, status func(fairness.Estimate) string) {
		cells, blank := table.Row{variant}, table.Row{""}
		for _, q := range e.Measures.qualities()[:shown] {
			cells, blank = append(cells, english.Stacked(q.words())), append(blank, "")
		}
		if len(e.Constraints) == 0 {
			t.AppendRow(cells)
		}
		for _, c := range e.Constraints {
			row := slices.Clone(cells)
			if len(first.Constraints) > 1 {
				row = append(row, fmt.Sprintf("%s\n%s", shortWords(c, first.Constraints), c.Criterion))
			}
			t.AppendRow(append(row, english.Stacked(difference(c)), status(c)))
			cells = blank
		}
	}
	for _, r := range results {
		rows(variantWords(r.Tau, r.Relaxation), r.measured(), func(c fairness.Estimate) string {
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
	best := first.Measures.qualities()[0]
	fmt.Fprintln(w, "\n"+english.Prose(fmt.Sprintf("A %s has %s %s and difference 0. Intervals have level %v.", first.Measures.constantWords(), best.name, best.constantWords(), levelOf(first))))
	if len(first.Constraints) > 1 {
		writePairs(w, first.Constraints)
	}
	if label := results[0].Label; label != nil {
		fmt.Fprintln(w, english.Prose(unitWords(label, results[0].field, nil)))
	}
	for _, r := range results {
		for _, c := range r.measured().Constraints {
			if need := c.Need(); need != "" {
				fmt.Fprintln(w, english.Prose(fmt.Sprintf("%s, %s is inconclusive: %s.", variantWords(r.Tau, r.Relaxation), c.Name, need)))
			}
		}
		for _, condition := range r.Conditions {
			if ofColumns(condition) {
				continue
			}
			fmt.Fprintln(w, english.Prose(fmt.Sprintf("Note%s: %s", ofVariant(r.Tau, r.Relaxation), conditionWords(condition))))
		}
	}
}

// onlyConstraint names the constraint if there is one, which then needs no column.
func onlyConstraint(all []fairness.Estimate) string {
	if len(all) != 1 {
		return ""
	}
	return constraintWords(all[0])
}

// writePairs says once which groups the constraints of a table compare.
func writePairs(w io.Writer, all []fairness.Estimate) {
	var said []string
	for _, c := range all {
		if words := pairWords(c); !slices.Contains(said, words) {
			said = append(said, words)
			fmt.Fprintf(w, "%s.\n", words)
		}
	}
}

// shortWords names a constraint in a column, with its group where several have the name, as those of group: each.
func shortWords(c fairness.Estimate, all []fairness.Estimate) string {
	for _, other := range all {
		if other.Name == c.Name && other.Criterion == c.Criterion && other.Group != c.Group {
			return text.WrapSoft(c.Name+": "+c.Group, 24)
		}
	}
	return c.Name
}

func constraintWords(c fairness.Estimate) string {
	return fmt.Sprintf("%s (%s)", pairWords(c), c.Criterion)
}

// pairWords names a constraint and what it compares: "sex: Male − Female", or "sex: Male / Female" of a ratio. The groups of a
// range name the attribute themselves: "age ≥ 40 − age < 40".
func pairWords(c fairness.Estimate) string {
	sign, within := "−", ""
	if c.Criterion.OfRatio() {
		sign = "/"
	}
	if c.Strata != "" {
		within = " within " + c.Strata
	}
	pair := fmt.Sprintf("%s %s %s%s", c.Group, sign, c.Versus, within)
	if strings.HasPrefix(c.Group, c.Name+" ") {
		return pair
	}
	return c.Name + ": " + pair
}
