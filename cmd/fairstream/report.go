package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// report tells people what was found.
func (r *replay) report(results []*result) error {
	var text strings.Builder
	first := results[0]
	english.Fprintf(&text, "Learnt %s%s in %.2f s (%.0f a second); rejected %d.\n",
		english.Counted(first.Records, "record"), r.orders.words(), first.Seconds, float64(first.Records)/first.Seconds, first.Rejected)
	if len(results) == 1 {
		writeSingle(&text, first)
	} else {
		writeFrontier(&text, results)
	}
	r.writeNext(&text, results)
	_, err := io.WriteString(r.Out, text.String())
	return err
}

// measured is the evaluation that people are shown: on the holdout if there is one.
func (r *result) measured() *evaluation {
	if r.Holdout != nil {
		return r.Holdout
	}
	return &r.Prequential
}

// writeWhere says what the numbers were measured on.
func writeWhere(w io.Writer, r *result) {
	if r.Holdout != nil {
		english.Fprintf(w, "\nOn %s held out:\n\n", english.Counted(r.Holdout.Records, "record"))
		return
	}
	english.Fprintf(w, "\nOn %s it was learnt:\n\n", eachBefore(r.Prequential.Records))
}

// eachBefore is a number of records that are all there are, each looked at before something.
func eachBefore(records int64) string {
	if records == 1 {
		return "the only record, before"
	}
	return "all " + english.Counted(records, "record") + ", each before"
}

// writeReserved says what the weights decide of the records that are never learnt, if there are any.
func writeReserved(w io.Writer, e *evaluation) {
	if e == nil {
		return
	}
	fmt.Fprintf(w, "\n%s\n", english.Prose(fmt.Sprintf("Reserved for evaluation and never learnt, scored with these weights: the last %s.", english.Counted(e.Records, "record"))))
	for _, q := range e.Measures.qualities() {
		fmt.Fprintf(w, "  %s  %s\n", q.name, q.words())
	}
	for _, c := range e.Constraints {
		fmt.Fprintln(w, english.Indented(2, fmt.Sprintf("%s  %s, tau %s: %s", constraintWords(c), difference(c), english.Number(c.Tau), c.Status)))
	}
}

// writeSingle compares the weights with those without constraints and with a constant decision.
func writeSingle(w io.Writer, r *result) {
	writeWhere(w, r)
	e := r.measured()
	t := english.NewTable()
	header := table.Row{"", "fairstream"}
	columns := []*evaluation{e}
	if e.Unconstrained != nil {
		header = append(header, "unconstrained")
		columns = append(columns, e.Unconstrained)
	}
	t.AppendHeader(append(header, e.Measures.constantWords()))
	// A number stands above its interval, so that three columns fit into 80.
	row := func(label string, constant string, cell func(*evaluation) string) {
		cells := table.Row{label}
		for _, column := range columns {
			cells = append(cells, english.Stacked(cell(column)))
		}
		t.AppendRow(append(cells, english.Stacked(constant)))
	}
	for i, q := range e.Measures.qualities() {
		row(text.WrapSoft(q.name, 20), q.constantWords(), func(e *evaluation) string { return e.Measures.qualities()[i].words() })
	}
	for i, c := range e.Constraints {
		equal := " 0"
		if c.Criterion.OfRatio() {
			equal = " 1"
		}
		row(fmt.Sprintf("%s\n%s", text.WrapSoft(pairWords(c), 20), c.Criterion), equal, func(e *evaluation) string { return difference(e.Constraints[i]) })
		row("  tau "+english.Number(c.Tau), string(fairness.Met), func(e *evaluation) string { return string(e.Constraints[i].Status) })
	}
	fmt.Fprintln(w, english.Render(t))
	fmt.Fprintf(w, "\nIntervals have level %v.\n", levelOf(e))
	if r.Label != nil {
		fmt.Fprintln(w, english.Prose(unitWords(r.Label, r.field, e.Constraints)))
	}
	for _, c := range e.Constraints {
		fmt.Fprintln(w, english.Prose(sentence(c, e.Constraints)))
	}
	writeGroups(w, e.Groups)
	if len(e.Groups) > 0 {
		fmt.Fprintln(w)
	}
	if u := e.Unconstrained; u != nil && len(e.Constraints) > 0 {
		fmt.Fprintln(w, e.price())
	}
	writeReserved(w, r.Evaluation)
	english.Fprintf(w, "The weights are version %d, of %s, %s…\n", r.Model.Version, english.Counted(r.Model.Weights, "number"), r.Model.WeightsSHA256[:12])
	writeNotes(w, slices.DeleteFunc(slices.Clone(r.Conditions), ofColumns), e.Constraints)
}

