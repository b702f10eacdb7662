package column

import (
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/values"
)

// Listed finds values in record.missing that probably mean something.
func Listed(s *find.Search) {
	if s.Missed == nil {
		return
	}
	for _, c := range s.Columns {
		if !s.IsRead(c.Name) && c.Name != s.Config.Record.Label.Field {
			continue
		}
		for _, missing := range s.Config.Record.Missing {
			text := string(missing)
			n, of, means := s.Missed.Means(c.Name, text)
			if !means {
				continue
			}
			s.Say(false, "record.missing", "%s is the value of %q in %d of %d records, and does not look like a word or a code for \"not known\": remove it here if it means something, or it is learnt as an unknown value",
				words.Quote(text), c.Name, n, of)
		}
	}
}

// MergedCells finds columns that have a value only where it changes.
func MergedCells(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind == profile.Time || c.Kind == profile.Identifier || c.Kind == profile.FreeText || !s.IsRead(c.Name) {
			continue
		}
		if filled, found := values.Merged(&s.First, c.Name); found && c.Kind != profile.Number {
			s.Say(false, "record", "%q has a value in %d of the first %d records only, and never the same as the one before it: if an empty cell stands for the one above, as in merged cells of a spreadsheet, fill these where the records are made",
				c.Name, filled, s.First.Rows())
		}
	}
}
