package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newModelsShow(s *program.Streams) *cobra.Command {
	var flags configFlags
	m := models{Streams: s}
	cmd := &cobra.Command{
		Use:   "show --config FILE | --model FILE",
		Short: "Show a version: what it was learnt from, and how it was measured",
		Long: `Show a version: what it was learnt from, and how it was measured. With --json it is the whole weight
document, which fairstream score --model takes.`,
		Example: `  fairstream models show --config config.yaml
  fairstream models show --config config.yaml --alias stable
  fairstream models show --config config.yaml --json > weights.json
  fairstream models show --model weights.json`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = m.one(&flags, func(chosen *stream.Model, doc *document.Document) error {
		if m.json {
			_, err := m.Out.Write(append(chosen.Data, '\n'))
			return err
		}
		return m.show(chosen, doc)
	})
	flags.register(cmd)
	m.modelFlag(cmd)
	cmd.Flags().BoolVar(&m.json, "json", false, "print the weight document")
	m.choice(cmd, "show")
	return cmd
}

// show describes a document for people.
func (m *models) show(chosen *stream.Model, d *document.Document) error {
	var text strings.Builder
	line := func(words string) { fmt.Fprintln(&text, english.Prose(words)) }
	item := func(words string) { fmt.Fprintln(&text, english.Indented(2, words)) }
	if m.file != "" {
		line(english.Sprintf("Version %d of job %s, from %s.", d.Version, d.Job, m.file))
	} else {
		line(english.Sprintf("Version %d of job %s, published %s, term %d.", d.Version, d.Job, chosen.Time.Format(time.DateTime+" UTC"), chosen.Term))
		if !m.unwatched.IsZero() {
			line("It is " + unwatchedWords(m.unwatched) + ".")
		}
	}
	line(english.Sprintf("Learnt %s in mode %s; rejected %d.", english.Counted(d.Records, "record"), d.Mode, d.Rejected))
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
	_, err := m.Out.Write([]byte(text.String()))
	return err
}

// decidedWhen says which weights decided the records that constraints are measured on.
func decidedWhen(constraints []fairness.Estimate) string {
	if slices.ContainsFunc(constraints, func(c fairness.Estimate) bool { return c.Method == fairness.MethodRescored }) {
		return "scored with these weights less each record's own influence"
	}
	return "each before it was learnt"
}

// byMagnitude compares absolute values.
func byMagnitude(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }
