package statement

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
)

const (
	// So many columns are named with their numbers, and with the share without a value.
	mostNumbers = 12
	mostMissing = 8
	// A number is frequent if leastFrequent of all are it, and farMore times as many as are the next.
	leastFrequent = .05
	farMore       = 4
	// Numbers are standardized if their mean and their deviation are 0 and 1, to within nearlyStandard.
	nearlyStandard = .02
)

// numberWords give the ends and the middle of the columns of numbers.
func (s *Sample) numberWords() string {
	var words []string
	for _, c := range s.featuresFirst() {
		if !c.numeric || c.isTime() {
			continue
		}
		x := c.sorted()
		if x[0] == x[len(x)-1] {
			continue
		}
		low, high := x[0], x[len(x)-1]
		if ends, known := s.Ends[c.name]; known {
			low, high = ends[0], ends[1]
		}
		word := fmt.Sprintf("%s %s, %s, %s", quoted(c.name), c.number(low), c.number(x[len(x)/2]), c.number(high))
		if often, n, next := mostFrequent(x); float64(n) >= leastFrequent*float64(len(x)) && n >= farMore*next {
			word += fmt.Sprintf(" (%s in %s%s)", c.number(often), english.Percent(float64(n)/float64(len(x))), filledWords(x, often))
		}
		if standardized(x) {
			word += " (of mean 0 and deviation 1 already)"
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return ""
	}
	if more := len(words) - mostNumbers; more > 0 {
		words = append(words[:mostNumbers], fmt.Sprintf("and %s more", english.Counted(more, "column")))
	}
	return "smallest, middle and largest, in the units of the records: " + strings.Join(words, "; ") + "."
}

const (
	// A number was filled in if it is the mean or the middle of the others, to within nearlyMiddle of their deviation, of which there are leastOthers.
	nearlyMiddle = .02
	leastOthers  = 200
)

// filledWords ask about a frequent one of sorted numbers that is the mean or the middle of the others, as where that was filled in for what is not known. They
// do not of a round one, such as 40 hours, which people are as likely to have as to be given.
func filledWords(x []float64, often float64) string {
	others := slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v == often })
	if digits := strconv.FormatFloat(often, 'f', -1, 64); strings.ContainsAny(digits[len(digits)-1:], "05") || len(slices.Compact(slices.Clone(others))) < leastOthers {
		return ""
	}
	mean, squares := 0., 0.
	for _, v := range others {
		mean += v / float64(len(others))
	}
	for _, v := range others {
		squares += (v - mean) * (v - mean) / float64(len(others))
	}
	switch near := nearlyMiddle * math.Sqrt(squares); {
	case math.Abs(often-mean) <= near:
		return ", the mean of the others: was it filled in where the value is not known?"
	case math.Abs(often-others[len(others)/2]) <= near:
		return ", the middle of the others: was it filled in where the value is not known?"
	}
	return ""
}

// featuresFirst are the columns, those that decisions depend on first.
func (s *Sample) featuresFirst() []*column {
	columns := slices.Clone(s.columns)
	slices.SortStableFunc(columns, func(a, b *column) int {
		switch isFirst, isSecond := a.feature, b.feature; {
		case isFirst == isSecond:
			return 0
		case isFirst:
			return -1
		}
		return 1
	})
	return columns
}

const (
	// Columns are 0 together if leastTogether or more of them are, in togetherRows of the rows or more.
	leastTogether = 3
	togetherRows  = .05
	// From manyTogether of the rows and manyColumns on it is a sign of a mistake.
	manyTogether = .15
	manyColumns  = 6
)

// zeroWords name columns of numbers that are 0 in the same records, as after a join that found nothing.
func (s *Sample) zeroWords() string {
	var columns []*column
	for _, c := range s.columns {
		if c.numeric {
			columns = append(columns, c)
		}
	}
	masks := map[uint64][]int{} // rows by the columns that are 0
	for r := range s.rows {
		mask, n := uint64(0), 0
		for _, c := range columns {
			if c.numbers[r] == 0 {
				mask += c.id
				n++
			}
		}
		if n >= leastTogether {
			masks[mask] = append(masks[mask], r)
		}
	}
	var most []int
	words, named := "", 0
	for _, mask := range slices.Sorted(maps.Keys(masks)) {
		rows := masks[mask]
		if len(rows) <= len(most) || float64(len(rows)) < togetherRows*float64(len(s.rows)) {
			continue
		}
		var names []string
		for _, c := range columns {
			if c.numbers[rows[0]] == 0 && 2*c.zeros < len(s.rows) { // not one that mostly is
				names = append(names, quoted(c.name))
			}
		}
		if len(names) >= leastTogether {
			most, words, named = rows, some(names, mostMissing), len(names)
		}
	}
	if words == "" {
		return ""
	}
	of := float64(len(most)) / float64(len(s.rows))
	if of < manyTogether || named < manyColumns {
		return fmt.Sprintf("%s in the same %s of the records.", words, english.Percent(of))
	}
	return fmt.Sprintf("%s in the same %s of the records. Does 0 stand for \"not known\"?", words, english.Percent(of))
}

// mostFrequent is the most frequent of sorted numbers, how many are it, and how many are the next.
func mostFrequent(x []float64) (most float64, n, next int) {
	for i := 0; i < len(x); {
		j := i
		for j < len(x) && x[j] == x[i] {
			j++
		}
		if j-i > n {
			most, n, next = x[i], j-i, n
		} else {
			next = max(next, j-i)
		}
		i = j
	}
	return most, n, next
}

// standardized says whether numbers, which are no whole ones, have the mean 0 and the deviation 1.
func standardized(x []float64) bool {
	mean, squares, whole := 0., 0., true
	for _, v := range x {
		mean += v / float64(len(x))
		squares += v * v / float64(len(x))
		whole = whole && v == math.Trunc(v)
	}
	return !whole && math.Abs(mean) <= nearlyStandard && math.Abs(math.Sqrt(max(0, squares-mean*mean))-1) <= nearlyStandard
}

// missingWords name the columns without a value in some records.
func (s *Sample) missingWords() string {
	type lacking struct {
		column *column
		share  float64
	}
	var found []lacking
	for _, c := range s.columns {
		if c.given < len(s.rows) {
			found = append(found, lacking{c, 1 - float64(c.given)/float64(len(s.rows))})
		}
	}
	if len(found) == 0 {
		return "nothing; every record has a value in every column."
	}
	slices.SortStableFunc(found, func(a, b lacking) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return 0
	})
	var words []string
	for _, l := range found {
		words = append(words, quoted(l.column.name)+" in "+english.Percent(l.share))
	}
	return some(words, mostMissing) + " of the records." + s.emptyWords()
}

// emptyWords say how many records have no value in any column that decisions depend on.
func (s *Sample) emptyWords() string {
	empty, positive := 0, 0
	for r, of := range s.rows {
		if !slices.ContainsFunc(s.columns, func(c *column) bool { return c.hashes[r] != 0 && c.feature }) {
			if empty++; of.positive {
				positive++
			}
		}
	}
	if empty == 0 {
		return ""
	}
	return english.Sprintf(" %d have none in any column that decisions depend on, and of these %d have a positive label: were they joined to nothing?", empty, positive)
}

// sameWords name the columns that are the same in every record.
func (s *Sample) sameWords() string {
	var words []string
	for _, c := range s.columns {
		if len(c.texts) == 1 {
			words = append(words, quoted(c.name))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return some(words, mostMissing) + ", wherever there is a value."
}
