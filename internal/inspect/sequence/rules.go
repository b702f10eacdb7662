package sequence

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/labels"
)

// Ruled finds labels that follow from a rule in a part of the records.
func Ruled(s *find.Search) {
	const advice = "were these labels filled in by a rule? Leave a label empty where it is not known what happened"
	label := s.Config.Record.Label.Field
	if d, found := labels.Decided(&s.Even, func(name string) bool { return s.IsVaried(name) && s.MayTell(name) }, s.IsRead); found {
		where := fmt.Sprintf("in the records from %d to %d of %d", d.From+1, d.To, d.Of)
		if d.Column != "" {
			where = fmt.Sprintf("where %q is %s", d.Column, s.TextOf(d.Column, d.Level))
		}
		s.Say(false, "record.label.field", "%s, %q decides %q alone, and elsewhere it does not: %s", where, d.By, label, advice)
		return
	}
	for _, c := range s.Columns {
		if s.Akin || !s.MayTell(c.Name) && !slices.Contains(s.Attributes, c.Name) || s.IsTold(c.Name) {
			continue
		}
		if level, positive, found := labels.Settled(&s.Even, c.Name); found {
			value, which := s.TextOf(c.Name, level.Hash), "negative"
			if c.Kind == profile.Number {
				value = words.Number(level.Number)
			}
			if positive {
				which = "positive"
			}
			s.Say(false, "record.label.field", "all %d records in which %q is %s are %s, and elsewhere both labels are frequent: %s", level.Rows, c.Name, value, which, advice)
			return
		}
		if e := s.Ends[c.Name]; c.Kind != profile.Number || c.Distinct < seen.LeastScores || seen.IsScore(&c) || e != nil && e.Factor() != 0 {
			continue
		}
		if at, below, above, found := labels.Jump(&s.Even, c.Name); found {
			s.Say(false, "record.label.field", "the share of positive labels jumps from %s to %s where %q reaches %s: %s", words.Percent(below), words.Percent(above), c.Name, words.Number(at), advice)
			return
		}
	}
}

// Flipped finds a part of the records in which the labels are turned round.
func Flipped(s *find.Search) {
	if slices.ContainsFunc(s.Found, func(f find.Finding) bool { return f.Order }) {
		return // that is told already
	}
	part, found := labels.Flipped(&s.Even, func(name string) bool { return s.IsLearnt(name) || slices.Contains(s.Attributes, name) })
	switch label := s.Config.Record.Label.Field; {
	case !found || part.Severed && slices.ContainsFunc(s.Found, func(f find.Finding) bool { return f.Path == "record.label.field" }):
	case part.Severed && part.Column == "":
		s.Say(false, "record.label.field", "in the records from %d to %d of %d, no column goes with %q as it does elsewhere: are these labels beside the right records? Join labels and records by an identifier",
			part.From+1, part.To, part.Of, label)
	case part.Severed:
		s.Say(false, "record.label.field", "where %q is %s, no other column goes with %q as it does elsewhere: are these labels beside the right records? Join labels and records by an identifier",
			part.Column, s.TextOf(part.Column, part.Level), label)
	case part.Column == "":
		s.Say(false, "record.label.field", "in the records from %d to %d of %d, the other columns go with %q the other way round than elsewhere: are yes and no swapped there? Write the label in one way where the records are made",
			part.From+1, part.To, part.Of, label)
	default:
		s.Say(false, "record.label.field", "where %q is %s, the other columns go with %q the other way round than elsewhere: are yes and no swapped there? Write the label in one way where the records are made",
			part.Column, s.TextOf(part.Column, part.Level), label)
	}
}

// Endings finds labels that are probably not known yet, or of another time.
func Endings(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind != profile.Time {
			continue
		}
		if run, positive, found := labels.Ending(&s.Even, c.Name); found {
			label := "negative"
			if positive {
				label = "positive"
			}
			s.Say(false, "record.label", "the %d latest of %d records by %q are all %s, and of those before, both labels are frequent: is it known already what became of them? Leave out the records that are too young, or leave their label empty",
				run, s.Even.Rows(), c.Name, label)
			return
		}
	}
}
