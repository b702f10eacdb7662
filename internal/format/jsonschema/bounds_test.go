package jsonschema

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/formattest"
	"github.com/fairstream/fairstream/internal/format/registry"
)

// TestSchemasAreBounded in how deep they nest: brackets in texts do not count.
func TestSchemasAreBounded(t *testing.T) {
	t.Parallel()
	nested := func(levels int) string {
		return strings.Repeat(`{"properties":{"a":`, levels) + `{"type":"integer"}` + strings.Repeat("}}", levels)
	}
	for _, refuse := range []registry.Schema{
		{Type: sr.TypeJSON, Text: nested(format.MaxDepth)}, {Type: sr.TypeJSON, Text: strings.Repeat("[", 1<<20)},
		{Type: sr.TypeJSON, Text: "{}", References: []registry.Reference{{Name: "a", Text: nested(100_000)}}},
	} {
		if _, err := compile(refuse); !errors.Is(err, format.ErrDeep) {
			t.Errorf("%.40s: %v", refuse.Text, err)
		}
	}
	for _, take := range []string{nested(format.MaxDepth/2 - 1), `{"description":"` + strings.Repeat(`[{\"`, 300) + `","properties":{"a":{}}}`} {
		if _, err := compile(registry.Schema{Type: sr.TypeJSON, Text: take}); err != nil {
			t.Errorf("%.40s: %v", take, err)
		}
	}
}

// FuzzSchemas: no schema and no reference makes the program panic, and the list of fields is bounded.
func FuzzSchemas(f *testing.F) {
	f.Add(`{"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"a#/properties/x"}},"$defs":{"A":{"oneOf":[{"type":"null"},{"enum":["x",1,null]}]}}}`, `{"properties":{"x":{"type":["string","null"],"format":"date"}}}`)
	f.Add(`{"allOf":[{"properties":{"a":true}},{"$ref":"a"}]}`, `{"anyOf":[{"$ref":"#"}],"definitions":{"B":{"const":"z"}}}`)
	f.Fuzz(func(t *testing.T, schema, reference string) { describedInBounds(t, schema, reference) })
}

func describedInBounds(t *testing.T, schema, reference string) bool {
	t.Helper()
	fields, err := compile(registry.Schema{Type: sr.TypeJSON, Text: schema, References: []registry.Reference{{Name: "a", Text: reference}}})
	if err == nil && len(fields) > format.MaxFields {
		t.Errorf("%d fields", len(fields))
	}
	for _, f := range fields {
		if f.Name == "" && !strings.Contains(schema+reference, `""`) {
			t.Errorf("a field without a name in %s", schema)
		}
	}
	return len(fields) > 0
}

// TestMutatedSchemas: 3,000 schemas with wrong words.
func TestMutatedSchemas(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(29, 4))
	described := 0
	for range 3_000 {
		schema := formattest.Mutate(random, `{"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"a#/properties/x"},"c":{"type":["integer","null"],"title":"c"},"d":{"properties":{"e":true}}},
			"required":["c"],"allOf":[{"properties":{"f":{"const":"z"}}}],"$defs":{"A":{"oneOf":[{"type":"null"},{"enum":["x",1,null]}]}}}`)
		if describedInBounds(t, schema, formattest.Mutate(random, `{"properties":{"x":{"type":["string","null"],"format":"date"}},"anyOf":[{"$ref":"#"}]}`)) {
			described++
		}
	}
	if described == 0 {
		t.Error("no schema was described")
	}
}

// TestStepsAreBounded in number and in depth.
func TestStepsAreBounded(t *testing.T) {
	t.Parallel()
	d := description{steps: maxSteps - 3}
	if !d.goes(0) || !d.goes(maxDepth) || d.goes(maxDepth+1) || d.goes(0) {
		t.Errorf("%+v", d)
	}
}

// TestPartsThatAreNull are no schemas, and do no harm.
func TestPartsThatAreNull(t *testing.T) {
	t.Parallel()
	fields, err := compile(registry.Schema{Type: sr.TypeJSON, Text: `{"properties":{"a":null,"b":{"anyOf":[null]}},"allOf":[null]}`})
	if err != nil || len(fields) != 2 || fields[0].Kind != format.Open || fields[1].Kind != format.Open {
		t.Errorf("%+v, %v", fields, err)
	}
}

// TestWithoutTheHeader: the JSON of a message is what lies behind the header, and all of it without one.
func TestWithoutTheHeader(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{"\x00\x00\x00\x00\x07{}": "[{}", `{"y":1}`: `[{"y":1}`} {
		if got, err := (described{}).AppendJSON([]byte("["), []byte(message)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", message, got, err)
		}
	}
	if _, err := New(registry.Config{URLs: []string{"http://localhost:8081"}, CAFile: "nowhere.pem"}); err == nil {
		t.Error("a registry whose certificates cannot be read was taken")
	}
}
