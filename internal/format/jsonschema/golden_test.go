package jsonschema

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/formattest"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/goldentest"
)

// TestGoldenSchemas: what schemas say of their fields that have other words than they should have.
func TestGoldenSchemas(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	random := rand.New(rand.NewPCG(31, 4))
	known := map[string]bool{}
	for range 3000 {
		schema := formattest.Mutate(random, `{"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"o#/properties/x"},"c":{"type":["integer","null"],"description":"c"},"d":{"properties":{"e":true,"g":{"type":"number"}},"required":["g"]},`+
			`"h":{"anyOf":[{"type":"integer"},{"type":"number"}]},"i":{"type":["string","boolean"]},"j":{"allOf":[{"$ref":"#/definitions/B"}]},"k":{"enum":["x","y"]}},`+
			`"required":["c","d","k"],"allOf":[{"properties":{"f":{"const":"z"}}}],"$defs":{"A":{"oneOf":[{"type":"null"},{"enum":["x",1,null]}]}},"definitions":{"B":{"type":"string","format":"uuid"}}}`)
		fields, err := compile(registry.Schema{Type: sr.TypeJSON, Text: schema, References: []registry.Reference{{Name: "o", Text: `{"properties":{"x":{"type":["string","null"],"format":"date"}}}`}}})
		var line strings.Builder
		for _, f := range fields {
			fmt.Fprintf(&line, " %q %s %v %q %q;", f.Name, kinds[f.Kind], f.Nullable, f.Symbols, f.Doc)
		}
		if err != nil {
			line.WriteString(" " + err.Error())
		}
		if !known[line.String()] && len(known) < 150 {
			known[line.String()] = true
			text.WriteString(schema + "\n" + line.String() + "\n")
		}
	}
	goldentest.Compare(t, "schemas.txt", text.String())
}

// TestBoundsOfADescription: how deep it goes into a schema that contains itself, how many fields it lists, what two kinds are together, and how deep texts nest.
func TestBoundsOfADescription(t *testing.T) {
	t.Parallel()
	of := func(text string) []format.Field {
		t.Helper()
		fields, err := compile(registry.Schema{Type: sr.TypeJSON, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return fields
	}
	itself := of(`{"properties":{"a":{"type":"integer"},"b":{"$ref":"#"}}}`)
	last := itself[len(itself)-1]
	if len(itself) != maxDepth+1 || strings.Count(last.Name, "b") != maxDepth && strings.Count(itself[maxDepth-1].Name, "b") != maxDepth-1 {
		t.Errorf("%d fields, the last is %s", len(itself), last.Name)
	}
	if round := of(`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}`); len(round) != 1 || round[0].Kind != format.Open {
		t.Errorf("%+v", round)
	}
	many := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"f%05d":{"type":"integer"}`, i))
		}
		return `{"properties":{` + strings.Join(all, ",") + `}}`
	}
	for _, n := range []int{format.MaxFields - 1, format.MaxFields, format.MaxFields + 1} {
		if got := of(many(n)); len(got) != min(n, format.MaxFields) {
			t.Errorf("%d of %d fields", len(got), n)
		}
	}
	for _, a := range []format.Kind{format.Open, format.Integer, format.Number, format.Text, format.Boolean} {
		for _, b := range []format.Kind{format.Open, format.Integer, format.Number, format.Text, format.Boolean} {
			want := format.Text
			switch {
			case a == b:
				want = a
			case a == format.Open || b == format.Open:
				want = format.Open
			case a+b == format.Integer+format.Number && (a == format.Integer || a == format.Number):
				want = format.Number
			}
			if got := either(a, b); got != want || either(b, a) != want {
				t.Errorf("%s and %s: %s, want %s", kinds[a], kinds[b], kinds[got], kinds[want])
			}
		}
	}
	for text, want := range map[string]bool{
		strings.Repeat("[", format.MaxDepth): false, strings.Repeat("[", format.MaxDepth+1): true, strings.Repeat("{}", format.MaxDepth+1): false,
		`"` + strings.Repeat("[", format.MaxDepth+1) + `"`: false, `"\"` + strings.Repeat("[", format.MaxDepth+1): false,
		`""` + strings.Repeat("[", format.MaxDepth+1): true, `"\\"` + strings.Repeat("{", format.MaxDepth+1): true, `"`: false, `"\`: false,
	} {
		if got := deep(text); got != want {
			t.Errorf("%.20s is deep: %v", text, got)
		}
	}
}
