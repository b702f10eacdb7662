package relation

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/table/pairs"
)

// leastFollowing is how many different numbers two columns have of which one follows from the other: fewer may do so by chance.
const leastFollowing = 20

// Following finds two columns of numbers of which one follows from the other, as an amount in two currencies does.
func Following(s *find.Search) {
	for _, twin := range s.Beside.Twins(func(name string) bool {
		c := s.Column(name)
		return c != nil && c.Distinct >= leastFollowing && s.Features[name] && !slices.Contains(s.Left, name)
	}) {
		how := ""
		if twin.Proportional {
			how = fmt.Sprintf(" (about %.3g times it)", twin.Factor)
		}
		s.Say(false, "record.ignore", "add %q or %q: the second follows from the first%s in all %d records that have both, so one of them adds nothing, and explanations split its effect between the two",
			twin.First, twin.Second, how, twin.Records)
	}
}

// Twofold finds one field under two names.
func Twofold(s *find.Search) {
	for _, pair := range pairs.Twofold(&s.Even, s.IsRead) {
		s.Changed = append(s.Changed, pair[0], pair[1])
		s.Say(false, "record.renamed", "no record has both %q and %q, nearly all have one of them, and both hold the same kind of values: if they are one field under two names, give it one name where the records are made, or here", pair[0], pair[1])
	}
}
