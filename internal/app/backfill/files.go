package backfill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// countedAfter is after how many rows of a file a pass tells how far it is.
const countedAfter = 1024

// files are those of a history. Several of them may be read at the same time.
type files struct {
	schema   *record.Schema
	compared []fairness.Comparison
	limit    rejectLimit
	list     []file
	far      Far // nil: this process reads them

	done atomic.Int64 // rows of the present pass, for whoever watches; it lags by up to countedAfter for each shard

	mutex    sync.Mutex
	rejected input.Rejections // of the first pass
	evenness evenness         // of the first pass
}

// Names are those of the files.
func (f *files) Names() (names []string) {
	for i := range f.list {
		names = append(names, f.list[i].source.Name)
	}
	return names
}

// Keys tell the files apart, wherever they are.
func (f *files) Keys() (keys []string) {
	for i := range f.list {
		keys = append(keys, f.list[i].key)
	}
	return keys
}

// bytes are those of all files.
func (f *files) bytes() (sum int64) {
	for i := range f.list {
		sum += f.list[i].bytes
	}
	return sum
}

// look opens every file, and finds the columns of those that are CSV.
func (f *files) look() error {
	for i := range f.list {
		one := &f.list[i]
		var err error
		if one.columns, err = columns(one.source, f.schema.Config()); err != nil {
			return err
		}
	}
	return nil
}

// columns are those of a CSV file, in the order of the alphabet; nil if it is none.
func columns(source input.Source, as record.Config) ([]string, error) {
	rows, err := source.Open(as)
	if err != nil {
		return nil, named(source.Name, err)
	}
	header := rows.Header()
	if err := rows.Close(); err != nil {
		return nil, named(source.Name, err)
	}
	if header == nil {
		return nil, nil
	}
	return slices.Sorted(slices.Values(header.Names())), nil
}

// named is an error that names a file, once.
func named(name string, err error) error {
	if strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// sameColumns says whether all CSV files have the columns of the first one.
func (f *files) sameColumns() error {
	var first *file
	for i := range f.list {
		switch one := &f.list[i]; {
		case one.columns == nil:
		case first == nil:
			first = one
		case !slices.Equal(first.columns, one.columns):
			return fmt.Errorf("%s has other columns than %s: %s; give files of the same columns", one.source.Name, first.source.Name, differ(first.columns, one.columns))
		}
	}
	return nil
}

// differ names columns that only one of two lists has.
func differ(first, second []string) string {
	var lacks, adds []string
	for _, field := range first {
		if !slices.Contains(second, field) {
			lacks = append(lacks, field)
		}
	}
	for _, field := range second {
		if !slices.Contains(first, field) {
			adds = append(adds, field)
		}
	}
	switch {
	case len(adds) == 0:
		return "it lacks " + english.List(lacks)
	case len(lacks) == 0:
		return "it also has " + english.List(adds)
	}
	return fmt.Sprintf("it lacks %s and has %s", english.List(lacks), english.List(adds))
}

// Read hands on the good records of a file. Where too many rows are rejected, it is given up.
func (f *files) Read(ctx context.Context, at int, each func(position int64, r *record.Record)) error {
	one := &f.list[at]
	if err := one.unchanged(); err != nil {
		return err
	}
	var first fields
	var g *groups
	if !one.surveyed {
		var err error
		if g, err = newGroups(f.compared, f.schema); err != nil {
			return err
		}
	}
	rows, err := f.read(ctx, one.source, 0, func(position int64, r *record.Record) {
		if !one.surveyed {
			first.add(r, g)
		}
		if each(position, r); position%countedAfter == countedAfter-1 {
			f.done.Add(countedAfter)
		}
	}, func(rejection *record.Rejection) { f.count(one, rejection) })
	if changed := one.unchanged(); changed != nil {
		return changed
	}
	if err == nil {
		err = one.agree(rows.sum)
	}
	if err != nil {
		return err
	}
	if rows.tooMany(leastSeen) {
		return fmt.Errorf("%s: %d of %d rows are rejected, more than stream.reject_limit.share allows", one.source.Name, rows.rejected, rows.seen)
	}
	if !one.surveyed && first.Records > 0 {
		f.mutex.Lock()
		f.evenness.take(at, &first)
		f.mutex.Unlock()
	}
	one.surveyed, one.records = true, rows.seen-rows.rejected
	return nil
}

// read hands on the good records of a file, or of a block of it that begins behind so many rows.
func (f *files) read(ctx context.Context, source input.Source, before int64, each func(position int64, r *record.Record), reject func(*record.Rejection)) (rejects, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rows := rejects{limit: f.limit}
	p := &input.Pass{Source: source, Schema: f.schema, Labelled: true, Summed: true, Number: before, OneByOne: len(f.list) != 1, // one of several files, or a block of some
		Each: func(r *record.Record) {
			if ctx.Err() == nil {
				each(before+rows.seen, r)
			}
			rows.take(false)
		},
		Reject: func(rejection *record.Rejection) {
			rejection.File = cmp.Or(rejection.File, source.Name)
			if reject(rejection); rows.take(true) {
				stop(fmt.Errorf("%s: %d of %d rows are rejected, more than stream.reject_limit allows: %w", source.Name, rows.rejected, rows.seen, rejection))
			}
		}}
	err := p.Open()
	if err == nil {
		err = p.Run(ctx)
	}
	rows.sum = p.Sum
	if cause := context.Cause(ctx); cause != nil {
		return rows, cause
	}
	return rows, err
}

// count counts a rejection in the first pass over a file.
func (f *files) count(one *file, rejection *record.Rejection) {
	if one.surveyed {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.rejected.Add(rejection)
}

// provenance lists the files with their hashes.
func (f *files) provenance() (list []backfill.File, rejected map[string]int64, err error) {
	for i := range f.list {
		one := &f.list[i]
		if one.sha256 == "" {
			if one.sha256, err = hash(one.source.Name); err == nil {
				err = one.unchanged()
			}
			if err != nil {
				return nil, nil, err
			}
		}
		list = append(list, backfill.File{Name: one.source.Name, Bytes: one.bytes, Records: one.records, SHA256: one.sha256})
	}
	rejected = map[string]int64{}
	for _, reason := range slices.Sorted(maps.Keys(f.rejected.Reasons)) {
		rejected[string(reason)] = f.rejected.Reasons[reason]
	}
	return list, rejected, nil
}

func hash(name string) (sum string, err error) {
	opened, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	h := sha256.New()
	if _, err := io.Copy(h, opened); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
