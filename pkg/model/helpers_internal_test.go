package model

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// fields makes the features of a record of names and values in turn; "?" is missing.
func fields(namesAndValues ...string) []record.Field {
	var all []record.Field
	for pair := range slices.Chunk(namesAndValues, 2) {
		f := record.Field{ID: record.NoName, Name: pair[0], Missing: pair[1] == "?"}
		if !f.Missing {
			f.Text = []byte(pair[1])
			f.Hash = record.Hash(f.Text)
		}
		all = append(all, f)
	}
	return all
}

// levelsOf returns the levels of a column.
func levelsOf(l *Learner, name string) []features.Level {
	parts := l.encoder.Parts()
	column := slices.IndexFunc(parts.Columns, func(c features.Column) bool { return c.Name == name })
	return slices.DeleteFunc(slices.Clone(parts.Levels), func(level features.Level) bool { return level.Slot != features.ColumnSlot(column) })
}

// levelGroup returns the group of the levels of a column.
func levelGroup(l *Learner, name string) (group int) {
	levels := levelsOf(l, name)
	l.encoder.Groups(func(g int, from, to int32) {
		if from <= levels[0].Weight && levels[0].Weight < to {
			group = g
		}
	})
	return group
}

// fill sets every weight.
func fill(dst []float64, weight func(j int) float64) {
	for j := range dst {
		dst[j] = weight(j)
	}
}
