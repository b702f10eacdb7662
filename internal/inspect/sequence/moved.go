package sequence

import (
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/changes"
)

// Moved finds columns of which nothing is left on the way, or that are others than they were.
func Moved(s *find.Search) {
	for _, c := range s.Columns {
		if !s.IsRead(c.Name) || c.Kind == profile.Time || slices.Contains(s.Changed, c.Name) {
			continue
		}
		path, text := "record", ""
		switch changes.Moved(&s.Even, c.Name) {
		case changes.Stops:
			text = "has a value in the first fifth of the records and in none of the last: did its source stop, or its name change? (record.renamed)"
		case changes.Starts:
			text = "has no value in the first fifth of the records and one in nearly all of the last: if it had another name before, give both one name (record.renamed)"
		case changes.Sticks:
			text = "is a single number in the last fifth of the records, and many numbers in the first: has its source stopped? Leave it empty where it is not known"
		case changes.Settles:
			text = "has a single value in the last fifth of the records, and several in the first: has its source stopped, or are the records sorted? Leave it empty where it is not known, and shuffle a sorted file (replay --shuffle 1)"
		case changes.Others:
			text = "has other texts in the last fifth of the records than in the first: if these are other codes for the same, write it in one way where the records are made"
		default:
			continue
		}
		s.Say(false, path, "%q %s", c.Name, text)
	}
}

// Renamed finds texts that have another name on the way, and numbers that are rounded in one part only.
func Renamed(s *find.Search) {
	for _, c := range s.Columns {
		if e := s.Ends[c.Name]; !s.IsLearnt(c.Name) || c.Kind == profile.Time || slices.Contains(s.Changed, c.Name) || e != nil && e.Factor() != 0 {
			continue
		}
		if gone, taken, share, found := changes.Renamed(&s.Even, c.Name); found {
			s.Say(false, "record", "%q is %s in one part of the records only, %s of them, and in the other about as many more are %s: were values renamed or merged on the way? Write each in one way where the records are made",
				c.Name, s.TextOf(c.Name, gone), words.Percent(share), s.TextOf(c.Name, taken))
			continue
		}
		if c.Kind != profile.Number {
			continue
		}
		if to, last, found := changes.Rounded(&s.Even, c.Name); found {
			where := "the first"
			if last {
				where = "the last"
			}
			s.Say(false, "record", "the numbers of %q are multiples of %s in %s records and not in the others: are they rounded, or made in another way there? Write them in one way where the records are made", c.Name, words.Number(to), where)
		}
	}
}

// Breaks finds numbers that are of another kind from some record on.
func Breaks(s *find.Search) {
	for _, c := range s.Columns {
		if e := s.Ends[c.Name]; !s.IsVaried(c.Name) || e == nil || e.Factor() != 0 || slices.Contains(s.Changed, c.Name) || s.IsTold(c.Name) {
			continue
		}
		if low, below, above, high, found := changes.Breaks(&s.Even, c.Name); found {
			s.Say(false, "record", "the numbers in %q range from %s to %s at first, and from %s to %s later: did their unit change, or the way in which they are made? Write all numbers alike where the records are made",
				c.Name, words.Number(low), words.Number(below), words.Number(above), words.Number(high))
		}
	}
}
