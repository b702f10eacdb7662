package column

import (
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
)

const (
	// A spreadsheet holds so many lines in its older and its newer form, the first of which are names.
	fewLines  = 1 << 16
	manyLines = 1 << 20
	// Its dates are days since the end of 1899: from firstDay, in 1954, to lastDay, in 2064.
	firstDay, lastDay = 20000, 60000
	leastDays         = 30
)

// spreadsheet finds what becomes of records in one: lines that are cut off, and dates that are numbers.
func spreadsheet(s *find.Search) {
	if n := s.Profile.Records(); n == fewLines-1 || n == fewLines || n == manyLines-1 || n == manyLines {
		s.Say(false, "record", "there are %d records, as many as a spreadsheet holds: were others cut off? Write the file without one", n)
	}
	for _, c := range s.Columns {
		if c.Kind == profile.Number && c.Low >= firstDay && c.High <= lastDay && c.Distinct >= leastDays && profile.IsTimeName(c.Name) && s.IsLearnt(c.Name) && s.Config.Learner.Task == model.Classification {
			s.Say(false, "record.ignore", "add %q: its numbers are probably dates of a spreadsheet, in days since 1899, and are learnt as amounts. Write 2026-11-21 where the records are made, and record.times makes numbers of them", c.Name)
		}
	}
}
