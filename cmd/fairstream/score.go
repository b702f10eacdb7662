package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newScore(s *program.Streams) *cobra.Command {
	var flags configFlags
	c := score{Streams: s}
	topics := scoreStream{Streams: s}
	cmd := &cobra.Command{
		Use:   "score --input FILE | --from TOPIC --to TOPIC",
		Short: "Score the records of a file, or of a topic",
		Long: `Score the records of a file with a saved model. --model names its weight document; without it, the
newest document of the job on its model topic is used, or with --alias the one that an alias points to.

The output has one line for each record of the input, in its order: the score and the decision. A higher
score means that the positive label is more likely; under constraints it is not a calibrated probability.
For a regression model, the score is the predicted value and there is no decision. For a record that
cannot be decoded, the line gives the reason. A line also has the margin, whose sign decides, and the
version and the SHA-256 of the weights. As CSV the columns are id, score, decision, rejected, margin,
version and weights_sha256; those of a regression lack decision and margin.

The document defines how records are read. Records need no labels.

With --from and --to, score decides the records of a topic until a signal stops it. It uses the stable version
of the job, or the latest version until there is a stable one. It follows new versions, and verifies each.
Every record gets exactly one decision, in transactions. A decision is a JSON object with score, decision,
version, term, alias, and the topic, partition and offset of its record.`,
		Example: `  fairstream replay --input adult --save weights.json
  fairstream score --model weights.json --input people.csv --json
  fairstream score --config config.yaml --input people.csv
  fairstream score --config config.yaml --from people.unlabelled --to people.decisions`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			purpose := config.Streaming
			if c.model != "" {
				purpose = config.Learning
			}
			configured := flags.given() || len(flags.assignments) > 0
			if configured {
				if c.config, err = flags.load(cmd, nil, purpose); err != nil {
					return err
				}
			}
			if topics.from != "" || topics.to != "" {
				if topics.config = c.config; !configured {
					return errors.New("--from and --to need --config")
				}
				if err := topics.check(); err != nil {
					return err
				}
				return inWork(topics.run(cmd.Context()))
			}
			if c.input == "" {
				return errors.New("--input is missing: name a file of records, or --from and --to for topics")
			}
			if c.model == "" && !configured {
				return errors.New("--model is missing: name the file that replay --save wrote, or give --config for the newest weights on the model topic")
			}
			if c.source, err = input.NewSource(c.input, c.format, s.In); err != nil {
				return err
			}
			c.alias = topics.alias
			return inWork(c.run(cmd.Context()))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&c.input, "input", "i", "", "`FILE` of records, - or adult")
	f.StringVar(&c.format, "format", "", input.FormatUsage)
	f.StringVar(&c.model, "model", "", "weight document in a `FILE` (default the newest on the model topic)")
	f.BoolVar(&c.json, "json", false, "print JSON lines instead of CSV")
	f.StringVar(&topics.from, "from", "", "`TOPIC` of records to decide")
	f.StringVar(&topics.to, "to", "", "`TOPIC` of decisions")
	f.StringVar(&topics.alias, "alias", "", "decide by this alias (default with --input: latest; with --from: stable, or latest until a version is stable)")
	f.StringVar(&topics.shadow, "shadow", "", "with --from, also score by this alias, without effect on decisions")
	f.Float64Var(&topics.split, "split", 0, "with --shadow, the share of the records that the shadow alias decides, chosen by a hash of their keys")
	f.BoolVar(&topics.attributes, "attributes", false, "with --from, put the fields that the constraints name into each decision, for fairstream monitor")
	f.BoolVar(&topics.untilEnd, "until-end", false, "with --from, decide what the topic holds now, and exit")
	cmd.MarkFlagsMutuallyExclusive("input", "from")
	cmd.MarkFlagsMutuallyExclusive("model", "from")
	cmd.MarkFlagsMutuallyExclusive("model", "alias")
	mustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz", "parquet"))
	mustComplete(cmd.MarkFlagFilename("model", "json"))
	return cmd
}

