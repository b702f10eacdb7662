package inspect

import (
	"math"
	"regexp"
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
)

// declared finds keys of the configuration that do not go with what the records hold.
func (s *search) declared() {
	for _, c := range s.columns {
		switch declared := s.config.Learner.Columns[c.Name].Type; {
		case !s.features[c.Name] || c.Values < leastNamed:
		case declared == "numeric" && 2*c.Numbers < c.Values:
			s.add(false, "learner.columns", "%q is declared numeric, and only %d of its %d values are numbers: the others count as unknown. Remove the entry, or write numbers where the records are made", c.Name, c.Numbers, c.Values)
		case declared == "categorical" && c.Kind == profile.Number && c.DistinctShare >= mostlyNew && c.Distinct >= leastScores && !profile.IsCodeName(c.Name):
			s.add(false, "learner.columns", "%q is declared categorical, but has %d or more different numbers: each becomes a category of its own, and a new one has no weight. Remove the entry if they are amounts", c.Name, c.Distinct)
		}
	}
	if weight := s.config.Record.Weight; weight != "" && s.column(weight) != nil && (profile.IsAttributeName(weight) || slices.Contains(s.attributes, weight)) {
		s.add(false, "record.weight", "%q has the name of a protected attribute, and each record counts in proportion to it: is it the weight of a record, as of a survey? If not, remove the key", weight)
	}
	if c := s.column(s.config.Record.Weight); c != nil && c.Kind == profile.Number && c.Values >= leastNamed && c.Distinct >= leastScores && profile.IsAmountName(c.Name) && !profile.IsWeightName(c.Name) {
		s.add(false, "record.weight", "%q has the name of an amount, and each record counts in proportion to it, from %s to %s: is it the weight of a record, as of a survey? If not, remove the key, and the column is a feature", c.Name, plain(c.Low), plain(c.High))
	}
}

// unbounded finds that nothing keeps any difference within tau.
func (s *search) unbounded() {
	switch all := s.config.Constraints; {
	case len(all) == 0:
		s.add(false, "constraints", "there is none, so no difference between groups is measured or bounded: name an attribute and two groups (`fairstream config keys` explains how)")
	case !slices.ContainsFunc(all, model.Constraint.Enforced):
		s.add(false, "constraints", "none is enforced: differences are measured, but not kept within tau. Remove enforce: false from those that are to be kept")
	}
}

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

// cut finds numbers that are as large as a field can hold.
func (s *search) cut() {
	for _, c := range s.columns {
		if bits := largest[c.High]; bits > 0 && c.Kind == profile.Number && s.isLearnt(c.Name) && c.HighCount >= cutRecords && float64(c.HighCount) >= leastCut*float64(c.Values) && c.Distinct >= leastScores {
			s.add(false, "record", "%d of %d numbers in %q are %s, the largest that a field of %d bits holds: larger ones were probably cut off. Correct this where the records are made, or list it in record.missing", c.HighCount, c.Values, c.Name, plain(c.High), bits)
		}
	}
}

const (
	// Of the largest number of a column there may be mostHighest, where there are leastScores different ones.
	mostHighest = .1
	// Numbers reach both ends of a field if they come within nearEnd of them.
	nearEnd = .01
)

// wrapped finds numbers that begin again below where a field ends, and numbers above which others were cut off.
func (s *search) wrapped() {
	for _, c := range s.columns {
		if c.Kind != profile.Number || !s.isLearnt(c.Name) || c.Distinct < leastScores || s.isTold(c.Name) {
			continue
		}
		for _, bits := range []int{16, 32} {
			end := math.Ldexp(1, bits-1)
			if c.Low >= -end && c.High < end && c.Low <= -end*(1-nearEnd) && c.High >= end*(1-nearEnd) && c.Low == math.Trunc(c.Low) && c.High == math.Trunc(c.High) {
				s.add(false, "record", "the numbers of %q fill the range of a field of %d bits, from %s to %s: did larger ones not fit, and begin again below 0? Write them in a wider field where the records are made", c.Name, bits, plain(c.Low), plain(c.High))
			}
		}
		if !slices.Contains([]float64{0, 1, 100, 1000}, c.High) && float64(c.HighCount) >= mostHighest*float64(c.Values) {
			s.add(false, "record", "%d of %d numbers in %q are %s, and none is larger: were larger ones capped? Write the original numbers where the records are made", c.HighCount, c.Values, c.Name, plain(c.High))
		}
	}
}

var rangeText = regexp.MustCompile(`^\s*(\d+\s*[-–]\s*\d+|[<>]=?\s*\d+|\d+\s*\+)\s*$`)

// ranged finds numbers beside ranges of numbers.
func (s *search) ranged() {
	for _, c := range s.columns {
		w := s.written[c.Name]
		if w == nil || w.records == 0 || !s.isLearnt(c.Name) || float64(c.Numbers) < mostRanged*float64(c.Values) || c.Numbers == c.Values || s.config.Learner.Columns[c.Name].Type != "" {
			continue
		}
		ranges := 0
		for _, t := range w.texts {
			if rangeText.MatchString(t.text) {
				ranges += t.records
			}
		}
		if ranges >= leastRanges && float64(ranges) >= nearlyTexts*float64(w.records) {
			s.add(false, "record", "%q holds numbers in %d records and ranges of numbers in %d: then each number and each range is a category of its own. Write one of the two where the records are made", c.Name, c.Numbers, ranges)
		}
	}
}
