package input

import (
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