// score is one run of the command.
type score struct {
	*program.Streams
	input, format, model string
	alias                string // empty: latest
	json                 bool
	config               *config.Loaded // nil if none was given
	source               input.Source
	tabular              bool // the input is CSV, of which every record has the same columns
}

func (c *score) run(ctx context.Context) error {
	text, from, err := c.weights(ctx)
	if err != nil {
		return err
	}
	doc, err := document.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	schema, err := doc.Schema()
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	decide, err := answerer(doc)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	columns, err := doc.Columns()
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return c.score(ctx, doc, schema, decide, columns)
}

// weights returns the weight document, and where it comes from.
func (c *score) weights(ctx context.Context) (text []byte, from string, err error) {
	if c.model != "" {
		text, err = os.ReadFile(c.model)
		return text, c.model, err
	}
	found, err := cluster.ReadModels(ctx, c.config, c.Err)
	if err != nil {
		return nil, "", err
	}
	var chosen *stream.Model
	if c.alias == "" {
		chosen = found.Newest()
	} else {
		chosen, err = cluster.ByAlias(found, c.alias, c.config.Topics.Model, c.config.Job)
	}
	if err != nil {
		return nil, "", err
	}
	return chosen.Data, fmt.Sprintf("version %d on topic %s", chosen.Version, c.config.Topics.Model), nil
}

// score decides every record by the columns of the model and writes a line for each.
func (c *score) score(ctx context.Context, doc *document.Document, schema *record.Schema, decide func(*record.Record) outcome, columns []string) error {
	var rejects input.Rejections
	var rows int64
	out := bufio.NewWriterSize(c.Out, 1<<16)
	lacking := map[string]bool{}
	for _, name := range columns {
		lacking[name] = true
	}
	lines := newScoreLines(out, c.json, doc)
	p := &input.Pass{Source: c.source, Schema: schema,
		Each: func(rec *record.Record) {
			rows++
			if rows <= lackingWithin && len(lacking) > 0 {
				for i := range rec.Features {
					delete(lacking, rec.Features[i].Name)
				}
			}
			lines.answered(rec.ID, decide(rec))
		},
		Reject: func(rejection *record.Rejection) {
			rejects.Add(rejection)
			rows++
			lines.rejected(rejection)
		}}
	if err := p.Open(); err != nil {
		return err
	}
	stop := func() {}
	if !program.IsTerminal(c.Out) { // where the scores themselves are the progress
		stop = input.ShowProgress(c.Err, p, "scoring")
	}
	err := errors.Join(p.Run(ctx), lines.flush(), out.Flush())
	stop()
	rejects.Write(c.Err, rows, c.source.Name)
	c.tabular = p.Reader.Header() != nil
	c.warn(lacking, len(columns), rows-rejects.Total, p.Fields)
	if err == nil && rows > 0 && rejects.Total == rows {
		err = fmt.Errorf("nothing was decided: every record of %s was rejected", c.source.Name)
	}
	return err
}

// lackingWithin is how many records are looked at for columns that none of them has.
const lackingWithin = 10000

// warn tells of columns of the model that no record has, of the first ones: they say nothing in these decisions.
func (c *score) warn(lacking map[string]bool, columns int, rows int64, fields []string) {
	// A few records of JSON may well lack some fields.
	few := rows < 20 && len(lacking) < columns && !c.tabular
	if len(lacking) == 0 || rows == 0 || few {
		return
	}
	names := slices.Sorted(maps.Keys(lacking))
	english.Fprintf(c.Err, "Warning: %s lacks %d of the %d columns of the model (seen in %s): %s%s\n",
		c.source.Name, len(lacking), columns, english.Counted(min(rows, lackingWithin), "record"), english.List(names), renamed(names, fields))
}

// renamed names the field that a missing column is probably called in the input.
func renamed(lacking, fields []string) string {
	for _, name := range lacking {
		if like := spelling.Field(name, fields); like != "" && like != name {
			return fmt.Sprintf("; is its %q the model's %q?", like, name)
		}
	}
	return ""
}
