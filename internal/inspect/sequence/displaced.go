package sequence

import (
	"slices"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
)

// Labels are beside the wrong records if the columns have to do with those of the neighbours, and with their own at most mostOwn as much. So are groups.
const mostOwn = .1

// Displaced finds labels and groups that are beside the record before or after their own.
func Displaced(s *find.Search) {
	if column, beside := displacedAgainst(s, &s.Neighbours); column != "" {
		s.Say(false, "record.label.field", "labels seem to be one row off: column %q goes with the label of the record %s it, and hardly any column with its own record's label. Join labels and records by an identifier, not by their order",
			column, beside)
	}
	for p := range s.Pairs {
		pair := &s.Pairs[p]
		if column, beside := displacedAgainst(s, &pair.Neighbours); column != "" {
			c := s.Grouper.Comparisons()[pair.Comparison]
			s.Say(false, s.ConstraintOf(c.Name)+".attribute", "groups seem to be one row off: column %q goes with the %s of the record %s it, and hardly any column with its own record's. Join them by an identifier, not by their order",
				column, seen.AttributesOf(c), beside)
		}
	}
}

// displacedAgainst names the column that shows which neighbour's class the columns go with; none if they go with their own record's.
func displacedAgainst(s *find.Search, neighbours *clue.Neighbours) (column, beside string) {
	var columns []string
	for _, c := range s.Columns {
		if !slices.Contains(s.Left, c.Name) && !slices.Contains(s.Attributes, c.Name) && !holds(neighbours, c.Name) {
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

// holds says whether a column nearly always holds the class of a neighbour, as a column that was made from the classes does. That shows nothing of the others.
func holds(neighbours *clue.Neighbours, column string) bool {
	before, after := neighbours.Tells(column, clue.Before), neighbours.Tells(column, clue.After)
	return before.NearlyAll() || after.NearlyAll()
}
