package input

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/record"
)

// NewSources is a source of the records of several files, one after the other. Format is that of each by its name, and empty where its extension tells.
func NewSources(names []string, format func(name string) string, standardInput io.Reader) (Source, error) {
	var sources []Source
	var bad error
	for i, name := range names {
		source, err := NewSource(name, format(name), standardInput)
		if slices.Contains(names[:i], name) {
			err = fmt.Errorf("--input %s is given twice: its records would be counted twice", name)
		}
		sources, bad = append(sources, source), errors.Join(bad, err)
	}
	return InOrder(sources...), bad
}

// InOrder is a source of the rows of several sources, one source after the other. CSV files among them must have the same
// columns in the same order.
func InOrder(sources ...Source) Source {
	if len(sources) == 1 {
		return sources[0]
	}
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Name
	}
	return Source{Name: english.List(names), Open: func(as record.Config) (Rows, error) {
		f := &following{sources: sources, as: as}
		first, err := f.open()
		if err != nil {
			return nil, err
		}
		f.Rows = first
		return f, nil
	}}
}

// following are the rows of several sources. Progress may be asked for from any goroutine.
type following struct {
	Rows             // of the source that is being read
	sources []Source // of which at is being read
	at      int
	as      record.Config
	ended   bool // the next source could not be opened, and the last one is closed

	present atomic.Pointer[Rows] // for Progress
	before  atomic.Int64         // bytes of the sources that were read
}

func (f *following) file() string { return f.sources[f.at].Name }

// open opens the source whose turn it is.
func (f *following) open() (Rows, error) {
	rows, err := f.sources[f.at].Open(f.as)
	if err != nil {
		return nil, err
	}
	f.present.Store(&rows)
	return rows, nil
}

// Next goes on with the next source at the end of one.
func (f *following) Next() error {
	for {
		err := f.Rows.Next()
		if err != io.EOF || f.at == len(f.sources)-1 {
			return err
		}
		header := f.Header()
		read, _ := f.Rows.Progress()
		f.before.Add(read)
		if err := f.Rows.Close(); err != nil {
			return err
		}
		f.at++
		next, err := f.open()
		if err != nil {
			f.ended = true
			return err
		}
		f.Rows = next
		if err := f.sameColumns(header); err != nil {
			return err
		}
	}
}

// sameColumns is an error if the source that was opened has other columns than the one before it.
func (f *following) sameColumns(before *record.Header) error {
	first, second := f.sources[f.at-1].Name, f.sources[f.at].Name
	now := f.Header()
	switch {
	case before == nil && now == nil:
		return nil
	case before == nil || now == nil:
		return fmt.Errorf("%s and %s are not both CSV: convert one, so that all files of one --input have one format", first, second)
	}
	a, b := before.Names(), now.Names()
	if slices.Equal(a, b) {
		return nil
	}
	lacks := func(names, of []string) int {
		return slices.IndexFunc(of, func(name string) bool { return !slices.Contains(names, name) })
	}
	if i := lacks(b, a); i >= 0 {
		return fmt.Errorf("%s has no column %q, which %s has: files that are read one after the other need the same columns", second, a[i], first)
	}
	if i := lacks(a, b); i >= 0 {
		return fmt.Errorf("%s has a column %q, which %s has not: files that are read one after the other need the same columns", second, b[i], first)
	}
	return fmt.Errorf("%s has the columns of %s in another order: files that are read one after the other need the same columns", second, first)
}

// Progress adds up the bytes that were read. How many there are in all is known while the last source is read only.
func (f *following) Progress() (read, total int64) {
	before, rows := f.before.Load(), *f.present.Load()
	read, _ = rows.Progress()
	return before + read, -1
}

// Close closes the source that is being read.
func (f *following) Close() error {
	if f.ended {
		return nil
	}
	return f.Rows.Close()
}

// placeOf is where the present row of rows begins.
func placeOf(rows Rows) place {
	if s, several := rows.(*following); several {
		return place{s.file(), s.Line()}
	}
	return place{line: rows.Line()}
}
