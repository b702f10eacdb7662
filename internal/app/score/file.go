package score

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// File scores the records of a file.
type File struct {
	*program.Streams
	Source input.Source
	JSON   bool           // lines of JSON instead of CSV
	Model  string         // the file of the weight document; empty: the job's model topic
	Alias  string         // on the topic; empty: the newest document
	Config *config.Loaded // nil with Model
	// Explore is the share of the negative decisions that are turned to positive.
	Explore float64
	// Keep are the fields of the input that a line repeats, or KeepAll.
	Keep []string

	tabular bool // the input is CSV, of which every record has the same columns
}

// Run scores every record in its order.
func (c *File) Run(ctx context.Context) error {
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
	if c.Config != nil {
		schema = schema.WithID(c.Config.Record.ID)
	}
	decide, err := answerer(doc)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if c.Explore > 0 && doc.Task == document.Regression {
		return fmt.Errorf("%s: %w", from, scoring.ErrNothingToExplore)
	}
	columns, err := doc.Columns()
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return c.score(ctx, doc, schema, decide, columns)
}

// weights returns the weight document, and where it comes from.
func (c *File) weights(ctx context.Context) (text []byte, from string, err error) {
	if c.Model != "" {
		text, err = os.ReadFile(c.Model)
		return text, c.Model, err
	}
	found, err := cluster.ReadModels(ctx, c.Config, c.Err)
	if err != nil {
		return nil, "", err
	}
	var chosen *stream.Model
	if c.Alias == "" {
		chosen = found.Newest()
	} else {
		chosen, err = cluster.ByAlias(found, c.Alias, c.Config.Topics.Model, c.Config.Job)
	}
	if err != nil {
		return nil, "", err
	}
	return chosen.Data, fmt.Sprintf("version %d on topic %s", chosen.Version, c.Config.Topics.Model), nil
}

// score decides every record by the columns of the model and writes a line for each.
func (c *File) score(ctx context.Context, doc *document.Document, schema *record.Schema, decide func(*record.Record) scoring.Outcome, columns []string) error {
	var rejects input.Rejections
	var rows, anonymous int64
	out := bufio.NewWriterSize(c.Out, 1<<16)
	unread := map[string]int64{}
	lacking := map[string]bool{}
	for _, name := range columns {
		lacking[name] = true
	}
	familiarity, err := doc.Familiarity()
	if err != nil {
		return err
	}
	var lines answers
	p := &input.Pass{Source: c.Source, Schema: schema,
		Each: func(rec *record.Record) {
			rows++
			if rows <= familiarWithin {
				familiarity.Add(rec)
			}
			if rows <= lackingWithin && len(lacking) > 0 {
				for i := range rec.Features {
					delete(lacking, rec.Features[i].Name)
				}
			}
			decided := scoring.Explore(c.Explore, identifier(rec), decide(rec))
			if decided.Anonymous() {
				anonymous++
			}
			for _, column := range decided.Unread {
				unread[column]++
			}
			lines.answered(rec.ID, decided)
		},
		Reject: func(rejection *record.Rejection) {
			rejects.Add(rejection)
			rows++
			lines.rejected(rejection)
		}}
	kept, err := newKeeping(c.Keep, p)
	if err != nil {
		return err
	}
	if err := p.Open(); err != nil {
		return err
	}
	if kept != nil {
		if err := kept.open(c.JSON); err != nil {
			return errors.Join(err, p.Reader.Close())
		}
	}
	lines = newLines(out, c.JSON, doc, c.Explore > 0, kept)
	stop := func() {}
	if !program.IsTerminal(c.Out) { // where the scores themselves are the progress
		stop = input.ShowProgress(c.Err, p, "scoring")
	}
	err = errors.Join(p.Run(ctx), lines.flush(), out.Flush())
	stop()
	rejects.Write(c.Err, rows, c.Source.Name)
	if anonymous > 0 {
		english.Fprintf(c.Err, "Warning: %s not explored, because nothing identifies their records: the document names no record.id, or they lack it.\n",
			english.Counted(anonymous, "negative decision"))
	}
	for _, column := range slices.Sorted(maps.Keys(unread)) {
		english.Fprintf(c.Err, "Warning: %s of %q had no part in the decisions: texts where numbers were learnt, or arrays or objects. Write values as they were learnt, or list the texts that mean a missing value in record.missing.\n",
			english.Counted(unread[column], "value"), column)
	}
	kept.tell(c.Err, rows)
	c.tabular = p.Reader.Header() != nil
	for _, unfamiliar := range familiarity.Unfamiliar() {
		fmt.Fprintf(c.Err, "Warning: %s: %s\n", c.Source.Name, unfamiliar)
	}
	c.warn(lacking, len(columns), rows-rejects.Total, p.Fields)
	if err == nil && rows > 0 && rejects.Total == rows {
		err = fmt.Errorf("nothing was decided: every record of %s was rejected", c.Source.Name)
	}
	return err
}

// identifier is what identifies a record, as in scoring.Decider.
func identifier(rec *record.Record) []byte {
	if rec.ID != nil {
		return rec.ID
	}
	return rec.Key
}

// lackingWithin is how many records are looked at for columns that none of them has.
const lackingWithin = 10000

// familiarWithin is how many records are compared with those that the weights were learnt from.
const familiarWithin = 2000

// warn tells of columns of the model that no record has, of the first ones: they say nothing in these decisions.
func (c *File) warn(lacking map[string]bool, columns int, rows int64, fields []string) {
	// A few records of JSON may well lack some fields.
	few := rows < 20 && len(lacking) < columns && !c.tabular
	if len(lacking) == 0 || rows == 0 || few {
		return
	}
	names := slices.Sorted(maps.Keys(lacking))
	english.Fprintf(c.Err, "Warning: %s lacks %d of the %d columns of the model (seen in %s): %s%s\n",
		c.Source.Name, len(lacking), columns, english.Counted(min(rows, lackingWithin), "record"), english.List(names), renamed(names, fields))
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
