package record_test

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestALineBeforeTheHeader: rows that do not fit a header of one cell tell what it probably is; others do not.
func TestALineBeforeTheHeader(t *testing.T) {
	for text, want := range map[string]string{
		"# of 2026-01-31\na,y\n1,1\n": "line 2: wrong_field_count: 2 cells under a header of 1: the header has to be the first line, without a title or a comment before it",
		"a,y\n1\n":                    "line 2: wrong_field_count: 1 cells under a header of 2",
	} {
		reader, err := record.NewReader(strings.NewReader(text), record.CSV, record.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.Next(); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
