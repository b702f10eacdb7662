package model_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
)

// documentSchema compiles docs/document.schema.json. With closed, every object is closed that does not say
// otherwise, so that a key that the schema does not describe is an error.
func documentSchema(t *testing.T, closed bool) *jsonschema.Schema {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "document.schema.json")
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(readFile(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	if closed {
		closeObjects(schema)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(path, schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		_, required := node["required"] // conditions such as "if" have properties and nothing else
		if _, open := node["additionalProperties"]; !open && required && node["properties"] != nil {
			node["additionalProperties"] = false
		}
		for _, child := range node {
			closeObjects(child)
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}

func validate(t *testing.T, schema *jsonschema.Schema, document []byte) error {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(instance)
}

// Every document is as the schema says, and has no key that the schema does not describe.
func TestDocumentsFollowTheSchema(t *testing.T) {
	open, closed := documentSchema(t, false), documentSchema(t, true)
	check := func(name string, d *document.Document) {
		data, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		for _, schema := range []*jsonschema.Schema{open, closed} {
			if err := validate(t, schema, data); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	configs := everyConfiguration()
	text := peopleText(21, 1200)
	for _, name := range slices.Sorted(maps.Keys(configs)) {
		records := readRecords(t, configs[name], text)
		for _, count := range []int{0, 150, 1200} {
			l := learn(t, configs[name], records[:count])
			check(name, documentOf(t, l))
			free, _, err := l.UnconstrainedDocument()
			if err != nil {
				t.Fatal(err)
			}
			if free != nil {
				check(name+", unconstrained", free)
			}
		}
	}
	d := documentOf(t, learn(t, adultConfig(model.Adaptive), adultRecords(t)[:5000]))
	d.Job, d.Rejected, d.Offsets = "adult", 3, map[string]int64{"records/0": 5003}
	d.Lineage.Parent, d.Lineage.Program, d.Lineage.Input = 4000, "v1", "adult"
	check("adult", d)
	learnt, _ := hoursRecords(t)
	d = documentOf(t, learn(t, hoursConfig(2), learnt[:5000]))
	d.Job, d.Offsets = "hours", map[string]int64{"records/0": 5000}
	if d.Task != model.Regression || d.Label == nil {
		t.Fatalf("a document of task %s", d.Task)
	}
	check("hours", d)
}

// The schema refuses what it should: each change makes a document that means something else or nothing.
func TestSchemaRefuses(t *testing.T) {
	schema := documentSchema(t, false)
	config := everyConfiguration()["adaptive/bins/one"]
	data, err := documentOf(t, learn(t, config, readRecords(t, config, peopleText(21, 600)))).Encode()
	if err != nil {
		t.Fatal(err)
	}
	column := func(d map[string]any) map[string]any {
		return d["model"].(map[string]any)["columns"].([]any)[0].(map[string]any)
	}
	for name, change := range map[string]func(d map[string]any){
		"another format":            func(d map[string]any) { d["format"] = "weights" },
		"another version":           func(d map[string]any) { d["format_version"] = 2 },
		"no model":                  func(d map[string]any) { delete(d, "model") },
		"no hash":                   func(d map[string]any) { d["weights_sha256"] = "abc" },
		"an unknown key in model":   func(d map[string]any) { d["model"].(map[string]any)["bias"] = 1 },
		"an unknown key in columns": func(d map[string]any) { column(d)["spline"] = []any{} },
		"an unknown type":           func(d map[string]any) { column(d)["type"] = "date" },
		"bins without their coarse bins": func(d map[string]any) {
			delete(column(d), "coarse")
		},
		"two encodings at once": func(d map[string]any) {
			column(d)["standardized"] = map[string]any{"mean": 0, "scale": 1, "weight": 1}
		},
		"a weight that is not a number": func(d map[string]any) { d["model"].(map[string]any)["intercept"] = "1" },
	} {
		var d map[string]any
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatal(err)
		}
		if column(d)["type"] != "numeric" {
			t.Fatal("the first column has no bins")
		}
		change(d)
		changed, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if validate(t, schema, changed) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	// Keys outside the model may be added.
	if validate(t, schema, bytes.Replace(data, []byte(`{"format"`), []byte(`{"later":1,"format"`), 1)) != nil {
		t.Error("an additional key outside the model is refused")
	}
}
