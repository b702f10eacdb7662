package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newModels(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, show and explain the weights on the model topic",
		Long: `List, show and explain the weight documents that a job published on its model topic. A version is the
number of records that were learnt. The newest is the one that the topic's alias points to.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModelsList(s), newModelsShow(s), newModelsExplain(s))
	return cmd
}

// models is one run of the commands.
type models struct {
	*streams
	json    bool
	version int64 // 0: the newest
	job     string
	topic   string
}

// command gives use the documents of the job.
func (m *models) command(flags *configFlags, use func(*stream.Models) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		loaded, err := flags.load(cmd, nil, config.Streaming)
		if err != nil {
			return err
		}
		m.job, m.topic = loaded.Job, loaded.Topics.Model
		found, err := readModels(cmd.Context(), loaded, m.err)
		if err == nil {
			err = use(found)
		}
		return inWork(err)
	}
}

// readModels reads the model topic of a job to its end.
func readModels(ctx context.Context, c *config.Loaded, warnings io.Writer) (found *stream.Models, err error) {
	err = withCluster(ctx, c.Kafka, warnings, func(ctx context.Context, client *kafka.Client) error {
		if err := mustExist(ctx, client, c.Topics.Model); err != nil {
			return err
		}
		found, err = stream.ReadModels(ctx, stream.Kafka(client), c.Topics.Model, c.Job)
		return err
	})
	return found, err
}

// newestOf is the newest document of a job; that there is none is an error.
func newestOf(found *stream.Models, topic, job string) (*stream.Model, error) {
	if newest := found.Newest(); newest != nil {
		return newest, nil
	}
	return nil, fmt.Errorf("topic %s holds no weights of job %s yet: fairstream run publishes them once it can be said whether the constraints are met", topic, job)
}

// chosen is the document that the command line asks for.
func (m *models) chosen(found *stream.Models) (*stream.Model, error) {
	if m.version == 0 {
		return newestOf(found, m.topic, m.job)
	}
	if chosen := found.Version(m.version); chosen != nil {
		return chosen, nil
	}
	return nil, fmt.Errorf("topic %s holds no version %d of job %s: fairstream models list shows those it holds", m.topic, m.version, m.job)
}

func newModelsList(s *streams) *cobra.Command {
	var flags configFlags
	m := models{streams: s}
	cmd := &cobra.Command{
		Use:     "list --config FILE",
		Short:   "List the versions that the model topic holds",
		Example: `  fairstream models list --config config.yaml`,
		Args:    cobra.NoArgs,
		RunE:    m.command(&flags, m.list),
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&m.json, "json", false, "print one JSON object a version, a line each")
	return cmd
}

// listedModel is one version in the JSON of models list.
type listedModel struct {
	Version       int64     `json:"version"`
	Latest        bool      `json:"latest"`
	Published     time.Time `json:"published"`
	Term          int64     `json:"term"`
	Offset        int64     `json:"offset"`
	WeightsSHA256 string    `json:"weights_sha256"`
	measures
	Constraints []fairness.Estimate `json:"constraints"`
}

func (m *models) list(found *stream.Models) error {
	newest, err := newestOf(found, m.topic, m.job)
	if err != nil {
		return err
	}
	var all []listedModel
	for i := range found.Versions {
		v := &found.Versions[i]
		document, err := v.Document()
		if err != nil {
			return fmt.Errorf("version %d at offset %d: %w", v.Version, v.Offset, err)
		}
		all = append(all, listedModel{v.Version, v == newest, v.Time, v.Term, v.Offset, v.WeightsSHA256,
			measuresOf(&document.Measurements.Recent), document.Constraints})
	}
	if m.json {
		encoder := json.NewEncoder(m.out)
		for i := range all {
			if err := encoder.Encode(&all[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return m.writeList(all)
}

func (m *models) writeList(all []listedModel) error {
	t := table.NewWriter()
	t.SetStyle(plain)
	header := table.Row{"version", "published", "term", "weights", "recent " + all[len(all)-1].qualities()[0].name}
	for _, c := range all[len(all)-1].Constraints {
		header = append(header, fmt.Sprintf("%s within %s", constraintWords(c), written(c.Tau)))
	}
	t.AppendHeader(append(header, ""))
	for _, v := range slices.Backward(all) {
		row := table.Row{english.Sprintf("%d", v.Version), v.Published.Format(time.DateTime), v.Term, v.WeightsSHA256[:12] + "…", v.qualities()[0].words()}
		for _, c := range v.Constraints {
			row = append(row, difference(c)+" "+string(c.Status))
		}
		if v.Latest {
			row = append(row, "← latest")
		}
		t.AppendRow(row)
	}
	_, err := fmt.Fprintf(m.out, "%s\n\nTimes are UTC. Intervals have level %v.\n", trimLines(t.Render()), all[0].qualities()[0].measure.Level)
	return err
}

func newModelsExplain(s *streams) *cobra.Command {
	var flags configFlags
	m := models{streams: s}
	var top int
	cmd := &cobra.Command{
		Use:   "explain --config FILE",
		Short: "Say in words what each weight of a version does",
		Long: `Say in words what each weight of a version does. The margin of a record is the sum of the weights that
apply to it; the decision is positive above 0. Of a regression it is the prediction.`,
		Example: `  fairstream models explain --config config.yaml
  fairstream models explain --config config.yaml --top 0 --json`,
		Args: cobra.NoArgs,
		RunE: m.command(&flags, func(found *stream.Models) error {
			chosen, err := m.chosen(found)
			if err != nil {
				return err
			}
			document, err := chosen.Document()
			if err != nil {
				return err
			}
			return m.explain(document, top)
		}),
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.BoolVar(&m.json, "json", false, "print one JSON object a weight, a line each")
	f.Int64Var(&m.version, "version", 0, "version to explain (default the newest)")
	f.IntVar(&top, "top", 30, "how many weights, the largest first; 0 is all, by column")
	return cmd
}

func (m *models) explain(document *model.Document, top int) error {
	terms, err := document.Explain()
	if err != nil {
		return err
	}
	total := len(terms)
	if top > 0 {
		slices.SortStableFunc(terms, func(a, b model.Term) int { return byMagnitude(b.Weight, a.Weight) })
		terms = terms[:min(top, total)]
	}
	if m.json {
		encoder := json.NewEncoder(m.out)
		for i := range terms {
			if err := encoder.Encode(&terms[i]); err != nil {
				return err
			}
		}
		return nil
	}
	t := table.NewWriter()
	t.SetStyle(plain)
	t.AppendHeader(table.Row{"weight", "column", "level", "kind"})
	format := "%+.3f"
	if document.Task == model.Regression {
		format = "%+.4g"
	}
	for _, term := range terms {
		t.AppendRow(table.Row{fmt.Sprintf(format, term.Weight), term.Column, term.Level, term.Kind})
	}
	positive := fmt.Sprintf("speak for the label %q", string(document.Config.Record.Label.Positive))
	if document.Task == model.Regression {
		positive = "raise the prediction"
	}
	_, err = english.Fprintf(m.out, "Version %d of job %s: %d of %s. Positive ones %s.\n\n%s\n",
		document.Version, document.Job, len(terms), counted(total, "weight"), positive, trimLines(t.Render()))
	return err
}
