package config

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
)

// samples gives every key a value that is not its default, by what it holds.
var samples = map[string]string{
	"text":                         "sample",
	sequenceOfText:                 "sample",
	"a list of texts":              "one,two",
	"a list of lists of texts":     "[[a, b]]",
	groupWords:                     "[a, b]",
	"a whole number":               "17",
	"a number":                     "0.125",
	"true or false":                "false",
	"a duration such as 30s or 5m": "7s",
}

func TestEveryKeyCanBeSetInThreeWays(t *testing.T) {
	variables := map[string]string{}
	for _, key := range Keys() {
		sample, known := samples[key.Holds]
		if !known {
			t.Fatalf("%s holds %q, which has no sample", key.Path, key.Holds)
		}
		if other, taken := variables[key.Variable]; taken && !strings.Contains(key.Path, ".NAME.") {
			t.Errorf("%s and %s have the same variable", key.Path, other)
		}
		variables[key.Variable] = key.Path
		if key.Holds == "true or false" && key.Default != "true" {
			sample = "true"
		}

		flagged := set(t, func(d *decoder, root reflect.Value) { d.assign(root, key.Path, sample) })
		if reflect.DeepEqual(flagged, Default()) {
			t.Errorf("--set %s=%s changes nothing", key.Path, sample)
		}
		filed := set(t, func(d *decoder, root reflect.Value) { d.setText(root, "", asYAML(key.Path, sample)) })
		if !reflect.DeepEqual(flagged, filed) {
			t.Errorf("%s: a file sets\n%+v, a flag\n%+v", key.Path, filed, flagged)
		}
		if strings.Contains(key.Path, ".NAME.") {
			continue // a table is set as a whole
		}
		varied := set(t, func(d *decoder, root reflect.Value) { d.setVariables(root, []string{key.Variable + "=" + sample}) })
		if !reflect.DeepEqual(flagged, varied) {
			t.Errorf("%s: a variable sets\n%+v, a flag\n%+v", key.Path, varied, flagged)
		}
	}
	if len(variables) < 60 {
		t.Errorf("only %d keys", len(variables))
	}
}

func set(t *testing.T, change func(*decoder, reflect.Value)) Config {
	t.Helper()
	config := Default()
	d := decoder{origins: map[string]string{}}
	d.from("test", func() { change(&d, reflect.ValueOf(&config).Elem()) })
	if len(d.problems) > 0 {
		t.Errorf("%v", d.problems)
	}
	return config
}

// asYAML nests a value below its path in flow style.
func asYAML(path, value string) string {
	for _, dotted := range []string{"kafka.", "learner.columns.NAME."} {
		if rest, found := strings.CutPrefix(path, dotted); found {
			path = dotted + strings.ReplaceAll(rest, ".", "\x00")
		}
	}
	if strings.Contains(value, ",") && value[0] != '[' {
		value = "[" + value + "]"
	}
	segments := strings.Split(path, ".")
	for i := len(segments) - 1; i >= 0; i-- {
		key := strings.ReplaceAll(segments[i], "\x00", ".")
		if name, isList := strings.CutSuffix(key, "[0]"); isList {
			key, value = name, "["+value+"]"
		}
		value = "{" + key + ": " + value + "}"
	}
	return value
}

func TestDefaultsInTheTableOfKeysAreTheDefaults(t *testing.T) {
	for _, key := range Keys() {
		if key.Default == "" || strings.Contains(key.Path, "[0]") {
			continue
		}
		config := set(t, func(d *decoder, root reflect.Value) { d.setText(root, "", asYAML(key.Path, key.Default)) })
		if !reflect.DeepEqual(config, Default()) {
			t.Errorf("%s: %s is not the default", key.Path, key.Default)
		}
	}
}

// TestDefaultsOfConstraintsAreInTheTable: those of an entry that says nothing else; what is required there has none.
func TestDefaultsOfConstraintsAreInTheTable(t *testing.T) {
	defaults := map[string]string{}
	for _, key := range Keys() {
		if rest, of := strings.CutPrefix(key.Path, "constraints[0]."); of && key.Default != "" {
			defaults[rest] = key.Default
		}
	}
	entry := model.DefaultConstraint()
	want := map[string]string{"criterion": string(entry.Criterion), "relaxation": string(entry.Relaxation)}
	for name, value := range want {
		if defaults[name] != value {
			t.Errorf("the default of constraints[0].%s is %q, want %q", name, defaults[name], value)
		}
	}
	for _, required := range []string{"attribute", "group", "versus", "tau"} {
		if defaults[required] != "" {
			t.Errorf("constraints[0].%s has the default %q", required, defaults[required])
		}
	}
}

// goField is the last part of a path without separators, as Go would name the field.
func goField(path string) string {
	parts := strings.Split(strings.NewReplacer("_", "", "[0]", "").Replace(path), ".")
	return parts[len(parts)-1]
}

func TestEveryKeyIsExplainedInTheSchema(t *testing.T) {
	for _, key := range Keys() {
		if key.Help == "" {
			t.Errorf("%s has no description: give its Go field a comment, then go generate ./internal/config", key.Path)
		}
		if first, _, _ := strings.Cut(key.Help, " "); strings.EqualFold(first, goField(key.Path)) {
			t.Errorf("%s: its description begins with the name of the Go field: begin the comment with \"Name is\" or \"Name are\"", key.Path)
		}
	}
	if !json.Valid(Schema()) {
		t.Error("the schema is not JSON")
	}
}

// TestEssentialKeysExist: the keys that matter first are keys, each once, in the order of the file.
func TestEssentialKeysExist(t *testing.T) {
	var found []string
	for _, key := range Keys() {
		if slices.Contains(Essential, key.Path) {
			found = append(found, key.Path)
		}
	}
	if !slices.Equal(found, Essential) {
		t.Errorf("of\n%q\nthese are keys, in the order of the file:\n%q", Essential, found)
	}
}
