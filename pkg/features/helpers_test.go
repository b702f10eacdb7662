package features

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

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
func testEncoder(t *testing.T, set func(*Config), values ...string) *Learning {
	t.Helper()
	settings := DefaultConfig()
	if set != nil {
		set(&settings)
	}
	l := NewLearning(settings)
	for _, value := range values {
		l.Observe(fields("x", value))
	}
	l.Infer()
	return l
}

// encoded returns the non-zeros of a record in words. With grow, the encoder learns from it.
func encoded(l *Learning, grow bool, features []record.Field) string {
	var row Row
	if grow {
		l.Encode(&row, &record.Record{Features: features})
	} else {
		l.Frozen.Encode(&row, &record.Record{Features: features})
	}
	var words []string
	for i, index := range row.Index {
		words = append(words, fmt.Sprintf("%d:%.4g", index, row.At(i)))
	}
	return strings.Join(words, " ")
}

// insist encodes a record again and again, each time with a residual that calls for a weight of its own.
func insist(l *Learning, features []record.Field) string {
	for range 20 {
		encoded(l, true, features)
		l.Reveal(.5, .25, 1)
	}
	return encoded(l, true, features)
}

// numbers returns texts of a range.
func numbers(from, to int) []string {
	var texts []string
	for i := from; i < to; i++ {
		texts = append(texts, fmt.Sprint(i))
	}
	return texts
}
