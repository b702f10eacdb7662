package models

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Show describes a document for people, or prints it with JSON.
func (m *Weights) Show(ctx context.Context) error {
	chosen, d, err := m.one(ctx)
	if err != nil {
		return err
	}
	if m.JSON {
		_, err = m.Out.Write(append(chosen.Data, '\n'))
		return err
	}
	var text strings.Builder
	line := func(words string) { fmt.Fprintln(&text, english.Prose(words)) }
	item := func(words string) { fmt.Fprintln(&text, english.Indented(2, words)) }
	if m.File != "" {
		line(english.Sprintf("Version %d of job %s, from %s.", d.Version, d.Job, m.File))
	} else {
		line(english.Sprintf("Version %d of job %s, published %s, term %d.", d.Version, d.Job, chosen.Time.Format(time.DateTime+" UTC"), chosen.Term))
		if !m.unwatched.IsZero() {
			line("It is " + unwatchedWords(m.unwatched) + ".")
		}
	}
	line(english.Sprintf("Learnt %s in mode %s; rejected %d.", english.Counted(d.Records, "record"), d.Mode, d.Rejected))
	if d.Unlabelled > 0 {
		line(english.Sprintf("%s more have no label, and count in constraints that need none.", english.Counted(d.Unlabelled, "record")))
	}
	line(fmt.Sprintf("%s; the configuration is %s….", english.Counted(d.Weights, "weight"), d.Lineage.ConfigSHA256[:12]))
	line(fmt.Sprintf("SHA-256 %s.", d.WeightsSHA256))
	for _, c := range d.Lineage.Changes {
		line(fmt.Sprintf("Changed %s, after %s:", c.Time.Format(time.DateTime+" UTC"), english.Counted(c.Version, "record")))
		item(fmt.Sprintf("%s: %s -> %s", c.Key, c.Old, c.New))
	}
	before := ""
	if d.Lineage.Parent > 0 && d.Lineage.Parent < d.Version {
		before = english.Sprintf("The version before was %d. ", d.Lineage.Parent)
	}
	line(fmt.Sprintf("%sLearnt by %s from %s. Next offsets:", before, cmp.Or(d.Lineage.Program, "an unknown program"), cmp.Or(d.Lineage.Input, "an unknown input")))
	for _, partition := range slices.Sorted(maps.Keys(d.Offsets)) {
		english.Fprintf(&text, "  %s  %d\n", partition, d.Offsets[partition])
	}
	recent := findings.MeasuresOf(&d.Measurements.Recent)
	best := recent.Qualities()[0]
	fmt.Fprintln(&text)
	line(english.Sprintf("On the last %s, each before it was learnt, at level %v:", english.Counted(d.Measurements.Recent.Records, "record"), best.Measure.Level))
	item(fmt.Sprintf("%s  %s; a %s %s", best.Name, best.Words(), recent.ConstantWords(), best.ConstantWords()))
	for _, q := range recent.Qualities()[1:] {
		item(fmt.Sprintf("%s  %s", q.Name, q.Words()))
	}
	if free := d.Measurements.UnconstrainedRecent; free != nil {
		q := findings.MeasuresOf(free).Qualities()[0]
		item(fmt.Sprintf("without constraints: %s %s", q.Name, q.Words()))
	}
	if d.Label != nil {
		item(findings.UnitWords(d.Label, d.Config.Record.Label.Field, d.Constraints))
	}
	if len(d.Constraints) > 0 {
		fmt.Fprintln(&text)
		line(english.Sprintf("On the last records of each group, %d at most, %s:", d.Config.Learner.Window, decidedWhen(d.Constraints)))
	}
	for _, c := range d.Constraints {
		item(fmt.Sprintf("%s  %s, tau %s", findings.ConstraintWords(c), findings.Difference(c), english.Number(c.Tau)))
		fmt.Fprintln(&text, english.Indented(4, findings.Sentence(c, d.Constraints)))
	}
	findings.WriteReserved(&text, findings.NewEvaluation(d.Measurements.Evaluation, nil))
	for _, c := range d.Measurements.Control {
		item(fmt.Sprintf("%s (%s): multiplier %.3f, aiming at %.4g", c.Name, c.Criterion, c.Multiplier, c.Target))
	}
	findings.WriteNotes(&text, d.Measurements.Conditions, d.Constraints)
	_, err = m.Out.Write([]byte(text.String()))
	return err
}

// decidedWhen says which weights decided the records that constraints are measured on.
func decidedWhen(constraints []fairness.Estimate) string {
	if slices.ContainsFunc(constraints, func(c fairness.Estimate) bool { return c.Method == fairness.MethodRescored }) {
		return "scored with these weights less each record's own influence"
	}
	return "each before it was learnt"
}
