package score

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestAllThatIsToldOfAFile: what is said of records that were decided, at the bounds from which on it is said.
func TestAllThatIsToldOfAFile(t *testing.T) {
	rejected := func(n int64) (r input.Rejections) {
		r.Total, r.Reasons, r.First = n, map[record.Reason]int64{record.WrongFieldCount: n}, []string{"line 2: wrong_field_count"}
		return r
	}
	shifts := func(all ...document.Shift) Found { return Found{Rows: 50, Shifts: all} }
	var many []document.Shift
	for i := range mostShifted + 2 {
		many = append(many, document.Shift{Column: fmt.Sprint("c", i), By: 0.1})
	}
	var text strings.Builder
	for _, c := range []struct {
		name string
		of   Found
	}{
		{"nothing", Found{}},
		{"all rejected", Found{Rows: 3, Rejected: rejected(3)}},
		{"some rejected", Found{Rows: 4, Rejected: rejected(3)}},
		{"a hundred decided", Found{Rows: 103, Positive: 25, Learnt: 0.3, Rejected: rejected(3)}},
		{"99 decided", Found{Rows: 102, Positive: 25, Learnt: 0.3, Rejected: rejected(3)}},
		{"predictions", Found{Rows: 200, Positive: 25}},
		{"not explored", Found{Rows: 9, Anonymous: 1}},
		{"unread", Found{Rows: 9, Unread: map[string]int64{"b": 1, "a": 12}}},
		{"absent", Found{Rows: 9, Absent: []string{"agee"}, Fields: []string{"age", "sex"}}},
		{"absent from no record", Found{Absent: []string{"agee"}}},
		{"unfamiliar", Found{Rows: 9, Unfamiliar: []string{"9 of 9 values are unlike"}}},
		{"again", Found{Rows: 50, Again: manyAgain, ID: "id"}},
		{"hardly again", Found{Rows: 50, Again: manyAgain - 0.001, ID: "id"}},
		{"lacking, of a table", Found{Rows: 1, Columns: 3, Lacking: []string{"age"}, Fields: []string{"Age", "sex"}, Tabular: true}},
		{"lacking, of few", Found{Rows: 19, Columns: 3, Lacking: []string{"age"}}},
		{"lacking, of twenty", Found{Rows: 20, Columns: 3, Lacking: []string{"age"}}},
		{"lacking all, of few", Found{Rows: 2, Columns: 2, Lacking: []string{"age", "sex"}}},
		{"lacking, none decided", Found{Rows: 3, Columns: 2, Lacking: []string{"age", "sex"}, Rejected: rejected(3)}},
		{"strangers", Found{Rows: 50, Strangers: []document.Stranger{{Name: "sex", Attribute: "gender", Records: 50, None: true}, {Name: "race", Attribute: "race", Group: "b", Is: 0.5, Was: 0.1}}}},
		{"swapped", shifts(document.Shift{Column: "a", With: "b", By: 0.9, Far: true}, document.Shift{Column: "b", With: "a", By: 0.9, Far: true})},
		{"a text more frequent", shifts(document.Shift{Column: "a", Level: "x", Is: 0.9, Was: 0.1, By: 0.8, Far: true})},
		{"a text somewhat more frequent", shifts(document.Shift{Column: "a", Level: "x", Is: 0.2, Was: 0.1, By: 0.1})},
		{"new values", shifts(document.Shift{Column: "a", Fresh: 0.5, By: 0.4, Far: true}, document.Shift{Column: "b", Fresh: 0.5, By: 0.5, Far: true}, document.Shift{Column: "c", By: 0.7, Far: true})},
		{"some near", shifts(document.Shift{Column: "a", By: 0.05}, document.Shift{Column: "b", By: 0.2})},
		{"many near", shifts(many...)},
		{"as many as are named", shifts(many[:mostShifted]...)},
	} {
		fmt.Fprintf(&text, "== %s\n", c.name)
		if err := c.of.Tell(&text, "in.csv"); err != nil {
			fmt.Fprintln(&text, "error:", err)
		}
	}
	goldentest.Compare(t, "told.txt", text.String())
}

// TestBlocksAreJoined: counts add up, a field is absent if no block has it, and of identifiers the block tells with the most again.
func TestBlocksAreJoined(t *testing.T) {
	a := Found{Rows: 5, Positive: 2, Anonymous: 1, Again: 0.1, Unread: map[string]int64{"x": 1}, Absent: []string{"p", "q"}, Columns: 7}
	a.Join(&Found{Rows: 10, Positive: 3, Anonymous: 4, Again: 0.3, Unread: map[string]int64{"x": 2, "y": 5}, Absent: []string{"q", "r"}, Rejected: input.Rejections{Total: 2, Reasons: map[record.Reason]int64{record.WrongFieldCount: 2}, First: []string{"line 9"}}})
	if a.Rows != 15 || a.Positive != 5 || a.Anonymous != 5 || a.Again != 0.3 || a.Unread["x"] != 3 || a.Unread["y"] != 5 || fmt.Sprint(a.Absent) != "[q]" || a.Rejected.Total != 2 || len(a.Rejected.First) != 1 || a.Columns != 7 {
		t.Errorf("%+v", a)
	}
}
