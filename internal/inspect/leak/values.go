package leak

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/labels"
)

// Telling finds values that nearly only records of one label have.
func Telling(s *find.Search) {
	for _, c := range s.Columns {
		if !s.IsLearnt(c.Name) || slices.Contains(s.Attributes, c.Name) || !s.MayTell(c.Name) {
			continue
		}
		if level, positive, found := labels.Telling(&s.Even, c.Name); found {
			n, label := level.Rows-level.Positive, "negative"
			if positive {
				n, label = level.Positive, "positive"
			}
			value := s.TextOf(c.Name, level.Hash)
			if !math.IsNaN(level.Number) && c.Kind == profile.Number {
				value = words.Number(level.Number)
			}
			or := ""
			if !positive {
				or = ". Or could these records have no other outcome, as those of people who were never hired? Then their label is unknown, not negative: leave it empty"
			}
			s.Say(false, "record.ignore", "add %q unless it is known before the label: of %d records in which it is %s, %d are %s, so this value is probably written after the outcome%s",
				c.Name, level.Rows, value, n, label, or)
		}
	}
}

// NextLabels finds columns that hold the label of the next record.
func NextLabels(s *find.Search) {
	if slices.ContainsFunc(s.Found, func(f find.Finding) bool { return f.Order }) {
		return // in records that are sorted any column that tells its own label does
	}
	for _, c := range s.Columns {
		if !s.MayTell(c.Name) {
			continue
		}
		if t := s.Neighbours.Tells(c.Name, clue.After); t.NearlyAll() {
			s.Say(false, "record.ignore", "add %q unless it is known before the label: it tells the label of the next record in %d of %d, so it was probably made from the labels, one row off",
				c.Name, t.Records-t.Wrong, t.Records)
		}
	}
}
