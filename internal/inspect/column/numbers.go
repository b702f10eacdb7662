package column

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/values"
)

const (
	// codedDistinct is how many different values a column has at least whose code is told of: in a short list -1 is likely to be a level. A code such as -9, and
	// 99 far above levels up to mostLevel, is none, if there are leastLevels others.
	codedDistinct = 6
	leastLevels   = 3
	mostLevel     = 20
)

// mayBeCoded says whether a column has values of which one may be a code.
func mayBeCoded(c *profile.Column) bool {
	return c.Distinct >= codedDistinct || c.Distinct > leastLevels && (c.Low <= -7 || c.High >= 99 && c.NextHigh <= mostLevel)
}

// Coded finds numbers that probably stand for "not known".
func Coded(s *find.Search) {
	for _, c := range s.Columns {
		if (c.Kind != profile.Number && c.Kind != profile.Spoilt) || !mayBeCoded(&c) || !s.Features[c.Name] && !slices.Contains(s.Attributes, c.Name) {
			continue
		}
		for _, code := range seen.CodesOf(&c) {
			what := "is learnt as a number"
			if !s.Features[c.Name] {
				what = "puts these records in a group"
			}
			s.Say(false, "record.missing", "add %q if it stands for \"not known\": %q is %s in %d of %d records and from %s to %s in all others, and the code %s",
				code.Text, c.Name, code.Text, code.Count, c.Values, words.Number(code.Low), words.Number(code.High), what)
		}
	}
}

// Gaps finds numbers of two kinds, as of two units, ages among years of birth, or amounts of another column.
func Gaps(s *find.Search) {
	gaps(s, func(_ string, e *seen.Ends) (seen.Gap, string) { return e.Gap(), "its first %d" })
}

// LateGaps finds them where the first records show one kind alone. It is asked after what is said of a change at one record, which says more.
func LateGaps(s *find.Search) {
	gaps(s, func(column string, _ *seen.Ends) (g seen.Gap, of string) {
		if s.IsTold(column) {
			return g, of
		}
		return seen.EvenGap(&s.Even, column), "%d numbers from all parts of the records"
	})
}

// gaps says where there is a gap, of so many numbers.
func gaps(s *find.Search, gap func(column string, e *seen.Ends) (g seen.Gap, of string)) {
	for _, c := range s.Columns {
		e := s.Ends[c.Name]
		if c.Kind != profile.Number || e == nil || !s.Features[c.Name] || slices.Contains(s.Left, c.Name) || slices.Contains(s.Changed, c.Name) || e.Factor() != 0 || len(seen.CodesOf(&c)) > 0 {
			continue
		}
		if g, of := gap(c.Name, e); g.Upper > 0 {
			s.Say(false, "record", "%q holds two kinds of numbers: of %s, %s are from %s to %s, the others from %s to %s, and none are in between. Write all in one unit where the records are made",
				c.Name, fmt.Sprintf(of, g.Of), words.Percent(g.Upper), words.Number(g.Above), words.Number(g.High), words.Number(g.Low), words.Number(g.Below))
		}
	}
}

// Outlying finds a few numbers that are far above all others.
func Outlying(s *find.Search) {
	for _, c := range s.Columns {
		e := s.Ends[c.Name]
		if e == nil || !s.Features[c.Name] || slices.Contains(s.Left, c.Name) || len(seen.CodesOf(&c)) > 0 {
			continue
		}
		if above, all, below, from := e.Far(); above > 0 {
			s.Say(false, "record", "%d of %d numbers in %q are %s or more, and all others below %s: if they are mistakes, correct them where the records are made; if they stand for \"not known\", list them in record.missing",
				above, all, c.Name, words.Power(from), words.Power(below))
		}
	}
}

// Codes finds numbers that are names of places or things.
func Codes(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind == profile.Number && c.Distinct > 2 && profile.IsCodeName(c.Name) && s.Features[c.Name] && s.Config.Learner.Columns[c.Name].Type == "" {
			s.Say(false, "learner.columns", "%q has the name of a code, and is learnt as an amount: if its numbers only tell places or things apart, add {%s: {type: categorical}}", c.Name, c.Name)
		}
	}
}

// Multiplied finds a few numbers that are spread as the others are, times a power of ten.
func Multiplied(s *find.Search) {
	for _, c := range s.Columns {
		if !s.IsVaried(c.Name) || len(seen.CodesOf(&c)) > 0 || s.IsTold(c.Name) {
			continue
		}
		if factor, rows, of := values.Multiplied(&s.Even, c.Name); rows > 0 {
			s.Say(false, "record", "%d of %d positive numbers in %q have the distribution of the others, times %s: was a decimal mark lost, or are they in another unit? Write all numbers alike where the records are made",
				rows, of, c.Name, words.Number(factor))
		}
	}
}

// Spikes finds numbers that were probably filled in.
func Spikes(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind != profile.Number || !s.IsLearnt(c.Name) {
			continue
		}
		if x, rows, of := values.Spike(&s.Even, c.Name); rows > 0 {
			beside := "nearly every other record has a number of its own"
			if x != math.Trunc(x) && c.Distinct < rows {
				beside = "all others have whole numbers"
			}
			s.Say(false, "record.missing", "add %q if it was filled in for \"not known\": %q is that in %d of %d records, and %s", words.Number(x), c.Name, rows, of, beside)
		}
	}
}

// Signs finds amounts with a wrong sign.
func Signs(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind != profile.Number || !s.IsLearnt(c.Name) || profile.IsAgeName(c.Name) || len(seen.CodesOf(&c)) > 0 {
			continue
		}
		if below, of := values.Turned(&s.Even, c.Name); below > 0 {
			s.Say(false, "record", "%d of %d numbers in %q are below 0, and without their sign they are like the others: are they refunds, or is the sign wrong? Write both in one way where the records are made",
				below, of, c.Name)
		}
	}
}
