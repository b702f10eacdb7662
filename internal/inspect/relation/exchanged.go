package relation

import (
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/pairs"
)

// Crossed finds two columns of numbers that are exchanged in a part of the records.
func Crossed(s *find.Search) {
	e, found := pairs.Exchanged(&s.Even, s.IsVaried, s.IsRead)
	if !found {
		return
	}
	s.Changed = append(s.Changed, e.First, e.Second)
	switch {
	case e.Category == "":
		s.Say(false, "record", "in %d of %d records %q and %q seem to be swapped: each contains what the other contains elsewhere. Write each under its own name where the records are made",
			e.Rows, s.Even.Rows(), e.First, e.Second)
	default:
		s.Say(false, "record", "where %q is %s, %q and %q seem to be swapped: each has the distribution that the other has elsewhere. Write each under its own name where the records are made",
			e.Category, s.TextOf(e.Category, e.Level), e.First, e.Second)
	}
}

// Swapped finds pairs of columns that are exchanged on the way.
func Swapped(s *find.Search) {
	var numbers, texts []string // columns whose newest values are others than their first
	for _, c := range s.Columns {
		w, e := s.Written[c.Name], s.Ends[c.Name]
		switch {
		case !s.Features[c.Name] || slices.Contains(s.Left, c.Name):
		case c.Kind == profile.Number && e != nil && e.Left():
			numbers = append(numbers, c.Name)
		case c.Kind != profile.Number && w != nil && w.Left():
			texts = append(texts, c.Name)
		}
	}
	for i, a := range numbers {
		for _, b := range numbers[:i] {
			if s.Ends[a].Continues(s.Ends[b]) && s.Ends[b].Continues(s.Ends[a]) {
				exchanged(s, b, a)
			}
		}
	}
	for i, a := range texts {
		for _, b := range texts[:i] {
			if s.Written[a].Continues(s.Written[b]) && s.Written[b].Continues(s.Written[a]) {
				exchanged(s, b, a)
			}
		}
	}
}

// exchanged tells of two columns that are exchanged on the way.
func exchanged(s *find.Search, a, b string) {
	s.Changed = append(s.Changed, a, b)
	s.Say(false, "record", "%q and %q are swapped on the way: the newest values of each are like the first of the other. Write each under one name where the records are made", a, b)
}

// ShiftedCells finds records whose cells lie in the wrong columns.
func ShiftedCells(s *find.Search) {
	isText := func(name string) bool {
		c := s.Column(name)
		return c != nil && s.IsRead(name) && (c.Kind == profile.Category || c.Kind == profile.Boolean)
	}
	if here, there, rows := pairs.Shifted(&s.Even, isText); rows > 0 {
		s.Say(false, "record", "in %d of %d records %q has texts that belong to %q: are the cells of these records one column off, for example because of a comma without quotes? Correct them where the records are made", rows, s.Even.Rows(), here, there)
	}
}
