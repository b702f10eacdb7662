package column_test

import (
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/column"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
)

// TestLateGaps: two kinds of numbers, one of which begins late, are told once, and not where more was said of the column already.
func TestLateGaps(t *testing.T) {
	var numbers []float64
	for i := range 600 {
		x := 10 + float64(i%300)/30
		if i >= 300 {
			x *= 100
		}
		numbers = append(numbers, x)
	}
	for told, want := range map[string]int{"": 1, "loan": 2, "wage": 1} {
		s := &find.Search{
			Records: &seen.Records{Features: map[string]bool{"wage": true}, Ends: map[string]*seen.Ends{"wage": {}}, Even: table.Table{Columns: []table.Column{{Name: "wage", Numbers: numbers}}}},
			Columns: []profile.Column{{Name: "wage", Kind: profile.Number}},
		}
		if told != "" {
			s.Say(false, "record", "%q changes at record 300", told)
		}
		if column.LateGaps(s); len(s.Found) != want {
			t.Errorf("after %q: %+v", told, s.Found)
		}
	}
}
