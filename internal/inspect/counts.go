package inspect

import (
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Counts are the records of one comparison: by side, and how many of them have a positive label. Records that
// do not meet the criterion's condition are in Excluded.
type Counts struct {
	fairness.Comparison
	Group, Versus, Neither, Unknown, Excluded int64
	GroupPositive, VersusPositive             int64
	KnownPositive, UnknownPositive            int64 // with the attribute, on any side, and without
	NoStratum, NoStratumPositive              int64 // of Unknown, those that have the attributes
}

// group counts the record on its side of every comparison.
func (i *Inspection) group(positive bool) {
	for a := range i.levels {
		if value := i.rec.Attributes[a]; value.Missing {
			i.levels[a] = fairness.MissingLevel
		} else {
			i.levels[a] = i.grouper.Level(a, value.Text)
		}
	}
	i.grouper.Sides(i.sides, i.levels, positive)
	i.within()
	for c, side := range i.sides {
		counts := &i.counts[c]
		if i.rec.Positive && side == fairness.Unknown {
			counts.UnknownPositive++
		} else if i.rec.Positive && side != fairness.Excluded {
			counts.KnownPositive++
		}
		switch side {
		case fairness.Group:
			counts.Group++
			if i.rec.Positive {
				counts.GroupPositive++
			}
		case fairness.Versus:
			counts.Versus++
			if i.rec.Positive {
				counts.VersusPositive++
			}
		case fairness.Neither:
			counts.Neither++
		case fairness.Unknown:
			counts.Unknown++
			if counts.Strata != "" && i.hasAll(counts.Comparison) {
				counts.NoStratum++
				if i.rec.Positive {
					counts.NoStratumPositive++
				}
			}
		case fairness.Excluded:
			counts.Excluded++
		}
	}
}

// hasAll says whether the record has every attribute of a comparison.
func (i *Inspection) hasAll(c fairness.Comparison) bool {
	return !slices.ContainsFunc(c.Group, func(term fairness.Term) bool {
		at := slices.Index(i.attributes, term.Attribute)
		return at < 0 || i.rec.Attributes[at].Missing
	})
}

// Known is how many records have a label, and Positive how many of them a positive one; Unlabelled have none.
func (i *Inspection) Known() int64 { return i.sequence.known }

// Positive is how many records have the positive label.
func (i *Inspection) Positive() int64 { return i.sequence.positive }

// Unlabelled is how many records have no label.
func (i *Inspection) Unlabelled() int64 { return i.missing }

// Snapshot returns how many of the records were rows of a snapshot by Debezium.
func (i *Inspection) Snapshot() int64 { return i.snapshot }

// Numbers describes labels that are numbers.
func (i *Inspection) Numbers() fairness.Moments { return i.numbers }

// Counts returns one entry for each comparison whose groups are known, equalized odds split.
func (i *Inspection) Counts() (known []Counts) {
	for k, comparison := range i.grouper.Comparisons() {
		if comparison.Known() {
			counts := i.counts[k]
			counts.Comparison = comparison
			if comparison.Best {
				counts.Versus, counts.VersusPositive = i.highest(comparison.Name, comparison.Criterion)
			}
			known = append(known, counts)
		}
	}
	return known
}

// highest is the group of a constraint of each that has the highest rate of positive labels: probably the one that will be
// treated best.
func (i *Inspection) highest(name string, criterion fairness.Criterion) (records, positive int64) {
	most := -1.0
	for k, comparison := range i.grouper.Comparisons() {
		counts := &i.counts[k]
		if comparison.Name != name || comparison.Criterion != criterion || counts.Group == 0 {
			continue
		}
		if lo, _ := fairness.Wilson(float64(counts.GroupPositive)/float64(counts.Group), float64(counts.Group), fairness.DefaultLevel); lo > most {
			most, records, positive = lo, counts.Group, counts.GroupPositive
		}
	}
	return records, positive
}

// Columns describes every field of the records, whatever the configuration makes of it.
func (i *Inspection) Columns() []profile.Column { return i.profile.Columns() }

// IsFeature says whether a field of the records is a feature.
func (i *Inspection) IsFeature(name string) bool {
	if i.Known()+i.Unlabelled() > 0 {
		return i.features[name]
	}
	schema, err := i.config.Schema() // every record was rejected
	return err == nil && schema.Feature(name)
}

// LeftOut lists the features that a learner would leave out, after the same records in the same order.
func (i *Inspection) LeftOut() (names []string) {
	for _, c := range i.heldBack.NoFeatures() {
		if !i.config.Declares(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// ValuesOf lists the values of a field with their counts, in words that go on a sentence; empty unless the field has
// few, short values that repeat.
func (i *Inspection) ValuesOf(field string) string {
	for _, c := range i.Columns() {
		if c.Name == field {
			return seen(&c)
		}
	}
	return ""
}
