package profile

import (
	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/pkg/record"
)

// Bounds on what a profile remembers.
const (
	// MaxColumns is how many columns are looked at; later ones are counted.
	MaxColumns = 4096
	// maxDistinct is how many different values of one column are told apart, allDistinct of all columns.
	maxDistinct = 4096
	allDistinct = 1 << 20
	// A column with at most fewTexts values of at most shortText bytes shows them.
	fewTexts  = 20
	shortText = 32
	// fewOdd is how many texts among numbers are shown.
	fewOdd = 8
)

// Profile gathers what the columns of a sample hold. The zero value is empty and ready.
type Profile struct {
	records int
	columns []*tally
	byName  distinct.Names[tally]
	budget  int // values told apart so far, of all columns
}

// Add takes in one record whose fields are all features: see AllFeatures. The record is not kept.
func (p *Profile) Add(rec *record.Record) {
	p.records++
	for i := range rec.Features {
		field := &rec.Features[i]
		c := p.column(i, field.Name)
		if c == nil {
			continue
		}
		if field.Missing {
			c.missing++
			continue
		}
		p.budget += c.add(field.Text, field.Hash, p.budget < allDistinct)
	}
}

// column returns what is counted of the column of a field, which is in this place of a record; nil if there is no room.
func (p *Profile) column(at int, name string) *tally {
	if c := p.byName.At(at, name); c != nil {
		return c
	}
	if len(p.columns) >= MaxColumns {
		return nil
	}
	c := newTally(name)
	p.columns = append(p.columns, c)
	p.byName.Make(name, c)
	return c
}

// Records returns how many records were added.
func (p *Profile) Records() int { return p.records }

// Columns describes the columns in the order in which records first had them.
func (p *Profile) Columns() []Column {
	columns := make([]Column, len(p.columns))
	for i, c := range p.columns {
		columns[i] = c.describe(p.records)
	}
	return columns
}

// AllFeatures is a schema in which every field of a record is a feature, and no record needs a label. Of
// the configuration, the limits, the missing texts and the place in the message count.
func AllFeatures(of record.Config) *record.Schema {
	const noField = "\x00" // a name that is no field's, as every schema needs a label
	schema, err := record.NewSchema(record.Config{
		Label: record.Label{Field: noField, Positive: noField}, Limits: of.Limits, Missing: of.Missing, At: of.At}, nil)
	if err != nil {
		panic("profile: " + err.Error())
	}
	return schema.LabelOptional()
}
