package findings

import (
	"fmt"
	"io"
	"slices"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// OfColumns says whether a condition is one of columns, which the warnings tell before the results.
func OfColumns(c document.Condition) bool {
	return c.Code == document.ColumnsLeftOut || c.Code == document.VocabularyFull || c.Code == document.FewRecordsPerWeight
}

// ConditionWords is a condition with the name of its constraint.
func ConditionWords(c document.Condition) string {
	if c.Constraint == "" {
		return c.Detail + "."
	}
	return c.Constraint + ": " + c.Detail + "."
}

// WriteNotes writes the conditions but for those that the sentences of the constraints say too.
func WriteNotes(w io.Writer, conditions []document.Condition, said []fairness.Estimate) {
	for _, condition := range conditions {
		if !slices.ContainsFunc(said, func(e fairness.Estimate) bool { return e.Name == condition.Constraint && e.Reason == condition.Detail }) {
			fmt.Fprintln(w, english.Prose("Note: "+ConditionWords(condition)))
		}
	}
}

// UnitWords says what the numbers of a regression are in, and how large tau is in standard deviations of the label.
func UnitWords(label *document.LabelSummary, field string, constraints []fairness.Estimate) string {
	format := english.InUnits(-label.StandardDeviation/10, label.StandardDeviation/10, "%")
	words := fmt.Sprintf("Errors, predictions, differences and tau are in units of %s: mean "+format+", standard deviation "+format+".",
		field, label.Mean, label.StandardDeviation)
	if !(label.StandardDeviation > 0) {
		return words
	}
	for _, c := range constraints {
		if c.Enforced {
			return words + fmt.Sprintf(" Tau %s is %.2g standard deviations.", english.Number(c.Tau), c.Tau/label.StandardDeviation)
		}
	}
	return words
}
