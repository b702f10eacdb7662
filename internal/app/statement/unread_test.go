package statement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatIsNotReadAndKnowsTheOutcome: of a column that is not read, it is said that it is filled in with the outcome, without a question; not of one that is
// missing beside both labels.
func TestWhatIsNotReadAndKnowsTheOutcome(t *testing.T) {
	c := adults()
	c.Record.Ignore = append(c.Record.Ignore, "closed")
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	for of, want := range map[int]string{1: `Of the columns that are not read, and should stay unread: "closed" has no value in 0 % of the positive records and in 100 % of the negative ones.`, 2: ""} {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		decoder := schema.LabelOptional().NewDecoder()
		var rec record.Record
		for i := range 600 {
			income, closed := "<=50K", ""
			if i%2 == 0 {
				income = ">50K"
			}
			if i%(2*of)/of == 0 {
				closed = fmt.Sprintf("2026-03-%02d", 1+i%28)
			}
			if err := decoder.DecodeJSON(&rec, fmt.Appendf(nil, `{"income":%q,"sex":"Male","age":%d}`, income, 20+i%50)); err != nil {
				t.Fatal(err)
			}
			text := []byte(closed)
			s.Add(&rec, []record.Field{{Name: "closed", Text: text, Hash: record.Hash(text), Missing: closed == ""}})
		}
		got := said(s)["Labels"]
		if strings.Contains(got, "Of the columns that are not read") != (want != "") || !strings.Contains(got, want) || strings.Contains(got, "?") {
			t.Errorf("missing by %d: %q", of, got)
		}
	}
}
