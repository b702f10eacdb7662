package score

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// Part scores the records of a file, or of a block of one.
type Part struct {
	Source   input.Source
	Document []byte // the weight document
	From     string // where it comes from, for errors
	ID       string // the field that identifies records; empty: as the document says
	JSON     bool
	Explore  float64
	Keep     []string
	// First says that the lines begin with the names of columns, if they are CSV.
	First bool
	// OneByOne is for several parts at a time, which have work for all processors already: see input.Pass.
	OneByOne bool

	watch func(*input.Pass) (stop func()) // nil: nobody does
}

// Write writes a line for each record, and returns what there is to tell. It is nil where nothing was read.
func (c *Part) Write(ctx context.Context, to io.Writer) (*Found, error) {
	doc, err := document.Parse(c.Document)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.From, err)
	}
	schema, err := doc.Schema()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.From, err)
	}
	if c.ID != "" {
		schema = schema.WithID(c.ID)
	}
	decide, err := answerer(doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.From, err)
	}
	if err := scoring.CheckShare(c.Explore); err != nil {
		return nil, err
	}
	if c.Explore > 0 && doc.Task == document.Regression {
		return nil, fmt.Errorf("%s: %w", c.From, scoring.ErrNothingToExplore)
	}
	columns, err := doc.Columns()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.From, err)
	}
	return c.score(ctx, to, doc, schema, decide, columns)
}

// score decides every record by the columns of the model and writes a line for each.
func (c *Part) score(ctx context.Context, to io.Writer, doc *document.Document, schema *record.Schema, decide func(*record.Record, *scoring.Outcome), columns []string) (*Found, error) {
	found := &Found{Unread: map[string]int64{}, Columns: len(columns)}
	out := bufio.NewWriterSize(to, 1<<16)
	if decisions := doc.Measurements.Recent.Decisions; decisions != nil && decisions.PositiveDecisions.Value > 0 { // it may be no number
		found.Learnt = decisions.PositiveDecisions.Value
	}
	lacking := map[string]bool{}
	for _, name := range columns {
		lacking[name] = true
	}
	familiarity, err := doc.Familiarity()
	if err != nil {
		return nil, err
	}
	var lines answers
	var ids distinct.Contents
	var decided scoring.Outcome
	p := &input.Pass{Source: c.Source, Schema: schema, OneByOne: c.OneByOne,
		Each: func(rec *record.Record) {
			found.Rows++
			switch {
			case found.Rows <= familiarWithin:
				familiarity.Add(rec)
			case found.Rows%spreadEvery == 0:
				familiarity.AddSpread(rec)
			}
			if found.Rows <= lackingWithin && len(lacking) > 0 {
				for i := range rec.Features {
					delete(lacking, rec.Features[i].Name)
				}
			}
			decide(rec, &decided)
			if c.Explore > 0 {
				decided = scoring.Explore(c.Explore, identifier(rec), decided)
			}
			if len(rec.ID) > 0 {
				ids.Add(record.Hash(rec.ID))
			}
			if decided.Positive {
				found.Positive++
			}
			if decided.Anonymous() {
				found.Anonymous++
			}
			for _, column := range decided.Unread {
				found.Unread[column]++
			}
			lines.answered(rec.ID, &decided)
		},
		Reject: func(rejection *record.Rejection) {
			found.Rejected.Add(rejection)
			found.Rows++
			lines.rejected(rejection)
		}}
	kept, err := newKeeping(c.Keep, p)
	if err != nil {
		return nil, err
	}
	if err := p.Open(); err != nil {
		return nil, err
	}
	if kept != nil {
		if err := kept.open(c.JSON); err != nil {
			return nil, errors.Join(err, p.Reader.Close())
		}
	}
	lines = newLines(out, c.JSON, c.First, doc, c.Explore > 0, kept)
	stop := func() {}
	if c.watch != nil {
		stop = c.watch(p)
	}
	err = errors.Join(p.Run(ctx), lines.flush(), out.Flush())
	stop()
	found.Again, found.ID = ids.Share(), cmp.Or(schema.Config().ID, c.ID)
	found.end(lacking, familiarity, kept, p)
	return found, err
}

// identifier is what identifies a record, as in scoring.Decider.
func identifier(rec *record.Record) []byte {
	if rec.ID != nil {
		return rec.ID
	}
	return rec.Key
}
