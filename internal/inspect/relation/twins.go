package relation

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/clue"
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
		if !holds(s, twin) {
			continue
		}
		how := ""
		if twin.Proportional {
			how = fmt.Sprintf(" (about %.3g times it)", twin.Factor)
		}
		s.Say(false, "record.ignore", "add %q or %q: the second follows from the first%s in all %d records that have both, so one of them adds nothing, and explanations split its effect between the two",
			twin.First, twin.Second, how, twin.Records)
	}
}

// mostOff is how far, in units of the middle half of the second column, half of the records are off the line at most: a few large numbers make a line, too.
const mostOff = .1

// holds says whether most records lie on the line of two columns.
func holds(s *find.Search, twin clue.Twin) bool {
	a, b := s.Even.Column(twin.First), s.Even.Column(twin.Second)
	if a == nil || b == nil {
		return true
	}
	var numbers, off []float64
	for r, x := range a.Numbers {
		if y := b.Numbers[r]; !math.IsNaN(x) && !math.IsNaN(y) {
			numbers, off = append(numbers, y), append(off, y-twin.Factor*x)
		}
	}
	if len(numbers) == 0 {
		return true
	}
	slices.Sort(numbers)
	slices.Sort(off)
	middle := off[len(off)/2]
	for i := range off {
		off[i] = math.Abs(off[i] - middle)
	}
	slices.Sort(off)
	spread := numbers[3*len(numbers)/4] - numbers[len(numbers)/4]
	return spread == 0 || off[len(off)/2] <= mostOff*spread
}

// Twofold finds one field under two names.
func Twofold(s *find.Search) {
	for _, pair := range pairs.Twofold(&s.Even, s.IsRead) {
		s.Changed = append(s.Changed, pair[0], pair[1])
		s.Say(false, "record.renamed", "no record has both %q and %q, nearly all have one of them, and both hold the same kind of values: if they are one field under two names, give it one name where the records are made, or here", pair[0], pair[1])
	}
}
