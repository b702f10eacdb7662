package column

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/profile"
)

// Texts finds texts that are written in several ways, or in one that only people read.
func Texts(s *find.Search) {
	for i := range s.Columns {
		c := &s.Columns[i]
		w := s.Written[c.Name]
		if w == nil || c.Kind == profile.Number {
			continue
		}
		if w.Garbled != nil {
			s.Say(false, "record", "%q holds texts that were read in another encoding than they were written in%s: write the records as UTF-8, or name the encoding of a CSV file in record.csv.encoding",
				c.Name, w.Such(w.Garbled))
		}
		if !s.Features[c.Name] {
			continue
		}
		if w.Nested > 0 && float64(w.Nested) >= seen.NearlyTexts*float64(w.Records) {
			s.Say(false, "record.ignore", "%q holds objects or lists as texts, and each text is a category of its own: write their fields where the records are made, or add the column here", c.Name)
			continue
		}
		otherwiseSpelt(s, c, w)
		if slices.Contains(s.Left, c.Name) || s.Config.Learner.Columns[c.Name].Type != "" {
			continue
		}
		switch w.ReadAs() {
		case "date":
			if c.Kind != profile.Time { // a time is told of as such
				s.Say(false, "record.ignore", "add %q: it holds dates in a form that is not read as a time, so that each date is a category of its own. Write 2026-11-21 where the records are made, and record.times makes numbers of them",
					c.Name)
			}
		case "amount":
			s.Say(false, "record.ignore", "%q holds numbers with their units or with spaces, and each is a category of its own: write the number alone where the records are made, or add the column here", c.Name)
		}
	}
}

// leastOtherwise is how many records of a column with many texts are written in another way, before that is said.
const leastOtherwise = 5

// otherwiseSpelt finds texts that are other spellings of one value.
func otherwiseSpelt(s *find.Search, c *profile.Column, w *seen.Written) {
	values, records := 0, 0
	var most *seen.Spelt
	for _, t := range w.Texts {
		if t.Of == nil {
			continue
		}
		values, records = values+1, records+t.Records
		if most == nil || t.Records > most.Records || t.Records == most.Records && t.Text < most.Text {
			most = t
		}
	}
	if most == nil || len(c.Shown) == 0 && records < leastOtherwise {
		return
	}
	one := "one value"
	if values > 1 {
		one = fmt.Sprintf("%d values", values)
	}
	s.Say(false, "record", "%q has %s in several spellings%s, and each spelling is learnt by itself: write a value in one way where the records are made",
		c.Name, one, w.Such(most.Of, most))
}

// leastThousands numbers have exactly three digits behind the point if the point stands between thousands: of numbers with decimals that
// are chance one in ten ends with 0, which is mostly not written.
const leastThousands = 100

// Separated finds numbers whose thousands are separated by points, which are read as decimal points.
func Separated(s *find.Search) {
	for _, c := range s.Columns {
		if w := s.Written[c.Name]; w != nil && s.Features[c.Name] && c.Kind == profile.Number &&
			w.Numerals.Other == 0 && w.Numerals.Thousands >= leastThousands && (w.Numerals.Short > 0 || s.Config.Record.CSV.Separator == ";") && s.Config.Record.CSV.Thousands == "" {
			s.Say(false, "record.csv.thousands", "%d numbers of %q have three digits behind the point, and no other has a point: if 1.234 means 1234, set thousands: \".\" and decimal: \",\" for a CSV file, or write 1234",
				w.Numerals.Thousands, c.Name)
		}
	}
}
