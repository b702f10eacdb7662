package inspect

import (
	"slices"

	"github.com/fairstream/fairstream/internal/clue"
)

// Labels are beside the wrong records if the columns have to do with those of the neighbours, and with their own at most mostOwn as much. So are groups.
const mostOwn = .1

// displaced finds labels and groups that are beside the record before or after their own.
func (s *search) displaced() {
	if column, beside := s.displacedAgainst(&s.neighbours); column != "" {
		s.add(false, "record.label.field", "labels seem to be one row off: column %q goes with the label of the record %s it, and hardly any column with its own record's label. Join labels and records by an identifier, not by their order",
			column, beside)
	}
	for p := range s.pairs {
		pair := &s.pairs[p]
		if column, beside := s.displacedAgainst(&pair.neighbours); column != "" {
			c := s.grouper.Comparisons()[pair.comparison]
			s.add(false, s.constraintOf(c.Name)+".attribute", "groups seem to be one row off: column %q goes with the %s of the record %s it, and hardly any column with its own record's. Join them by an identifier, not by their order",
				column, attributesOf(c), beside)
		}
	}
}

// displacedAgainst names the column that shows which neighbour's class the columns go with; none if they go with their own record's.
func (s *search) displacedAgainst(neighbours *clue.Neighbours) (column, beside string) {
	var columns []string
	for _, c := range s.columns {
		if !slices.Contains(s.left, c.Name) && !slices.Contains(s.attributes, c.Name) {
			columns = append(columns, c.Name)
		}
	}
	own, _ := neighbours.Strongest(columns, clue.Own)
	for _, neighbour := range []struct {
		beside clue.Beside
		words  string
	}{{clue.Before, "before"}, {clue.After, "after"}} {
		if sum, found := neighbours.Strongest(columns, neighbour.beside); found != "" && own <= mostOwn*sum {
			return found, neighbour.words
		}
	}
	return "", ""
}
