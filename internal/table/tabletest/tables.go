// Package tabletest makes tables for tests.
package tabletest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/record"
)

// Made is a table of so many records with the fields that values gives. A record is positive where its field "label" is "1".
func Made(t *table.Table, records int, values func(i int, r *rand.Rand) map[string]string) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range records {
		var fields []record.Field
		row := values(i, r)
		for _, name := range []string{"a", "b", "c", "d", "e", "label"} {
			if text, has := row[name]; has {
				fields = append(fields, record.Field{Name: name, Text: []byte(text), Hash: record.Hash([]byte(text)), Missing: text == ""})
			}
		}
		t.Add(fields, true, row["label"] == "1", false)
	}
	return t
}

// Cells makes a table of columns that are given by their values: a number, or a text that is a hash below 0; 0 is none.
func Cells(columns map[string][]float64) *table.Table {
	t := &table.Table{}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		c := table.Column{Name: name}
		for _, v := range columns[name] {
			switch {
			case v == 0:
				c.Hashes, c.Numbers = append(c.Hashes, 0), append(c.Numbers, math.NaN())
			case v < 0:
				c.Hashes, c.Numbers = append(c.Hashes, uint64(-v)), append(c.Numbers, math.NaN())
			default:
				c.Hashes, c.Numbers = append(c.Hashes, math.Float64bits(v)), append(c.Numbers, v)
			}
		}
		t.Columns = append(t.Columns, c)
		t.Kept = make([]table.Row, len(c.Hashes))
	}
	return t
}

// Times repeats values, each so often.
func Times(pairs ...float64) (all []float64) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, slices.Repeat([]float64{pairs[i]}, int(pairs[i+1]))...)
	}
	return all
}

// Rising are n numbers from first on.
func Rising(first float64, n int) (all []float64) {
	for i := range n {
		all = append(all, first+float64(i))
	}
	return all
}

// Pick is a if is is true, else b.
func Pick(is bool, a, b float64) float64 {
	if is {
		return a
	}
	return b
}

// At is a text if is is true, else none.
func At(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// Anything may be meant.
func Anything(string) bool { return true }
