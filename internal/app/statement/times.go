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
		if !c.isTime() || !c.numeric || len(words) == mostTimes {
			continue
		}
		rows := make([]int, len(c.order))
		for i, r := range c.order {
			rows[i] = int(r)
		}
		word := fmt.Sprintf("%s goes from %s to %s", strconv.Quote(c.name), c.number(c.numbers[rows[0]]), c.number(c.numbers[rows[len(rows)-1]]))
		if shares := s.byQuarter(rows); shares != nil {
			word += fmt.Sprintf("; in its four quarters, %s of the labels are positive", english.And(shares))
			if s.unlikeByTime(c, rows) {
				word += ": does the label mean the same throughout, and are the outcomes of the newest records known already?"
			}
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
	return strings.NewReplacer("?.", "?", "?;", "? And").Replace(strings.Join(words, ". ") + ".")
}

const (
	// Of times that lie within recentYears, but for the first and last twentieth, the rarer label is to be less than timesRarer as frequent in one quarter as in another.
	// Of others, such as dates of birth, it may be.
	recentYears = 20
	year        = 365.25 * 24 * 60 * 60
	timesRarer  = 1.5
)

// unlikeByTime says whether the labels differ between the quarters of rows in the order of a time on which no decision depends, by more than chance and by much.
func (s *Sample) unlikeByTime(c *column, rows []int) bool {
	end := len(rows) / 20
	if c.feature || c.attribute || c.numbers[rows[len(rows)-1-end]]-c.numbers[rows[end]] > recentYears*year {
		return false
	}
	known, rarer := s.labelsByQuarter(rows)
	if all, of := rarer[0]+rarer[1]+rarer[2]+rarer[3], known[0]+known[1]+known[2]+known[3]; 2*all > of {
		for q := range rarer {
			rarer[q] = known[q] - rarer[q]
		}
	}
	for q := range quarters {
		for o := range q {
			if min(known[q], known[o]) < leastCompared {
				continue
			}
			p, r := float64(rarer[q])/float64(known[q]), float64(rarer[o])/float64(known[o])
			if max(p, r) >= timesRarer*min(p, r) && ofShares(p, r, known[q], known[o]) >= beyondChance+math.Log(mostTimes*quarters*(quarters-1)/2) {
				return true
			}
		}
	}
	return false
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

// weightWords say how records are weighed, by record.weight and record.propensity.
func (s *Sample) weightWords() string {
	text := ""
	if c := s.names.Of(s.config.Record.Weight); c != nil && s.config.Record.Weight != "" {
		by := [2]map[float64]int{{}, {}}
		for r, of := range s.rows {
			if !of.labelled {
				continue
			}
			if of.positive {
				by[1][c.numbers[r]]++
			} else {
				by[0][c.numbers[r]]++
			}
		}
		x := sorted(c.numbers)
		text = fmt.Sprintf("each record counts as %s says, from %s to %s.", quoted(c.name), c.number(x[0]), c.number(x[len(x)-1]))
		if weightOf(by[0]) != weightOf(by[1]) && len(by[0]) == 1 && len(by[1]) == 1 {
			text += fmt.Sprintf(" Every positive record has the weight %s and every negative one %s: is it meant that weights depend on the label alone, which moves all decisions towards one of them? Without record.weight, rates are as they are.", c.number(weightOf(by[1])), c.number(weightOf(by[0])))
		}
	}
	known, inverse, propensities := 0, 0., 0
	for _, of := range s.rows {
		if of.labelled {
			known++
		}
		if of.propensity > 0 {
			propensities++
			if of.labelled {
				inverse += 1 / of.propensity
			}
		}
	}
	if propensities > 0 {
		if text != "" {
			text += " "
		}
		text += fmt.Sprintf("By %s, the records with a label stand for %s of %s", quoted(s.config.Record.Propensity), english.FourDigits(inverse), english.Counted(propensities, "record"))
		if far := inverse / float64(propensities); far > 1+farFromAll || far < 1-farFromAll {
			text += ": these two should be about equal. Is it the probability that the label becomes known?"
		} else {
			text += ", as they should."
		}
	}
	return text
}

// farFromAll is how far the sum of the inverse propensities may be from the number of records, as a share.
const farFromAll = .3

// weightOf is the one weight of some records, 0 if there are several.
func weightOf(of map[float64]int) (weight float64) {
	if len(of) == 1 {
		for x := range of {
			weight = x
		}
	}
	return weight
}
