package observe

import (
	"fmt"
	"math"
	"strconv"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
)

// goldenRecords is how many records a document is tried on before it may be released.
const goldenRecords = 32

// golden are records that a document is tried on: made of the columns and levels of its own model, so that they are the
// same for everybody who has the document, and hold nothing of a person.
func golden(d *document.Document) ([]record.Record, error) {
	terms, err := d.Explain()
	if err != nil {
		return nil, fmt.Errorf("observe: %w", err)
	}
	names, err := d.Columns()
	if err != nil {
		return nil, fmt.Errorf("observe: %w", err)
	}
	texts := map[string][]string{}
	for _, t := range terms {
		if t.Kind == document.LevelTerm {
			texts[t.Column] = append(texts[t.Column], t.Level)
		}
	}
	rows := make([]record.Record, goldenRecords)
	for i := range rows {
		r := &rows[i]
		r.Weight = 1
		for c, name := range names {
			r.Features = append(r.Features, goldenField(name, texts[name], record.Mix(uint64(i), uint64(c))))
		}
	}
	return rows, nil
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
	// read is the document as its readers see it.
	read *document.Document
}

// goldens are golden records with the margins that they have in the learner.
type goldens struct {
	rows    []record.Record
	margins []float64
	err     error
}

// goldensOf gives a document's golden records the margins of the learner; of the document itself if the learner has none yet.
func goldensOf(d *document.Document, margin func(*record.Record) float64) (g goldens) {
	if g.rows, g.err = golden(d); g.err != nil {
		return g
	}
	if margin == nil {
		scorer, err := d.Scorer()
		if err != nil {
			g.err = err
			return g
		}
		margin = scorer.Margin
	}
	for i := range g.rows {
		g.margins = append(g.margins, margin(&g.rows[i]))
	}
	return g
}

// try encodes a document, reads it as a reader does, and compares margins.
func try(d *document.Document, g goldens) (found tried, err error) {
	data, err := d.Encode()
	if err != nil {
		return found, fmt.Errorf("observe: the weight document: %w", err)
	}
	found.bytes = len(data)
	if found.read, err = document.Parse(data); err != nil {
		return found, err
	}
	if g.err != nil {
		return found, g.err
	}
	scorer, err := found.read.Scorer()
	if err != nil {
		return found, err
	}
	for i := range g.rows {
		got := scorer.Margin(&g.rows[i])
		if math.Float64bits(g.margins[i]) != math.Float64bits(got) || math.IsNaN(got) || math.IsInf(got, 0) {
			found.different++
		}
	}
	found.records = len(g.rows)
	return found, nil
}
