package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/record"
)

// finished are the splits that a study has finished. They are kept in a file, a line for each tau and method, so that a study that was ended goes on.
type finished struct {
	name      string // of the file; empty: they are not kept
	criterion string
	lines     []line
	loaded    map[string][]record.Record // the records of each set
}

// line is what a method does on a split.
type line struct {
	split
	method string
	outcome
}

// split is one of a set, at a tau.
type split struct {
	criterion, set string
	seed           uint64
	tau            float64
}

const fields = "criterion\tset\tseed\ttau\tmethod\terror\tdifference\tmeasured\tbeside\tabove\tverdict\n"

// openFinished reads a file of finished splits, if there is one.
func openFinished(name, criterion string) (*finished, error) {
	f := &finished{name: name, criterion: criterion, loaded: map[string][]record.Record{}}
	if name == "" {
		return f, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	rest, is := strings.CutPrefix(string(text), fields)
	if !is {
		return nil, fmt.Errorf("-finished %s: this file has no finished splits", name)
	}
	for text := range strings.Lines(rest) {
		l, err := parse(strings.TrimSuffix(text, "\n"))
		if err != nil {
			return nil, fmt.Errorf("-finished %s: %w", name, err)
		}
		f.lines = append(f.lines, l)
	}
	return f, nil
}

func (l *line) String() string {
	return fmt.Sprintf("%s\t%s\t%d\t%v\t%s\t%v\t%v\t%v\t%v\t%v\t%s\n", l.criterion, l.set, l.seed, l.tau, l.method, l.error, l.difference, l.measured, l.beside, l.above, l.verdict)
}

func parse(text string) (l line, err error) {
	cells := strings.Split(text, "\t")
	if len(cells) != strings.Count(fields, "\t")+1 {
		return l, fmt.Errorf("a line has %d fields", len(cells))
	}
	l.criterion, l.set, l.method, l.verdict = cells[0], cells[1], cells[4], cells[10]
	if l.seed, err = strconv.ParseUint(cells[2], 10, 64); err != nil {
		return l, err
	}
	for i, number := range map[int]*float64{3: &l.tau, 5: &l.error, 6: &l.difference, 7: &l.measured, 8: &l.beside, 9: &l.above} {
		if *number, err = strconv.ParseFloat(cells[i], 64); err != nil {
			return l, err
		}
	}
	return l, nil
}

// of returns what the methods do on a split, nil if it is not finished.
func (f *finished) of(set string, seed uint64, tau float64) []outcome {
	var found []outcome
	for _, method := range methods {
		at := slices.IndexFunc(f.lines, func(l line) bool { return l.split == split{f.criterion, set, seed, tau} && l.method == method })
		if at < 0 {
			return nil
		}
		found = append(found, f.lines[at].outcome)
	}
	return found
}

// split finishes a split of a set, at the taus that it is not finished at.
func (f *finished) split(s *set, seed uint64, taus []float64) (err error) {
	taus = slices.DeleteFunc(slices.Clone(taus), func(tau float64) bool { return f.of(s.name, seed, tau) != nil })
	if len(taus) == 0 {
		return nil
	}
	started := time.Now()
	if f.loaded[s.name] == nil {
		if f.loaded[s.name], err = s.load(); err != nil {
			return err
		}
	}
	held, learnt := deal(f.loaded[s.name], seed)
	found, err := (&trial{s, f.criterion, held, learnt}).compare(taus)
	if err != nil {
		return err
	}
	for k, tau := range taus {
		for i, method := range methods {
			f.lines = append(f.lines, line{split{f.criterion, s.name, seed, tau}, method, found[k][i]})
		}
	}
	fmt.Fprintf(os.Stderr, "%s, split %d: %v\n", s.name, seed, time.Since(started).Round(time.Second))
	return f.save()
}

// save writes the file anew: one that is cut off is never left behind.
func (f *finished) save() error {
	if f.name == "" {
		return nil
	}
	text := fields
	for i := range f.lines {
		text += f.lines[i].String()
	}
	if err := os.WriteFile(f.name+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(f.name+".new", f.name)
}
