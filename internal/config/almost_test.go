package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestVariablesThatAreAlmostKeys are unknown: a variable names its key from the outermost section on, with a _ between all parts, and nothing behind it.
func TestVariablesThatAreAlmostKeys(t *testing.T) {
	known := map[string]bool{}
	for _, key := range Keys() {
		for name := key.Variable; name != "FAIRSTREAM"; name = name[:strings.LastIndex(name, "_")] {
			known[name] = true // a key, or the beginning of one: a section, perhaps
		}
	}
	var tried []string
	for _, key := range Keys() {
		name := strings.TrimPrefix(key.Variable, VariablePrefix)
		first, rest, nested := strings.Cut(name, "_")
		others := []string{name + "X", name + "_X"}
		if nested {
			others = append(others, rest, first+rest, first+"X_"+rest)
		}
		for _, other := range others {
			if other = VariablePrefix + other; known[other] || slices.Contains(tried, other) {
				continue
			}
			tried = append(tried, other)
			if path, found := pathOf(reflect.TypeFor[Config](), "", strings.TrimPrefix(other, VariablePrefix)); found {
				t.Errorf("%s sets %s", other, path)
			}
		}
	}
	if len(tried) < 400 {
		t.Errorf("only %d variables were tried", len(tried))
	}
	_, err := Load(Sources{Text: []byte("record: {label: {field: y, positive: 1}}\n"), Environment: []string{tried[0] + "=1"}}, Learning)
	if err == nil || !strings.Contains(err.Error(), tried[0]+": unknown variable") {
		t.Errorf("%s: %v", tried[0], err)
	}
}

// TestProblemsAreCounted above their list: one has other words than several.
func TestProblemsAreCounted(t *testing.T) {
	for n, want := range map[int]string{
		1: "the configuration has a problem:\na.yaml:1: key1: bad",
		2: "the configuration has 2 problems:\na.yaml:1: key1: bad\na.yaml:2: key2: bad",
	} {
		var problems Problems
		for i := range n {
			problems = append(problems, Problem{fmt.Sprintf("a.yaml:%d", i+1), fmt.Sprintf("key%d", i+1), "bad"})
		}
		if got := problems.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTablesArePrintedInOrder of their names, however they are kept.
func TestTablesArePrintedInOrder(t *testing.T) {
	var names []string
	columns := ""
	for i := range 30 {
		names = append(names, fmt.Sprintf("column%02d", i))
		columns = fmt.Sprintf("%s: {type: categorical}, ", names[i]) + columns
	}
	l := load(t, Sources{Text: []byte("record: {label: {field: y, positive: 1}}\nlearner: {columns: {" + strings.TrimSuffix(columns, ", ") + "}}\n")}, Learning)
	printed, err := l.YAML()
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, name := range names {
		next := strings.Index(string(printed), name+":")
		if next <= at {
			t.Fatalf("%s is not in its place:\n%s", name, printed)
		}
		at = next
	}
}
