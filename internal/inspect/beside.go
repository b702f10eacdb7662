package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// isLearnt says whether a column is a feature that is not left out.
func (s *search) isLearnt(name string) bool {
	return s.features[name] && !slices.Contains(s.left, name)
}

// isRead is isLearnt, or an attribute.
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
		if c.Kind != profile.Number || !s.isLearnt(c.Name) || slices.Contains(s.changed, c.Name) {
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
		s.changed = append(s.changed, pair[0], pair[1])
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
		s.add(false, "record", "in %d of %d records %q has texts that belong to %q: are the cells of these records one column off, for example because of a comma without quotes? Correct them where the records are made", rows, s.even.Rows(), here, there)
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

// tellingGroups finds flags that nearly only one group has. Of a column with more values, such as the relationship in a household, some always go with a
// group, and `fairstream models explain --columns` shows what such a column does.
func (s *search) tellingGroups() {
	for at, constraint := range s.config.Constraints {
		first, second := hashesOf(constraint.Group), hashesOf(constraint.Versus)
		if len(constraint.Attribute) != 1 || len(first) == 0 || len(second) == 0 || slices.ContainsFunc(s.config.Constraints[:at], func(c model.Constraint) bool { return slices.Equal(c.Attribute, constraint.Attribute) }) {
			continue
		}
		for _, c := range s.columns {
			if !s.isLearnt(c.Name) || slices.Contains(s.attributes, c.Name) || len(c.Shown) != 2 || s.isProxy(c.Name) {
				continue
			}
			if level, ofFirst, found := s.even.TellingOf(c.Name, constraint.Attribute[0], first, second); found {
				n, group := level.Rows-level.Positive, constraint.Versus[0].Values[0]
				if ofFirst {
					n, group = level.Positive, constraint.Group[0].Values[0]
				}
				s.add(false, "record.ignore", "add %q if decisions must not depend on %s: of %d records in which it is %s, %d are of %s, so that value gives the group away",
					c.Name, constraint.Attribute[0], level.Rows, s.textOf(c.Name, level.Hash), n, Quote(group))
				s.found[len(s.found)-1].Proxy = c.Name
			}
		}
	}
}

// isProxy says whether a column was named as one.
func (s *search) isProxy(name string) bool {
	return slices.ContainsFunc(s.found, func(f Finding) bool { return f.Proxy == name })
}

// hashesOf are those of the values of a group; none where it is given by anything else.
func hashesOf(group model.Group) (hashes []uint64) {
	for _, term := range group {
		for _, value := range term.Values {
			hashes = append(hashes, record.Hash([]byte(value)))
		}
	}
	return hashes
}

// moved finds columns of which nothing is left on the way, or that are others than they were.
func (s *search) moved() {
	for _, c := range s.columns {
		if !s.isRead(c.Name) || c.Kind == profile.Time || slices.Contains(s.changed, c.Name) {
			continue
		}
		path, text := "record", ""
		switch s.even.Moved(c.Name) {
		case table.Stops:
			text = "has a value in the first fifth of the records and in none of the last: did its source stop, or its name change? (record.renamed)"
		case table.Starts:
			text = "has no value in the first fifth of the records and one in nearly all of the last: if it had another name before, give both one name (record.renamed)"
		case table.Sticks:
			text = "is a single number in the last fifth of the records, and many numbers in the first: has its source stopped? Leave it empty where it is not known"
		case table.Settles:
			text = "has a single value in the last fifth of the records, and several in the first: has its source stopped, or are the records sorted? Leave it empty where it is not known, and shuffle a sorted file (replay --shuffle 1)"
		case table.Others:
			text = "has other texts in the last fifth of the records than in the first: if these are other codes for the same, write it in one way where the records are made"
		default:
			continue
		}
		s.add(false, path, "%q %s", c.Name, text)
	}
}

// signs finds amounts with a wrong sign.
func (s *search) signs() {
	for _, c := range s.columns {
		if c.Kind != profile.Number || !s.isLearnt(c.Name) || profile.IsAgeName(c.Name) || len(codesOf(&c)) > 0 {
			continue
		}
		if below, of := s.even.Turned(c.Name); below > 0 {
			s.add(false, "record", "%d of %d numbers in %q are below 0, and without their sign they are like the others: are they refunds, or is the sign wrong? Write both in one way where the records are made",
				below, of, c.Name)
		}
	}
}

// rests finds groups that are everybody else, those included of whom the attribute is not known.
func (s *search) rests() {
	for _, c := range s.Counts() {
		at := slices.IndexFunc(s.config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		constraint := s.config.Constraints[at]
		if c.VersusLabel() != "rest" || len(constraint.Attribute) != 1 {
			continue
		}
		column := s.column(constraint.Attribute[0])
		if column == nil || column.Kind == profile.Number && column.Distinct > mostSingle {
			continue
		}
		for _, v := range s.values(column.Name) {
			if profile.IsUnknownWord(v.Text) && !slices.Contains(strings.Split(c.GroupLabel(), " or "), v.Text) {
				s.add(false, "record.missing", "add %q if it stands for \"not known\": the %d records with it in %q count as rest, the group that %s is compared with", v.Text, v.Count, column.Name, Quote(c.GroupLabel()))
				break
			}
		}
	}
}
