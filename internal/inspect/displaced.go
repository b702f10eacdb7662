package inspect

import (
	"slices"

	"github.com/fairstream/fairstream/internal/clue"
)

// Labels are beside the wrong records if the columns have to do with those of the neighbours, and with their own at most mostOwn as much.
const mostOwn = .1

// displaced finds labels that are beside the record before or after their own.
func (s *search) displaced() {
	var columns []string
	for _, c := range s.columns {
		if !slices.Contains(s.left, c.Name) {
			columns = append(columns, c.Name)
		}
	}
	own, _ := s.neighbours.Strongest(columns, clue.Own)
	for _, neighbour := range []struct {
		beside clue.Beside
		words  string
	}{{clue.Before, "before"}, {clue.After, "after"}} {
		if sum, column := s.neighbours.Strongest(columns, neighbour.beside); column != "" && own <= mostOwn*sum {
			s.add(false, "record.label.field", "labels seem to be one row off: column %q goes with the label of the record %s it, and hardly any column with its own record's label. Join labels and records by an identifier, not by their order",
				column, neighbour.words)
		}
	}
}
