package model

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// held is one of the first records, which are held back until the types and bins of columns are inferred from them.
type held struct {
	positive bool
	label    float64 // of a regression
	weight   float64
	levels   []fairness.Level
	fields   []record.Field // by name; texts and names are its own
}

// hold copies a record and the levels of its attributes.
func hold(r *record.Record, levels []fairness.Level) held {
	h := held{positive: r.Positive, label: r.Label, weight: r.Weight, levels: slices.Clone(levels)}
	for _, f := range r.Features {
		f.Text = append([]byte(nil), f.Text...)
		f.ID = record.NoName
		h.fields = append(h.fields, f)
	}
	slices.SortFunc(h.fields, func(a, b record.Field) int { return strings.Compare(a.Name, b.Name) })
	return h
}

// code codes the record. levels is how many levels each attribute has.
func (h *held) code(c *codec.Coder, levels []int) {
	c.Bool(&h.positive)
	c.Within(&h.label, record.MaxLabel)
	c.Float(&h.weight)
	c.Check(h.weight > 0 && h.weight <= record.MaxWeight)
	if c.Reading() {
		h.levels = make([]fairness.Level, len(levels))
	}
	for i := range levels {
		level := int(h.levels[i])
		codec.Index(c, &level, levels[i])
		h.levels[i] = fairness.Level(level)
	}
	codec.Slice(c, &h.fields, 3, func(f *record.Field) {
		text := string(f.Text)
		codec.Text(c, &f.Name)
		c.Bool(&f.Missing)
		codec.Text(c, &text)
		if c.Reading() {
			f.ID = record.NoName
			if !f.Missing {
				f.Text = []byte(text)
				f.Hash = record.Hash(f.Text)
			}
		}
	})
}

// absent lists the attributes that no record held back has. The configuration probably misspells them, and then a field
// of which the name is near holds what must not be a feature.
func absent(attributes []string, first []held) (absent []string) {
	for i, name := range attributes {
		if !slices.ContainsFunc(first, func(h held) bool { return h.levels[i] != fairness.MissingLevel }) {
			absent = append(absent, name)
		}
	}
	return absent
}

// noFeatures lists the columns of the records held back that are no features beyond doubt, such as identifiers: the rule
// is in internal/profile.
func (c Config) noFeatures(first []held) (names []string) {
	var seen profile.Profile
	for i := range first {
		seen.Add(&record.Record{Features: first[i].fields})
	}
	for _, column := range seen.NoFeatures() {
		if !c.Declares(column.Name) {
			names = append(names, column.Name)
		}
	}
	return names
}
