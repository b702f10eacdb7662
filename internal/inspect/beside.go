package inspect

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// isLearnt says whether a column is a feature that is not left out.
func (s *search) isLearnt(name string) bool {
	return s.features[name] && !slices.Contains(s.left, name)
}

// isRead says so of attributes, too.
func (s *search) isRead(name string) bool {
	return s.isLearnt(name) || slices.Contains(s.attributes, name)
}

// textOf is the text of a value by its hash, or words for it where it is not kept.
func (s *search) textOf(column string, hash uint64) string {
	for _, v := range s.values(column) {
		if record.Hash([]byte(v.Text)) == hash && len(v.Text) <= shownText {
			return Quote(v.Text)
		}
	}
	return "one value"
}

// nearCopies finds copies that differ in one field.
func (s *search) nearCopies() {
	if copies, _ := s.copies.Found(); copies > 0 {
		return
	}
	label := s.config.Record.Label.Field
	if n, differing, shown := s.first.Nearly(func(name string) bool { return name != label }); n > 0 {
		s.nearly = n
		s.add(false, "record", "%d of the first %d records are the same as an earlier one in every field but %q, although %q has a value of its own in nearly every other record. They are learnt and counted as if each were new evidence, so intervals become too narrow: keep one of each where the records are made",
			n, s.first.Rows(), differing, shown)
	}
}

// mergedCells finds columns that have a value only where it changes.
func (s *search) mergedCells() {
	for _, c := range s.columns {
		if c.Kind == profile.Time || c.Kind == profile.Identifier || c.Kind == profile.FreeText || !s.isRead(c.Name) {
			continue
		}
		if filled, found := s.first.Merged(c.Name); found && c.Kind != profile.Number {
			s.add(false, "record", "%q has a value in %d of the first %d records only, and never the same as the one before it: if an empty cell stands for the one above, as in merged cells of a spreadsheet, fill these where the records are made",
				c.Name, filled, s.first.Rows())
		}
	}
}

// scaled finds numbers whose unit depends on another column.
func (s *search) scaled() {
	for _, c := range s.columns {
		if c.Kind != profile.Number || !s.isLearnt(c.Name) {
			continue
		}
		if by, found := s.even.Scaled(c.Name, s.isRead); found {
			times := fmt.Sprintf("%.3g times larger", by.Factor)
			if by.Factor < 1 {
				times = fmt.Sprintf("%.3g times smaller", 1/by.Factor)
			}
			s.add(false, "record", "where %q is %s, the numbers of %q are about %s than elsewhere, and spread in the same way: are they in another unit or currency there? Write all in one where the records are made",
				by.Category, s.textOf(by.Category, by.Level), c.Name, times)
		}
	}
}

// twofold finds one field under two names.
func (s *search) twofold() {
	for _, pair := range s.even.Twofold(s.isRead) {
		s.add(false, "record.renamed", "no record has both %q and %q, nearly all have one of them, and both hold the same kind of values: if they are one field under two names, give it one name where the records are made, or here", pair[0], pair[1])
	}
}

// shiftedCells finds records whose cells lie in the wrong columns.
func (s *search) shiftedCells() {
	isText := func(name string) bool {
		c := s.column(name)
		return c != nil && s.isRead(name) && (c.Kind == profile.Category || c.Kind == profile.Boolean)
	}
	if here, there, rows := s.even.Shifted(isText); rows > 0 {
		s.add(false, "record", "in %d of %d records %q has texts that are those of %q: are the cells of these records one column off, as by a comma without quotes? Mend them where the records are made", rows, s.even.Rows(), here, there)
	}
}

// spikes finds numbers that were probably filled in.
func (s *search) spikes() {
	for _, c := range s.columns {
		if c.Kind != profile.Number || !s.isLearnt(c.Name) {
			continue
		}
		if x, rows, of := s.even.Spike(c.Name); rows > 0 {
			s.add(false, "record.missing", "add %q if it was filled in for \"not known\": %q is that in %d of %d records, and nearly every other record has a number of its own", plain(x), c.Name, rows, of)
		}
	}
}

// telling finds values that nearly only records of one label have.
func (s *search) telling() {
	for _, c := range s.columns {
		if !s.isLearnt(c.Name) || slices.Contains(s.attributes, c.Name) || !s.mayTell(c.Name) {
			continue
		}
		if level, positive, found := s.even.Telling(c.Name); found {
			n, label := level.Rows-level.Positive, "negative"
			if positive {
				n, label = level.Positive, "positive"
			}
			value := s.textOf(c.Name, level.Hash)
			if !math.IsNaN(level.Number) && c.Kind == profile.Number {
				value = plain(level.Number)
			}
			s.add(false, "record.ignore", "add %q unless it is known before the label: of %d records in which it is %s, %d are %s, so this value is probably written after the outcome",
				c.Name, level.Rows, value, n, label)
		}
	}
}

// endings finds labels that are probably not known yet, or of another time.
func (s *search) endings() {
	for _, c := range s.columns {
		if c.Kind != profile.Time {
			continue
		}
		if run, positive, found := s.even.Ending(c.Name); found {
			label := "negative"
			if positive {
				label = "positive"
			}
			s.add(false, "record.label", "the %d latest of %d records by %q are all %s, and of those before, both labels are frequent: is it known already what became of them? Leave out the records that are too young, or leave their label empty",
				run, s.even.Rows(), c.Name, label)
			return
		}
	}
}
