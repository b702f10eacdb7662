package inspect

import "slices"

// Labels are beside the wrong records if the columns have to do with those of the neighbours, and with their own at most mostOwn as much.
const mostOwn = .1

// displaced finds labels that are beside the record before or after their own.
func (s *search) displaced() {
	own, _ := s.strongest(func(a *associated) *table { return &a.own })
	for _, neighbour := range []struct {
		table func(a *associated) *table
		words string
	}{
		{func(a *associated) *table { return &a.previous }, "before"},
		{func(a *associated) *table { return &a.next }, "after"},
	} {
		if sum, column := s.strongest(neighbour.table); column != "" && own <= mostOwn*sum {
			s.add(false, "record.label.field", "labels seem to be one row off: column %q goes with the label of the record %s it, and hardly any column with its own record's label. Join labels and records by an identifier, not by their order",
				column, neighbour.words)
		}
	}
}

// strongest is the sum of what the columns' tables have above chance, and the column that has most; none if chance may bring all of it.
func (s *search) strongest(of func(*associated) *table) (sum float64, column string) {
	most := 0.
	for _, c := range s.columns {
		a := s.associations.columns[c.Name]
		if a == nil || slices.Contains(s.left, c.Name) {
			continue
		}
		above, associated := of(a).excess()
		if sum += max(above, 0); associated && above > most {
			most, column = above, c.Name
		}
	}
	return sum, column
}
