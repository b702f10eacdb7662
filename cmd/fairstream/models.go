package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newModels(s *program.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, show, explain and describe the weights on the model topic",
		Long: `List, show, explain and describe the weight documents that a job published on its model topic. A version is the
number of records that were learnt, and a term counts the processes that owned the job: the newest is the
highest version of the highest term. An alias such as stable points to the version that readers use.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModelsList(s), newModelsShow(s), newModelsExplain(s), newModelsCard(s), newModelsPrune(s))
	cmd.AddCommand(newModelsReleases(s)...)
	return cmd
}

// models is one run of the commands.
type models struct {
	*program.Streams
	json    bool
	version versionFlag
	alias   string // instead of a version
	job     string
	topic   string
	kept    string // which versions the topic keeps, in words
	file    string // a document instead of the topic
	// unwatched is since when nobody withdraws the version that was chosen; zero: somebody does.
	unwatched time.Time
	config    *config.Loaded // nil without the topic
}

// command gives use the documents of the job.
func (m *models) command(flags *configFlags, use func(*stream.Models) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		loaded, err := flags.load(cmd, nil, config.Streaming)
		if err != nil {
			return err
		}
		m.config = loaded
		m.job, m.topic, m.kept = loaded.Job, loaded.Topics.Model, keptWords(loaded)
		found, err := cluster.ReadModels(cmd.Context(), loaded, m.Err)
		if err == nil {
			err = use(found)
		}
		return inWork(err)
	}
}

// one gives use one document: that of --model, or the version that was asked for on the model topic.
func (m *models) one(flags *configFlags, use func(*stream.Model, *document.Document) error) func(*cobra.Command, []string) error {
	onTopic := m.command(flags, func(found *stream.Models) error {
		chosen, err := m.chosen(found)
		if err != nil {
			return err
		}
		doc, err := chosen.Document()
		if err != nil {
			return err
		}
		m.unwatched = found.UnwatchedSince(chosen)
		return use(chosen, doc)
	})
	return func(cmd *cobra.Command, args []string) error {
		if m.file == "" {
			return onTopic(cmd, args)
		}
		text, err := os.ReadFile(m.file)
		if err != nil {
			return inWork(err)
		}
		doc, err := document.Parse(text)
		if err != nil {
			return inWork(fmt.Errorf("%s: %w", m.file, err))
		}
		return inWork(use(&stream.Model{Data: bytes.TrimSpace(text)}, doc))
	}
}

// modelFlag names a document in a file.
func (m *models) modelFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.file, "model", "", "weight document in a `FILE` (default the newest on the model topic)")
	mustComplete(cmd.MarkFlagFilename("model", "json"))
}

// choice adds the flags that choose a version on the model topic.
func (m *models) choice(cmd *cobra.Command, purpose string) {
	cmd.Flags().Var(&m.version, "version", "version to "+purpose+", as V or TERM/V (default the newest)")
	cmd.Flags().StringVar(&m.alias, "alias", "", "`NAME` of an alias instead of a version, such as stable")
	cmd.MarkFlagsMutuallyExclusive("version", "alias", "model")
}

// chosen is the document that the command line asks for.
func (m *models) chosen(found *stream.Models) (*stream.Model, error) {
	if m.alias != "" {
		return cluster.ByAlias(found, m.alias, m.topic, m.job)
	}
	if m.version == (versionFlag{}) {
		return found.Newest(), nil
	}
	if chosen := m.version.of(found); chosen != nil {
		return chosen, nil
	}
	return nil, fmt.Errorf("topic %s holds no version %s of job %s: fairstream models list shows those it holds", m.topic, &m.version, m.job)
}

func newModelsExplain(s *program.Streams) *cobra.Command {
	var flags configFlags
	m := models{Streams: s}
	by := byColumn{Streams: s}
	var top int
	var columns bool
	cmd := &cobra.Command{
		Use:   "explain --config FILE | --model FILE",
		Short: "Explain each weight of a model in plain words",
		Long: `Explain each weight of a model in plain words. The margin of a record is the sum of the weights that
apply to it; the decision is positive if the sum is above 0. For a regression the sum is the prediction.

--columns explains by column instead, over the records of --input, or over the newest records of the input
topic: for how many records a column counts, how much it moves the margin, and how much of the difference
between two groups comes from it.`,
		Example: `  fairstream models explain --config config.yaml
  fairstream models explain --config config.yaml --columns
  fairstream models explain --model weights.json --columns --input records.csv
  fairstream models explain --model weights.json --top 0 --json`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if by.input != "" && !columns {
			return errors.New("--input is for --columns: add it")
		}
		return m.one(&flags, func(_ *stream.Model, doc *document.Document) error {
			if !columns {
				return m.explain(doc, top)
			}
			by.json, by.top, by.config = m.json, top, m.config
			return by.explain(cmd.Context(), doc)
		})(cmd, args)
	}
	flags.register(cmd)
	m.modelFlag(cmd)
	f := cmd.Flags()
	f.BoolVar(&m.json, "json", false, "print one JSON object a weight, a line each")
	m.choice(cmd, "explain")
	f.IntVar(&top, "top", 30, "how many weights or columns, the largest first; 0 is all")
	f.BoolVar(&columns, "columns", false, "explain by column, over records")
	f.StringVarP(&by.input, "input", "i", "", "with --columns: `FILE` of records, - or adult (default the newest records of the input topic)")
	f.StringVar(&by.format, "format", "", input.FormatUsage)
	mustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz", "parquet"))
	return cmd
}

func (m *models) explain(doc *document.Document, top int) error {
	terms, err := doc.Explain()
	if err != nil {
		return err
	}
	total := len(terms)
	if top > 0 {
		slices.SortStableFunc(terms, func(a, b document.Term) int { return byMagnitude(b.Weight, a.Weight) })
		terms = terms[:min(top, total)]
	}
	if m.json {
		encoder := json.NewEncoder(m.Out)
		for i := range terms {
			if err := encoder.Encode(&terms[i]); err != nil {
				return err
			}
		}
		return nil
	}
	t := english.NewTable()
	t.AppendHeader(table.Row{"weight", "column", "level", "kind"})
	format := "%+.3f"
	if doc.Task == model.Regression {
		format = "%+.4g"
	}
	for _, term := range terms {
		t.AppendRow(table.Row{fmt.Sprintf(format, term.Weight), term.Column, term.Level, term.Kind})
	}
	positive := fmt.Sprintf("push towards the label %q", string(doc.Config.Record.Label.Positive))
	if doc.Task == model.Regression {
		positive = "raise the prediction"
	}
	_, err = english.Fprintf(m.Out, "Version %d of job %s: %d of %s. Positive ones %s.\n\n%s\n",
		doc.Version, doc.Job, len(terms), english.Counted(total, "weight"), positive, english.Render(t))
	return err
}
