package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func newScore(s *streams) *cobra.Command {
	var flags configFlags
	c := score{streams: s}
	cmd := &cobra.Command{
		Use:   "score --model FILE --input FILE",
		Short: "Decide the records of a file by a weight document",
		Long: `Decide the records of a file by a weight document. The output has one line for each record of the
input, in its order: the score, which is the estimated probability of the positive label, and the
decision. A record that cannot be decoded has its reason instead.

The document brings its own reading of records; labels may be absent.`,
		Example: `  fairstream replay --input adult --save weights.json
  fairstream score --model weights.json --input people.csv --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if len(flags.files) > 0 || len(flags.assignments) > 0 {
				if _, err := flags.load(cmd, nil, config.Learning); err != nil {
					return err
				}
			}
			if c.model == "" {
				return errors.New("--model is missing: name the file that replay --save wrote")
			}
			if c.source, err = newSource(c.input, c.format, s.in); err != nil {
				return err
			}
			return inWork(c.run(cmd.Context()))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&c.input, "input", "i", "", "`FILE` of records, or -")
	f.StringVar(&c.format, "format", "", "what standard input is: csv, jsonl, csv.gz or jsonl.gz")
	f.StringVar(&c.model, "model", "", "weight document in a `FILE`")
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
	source               source
}

func (c *score) run(ctx context.Context) error {
	text, err := os.ReadFile(c.model)
	if err != nil {
		return err
	}
	document, err := model.ParseDocument(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.model, err)
	}
	schema, err := document.Schema()
	if err != nil {
		return fmt.Errorf("%s: %w", c.model, err)
	}
	scorer, err := document.Scorer()
	if err != nil {
		return fmt.Errorf("%s: %w", c.model, err)
	}
	return c.score(ctx, schema, scorer)
}

// score decides every record and writes a line for each.
func (c *score) score(ctx context.Context, schema *record.Schema, scorer *model.Scorer) error {
	var rejects rejects
	var rows int64
	out := bufio.NewWriterSize(c.out, 1<<16)
	lines := newScoreLines(out, c.json)
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
	if err == nil && rows > 0 && rejects.total == rows {
		err = fmt.Errorf("nothing was decided: every record of %s was rejected", c.source.name)
	}
	return err
}
