package backfill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/record"
)

// Look looks at a file: its hash, its columns, and how it is cut into blocks of about so many bytes.
func (j *Job) Look(ctx context.Context, of Found, blockBytes int64, fetch Fetch) (l Looked) {
	err := j.opened(ctx, of, fetch, func(local string, f *files, source input.Source) (err error) {
		if !j.Unhashed {
			if l.SHA256, err = hash(local); err != nil {
				return err
			}
		}
		if l.Columns, err = columns(source, f.schema.Config()); err != nil {
			return err
		}
		l.Blocks, err = source.Blocks(f.schema.Config(), blockBytes)
		return err
	})
	if err != nil {
		return Looked{Problem: err.Error()}
	}
	return l
}

// Work takes in blocks, as a worker. An error is not of the files, and may not come again.
func (j *Job) Work(ctx context.Context, task []byte, blocks iter.Seq[Block], fetch Fetch) (r Report, err error) {
	w, err := backfill.NewWorker(j.Model, task)
	if err != nil {
		return r, err
	}
	for b := range blocks {
		taken := Taken{File: b.File, From: b.From}
		if j.Fields && b.Row == 0 {
			taken.Fields = &fields{}
		}
		err := j.opened(ctx, b.Found, fetch, func(_ string, f *files, source input.Source) error {
			var g *groups
			if taken.Fields != nil {
				var err error
				if g, err = newGroups(compared(j.Model), f.schema); err != nil {
					return err
				}
			}
			rows, err := f.read(ctx, source.Block(b.Block), b.Row, func(position int64, rec *record.Record) {
				if w.Take(b.File, position, rec); taken.Fields != nil {
					taken.Fields.add(rec, g)
				}
			}, taken.Rejected.Add)
			taken.Records, taken.Sum = rows.seen-rows.rejected, rows.sum
			return err
		})
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			return Report{Problem: err.Error()}, nil
		}
		r.Taken = append(r.Taken, taken)
	}
	r.Part = w.Part()
	return r, nil
}

// Join makes one report of those of several workers of a pass. An error is one of the reports, or not of the files.
func (j *Job) Join(task []byte, reports iter.Seq2[Report, error]) (joined Report, err error) {
	w, err := backfill.NewWorker(j.Model, task)
	if err != nil {
		return joined, err
	}
	for report, err := range reports {
		if err != nil || report.Problem != "" {
			return Report{Problem: report.Problem}, err
		}
		joined.Taken = append(joined.Taken, report.Taken...)
		if err := w.Join(report.Part); err != nil {
			return Report{}, err
		}
	}
	joined.Part = w.Part()
	return joined, nil
}

// opened has a file read under its own name.
func (j *Job) opened(ctx context.Context, of Found, fetch Fetch, read func(local string, f *files, source input.Source) error) error {
	local, release, err := fetch(ctx, of)
	if err != nil {
		return fmt.Errorf("%s: %w", of.Name, err)
	}
	defer release()
	f := &files{limit: rejectLimit{j.Share, j.Window}}
	if f.schema, err = j.Model.Schema(); err != nil {
		return err
	}
	source, err := input.NewSource(local, j.Format, nil)
	if err != nil {
		return err
	}
	source.Name = of.Name
	return read(local, f, source)
}

// lookFar has workers look at all files.
func (f *files) lookFar(ctx context.Context, job Job) error {
	var list []Found
	for i := range f.list {
		list = append(list, f.list[i].found())
	}
	looked, err := f.far.Look(ctx, job, list)
	if err != nil {
		return err
	}
	if len(looked) != len(list) {
		return fmt.Errorf("of %d files, %d were looked at", len(list), len(looked))
	}
	for i, l := range looked {
		if l.Problem != "" {
			return errors.New(l.Problem)
		}
		f.list[i].sha256, f.list[i].columns, f.list[i].blocks = l.SHA256, l.Columns, l.Blocks
	}
	return nil
}

func (f *file) found() Found { return Found{f.source.Name, f.bytes, f.changed} }

// passes are those over far files.
type passes struct {
	*files
	job Job
}

// Pass has workers make a pass.
func (p passes) Pass(ctx context.Context, task []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var blocks []Block
		for i := range p.list {
			for _, b := range p.list[i].blocks {
				blocks = append(blocks, Block{p.list[i].found(), b, i})
			}
		}
		var taken []Taken
		p.job.Fields = !slices.ContainsFunc(p.list, func(f file) bool { return f.surveyed })
		for report, err := range p.far.Work(ctx, p.job, task, blocks) {
			if err == nil && report.Problem != "" {
				err = errors.New(report.Problem)
			}
			if taken = append(taken, report.Taken...); !yield(report.Part, err) || err != nil {
				return
			}
		}
		if err := p.account(blocks, taken); err != nil {
			yield(nil, err)
		}
	}
}

// account says whether each block was taken in once and few enough rows were rejected, and counts these in the first pass.
func (f *files) account(blocks []Block, taken []Taken) error {
	slices.SortFunc(taken, func(a, b Taken) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.From, b.From)) })
	same := slices.EqualFunc(blocks, taken, func(b Block, t Taken) bool { return b.File == t.File && b.From == t.From })
	if !same {
		return fmt.Errorf("%d blocks were taken in, and not each of the %d once: the engine lost some, or took some twice", len(taken), len(blocks))
	}
	var all input.Rejections
	for i := range f.list {
		one := &f.list[i]
		var rejected input.Rejections
		one.records = 0
		sum := uint64(0)
		for ; len(taken) > 0 && taken[0].File == i; taken = taken[1:] {
			sum += taken[0].Sum
			one.records += taken[0].Records
			rejected.Join(&taken[0].Rejected)
			if of := taken[0].Fields; of != nil && of.Records > 0 {
				f.evenness.take(i, of)
			}
		}
		if err := one.agree(sum); err != nil {
			return err
		}
		rows := rejects{limit: f.limit, seen: one.records + rejected.Total, rejected: rejected.Total}
		if rows.tooMany(leastSeen) {
			return fmt.Errorf("%s: %d of %d rows are rejected, more than stream.reject_limit.share allows", one.source.Name, rows.rejected, rows.seen)
		}
		all.Join(&rejected)
		one.surveyed = true
	}
	f.rejected = all
	return nil
}
