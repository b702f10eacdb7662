package sequence

import (
	"cmp"
	"fmt"
	"math"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
)

// unitFinding says that the unit of a column changes by a factor.
func unitFinding(column string, f float64) find.Finding {
	return find.Finding{Path: "record", Text: fmt.Sprintf("the unit of %q changes: its newest %d numbers are spread as the first %d are, times %s. Write all in one unit where the records are made",
		column, seen.UnitNumbers, seen.UnitNumbers, words.Number(cmp.Or(math.Round(f*1e4)/1e4, f))), Unit: true}
}

// Unit finds columns whose unit changes on the way.
func Unit(s *find.Search) {
	for _, c := range s.Columns {
		if e := s.Ends[c.Name]; e != nil {
			if f := e.Factor(); f != 0 {
				s.Found = append(s.Found, unitFinding(c.Name, f))
			}
		}
	}
}
