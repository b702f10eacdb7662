package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func newScore(s *streams) *cobra.Command {
	var flags configFlags
	c := score{streams: s}
	cmd := &cobra.Command{
		Use:   "score --input FILE",
		Short: "Decide the records of a file by a weight document",
		Long: `Decide the records of a file by a weight document: a file, or without --model the newest of the job on
its model topic. The output has one line for each record of the input, in its order: the score, which
orders records by how likely the positive label is (a probability, though under constraints not a
calibrated one), and the decision. Of a regression the score is the prediction, and there is no decision. A
record that cannot be decoded has its reason instead.

The document brings its own reading of records; labels may be absent.`,
		Example: `  fairstream replay --input adult --save weights.json
  fairstream score --model weights.json --input people.csv --json
  fairstream score --config config.yaml --input people.csv`,
		Args: cobra.NoArgs,
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
			if c.model == "" && !configured {
				return errors.New("--model is missing: name the file that replay --save wrote, or give --config for the newest weights on the model topic")
			}
			if c.input == bundled {
				c.source = allBundled()
			} else if c.source, err = newSource(c.input, c.format, s.in); err != nil {
				return err
			}
			return inWork(c.run(cmd.Context()))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&c.input, "input", "i", "", "`FILE` of records, - or adult")
	f.StringVar(&c.format, "format", "", formatUsage)
	f.StringVar(&c.model, "model", "", "weight document in a `FILE` (default the newest on the model topic)")
	f.BoolVar(&c.json, "json", false, "print JSON lines instead of CSV")
	mustComplete(cmd.MarkFlagRequired("input"))
	mustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz"))
	mustComplete(cmd.MarkFlagFilename("model", "json"))
	return cmd
}

// score is one run of the command.
type score struct {
	*streams
	input, format, model string
	json                 bool
	config               *config.Loaded // nil if none was given
	source               source
}

func (c *score) run(ctx context.Context) error {
	text, from, err := c.weights(ctx)
	if err != nil {
		return err
	}
	document, err := model.ParseDocument(text)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	schema, err := document.Schema()
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	scorer, err := document.Scorer()
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	columns, err := document.Columns()
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return c.score(ctx, schema, scorer, columns)
}

// weights returns the weight document, and where it comes from.
func (c *score) weights(ctx context.Context) (text []byte, from string, err error) {
	if c.model != "" {
		text, err = os.ReadFile(c.model)
		return text, c.model, err
	}
	found, err := readModels(ctx, c.config, c.err)
	if err != nil {
		return nil, "", err
	}
	newest, err := newestOf(found, c.config.Topics.Model, c.config.Job)
	if err != nil {
		return nil, "", err
	}
	return newest.Data, fmt.Sprintf("version %d on topic %s", newest.Version, c.config.Topics.Model), nil
}

// score decides every record by the columns of the model and writes a line for each.
func (c *score) score(ctx context.Context, schema *record.Schema, scorer *model.Scorer, columns []string) error {
	var rejects rejects
	var rows int64
	out := bufio.NewWriterSize(c.out, 1<<16)
	lines := newScoreLines(out, c.json, scorer.Decides())
	p := &pass{source: c.source, schema: schema,
		each: func(rec *record.Record) {
			rows++
			lines.decided(rec.ID, scorer.Score(rec))
		},
		reject: func(rejection *record.Rejection) {
			rejects.add(rejection)
			rows++
			lines.rejected(rejection)
		}}
	if err := p.open(); err != nil {
		return err
	}
	stop := func() {}
	if !isTerminal(c.out) { // where the scores themselves are the progress
		stop = watch(c.err, p, "scoring")
	}
	err := errors.Join(p.run(ctx), lines.flush(), out.Flush())
	stop()
	rejects.write(c.err, rows, c.source.name)
	c.warn(p, columns)
	if err == nil && rows > 0 && rejects.total == rows {
		err = fmt.Errorf("nothing was decided: every record of %s was rejected", c.source.name)
	}
	return err
}

// warn tells of columns of the model that the input does not have: they say nothing in these decisions. A record
// of JSON may well lack some of its fields, so there it is told only when all are lacking.
func (c *score) warn(p *pass, columns []string) {
	lacking := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return slices.Contains(p.fields, name) })
	if len(p.fields) == 0 || len(lacking) == 0 || p.reader.Header() == nil && len(lacking) < len(columns) {
		return
	}
	fmt.Fprintf(c.err, "Warning: %s has %d of the %d columns that the weights are for; it lacks %s\n",
		c.source.name, len(columns)-len(lacking), len(columns), listed(lacking))
}
