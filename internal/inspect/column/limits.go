package column

import (
	"math"
	"regexp"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

// largest are the largest numbers that fields of a fixed width hold.
var largest = map[float64]int{32767: 16, 65535: 16, 8388607: 24, 2147483647: 32, 4294967295: 32}

const (
	// A column is cut off at such a number if leastCut of its values are it.
	leastCut   = .003
	cutRecords = 10
	// Of a column with more than mostRanged numbers and leastRanges ranges, each is learnt as a text.
	leastRanges = 20
	mostRanged  = .1
)

// Cut finds numbers that are as large as a field can hold.
func Cut(s *find.Search) {
	for _, c := range s.Columns {
		if bits := largest[c.High]; bits > 0 && c.Kind == profile.Number && s.IsLearnt(c.Name) && c.HighCount >= cutRecords && float64(c.HighCount) >= leastCut*float64(c.Values) && c.Distinct >= seen.LeastScores {
			s.Say(false, "record", "%d of %d numbers in %q are %s, the largest that a field of %d bits holds: larger ones were probably cut off. Correct this where the records are made, or list it in record.missing", c.HighCount, c.Values, c.Name, words.Number(c.High), bits)
		}
	}
}

const (
	// Of the largest number of a column there may be mostHighest, where there are leastScores different ones.
	mostHighest = .1
	// Numbers reach both ends of a field if they come within nearEnd of them.
	nearEnd = .01
)

// Wrapped finds numbers that begin again below where a field ends, and numbers above which others were cut off.
func Wrapped(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind != profile.Number || !s.IsLearnt(c.Name) || c.Distinct < seen.LeastScores || s.IsTold(c.Name) {
			continue
		}
		for _, bits := range []int{16, 32} {
			end := math.Ldexp(1, bits-1)
			if c.Low >= -end && c.High < end && c.Low <= -end*(1-nearEnd) && c.High >= end*(1-nearEnd) && c.Low == math.Trunc(c.Low) && c.High == math.Trunc(c.High) {
				s.Say(false, "record", "the numbers of %q fill the range of a field of %d bits, from %s to %s: did larger ones not fit, and begin again below 0? Write them in a wider field where the records are made", c.Name, bits, words.Number(c.Low), words.Number(c.High))
			}
		}
		if !slices.Contains([]float64{0, 1, 100, 1000}, c.High) && float64(c.HighCount) >= mostHighest*float64(c.Values) {
			s.Say(false, "record", "%d of %d numbers in %q are %s, and none is larger: were larger ones capped? Write the original numbers where the records are made", c.HighCount, c.Values, c.Name, words.Number(c.High))
		}
	}
}

var rangeText = regexp.MustCompile(`^\s*(\d+\s*[-–]\s*\d+|[<>]=?\s*\d+|\d+\s*\+)\s*$`)

// Ranged finds numbers beside ranges of numbers.
func Ranged(s *find.Search) {
	for _, c := range s.Columns {
		w := s.Written[c.Name]
		if w == nil || w.Records == 0 || !s.IsLearnt(c.Name) || float64(c.Numbers) < mostRanged*float64(c.Values) || c.Numbers == c.Values || s.Config.Learner.Columns[c.Name].Type != "" {
			continue
		}
		ranges := 0
		for _, t := range w.Texts {
			if rangeText.MatchString(t.Text) {
				ranges += t.Records
			}
		}
		if ranges >= leastRanges && float64(ranges) >= seen.NearlyTexts*float64(w.Records) {
			s.Say(false, "record", "%q holds numbers in %d records and ranges of numbers in %d: then each number and each range is a category of its own. Write one of the two where the records are made", c.Name, c.Numbers, ranges)
		}
	}
}
