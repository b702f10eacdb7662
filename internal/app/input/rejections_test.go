package input

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestCutOff: a single rejected record at the very end of a file makes the reader ask whether the file was cut off; one before it, or two, do not.
func TestCutOff(t *testing.T) {
	const said = "was the file cut off"
	for name, c := range map[string]struct {
		rows     int64
		rejected []record.Rejection
		want     bool
	}{
		"CSV":             {9, []record.Rejection{{Reason: record.WrongFieldCount, Line: 10}}, true},
		"CSV, before":     {9, []record.Rejection{{Reason: record.WrongFieldCount, Line: 9}}, false},
		"JSON":            {9, []record.Rejection{{Reason: record.MalformedJSON, Line: 9}}, true},
		"JSON, before":    {9, []record.Rejection{{Reason: record.MalformedJSON, Line: 8}}, false},
		"without a label": {9, []record.Rejection{{Reason: record.MissingLabel, Line: 10}}, false},
		"two":             {9, []record.Rejection{{Reason: record.WrongFieldCount, Line: 4}, {Reason: record.WrongFieldCount, Line: 10}}, false},
	} {
		var r Rejections
		for i := range c.rejected {
			r.Add(&c.rejected[i])
		}
		var text strings.Builder
		if r.Write(&text, c.rows, "x.csv"); strings.Contains(text.String(), said) != c.want {
			t.Errorf("%s: %s", name, text.String())
		}
	}
}

// TestRejectionsSayWhere: in whatever order the rows come, and of whichever file, a row that cannot be taken is named by its file and its line.
func TestRejectionsSayWhere(t *testing.T) {
	var text strings.Builder
	var bad []string
	for line := 1; line <= 60; line++ {
		switch {
		case line%7 == 0:
			fmt.Fprintln(&text, `{"x":1,`)
			bad = append(bad, fmt.Sprint(line))
		case line%5 == 0:
			fmt.Fprintln(&text, `{"x":1}`) // without its label
			bad = append(bad, fmt.Sprint(line))
		default:
			fmt.Fprintf(&text, "{\"x\":%d,\"y\":%d}\n", line, line%2)
		}
	}
	named := func(name string) Source {
		s := inMemory(text.String(), record.JSONLines)
		s.Name = name
		return s
	}
	slices.Sort(bad)
	for name, c := range map[string]struct {
		source Source
		files  []string
	}{
		"as they come":     {named("a"), []string{""}},
		"shuffled":         {Shuffle(named("a"), 3), []string{""}},
		"two files":        {InOrder(named("a"), named("b")), []string{"a", "b"}},
		"two, shuffled":    {Shuffle(InOrder(named("a"), named("b")), 4), []string{"a", "b"}},
		"shuffled, in two": {Shuffle(Shuffle(named("a"), 5), 6), []string{""}},
	} {
		p := passOf(t, c.source)
		where := map[string][]string{}
		p.Labelled = true
		p.Schema = labelled(t)
		p.Reject = func(r *record.Rejection) { where[r.File] = append(where[r.File], fmt.Sprint(r.Line)) }
		if err := errors.Join(p.Open(), p.Run(t.Context())); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, file := range c.files {
			if slices.Sort(where[file]); !slices.Equal(where[file], bad) {
				t.Errorf("%s: of file %q lines %q are rejected, want %q", name, file, where[file], bad)
			}
		}
		if len(where) != len(c.files) {
			t.Errorf("%s: %v", name, where)
		}
	}
}

// labelled is a schema of records that have a label each.
func labelled(t *testing.T) *record.Schema {
	t.Helper()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
