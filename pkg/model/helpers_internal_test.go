package model

import (
	"slices"
	"strings"

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

// fill sets every weight.
func fill(dst []float64, weight func(j int) float64) {
	for j := range dst {
		dst[j] = weight(j)
	}
}