// writeNotes writes the conditions but for those that the sentences of the constraints say too.
func writeNotes(w io.Writer, conditions []document.Condition, said []fairness.Estimate) {
	for _, condition := range conditions {
		if !slices.ContainsFunc(said, func(e fairness.Estimate) bool { return e.Name == condition.Constraint && e.Reason == condition.Detail }) {
			fmt.Fprintln(w, english.Prose("Note: "+conditionWords(condition)))
		}
	}
}

func conditionWords(c document.Condition) string {
	if c.Constraint == "" {
		return c.Detail + "."
	}
	return c.Constraint + ": " + c.Detail + "."
}

// sentence says in words what was measured of one of all constraints.
func sentence(c fairness.Estimate, all []fairness.Estimate) string {
	start := fmt.Sprintf("%s, %s: %s", strings.ReplaceAll(shortWords(c, all), "\n", " "), c.Criterion, c.Status)
	if c.Status == fairness.NotEstimable {
		return start + ": " + c.Reason + "."
	}
	enforced := ""
	if !c.Enforced {
		enforced = " (it is measured only)"
	}
	return fmt.Sprintf("%s%s. %s. %s.", start, enforced, sideWords(c), intervalWords(c))
}

// intervalWords says why the interval gives this verdict.
func intervalWords(c fairness.Estimate) string {
	switch {
	case c.Status == fairness.Met && c.Criterion.OfRatio():
		return "The whole interval is at or above tau"
	case c.Status == fairness.Violated && c.Criterion.OfRatio():
		return "The whole interval is below tau"
	case c.Status == fairness.Met:
		return "The whole interval is within tau"
	case c.Status == fairness.Violated:
		return "The whole interval is beyond tau"
	}
	return "The interval includes tau, so another sample could give the opposite verdict: " + c.Need()
}

func levelOf(e *evaluation) float64 { return e.Measures.qualities()[0].measure.Level }

// otherTaus are bounds to try: those of the rates of any classifier, or about the present one.
func (r *replay) otherTaus(present *float64) string {
	if r.config.Learner.Task == model.Regression {
		for _, c := range r.config.Constraints {
			if present != nil {
				c.Tau = *present
			}
			if c.Enforced() {
				return fmt.Sprintf("%s,%s,%s", english.Number(c.Tau/2), english.Number(c.Tau), english.Number(2*c.Tau))
			}
		}
	}
	return "0.02,0.05,0.10"
}

// writeNext says what to try next.
func (r *replay) writeNext(w io.Writer, results []*result) {
	var next []string
	add := func(format string, arguments ...any) { next = append(next, fmt.Sprintf(format, arguments...)) }
	status := map[fairness.Status]bool{}
	enforced := 0
	for _, result := range results {
		for _, c := range result.measured().Constraints {
			if c.Enforced {
				enforced++
				status[c.Status] = true
			}
		}
	}
	notMet := status[fairness.Violated] || status[fairness.Inconclusive]
	switch {
	case len(r.config.Constraints) == 0:
		add("bound a difference: add an entry under constraints (fairstream config keys explains each key)")
	case status[fairness.NotEstimable]:
		add("more records of the groups, or versus: rest, so that each side has enough to be measured")
	case notMet && r.config.Learner.Mode == model.Unconstrained:
		add("the constraints enforced: --mode adaptive")
	case notMet && r.config.Learner.Mode == model.Paper:
		add("a smaller threshold (c*tau of the relaxation) of the constraint: tau bounds nothing in mode paper")
		add("a bound on the difference itself: --mode adaptive, without threshold and learner.paper")
	case notMet && r.config.Learner.Confidence < .99:
		add("a larger margin below tau: --set learner.confidence=0.99")
	}
	if enforced > 0 && len(results) == 1 && r.config.Learner.Mode != model.Paper && r.input != input.StandardInput {
		add("other bounds side by side: --tau %s", r.otherTaus(results[0].Tau))
	}
	if learner := &r.config.Learner; learner.Mode == model.Paper && learner.Paper.Horizon == 0 {
		add("steps for the number of records, which lose less accuracy: --set learner.paper.horizon=%d --set learner.paper.a=0.75 --set learner.paper.k=0.02", results[0].Records)
	}
	if r.holdout == "" && r.input != input.StandardInput && r.save == "" {
		add("for a more reliable estimate, use five holdouts: --folds 5")
	}
	if r.test.Name == "" {
		add("records that were not learnt from: --holdout FILE")
	}
	if r.save == "" && len(results) == 1 {
		what := "decisions"
		if r.config.Learner.Task == model.Regression {
			what = "predictions"
		}
		add("%s for other records: --save weights.json, then fairstream score --model weights.json --input FILE", what)
	}
	if len(next) == 0 {
		return
	}
	fmt.Fprintln(w, "\nTry next:")
	for _, line := range next {
		fmt.Fprintf(w, "  %s\n", line)
	}
}
