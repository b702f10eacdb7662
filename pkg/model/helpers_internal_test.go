package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
	var features []record.Field
	for pair := range slices.Chunk(namesAndValues, 2) {
		f := record.Field{ID: record.NoName, Name: pair[0], Missing: pair[1] == "?"}
		if !f.Missing {
			f.Text = []byte(pair[1])
			f.Hash = record.Hash(f.Text)
		}
		features = append(features, f)
	}
	return features
}

// testEncoder returns an encoder that has observed the values of one column x.
func testEncoder(t *testing.T, set func(*LearnerConfig), values ...string) *encoder {
	t.Helper()
	config := DefaultLearner()
	if set != nil {
		set(&config)
	}
	e := newEncoder(config)
	for _, value := range values {
		e.observe(fields("x", value))
	}
	e.decide()
	return e
}

// encoded returns the non-zeros of a record in words.
func encoded(e *encoder, grow bool, features []record.Field) string {
	var row Row
	e.encode(&row, features, 0, grow)
	var words []string
	for i, index := range row.Index {
		words = append(words, fmt.Sprintf("%d:%.4g", index, row.value(i)))
	}
	return strings.Join(words, " ")
}

// insist encodes a record again and again, each time with a residual that calls for a weight of its own.
func insist(e *encoder, features []record.Field) string {
	for range 20 {
		encoded(e, true, features)
		e.reveal(.5, .25, 1)
	}
	return encoded(e, true, features)
}

// numbers returns texts of a range.
func numbers(from, to int) []string {
	var texts []string
	for i := from; i < to; i++ {
		texts = append(texts, fmt.Sprint(i))
	}
	return texts
}
