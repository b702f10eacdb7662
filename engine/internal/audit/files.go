package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/engine/internal/deal"
	"github.com/fairstream/fairstream/engine/internal/history"
	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/record"
)

const kind = "audit"

func init() { deal.Register(kind, work) }

// Files are those of an audit.
type Files struct {
	history.Files
	Job

	found []backfill.Found
}

// Find finds the files that patterns name.
func (f *Files) Find(patterns []string) error {
	for _, pattern := range patterns {
		found, err := f.Files.Find(pattern)
		if err != nil {
			return fmt.Errorf("--input %s: %w", pattern, err)
		}
		if len(found) == 0 {
			return fmt.Errorf("--input %s: no file has such a name; quote the pattern, so that the shell leaves it alone", pattern)
		}
		f.found = append(f.found, found...)
	}
	slices.SortFunc(f.found, func(a, b backfill.Found) int { return strings.Compare(a.Name, b.Name) })
	f.found = slices.CompactFunc(f.found, func(a, b backfill.Found) bool { return a.Name == b.Name })
	return nil
}

// counted is what became of a block.
type counted struct {
	File    int    `json:"file"`
	Row     int64  `json:"row"`
	Tally   *Tally `json:"tally,omitempty"`
	Problem string `json:"problem,omitempty"` // it would be the same for another worker
}

// Count counts the decisions of all files.
func (f *Files) Count(ctx context.Context) (*Tally, error) {
	looked, err := f.Look(ctx, backfill.Job{Model: f.Model, Format: f.Format, Unhashed: true}, f.found)
	if err != nil {
		return nil, err
	}
	var items []string
	for i, one := range looked {
		if one.Problem != "" {
			return nil, errors.New(one.Problem)
		}
		for _, b := range one.Blocks {
			item, err := json.Marshal(backfill.Block{Found: f.found[i], Block: b, File: i})
			if err != nil {
				return nil, err
			}
			items = append(items, string(item))
		}
	}
	about, err := json.Marshal(f.Job)
	if err != nil {
		return nil, err
	}
	var all []counted
	for result, err := range f.Run(ctx, kind, about, items) {
		if err != nil {
			return nil, err
		}
		var some []counted
		if err := json.Unmarshal(result, &some); err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	if len(all) != len(items) {
		return nil, fmt.Errorf("%d of %d blocks were counted: the engine lost some, or counted some twice", len(all), len(items))
	}
	slices.SortFunc(all, func(a, b counted) int {
		if a.File != b.File {
			return a.File - b.File
		}
		return int(a.Row - b.Row)
	})
	whole := newTally()
	for _, one := range all {
		if one.Problem != "" {
			return nil, errors.New(one.Problem)
		}
		whole.join(one.Tally)
	}
	return whole, nil
}

// work is that of a worker.
func work(ctx context.Context, data []byte, items iter.Seq[string]) ([]byte, error) {
	var job Job
	if err := json.Unmarshal(data, &job); err != nil {
		return nil, err
	}
	list := []counted{}
	for item := range items {
		var b backfill.Block
		if err := json.Unmarshal([]byte(item), &b); err != nil {
			return nil, err
		}
		one := counted{File: b.File, Row: b.Row}
		var err error
		if one.Tally, err = job.count(ctx, &b); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			one.Problem = err.Error()
		}
		list = append(list, one)
	}
	return json.Marshal(list)
}

// count counts the decisions of a block.
func (j *Job) count(ctx context.Context, b *backfill.Block) (*Tally, error) {
	local, release, err := history.Fetch(ctx, b.Found)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	defer release()
	source, err := input.NewSource(local, j.Format, nil)
	if err != nil {
		return nil, err
	}
	source.Name = b.Name
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
		r.File = b.Name
		c.Rejected.Add(r)
	}
	p = &input.Pass{Source: source.Block(b.Block), Schema: schema.LabelOptional(), OneByOne: true, Reject: reject, Each: func(r *record.Record) {
		if rejection := c.take(r); rejection != nil {
			reject(rejection)
		}
	}}
	if err := p.Open(); err != nil {
		return nil, err
	}
	return c.Tally, p.Run(ctx)
}
