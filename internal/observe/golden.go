package observe

import (
	"fmt"
	"math"
	"strconv"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// goldenRecords is how many records a document is tried on before it may be released.
const goldenRecords = 32

// mostLevels is how many levels golden records are made of.
const mostLevels = 4096

// golden are records that a document is tried on: made of the learner's columns and of some of its levels, so that they hold nothing of a
// person.
func golden(columns []string, levels [][]string) []record.Record {
	rows := make([]record.Record, goldenRecords)
	for i := range rows {
		r := &rows[i]
		r.Weight = 1
		for c, name := range columns {
			r.Features = append(r.Features, goldenField(name, levels[c], record.Mix(uint64(i), uint64(c))))
		}
	}
	return rows
}

// goldenField is a level of the column, a number, a text that the model does not know, or a missing value, by a hash.
func goldenField(name string, levels []string, hash uint64) record.Field {
	f := record.Field{Name: name, ID: record.NoName}
	switch kind := hash % 8; {
	case kind == 0:
		f.Missing = true
		return f
	case kind == 1:
		f.Text = []byte("(golden)")
	case kind < 5 && len(levels) > 0:
		f.Text = []byte(levels[hash>>8%uint64(len(levels))])
	default:
		f.Text = strconv.AppendFloat(nil, float64(hash>>8%20_001)/100-50, 'g', -1, 64)
	}
	f.Hash = record.Hash(f.Text)
	return f
}

// tried is what the golden records say of a document.
type tried struct {
	records int
	// different is how many margins of the document, as its readers see it, differ from those of the learner in any bit, or
	// are not finite.
	different int
	bytes     int
	// read decides by the document as its readers see it.
	read member
	// problem says why it cannot be read.
	problem error
}

// goldens are golden records with the margins that they have in the learner.
type goldens struct {
	rows    []record.Record
	margins []float64
}

// weigh gives golden records their margins.
func weigh(rows []record.Record, margin func(*record.Record) float64) goldens {
	g := goldens{rows: rows}
	for i := range rows {
		g.margins = append(g.margins, margin(&rows[i]))
	}
	return g
}

// try encodes a document, reads it as a reader does, and compares margins.
func try(version release.Version, d *document.Document, g goldens) (found tried) {
	data, err := d.Encode()
	if err != nil {
		return tried{problem: fmt.Errorf("observe: the weight document: %w", err)}
	}
	found.bytes = len(data)
	read, err := document.Parse(data)
	if err == nil {
		found.read, err = newMember(version, read)
	}
	if found.problem = err; err != nil {
		return found
	}
	for i := range g.rows {
		got := found.read.margin(&g.rows[i])
		if math.Float64bits(g.margins[i]) != math.Float64bits(got) || math.IsNaN(got) || math.IsInf(got, 0) {
			found.different++
		}
	}
	found.records = len(g.rows)
	return found
}
