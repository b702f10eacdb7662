package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestUnfamiliar: columns whose texts were never learnt, or whose numbers lie beyond those that were, are named once there are enough of
// them, and no others are.
func TestUnfamiliar(t *testing.T) {
	columns := map[string]*bodyColumn{
		"word":   {Type: features.Categorical, Levels: []bodyLevel{{Text: "yes"}, {Text: "no"}}},
		"amount": {Type: features.Numeric, Linear: &bodyLinear{Low: 10, High: 20}},
		"knots":  {Type: features.Numeric, Knots: []float64{10, 15, 20}},
		"scaled": {Type: features.Numeric, Standardized: &bodyStandardized{Mean: 15, Scale: 1}},
		"rare":   {Type: features.Categorical},
		"long":   {Type: features.Categorical, Levels: []bodyLevel{{Text: "cut", Key: "1f"}}},
	}
	for _, test := range []struct {
		column, texts string
		known         int // of n texts, one after another
		n             int
		want          bool
	}{
		{"word", "1", 0, 100, true}, {"word", "1", 1, 100, true}, {"word", "1", 2, 100, true}, {"word", "1", 180, 200, true}, {"word", "1", 181, 200, false}, {"word", "1", 281, 300, false}, {"word", "1", 1820, 2000, false}, {"word", "1", 0, 99, false}, {"word", "rare", 50, 200, false},
		{"amount", "20.5", 50, 100, true}, {"amount", "20.5", 51, 100, false}, {"amount", "9.5", 0, 100, true}, {"amount", "none", 0, 100, true},
		{"knots", "9", 0, 100, true}, {"knots", "20", 0, 100, false}, {"knots", "10", 0, 100, false},
		{"scaled", "20.5", 0, 100, true}, {"scaled", "20", 0, 100, false}, {"scaled", "9.5", 0, 100, true},
		{"rare", "1", 0, 100, false}, {"long", "1", 0, 100, false},
	} {
		f := &Familiarity{columns: map[string]*familiar{}, names: []string{test.column}}
		known := columns[test.column].familiar()
		if known != nil {
			f.columns[test.column] = known
		} else {
			f.names = nil
		}
		usual := map[string]string{"word": "yes"}[test.column]
		if usual == "" {
			usual = "15"
		}
		for i := range test.n {
			text := test.texts
			if test.texts == "rare" {
				text = fmt.Sprint("text ", i%20)
			}
			if i < test.known {
				text = usual
			}
			f.Add(&record.Record{Features: []record.Field{{Name: test.column, Text: []byte(text)}, {Name: "other", Text: []byte(text)}}})
		}
		f.Add(&record.Record{Features: []record.Field{{Name: test.column, Missing: true}}})
		found := f.Unfamiliar()
		if len(found) > 0 != test.want {
			t.Errorf("%+v: %v", test, found)
		}
		if test.want && (found[0].Values != test.n || found[0].Unknown != test.n-test.known || found[0].Column != test.column || fmt.Sprint(found[0]) == "") {
			t.Errorf("%+v: %+v", test, found[0])
		}
	}
}

// TestUnfamiliarGaps: a column is told of whose values are missing now and never were when it was learnt.
func TestUnfamiliarGaps(t *testing.T) {
	weight := .1
	for _, test := range []struct {
		missing *float64
		gaps, n int
		want    bool
	}{{nil, 5, 100, true}, {nil, 4, 100, false}, {nil, 50, 99, false}, {&weight, 50, 100, false}} {
		c := bodyColumn{Type: features.Numeric, Linear: &bodyLinear{Low: 10, High: 20}, Missing: test.missing}
		f := &Familiarity{columns: map[string]*familiar{"age": c.familiar()}, names: []string{"age"}}
		for i := range test.n {
			f.Add(&record.Record{Features: []record.Field{{Name: "age", Missing: i < test.gaps, Text: []byte("15")}}})
		}
		found := f.Unfamiliar()
		if len(found) > 0 != test.want {
			t.Errorf("%+v: %v", test, found)
		}
		if test.want && !strings.HasPrefix(found[0].String(), `"age" has no value in 5 of the first 100 records, and had one in every record that was learnt`) {
			t.Error(found[0])
		}
	}
}
