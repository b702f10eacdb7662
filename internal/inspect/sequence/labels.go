package sequence

import (
	"fmt"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
)

// Labels says whether the records are sorted by their labels, or the share of positive labels shifts. Field is the name of the label.
func Labels(l *seen.Labels, field string) []find.Finding {
	if runs, random, sorted := l.Sorted(); sorted {
		return []find.Finding{{Order: true, Path: "record.label.field", Text: fmt.Sprintf(
			"the records are sorted by the label: %d runs of equal labels where a random order has about %.0f. They are learnt in their order, so shuffle a sorted file (replay --shuffle 1)",
			runs, random)}}
	}
	if from, to, shifted := l.Shifted(); shifted {
		return []find.Finding{{Order: true, Path: "record.label.positive", Text: fmt.Sprintf(
			"the share of positive labels goes from %s among the first %d records to %s among the newest: does %q mean the same throughout, and are the newest outcomes known already? Write labels in one way, and leave out records whose outcome is open",
			words.Percent(from), seen.ShiftRecords, words.Percent(to), field)}}
	}
	return nil
}

// Shifts finds records that are sorted by a group or whose groups are exchanged.
func Shifts(s *find.Search) {
	for p := range s.Pairs {
		pair := &s.Pairs[p]
		if from, to, shifted := pair.Shift.Found(); shifted {
			c := s.Grouper.Comparisons()[pair.Comparison]
			s.Say(false, s.ConstraintOf(c.Name)+".attribute", "the share of %s goes from %s among the first %d records to %s among the newest: are they sorted by %s, or are its values swapped on the way? Groups must be mixed (replay --shuffle 1) and written in one way",
				words.Quote(c.GroupLabel()), words.Percent(from), seen.ShiftRecords, words.Percent(to), seen.AttributesOf(c))
		}
	}
}
