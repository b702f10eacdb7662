package avro

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
)

// chained is a schema in which record i has two fields of record i-1.
func chained(levels int) string {
	text := strings.Builder{}
	text.WriteString(`{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"a0","type":{"type":"record","name":"r0","fields":[]}}`)
	for i := range levels {
		fmt.Fprintf(&text, `,{"name":"a%d","type":{"type":"record","name":"r%d","fields":[{"name":"a","type":"r%d"},{"name":"b","type":"r%d"}]}}`, i+1, i+1, i, i)
	}
	return text.String() + "]}"
}

// TestSchemasAreBounded: in how deep types lie in others, by brackets and by names, and in what a description lists.
func TestSchemasAreBounded(t *testing.T) {
	t.Parallel()
	nested := func(levels int) string {
		return `{"type":"record","name":"r","fields":[{"name":"a","type":` + strings.Repeat(`{"type":"array","items":`, levels) + `"int"` + strings.Repeat("}", levels) + `}]}`
	}
	for name, schema := range map[string]func(int) string{"by brackets": nested, "by names": chained} {
		if _, err := parse(schema(format.MaxDepth - 5)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, levels := range []int{format.MaxDepth + 1, 1000} {
			if _, err := parse(schema(levels)); !errors.Is(err, format.ErrDeep) && (err == nil || levels < 1000) { // the library has a bound of its own
				t.Errorf("%s, %d: %.200v", name, levels, err)
			}
		}
	}
	if _, err := parse(nested(100_000)); err == nil {
		t.Error("100,000 levels were taken")
	}
	f, err := Bare(chained(60)) // a record with 2^60 values that take no bytes
	if err != nil {
		t.Fatal(err)
	}
	if d, err := f.(format.Describer).Describe([]byte{2}); err != nil || len(d.Fields) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	long, err := Bare(`{"type":"record","name":"r","fields":[{"name":"` + strings.Repeat("a", 5000) + `","type":"int"},{"name":"y","type":"int"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := long.(format.Describer).Describe([]byte{2, 2}); err != nil || len(d.Fields) != 1 || d.Fields[0].Name != "y" {
		t.Errorf("%+v, %v", d, err)
	}
}
