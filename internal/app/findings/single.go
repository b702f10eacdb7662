package findings

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// WriteSingle compares the weights with those without constraints and with a constant decision.
func WriteSingle(w io.Writer, r *Result) {
	writeWhere(w, r)
	e := r.Measured()
	t := english.NewTable()
	header := table.Row{"", "fairstream"}
	columns := []*Evaluation{e}
	if e.Unconstrained != nil {
		header = append(header, "unconstrained")
		columns = append(columns, e.Unconstrained)
	}
	t.AppendHeader(append(header, e.Measures.ConstantWords()))
	// A number stands above its interval, so that three columns fit into 80.
	row := func(label string, constant string, cell func(*Evaluation) string) {
		cells := table.Row{label}
		for _, column := range columns {
			cells = append(cells, english.Stacked(cell(column)))
		}
		t.AppendRow(append(cells, english.Stacked(constant)))
	}
	for i, q := range e.Measures.Qualities() {
		row(text.WrapSoft(q.Name, 20), q.ConstantWords(), func(e *Evaluation) string { return e.Measures.Qualities()[i].Words() })
	}
	for i, c := range e.Constraints {
		equal := " 0"
		if c.Criterion.OfRatio() {
			equal = " 1"
		}
		row(fmt.Sprintf("%s\n%s", text.WrapSoft(pairWords(c), 20), c.Criterion), equal, func(e *Evaluation) string { return Difference(e.Constraints[i]) })
		row("  tau "+english.Number(c.Tau), string(fairness.Met), func(e *Evaluation) string { return string(e.Constraints[i].Status) })
	}
	fmt.Fprintln(w, english.Render(t))
	fmt.Fprintf(w, "\nIntervals have level %v.\n", LevelOf(e))
	if r.Label != nil {
		fmt.Fprintln(w, english.Prose(UnitWords(r.Label, r.field, e.Constraints)))
	}
	for _, c := range e.Constraints {
		fmt.Fprintln(w, english.Prose(Sentence(c, e.Constraints)))
	}
	WriteGroups(w, e.Groups)
	if len(e.Groups) > 0 {
		fmt.Fprintln(w)
	}
	if u := e.Unconstrained; u != nil && len(e.Constraints) > 0 {
		fmt.Fprintln(w, e.price())
	}
	WriteReserved(w, r.Evaluation)
	english.Fprintf(w, "The weights are version %d, of %s, %s…\n", r.Model.Version, english.Counted(r.Model.Weights, "number"), r.Model.WeightsSHA256[:12])
	WriteNotes(w, slices.DeleteFunc(slices.Clone(r.Conditions), OfColumns), e.Constraints)
}

// writeWhere says what the numbers were measured on.
func writeWhere(w io.Writer, r *Result) {
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

// WriteReserved says what the weights decide of the records that are never learnt, if there are any.
func WriteReserved(w io.Writer, e *Evaluation) {
	if e == nil {
		return
	}
	fmt.Fprintf(w, "\n%s\n", english.Prose(fmt.Sprintf("Reserved for evaluation and never learnt, scored with these weights: the last %s.", english.Counted(e.Records, "record"))))
	for _, q := range e.Measures.Qualities() {
		fmt.Fprintf(w, "  %s  %s\n", q.Name, q.Words())
	}
	for _, c := range e.Constraints {
		fmt.Fprintln(w, english.Indented(2, fmt.Sprintf("%s  %s, tau %s: %s", ConstraintWords(c), Difference(c), english.Number(c.Tau), c.Status)))
	}
}

// price is what the constraints cost, next to the weights without them.
func (e *Evaluation) price() string {
	q, free := e.Measures.Qualities()[0], e.Unconstrained.Measures.Qualities()[0]
	if math.IsNaN(q.Measure.Value) {
		return "Cost of the constraint: not known, since no record was measured."
	}
	format := q.Format(q.Measure)
	with, without := fmt.Sprintf(format, q.Measure.Value), fmt.Sprintf(format, free.Measure.Value)
	if with == without {
		return fmt.Sprintf("Cost of the constraint: none that can be measured; %s is %s without constraints too.", q.Name, without)
	}
	return fmt.Sprintf("Cost of the constraint: %s %s, without it %s.", q.Name, with, without)
}
