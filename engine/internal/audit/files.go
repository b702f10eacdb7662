package audit

import (
	"context"

	"github.com/fairstream/fairstream/engine/internal/history"
	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/record"
)

// Files are those of an audit.
type Files struct {
	history.Files
	Job

	found []backfill.Found
}

// Find finds the files that patterns name.
func (f *Files) Find(patterns []string) (err error) {
	f.found, err = f.FindAll(patterns)
	return err
}

var blocks = history.Blocks[Job, struct{}, Tally]{
	Kind:   "audit",
	Format: func(job *Job) string { return job.Format },
	Work: func(ctx context.Context, job *Job, source input.Source, b *history.Block[struct{}]) (*Tally, error, error) {
		tally, problem := job.count(ctx, source, b.Name)
		return tally, problem, nil
	},
}

func init() { blocks.Register() }

// Count counts the decisions of all files.
func (f *Files) Count(ctx context.Context) (*Tally, error) {
	looked, err := f.Look(ctx, backfill.Job{Model: f.Model, Format: f.Format, Unhashed: true}, f.found)
	if err != nil {
		return nil, err
	}
	all, err := blocks.Run(ctx, &f.Files, f.found, looked, &f.Job, func(int, int) struct{} { return struct{}{} })
	if err != nil {
		return nil, err
	}
	whole := newTally()
	for _, one := range all {
		whole.join(one.Found)
	}
	return whole, nil
}

// count counts the decisions of a block.
func (j *Job) count(ctx context.Context, source input.Source, name string) (*Tally, error) {
	schema, err := j.Model.Schema()
	if err != nil {
		return nil, err
	}
	c, err := j.counter()
	if err != nil {
		return nil, err
	}
	var p *input.Pass
	reject := func(r *record.Rejection) {
		r.File = name
		c.Rejected.Add(r)
	}
	p = &input.Pass{Source: source, Schema: schema.LabelOptional(), OneByOne: true, Reject: reject, Each: func(r *record.Record) {
		if rejection := c.take(r); rejection != nil {
			reject(rejection)
		}
	}}
	if err := p.Open(); err != nil {
		return nil, err
	}
	return c.Tally, p.Run(ctx)
}
