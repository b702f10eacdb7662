package jsonschema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

var kinds = map[format.Kind]string{format.Text: "text", format.Integer: "integer", format.Number: "number", format.Boolean: "boolean", format.Symbol: "symbol",
	format.Time: "time", format.UUID: "uuid", format.Bytes: "bytes", format.Open: "open"}

// TestDescribe: what a schema says of each field: kind, whether it may lack, symbols, words.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for properties, want := range map[string]string{
		`"a":{"type":"string"}`:                                                                                                                  "a text?",
		`"a":{"type":"null"},"b":{"anyOf":[{"type":"null"}]}`:                                                                                    "a open? b open?",
		`"a":{"type":["null","integer"],"description":"in\n years"}`:                                                                             "a integer? (in years)",
		`"a":{"type":["integer","number"]},"b":{"type":["string","number"]}`:                                                                     "a number? b text?",
		`"a":{"enum":["x","y",null]},"b":{"const":"z"},"c":{"enum":[1,2]}`:                                                                       "a symbol? x y b symbol? z c open?",
		`"a":{"type":"string","format":"date-time"},"b":{"format":"date","type":"string"},"c":{"type":"string","format":"uuid"}`:                 "a time? b time? c uuid?",
		`"a":{"type":"string","contentEncoding":"base64"},"b":{"type":"boolean"}`:                                                                "a bytes? b boolean?",
		`"a":{"type":"array","items":{"type":"integer"}},"b":{"type":"object"},"c":true,"d":{}`:                                                  "a open? b open? c open? d open?",
		`"a":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"object","properties":{"z":{"type":"string"}},"required":["z"]}}}`: "a.x number? a.y.z text?",
		`"a":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/Sex"}]},"b":{"$ref":"#/definitions/Inner"}`:                                              "a symbol? f m b.x integer?",
		`"a":{"oneOf":[{"type":"null"},{"type":"object","properties":{"x":{"type":"integer"}}}]}`:                                                "a.x integer?",
		`"a":{"oneOf":[{"type":"object","properties":{"x":{"type":"integer"}}},{"type":"string"}]}`:                                              "a open?",
		`"a":{"allOf":[{"$ref":"#/$defs/Sex"}]},"b":{"allOf":[{"properties":{"x":{"type":"integer"}}},{"properties":{"y":{"type":"string"}}}]}`:  "a symbol? f m b.x integer? b.y text?",
		`"a":{"title":"org.apache.kafka.connect.data.Timestamp","type":"integer"}`:                                                               "a time?",
		`"k":{"type":"integer"}`: "k integer",
		`"a":{"$ref":"other.json"},"b":{"$ref":"other.json#/$defs/Code"},"c":{"$ref":"nowhere.json"},"d":{"$ref":"#/$defs/Nothing"}`:                                                                             "a.o integer? a.of uuid? b text? c open? d open?",
		`"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/$defs/Deep/$defs/x~1y%20z"},"c":{"$ref":"#/$defs/Deep"},"d":{"$ref":"#/items/0"},"e":{"$ref":"#anchor"},"f":{"$ref":"#/$defs"},"g":{"$ref":"#/$defs/%zz"}`: "a time? b time? c open? d open? e open? f open? g open?",
		`"a":{"$ref":"other.json#/properties/of"}`: "a uuid?",
	} {
		text := `{"type":"object","required":["k"],"properties":{` + properties + `},"$defs":{"Sex":{"enum":["f","m"]},"Code":{"type":"boolean"},"Deep":{"$defs":{"x/y z":{"type":"string","format":"date"}}}},"definitions":{"Inner":{"type":"object","properties":{"x":{"type":"integer"}}}}}`
		fields, err := compile(registry.Schema{Type: sr.TypeJSON, Text: text, References: []registry.Reference{
			{Name: "other.json", Text: `{"type":"object","properties":{"o":{"type":"integer"},"of":{"$ref":"#/$defs/Own"}},"$defs":{"Code":{"type":"string"},"Own":{"type":"string","format":"uuid"}}}`}, {Name: "broken.json", Text: `{`}}})
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, f := range fields {
			word := f.Name + " " + kinds[f.Kind]
			if f.Nullable {
				word += "?"
			}
			word = strings.Join(append([]string{word}, f.Symbols...), " ")
			if f.Doc != "" {
				word += " (" + f.Doc + ")"
			}
			words = append(words, word)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%s:\n%s in place of\n%s", properties, got, want)
		}
	}
}

// TestSchemasThatContainThemselves: a list of fields ends, however a schema refers to itself and however many members it has.
func TestSchemasThatContainThemselves(t *testing.T) {
	t.Parallel()
	many := make([]string, 2*format.MaxFields)
	for i := range many {
		many[i] = fmt.Sprintf(`"a%d":{"type":"integer"}`, i)
	}
	for _, text := range []string{
		`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}`, `{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}}`, `{"allOf":[{"$ref":"#"}]}`,
		`{"properties":{"a":{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/A"}]}},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/A"}]}}}`,
		`{"properties":{` + strings.Join(many, ",") + `}}`, `{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`,
	} {
		if fields, err := compile(registry.Schema{Type: sr.TypeJSON, Text: text}); err != nil || len(fields) > format.MaxFields {
			t.Errorf("%.60s: %d fields, %v", text, len(fields), err)
		}
	}
	for _, schema := range []registry.Schema{{Type: sr.TypeAvro, Text: "{}"}, {Type: sr.TypeJSON, Text: `[`}, {Type: sr.TypeJSON, Text: `{"type":7}`}} {
		if _, err := compile(schema); err == nil {
			t.Errorf("%+v was taken", schema)
		}
	}
}

// TestMessagesAreDescribed: by the schema that their header names, and without one not at all.
func TestMessagesAreDescribed(t *testing.T) {
	t.Parallel()
	registered := srfake.New()
	t.Cleanup(registered.Close)
	to := registry.Config{URLs: []string{registered.URL()}}
	header, err := registry.Register(t.Context(), to, "loans-value", `{"type":"object","properties":{"y":{"type":"integer"}}}`, sr.TypeJSON)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(to)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	message := append(header, `{"y":1}`...)
	said, err := f.Describe(message)
	if pending, waits := errors.AsType[*format.Pending](err); waits {
		if len(f.Waits()) != 1 {
			t.Errorf("waits for %v", f.Waits())
		}
		<-pending.Ready
		said, err = f.Describe(message)
	}
	if err != nil || len(said.Fields) != 1 || said.Fields[0].Name != "y" || !strings.HasPrefix(said.Name, "schema id ") || said.Unfit(nil) != nil {
		t.Errorf("%+v, %v", said, err)
	}
	_, err = f.Describe([]byte(`{"y":1}`))
	if rejection, ok := errors.AsType[*record.Rejection](err); !ok || rejection.Reason != record.NoSchemaID {
		t.Error(err)
	}
}
