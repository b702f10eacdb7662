package relation

import (
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/copies"
)

// Repeated finds records that are copies of earlier ones.
func Repeated(s *find.Search) {
	if copies, column := s.Copies.Found(); copies > 0 {
		s.Say(false, "record", "%d of %d records with a label are copies of an earlier one in every field that is read, although %q has a value of its own in nearly every other record. Copies are learnt and counted as if they were new evidence, so intervals become too narrow: remove them where the records are made",
			copies, s.Sequence.Known, column)
	}
}

// Contradicting finds records that are the same as an earlier one but for the label.
func Contradicting(s *find.Search) {
	if n, column := s.Unlike.Found(); n > 0 {
		s.Akin = true
		s.Say(false, "record.label.field", "%d of %d records with a label are the same as an earlier one in every other field that is read, %q included, but have the other label: was one record written twice, as before and after an appeal? Keep the one whose label is right where the records are made",
			n, s.Sequence.Known, column)
	}
}

// NearCopies finds copies that differ in one field.
func NearCopies(s *find.Search) {
	if copies, _ := s.Copies.Found(); copies > 0 {
		return
	}
	label := s.Config.Record.Label.Field
	if n, differing, shown := copies.Nearly(&s.First, func(name string) bool { return name != label }); n > 0 {
		s.Nearly = n
		s.Say(false, "record", "%d of the first %d records are the same as an earlier one in every field but %q, although %q has a value of its own in nearly every other record. They are learnt and counted as if each were new evidence, so intervals become too narrow: keep one of each where the records are made",
			n, s.First.Rows(), differing, shown)
	}
}

// leastDistinctive is the share of different values of a column that may show that records are about the same.
const leastDistinctive = .2

// Akin finds records that are about the same, though they differ in several fields.
func Akin(s *find.Search) {
	if copies, _ := s.Copies.Found(); copies > 0 || s.Nearly > 0 || s.Akin {
		return
	}
	label := s.Config.Record.Label.Field
	may := func(name string) bool { return name != label && !profile.NamesPerson(name) }
	distinctive := func(name string) bool { return s.Column(name).DistinctShare >= leastDistinctive }
	a, found := copies.Akin(&s.First, may, distinctive)
	of := s.First.Rows()
	if !found {
		a, found = copies.Akin(&s.Even, may, distinctive)
		of = s.Even.Rows()
	}
	if found {
		s.Akin = true
		s.Say(false, "record", "%d of %d records have the %q of another record, and agree with it in %d of %d other columns: are they versions of one record, rows that a join repeated, or two exports of the same? Each counts as new evidence, so intervals become too narrow: keep one of each where the records are made",
			a.Rows, of, a.By, a.Alike, a.Of)
	}
}
