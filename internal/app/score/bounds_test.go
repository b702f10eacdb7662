package score

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/document"
)

// TestWhatIsToldFrom: of identifiers that come again from two in a hundred on, of decisions from a hundred on, of columns that lack in few records where all do.
func TestWhatIsToldFrom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		found Found
		want  string // in what is told; empty: nothing is
	}{
		{Found{Rows: 10, Again: .019, ID: "id"}, ""},
		{Found{Rows: 10, Again: .02, ID: "id"}, `2 % of the records have the same "id" as an earlier one`},
		{Found{Rows: 99, Learnt: .5, Positive: 9}, ""},
		{Found{Rows: 100, Positive: 9}, ""},
		{Found{Rows: 101, Learnt: .5, Positive: 25, Rejected: input.Rejections{Total: 1}}, "Decided 100 records of x: 25 % positively. Of the records that were learnt last, 50.0 % were decided positively.\n"},
		{Found{Rows: 19, Columns: 2, Lacking: []string{"a"}}, ""},
		{Found{Rows: 20, Columns: 2, Lacking: []string{"a"}}, "x lacks 1 of the 2 columns of the model (seen in 20 records): a\n"},
		{Found{Rows: 1, Columns: 1, Lacking: []string{"a"}}, "x lacks 1 of the 1 columns of the model (seen in 1 record): a\n"},
		{Found{Rows: 1, Columns: 2, Lacking: []string{"a"}, Tabular: true}, "x lacks 1 of the 2 columns"},
		{Found{Rows: 10_001, Columns: 2, Lacking: []string{"a"}}, "(seen in 10,000 records)"},
		{Found{Columns: 1, Lacking: []string{"a"}, Absent: []string{"b"}}, ""},
		{Found{Rows: 1, Absent: []string{"b"}}, "--keep b: no record of x has this field"},
		{Found{Rows: 1, Anonymous: 1}, "1 negative decision not explored"},
		{Found{Rows: 1, Shifts: []document.Shift{{Column: "a", By: .1}}}, `x: some columns differ from the learnt records by more than chance explains: "a" in 10 % of the records.`},
	} {
		var out strings.Builder
		if err := c.found.Tell(&out, "x"); err != nil {
			t.Errorf("%+v: %v", c.found, err)
		}
		if c.found.Rejected.Total == 0 && c.want == "" && out.Len() > 0 || !strings.Contains(out.String(), c.want) {
			t.Errorf("%+v:\n%swant %q", c.found, out.String(), c.want)
		}
	}
	var out strings.Builder
	if err := (&Found{Rows: 2, Rejected: input.Rejections{Total: 2}}).Tell(&out, "x"); err == nil || err.Error() != "nothing was decided: every record of x was rejected" {
		t.Error(err)
	}
	if got := some(strings.Split("abcde", "")); got != "a, b, c, d and e" {
		t.Error(got)
	}
	if got := some(strings.Split("abcdef", "")); got != "a, b, c, d, e and 1 more" {
		t.Error(got)
	}
}

// TestJoinedBlocks: counts are added up, and a field is absent where no block has it.
func TestJoinedBlocks(t *testing.T) {
	t.Parallel()
	f := Found{Rows: 1, Positive: 2, Anonymous: 3, Again: .1, Unread: map[string]int64{"a": 1}, Absent: []string{"p", "q"}}
	f.Join(&Found{Rows: 10, Positive: 20, Anonymous: 30, Again: .05, Unread: map[string]int64{"a": 2, "b": 5}, Absent: []string{"q", "r"}, Rejected: input.Rejections{Total: 4}})
	if f.Rows != 11 || f.Positive != 22 || f.Anonymous != 33 || f.Again != .1 || f.Unread["a"] != 3 || f.Unread["b"] != 5 || strings.Join(f.Absent, "") != "q" || f.Rejected.Total != 4 {
		t.Errorf("%+v", f)
	}
}
