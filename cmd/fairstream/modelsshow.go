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

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newModelsShow(s *streams) *cobra.Command {
	var flags configFlags
	m := models{streams: s}
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
			_, err := m.out.Write(append(chosen.Data, '\n'))
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
	if m.file != "" {
		english.Fprintf(&text, "Version %d of job %s, from %s.\n", d.Version, d.Job, m.file)
	} else {
		english.Fprintf(&text, "Version %d of job %s, published %s, term %d.\n", d.Version, d.Job, chosen.Time.Format(time.DateTime+" UTC"), chosen.Term)
	}
	english.Fprintf(&text, "Learnt %s in mode %s; rejected %d.\n", counted(d.Records, "record"), d.Mode, d.Rejected)
	english.Fprintf(&text, "%s, SHA-256 %s; the configuration is %s….\n", counted(d.Weights, "weight"), d.WeightsSHA256, d.Lineage.ConfigSHA256[:12])
	for _, c := range d.Lineage.Changes {
		english.Fprintf(&text, "Changed %s, after %s: %s: %s -> %s.\n", c.Time.Format(time.DateTime+" UTC"), counted(c.Version, "record"), c.Key, c.Old, c.New)
	}
	if d.Lineage.Parent > 0 && d.Lineage.Parent < d.Version {
		english.Fprintf(&text, "The version before was %d. ", d.Lineage.Parent)
	}
	fmt.Fprintf(&text, "Learnt by %s from %s. Next offsets:\n", cmp.Or(d.Lineage.Program, "an unknown program"), cmp.Or(d.Lineage.Input, "an unknown input"))
	for _, partition := range slices.Sorted(maps.Keys(d.Offsets)) {
		english.Fprintf(&text, "  %s  %d\n", partition, d.Offsets[partition])
	}
	recent := measuresOf(&d.Measurements.Recent)
	best := recent.qualities()[0]
	english.Fprintf(&text, "\nOn the last %s, each before it was learnt, at level %v:\n", counted(d.Measurements.Recent.Records, "record"), best.measure.Level)
	fmt.Fprintf(&text, "  %s  %s; a %s %s\n", best.name, best.words(), recent.constantWords(), best.constantWords())
	for _, q := range recent.qualities()[1:] {
		fmt.Fprintf(&text, "  %s  %s\n", q.name, q.words())
	}
	if free := d.Measurements.UnconstrainedRecent; free != nil {
		q := measuresOf(free).qualities()[0]
		fmt.Fprintf(&text, "  without constraints: %s %s\n", q.name, q.words())
	}
	if d.Label != nil {
		fmt.Fprintf(&text, "  %s\n", unitWords(d.Label, d.Config.Record.Label.Field, d.Constraints))
	}
	if len(d.Constraints) > 0 {
		english.Fprintf(&text, "\nOn the last records of each group, %d at most, %s:\n", d.Config.Learner.Window, decidedWhen(d.Constraints))
	}
	for _, c := range d.Constraints {
		fmt.Fprintf(&text, "  %s  %s, tau %s\n    %s\n", constraintWords(c), difference(c), written(c.Tau), sentence(c, d.Constraints))
	}
	writeReserved(&text, newEvaluation(d.Measurements.Evaluation, nil))
	for _, c := range d.Measurements.Control {
		fmt.Fprintf(&text, "  %s (%s): multiplier %.3f, aiming at %.4g\n", c.Name, c.Criterion, c.Multiplier, c.Target)
	}
	writeNotes(&text, d.Measurements.Conditions, d.Constraints)
	_, err := m.out.Write([]byte(text.String()))
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
