package statement

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
)

// mostTimes is how many columns of times are told of.
const mostTimes = 2

// timeWords say from when to when times go, and how the labels are by them.
func (s *Sample) timeWords() string {
	var words []string
	for _, c := range s.columns {
		if !c.isTime() || !c.numeric() || len(words) == mostTimes {
			continue
		}
		var rows []int
		for r, x := range c.numbers {
			if !math.IsNaN(x) {
				rows = append(rows, r)
			}
		}
		slices.SortStableFunc(rows, func(a, b int) int {
			switch {
			case c.numbers[a] < c.numbers[b]:
				return -1
			case c.numbers[a] > c.numbers[b]:
				return 1
			}
			return 0
		})
		word := fmt.Sprintf("%s goes from %s to %s", strconv.Quote(c.name), c.number(c.numbers[rows[0]]), c.number(c.numbers[rows[len(rows)-1]]))
		if shares := s.byQuarter(rows); shares != nil {
			word += fmt.Sprintf("; in its four quarters, %s of the labels are positive", english.And(shares))
		}
		if backwards(c) {
			word += "; the first records are later than the last: were files given in the wrong order?"
		}
		words = append(words, word)
	}
	if delay := s.delayWords(); delay != "" {
		words = append(words, delay)
	}
	if len(words) == 0 {
		return ""
	}
	return strings.ReplaceAll(strings.Join(words, ". ")+".", "?.", "?")
}

// backwards says whether the middle time of the first quarter of the rows is after nearly all of the last.
func backwards(c *column) bool {
	n := len(c.numbers) / quarters
	first, last := sorted(c.numbers[:n]), sorted(c.numbers[len(c.numbers)-n:])
	return min(len(first), len(last)) >= leastCompared && upTo(last, first[len(first)/2]) > nearlyNumbers
}

// delayWords say how long after its record a label is known.
func (s *Sample) delayWords() string {
	var days []float64
	for _, of := range s.rows {
		if of.labelled && of.delay != timeless {
			days = append(days, of.delay.Hours()/24)
		}
	}
	if len(days) == 0 {
		return ""
	}
	slices.Sort(days)
	n := len(days)
	words := fmt.Sprintf("Labels are known %s to %s days after their records, half of them within %s", english.FourDigits(days[0]), english.FourDigits(days[n-1]), english.FourDigits(days[n/2]))
	if before, _ := slices.BinarySearch(days, 0); before > 0 {
		words += fmt.Sprintf("; %s of them before the record: are both times written alike, day and month included?", english.Share(before, n))
	}
	return words
}
