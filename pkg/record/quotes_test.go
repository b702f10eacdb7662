package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhereAQuoteIsWrong: the byte in the first line of the row, and none in a further line; a quote that the end of the file leaves open is told apart from one in the
// wrong place.
func TestWhereAQuoteIsWrong(t *testing.T) {
	for text, want := range map[string]struct {
		offset int
		words  string
	}{
		"1,\"2\"3":            {4, "a closing quote must be followed by a comma or the end of the line"},
		"1,2\"3":              {3, "a quote inside a cell: quote the whole cell and double the quote"},
		"\"1\"2,3":            {2, "a closing quote must be followed by a comma or the end of the line"},
		"\"1\n1\"2,3":         {-1, "a closing quote must be followed by a comma or the end of the line"},
		"\"1\n1\",2\"3":       {-1, "a quote inside a cell: quote the whole cell and double the quote"},
		"1,\"2":               {-1, "a quoted cell is not closed"},
		"1,\"2\n3":            {-1, "a quoted cell is not closed"},
		"1,\"2\n\n3\"\"":      {-1, "a quoted cell is not closed"},
		"1,\"":                {-1, "a quoted cell is not closed"},
		"\"1\",\"2\n\"\"3\"4": {-1, "a closing quote must be followed by a comma or the end of the line"},
	} {
		for _, end := range []string{"", "\n"} {
			reader, err := record.NewReader(strings.NewReader("a,y\n"+text+end), record.CSV, record.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			err = reader.Next()
			if r, ok := errors.AsType[*record.Rejection](err); !ok || r.Reason != record.MalformedCSV || r.Offset != want.offset || r.Detail != want.words {
				t.Errorf("%q: %v, want byte %d: %s", text+end, err, want.offset, want.words)
			}
		}
	}
}
