package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
)

// absences are the records that lack an attribute, beside those that have it, by attribute.
type absences []fairness.Absence

func (a absences) add(e *example, decided float64) {
	label := e.label
	if e.positive {
		label = 1
	}
	for i := range a {
		a[i].Add(e.levels[i] == fairness.MissingLevel, label, decided, e.weight)
	}
}

// Combine adds the records of others.
func (a absences) Combine(others absences) {
	for i := range a {
		a[i].Combine(others[i])
	}
}

// Reset returns them to no records.
func (a absences) Reset() { clear(a) }

func (a absences) records() int64 {
	if len(a) == 0 {
		return 0
	}
	return a[0].Known.Labels.Records + a[0].Missing.Labels.Records
}

func (a absences) fields(c *codec.Coder) {
	for i := range a {
		for _, o := range [...]*fairness.Outcomes{&a[i].Known, &a[i].Missing} {
			momentFields(c, &o.Labels, linear.LargestPrediction)
			momentFields(c, &o.Decided, linear.LargestPrediction)
		}
	}
}

const (
	// mostlyMissing is the share of records without an attribute above which what is said is of the others only.
	mostlyMissing = .5
	// leastShift is the share of tau by which a bias has to be able to move a difference.
	leastShift = .2
)

// missing describes the recent records without an attribute, if there are any.
func missing(attributes []string, recent absences, level float64) (rows []document.Missing) {
	for i, name := range attributes {
		if recent[i].Missing.Labels.Records > 0 {
			rows = append(rows, document.NewMissing(name, &recent[i], level))
		}
	}
	return rows
}

// missingConditions says where records without an attribute are so different or so many that what is said of a comparison
// may not hold of all records.
func missingConditions(a about, attributes []string, recent absences, m *document.Measurements) (conditions []document.Condition) {
	words := [2]string{"share of positive labels", "share of positive decisions"}
	if m.Recent.Predictions != nil {
		words = [2]string{"mean label", "mean prediction"}
	}
	type about struct{ constraint, attribute string }
	said := map[about]bool{} // a constraint may have several comparisons
	for i, comparison := range a.comparisons {
		if !comparison.Known() {
			continue
		}
		e := &m.Recent.Constraints[a.row(i)]
		share := float64(min(e.NGroup, e.NVersus)) / float64(max(1, m.Recent.Records-e.NUnknown))
		for _, term := range comparison.Group {
			here := about{comparison.Name, term.Attribute}
			code, detail := missingDetail(term.Attribute, &recent[slices.Index(attributes, term.Attribute)], words, share, comparison.Bound())
			if code != "" && !said[here] {
				said[here] = true
				conditions = append(conditions, document.Condition{Code: code, Constraint: comparison.Name, Detail: detail})
			}
		}
	}
	return conditions
}

func missingDetail(attribute string, a *fairness.Absence, words [2]string, share, tau float64) (document.ConditionCode, string) {
	labels, decided := a.Biased()
	shift := a.Shift(share, max(math.Abs(labels), math.Abs(decided)))
	start := fmt.Sprintf("%.1f %% of the recent records lack the attribute %s", 100*a.Share(), attribute)
	switch {
	case shift > leastShift*tau:
		return document.MissingWithBias, fmt.Sprintf("%s, and they differ from the others: their %s is %s, and their %s %s. "+
			"The difference of all records may be another one by up to %.2g. Find out why the attribute is missing", start,
			words[0], against(a.Missing.Labels.Mean, a.Known.Labels.Mean), words[1], against(a.Missing.Decided.Mean, a.Known.Decided.Mean), shift)
	case a.Share() > mostlyMissing:
		return document.MostlyMissing, start + ": the difference is that of the other records only. Find out why the attribute is missing"
	}
	return "", ""
}

// against is a number beside the one that it is compared with.
func against(number, other float64) string { return fmt.Sprintf("%.3g instead of %.3g", number, other) }
