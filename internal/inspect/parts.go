package inspect

import (
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
)

// flipped finds a part of the records in which the labels are turned round.
func (s *search) flipped() {
	if slices.ContainsFunc(s.found, func(f Finding) bool { return f.order }) {
		return // that is told already
	}
	part, found := s.even.Flipped(func(name string) bool { return s.isLearnt(name) || slices.Contains(s.attributes, name) })
	switch label := s.config.Record.Label.Field; {
	case !found || part.Severed && slices.ContainsFunc(s.found, func(f Finding) bool { return f.Path == "record.label.field" }):
	case part.Severed && part.Column == "":
		s.add(false, "record.label.field", "in the records from %d to %d of %d, no column goes with %q as it does elsewhere: are these labels beside the right records? Join labels and records by an identifier",
			part.From+1, part.To, part.Of, label)
	case part.Severed:
		s.add(false, "record.label.field", "where %q is %s, no other column goes with %q as it does elsewhere: are these labels beside the right records? Join labels and records by an identifier",
			part.Column, s.textOf(part.Column, part.Level), label)
	case part.Column == "":
		s.add(false, "record.label.field", "in the records from %d to %d of %d, the other columns go with %q the other way round than elsewhere: are yes and no swapped there? Write the label in one way where the records are made",
			part.From+1, part.To, part.Of, label)
	default:
		s.add(false, "record.label.field", "where %q is %s, the other columns go with %q the other way round than elsewhere: are yes and no swapped there? Write the label in one way where the records are made",
			part.Column, s.textOf(part.Column, part.Level), label)
	}
}

// renamed finds texts that have another name on the way, and numbers that are rounded in one part only.
func (s *search) renamed() {
	for _, c := range s.columns {
		if e := s.ends[c.Name]; !s.isLearnt(c.Name) || c.Kind == profile.Time || slices.Contains(s.changed, c.Name) || e != nil && e.factor() != 0 {
			continue
		}
		if gone, taken, share, found := s.even.Renamed(c.Name); found {
			s.add(false, "record", "%q is %s in one part of the records only, %s of them, and in the other about as many more are %s: were values renamed or merged on the way? Write each in one way where the records are made",
				c.Name, s.textOf(c.Name, gone), percent(share), s.textOf(c.Name, taken))
			continue
		}
		if c.Kind != profile.Number {
			continue
		}
		if to, last, found := s.even.Rounded(c.Name); found {
			where := "the first"
			if last {
				where = "the last"
			}
			s.add(false, "record", "the numbers of %q are multiples of %s in %s records and not in the others: are they rounded, or made in another way there? Write them in one way where the records are made", c.Name, plain(to), where)
		}
	}
}
