// Package history has the workers of an engine read files, for backfills, scores and audits. internal/app/backfill calls it, and looks and passes are that
// package's work, too.
//
// Its files, in the order in which they are read:
//
//	history.go  files are found, fetched, looked at and taken in by passes
//	blocks.go   other work, on each block by itself
package history

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/engine/internal/deal"
	"github.com/fairstream/fairstream/engine/internal/storage"
	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/envelope"
)

const (
	lookKind = "look"
	passKind = "pass"
)

func init() {
	deal.Register(lookKind, look, nil)
	deal.Register(passKind, pass, join)
}

// Files implements backfill.Far.
type Files struct {
	deal.Deal
	// BlockBytes is about how large blocks are.
	BlockBytes int64
}

// Find finds files.
func (f *Files) Find(pattern string) (list []backfill.Found, err error) {
	if f.Workers != "" && !storage.IsAddress(pattern) && !filepath.IsAbs(pattern) {
		return nil, fmt.Errorf("workers in other processes do not know the working directory: give the whole path")
	}
	ctx := context.Background()
	names, err := storage.List(ctx, pattern)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		size, changed, err := storage.Stat(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, backfill.Found{Name: name, Bytes: size, Changed: changed})
	}
	return list, nil
}

// FindAll returns the files that patterns name, in the order of their names.
func (f *Files) FindAll(patterns []string) (list []backfill.Found, err error) {
	for _, pattern := range patterns {
		found, err := f.Find(pattern)
		if err != nil {
			return nil, fmt.Errorf("--input %s: %w", pattern, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("--input %s: no file has such a name; quote the pattern, so that the shell leaves it alone", pattern)
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b backfill.Found) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(list, func(a, b backfill.Found) bool { return a.Name == b.Name }), nil
}

// Fetch makes a file readable on the machine of a worker, if it is still what was found.
func Fetch(ctx context.Context, of backfill.Found) (local string, release func(), err error) {
	size, changed, err := storage.Stat(ctx, of.Name)
	if err != nil {
		return "", nil, err
	}
	if size != of.Bytes || !changed.Equal(of.Changed) {
		return "", nil, errChanged
	}
	if local, release, err = storage.Local(ctx, of.Name); err != nil || local == of.Name {
		return local, release, err
	}
	if info, err := os.Stat(local); err != nil || info.Size() != of.Bytes { // it was replaced after the look
		release()
		return "", nil, cmp.Or(err, errChanged)
	}
	return local, release, nil
}

var errChanged = errors.New("it was changed while it was read: begin again when it is complete")

// aboutLook is what workers need to know to look at files.
type aboutLook struct {
	Job        backfill.Job `json:"job"`
	BlockBytes int64        `json:"block_bytes"`
}

// numbered is what was seen of a file.
type numbered struct {
	File   int             `json:"file"`
	Looked backfill.Looked `json:"looked"`
}

// Look has workers look at all files.
func (f *Files) Look(ctx context.Context, job backfill.Job, files []backfill.Found) ([]backfill.Looked, error) {
	about, err := json.Marshal(aboutLook{job, f.BlockBytes})
	if err != nil {
		return nil, err
	}
	var items []string
	for i, one := range files {
		item, err := json.Marshal(backfill.Block{Found: one, File: i})
		if err != nil {
			return nil, err
		}
		items = append(items, string(item))
	}
	list := make([]backfill.Looked, len(files))
	for result, err := range f.Run(ctx, lookKind, about, items) {
		if err != nil {
			return nil, err
		}
		var some []numbered
		if err := json.Unmarshal(result, &some); err != nil {
			return nil, err
		}
		for _, one := range some {
			list[one.File] = one.Looked
		}
	}
	return list, nil
}

// look is the work of Look.
func look(ctx context.Context, about []byte, items iter.Seq[string]) ([]byte, error) {
	var of aboutLook
	if err := json.Unmarshal(about, &of); err != nil {
		return nil, err
	}
	var list []numbered
	for item := range items {
		var one backfill.Block
		if err := json.Unmarshal([]byte(item), &one); err != nil {
			return nil, err
		}
		size := of.BlockBytes
		if storage.IsAddress(one.Name) {
			size = one.Bytes + 1 // each block would copy the whole file
		}
		list = append(list, numbered{one.File, of.Job.Look(ctx, one.Found, size, Fetch)})
	}
	return json.Marshal(list)
}

// aboutPass is what workers need to know to make a pass.
type aboutPass struct {
	Job  backfill.Job    `json:"job"`
	Task json.RawMessage `json:"task"`
}

// Work has workers make a pass over all blocks.
func (f *Files) Work(ctx context.Context, job backfill.Job, task []byte, blocks []backfill.Block) iter.Seq2[backfill.Report, error] {
	return func(yield func(backfill.Report, error) bool) {
		about, err := json.Marshal(aboutPass{job, task})
		if err != nil {
			yield(backfill.Report{}, err)
			return
		}
		items := make([]string, len(blocks))
		for i := range blocks {
			item, err := json.Marshal(blocks[i])
			if err != nil {
				yield(backfill.Report{}, err)
				return
			}
			items[i] = string(item)
		}
		reports(f.Run(ctx, passKind, about, items))(yield)
	}
}

// reports opens what workers sent.
func reports(sent iter.Seq2[[]byte, error]) iter.Seq2[backfill.Report, error] {
	return func(yield func(backfill.Report, error) bool) {
		for result, err := range sent {
			var report backfill.Report
			if err == nil {
				report, err = opened(result)
			}
			if !yield(report, err) || err != nil {
				return
			}
		}
	}
}

// pass is the work of Work.
func pass(ctx context.Context, about []byte, items iter.Seq[string]) ([]byte, error) {
	var of aboutPass
	if err := json.Unmarshal(about, &of); err != nil {
		return nil, err
	}
	var damaged error
	report, err := of.Job.Work(ctx, of.Task, func(yield func(backfill.Block) bool) {
		for item := range items {
			var b backfill.Block
			if damaged = json.Unmarshal([]byte(item), &b); damaged != nil || !yield(b) {
				return
			}
		}
	}, Fetch)
	if damaged != nil {
		return nil, damaged
	}
	if err != nil {
		return nil, err
	}
	return sealed(report)
}

// join makes one result of several of pass.
func join(_ context.Context, about []byte, results iter.Seq2[[]byte, error]) ([]byte, error) {
	var of aboutPass
	if err := json.Unmarshal(about, &of); err != nil {
		return nil, err
	}
	report, err := of.Job.Join(of.Task, reports(results))
	if err != nil {
		return nil, err
	}
	return sealed(report)
}

// sealed is a report as a worker sends it: JSON, and behind it the part, which may have 37 MB, as it is.
func sealed(report backfill.Report) ([]byte, error) {
	part := report.Part
	report.Part = nil
	data, err := json.Marshal(report)
	if err != nil {
		return nil, err
	}
	return append(envelope.AppendSection(make([]byte, 0, len(data)+len(part)+16), data), part...), nil
}

func opened(sent []byte) (report backfill.Report, err error) {
	data, part, err := envelope.Section(sent)
	if err != nil {
		return report, err
	}
	err = json.Unmarshal(data, &report)
	report.Part = part
	return report, err
}
