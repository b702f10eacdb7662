package column

import (
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestLinesOfASpreadsheet: as many records as one holds, with a line of names or without.
func TestLinesOfASpreadsheet(t *testing.T) {
	r, err := seen.New(model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	told := map[int]bool{}
	for n := range 1<<20 + 2 {
		if s := (&find.Search{Records: r}); n > 1<<16-3 && n < 1<<16+3 || n > 1<<20-3 {
			if spreadsheet(s); len(s.Found) > 0 {
				told[n] = true
			}
		}
		r.Profile.Add(&record.Record{})
	}
	for _, n := range []int{1<<16 - 1, 1 << 16, 1<<20 - 1, 1 << 20} {
		if !told[n] {
			t.Errorf("%d records are not told of", n)
		}
	}
	if len(told) != 4 {
		t.Errorf("told of %v", told)
	}
}

// TestPlacesOfArrays: the outer array of a name, and its place among those that a record may have.
func TestPlacesOfArrays(t *testing.T) {
	for name, want := range map[string]struct {
		array string
		place int
	}{
		"items.3.price": {"items", 3}, "items.0": {"items", 0}, "a.b.12.c.3": {"a.b", 12}, "items": {"", -1}, "items.x": {"", -1}, "items.-1": {"", -1}, "items.4095": {"items", 4095}, "items.4096": {"", -1}, "3": {"", -1}, "": {"", -1}, "a.": {"", -1},
	} {
		if array, place := arrayOf(name); array != want.array || place != want.place {
			t.Errorf("%q: %q, %d", name, array, place)
		}
	}
}
