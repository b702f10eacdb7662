package statement

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
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
		if c.name == s.config.Record.Time.Field && c.numbers[rows[len(rows)-1]]-c.numbers[rows[0]] > lifetimes*year {
			word += ": is it the time of the record, and not a date such as that of birth?"
		}
		if backwards(c) {
			word += "; the first records are later than the last: were files given in the wrong order?"
		}
		words = append(words, word)
	}
	words = append(words, s.sinceWords()...)
	if delay := s.delayWords(); delay != "" {
		words = append(words, delay)
	}
	if len(words) == 0 {
		return ""
	}
	return strings.NewReplacer("?.", "?", "?;", "? And").Replace(strings.Join(words, ". ") + ".")
}

const (
	// Of times that lie within recentYears, but for the first and last twentieth, labels are to be alike in the quarters.
	// Of others, such as dates of birth, it may be.
	recentYears = 20
	year        = 365.25 * 24 * 60 * 60
	// Records of one model hardly come from lifetimes years or more.
	lifetimes = 30
)

// unlikeByTime says whether the labels differ between the quarters of rows in the order of a time on which no decision depends, by more than chance and by much.
func (s *Sample) unlikeByTime(c *column, rows []int) bool {
	end := len(rows) / 20
	if c.feature || c.attribute || c.numbers[rows[len(rows)-1-end]]-c.numbers[rows[end]] > recentYears*year {
		return false
	}
	return s.unlikeByQuarter(rows)
}

// backwards says whether the middle time of the first quarter of the rows is after nearly all of the last.
func backwards(c *column) bool {
	n := len(c.numbers) / quarters
	first, last := sorted(c.numbers[:n]), sorted(c.numbers[len(c.numbers)-n:])
	return min(len(first), len(last)) >= leastCompared && upTo(last, math.Nextafter(first[len(first)/2], math.Inf(-1))) > nearlyNumbers
}

const (
	// A number is the time from a date to one day if, in units of a column, nearly all rows have the same sum of both, to within sinceWithin units, and if the
	// number is spread over sinceSpread units or more.
	sinceWithin = 1.5
	sinceSpread = 20
)

// timeUnit is what a number counts.
type timeUnit struct {
	words   string
	seconds float64
}

// span is how far the times of a column go, but for the first and the last twentieth, in seconds.
func (c *column) span() float64 {
	end := len(c.order) / 20
	return c.numbers[c.order[len(c.order)-1-end]] - c.numbers[c.order[end]]
}

// severalYears is how many years the records come from of which ages differ much from one day to another.
const severalYears = 3

// laterTimes says whether another time says that records come from several years.
func (s *Sample) laterTimes(than *column) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool {
		return c != than && c.isTime() && c.numeric && c.span() >= severalYears*year && c.span() <= recentYears*year
	})
}

// sinceWords name numbers that are the time from a date of the same record to one day, which is that of all records: they were counted when the file was made.
func (s *Sample) sinceWords() (words []string) {
	for _, t := range s.columns {
		if !t.isTime() || !t.numeric || len(words) == mostTimes {
			continue
		}
		units := []timeUnit{{"days", 24 * 60 * 60}, {"months", year / 12}, {"hours", 60 * 60}}
		if t.span() > recentYears*year { // as of dates of birth: an age is as of the day of the record, which must then be much the same for all
			if units = units[:0]; s.laterTimes(t) {
				units = append(units, timeUnit{"years", year})
			}
		}
		for _, c := range s.columns {
			if !c.numeric || c.isTime() || !c.feature {
				continue
			}
			for _, unit := range units {
				var sums, numbers []float64
				for r, x := range c.numbers {
					if at := t.numbers[r]; !math.IsNaN(x) && !math.IsNaN(at) {
						sums, numbers = append(sums, x+at/unit.seconds), append(numbers, x)
					}
				}
				if len(sums) < leastCompared {
					break
				}
				if few := slices.Sorted(slices.Values(sums[:leastValues])); few[leastValues-3]-few[2] > sinceWithin {
					continue // to sort all takes time
				}
				slices.Sort(sums)
				slices.Sort(numbers)
				end := len(sums) / 40
				if n := len(sums) - 1 - end; sums[n]-sums[end] <= sinceWithin && numbers[n]-numbers[end] >= sinceSpread {
					words = append(words, fmt.Sprintf("%s is the number of %s from %s to %s in nearly all records: was it calculated when the file was written, rather than when the decision was made?",
						strconv.Quote(c.name), unit.words, strconv.Quote(t.name), t.number(math.Round(sums[len(sums)/2])*unit.seconds)))
					break
				}
			}
		}
	}
	return words
}

// delayWords say how long after its record a label is known.
func (s *Sample) delayWords() string {
	var days []float64
	late, first, last := 0, int64(math.MaxInt64), int64(math.MinInt64)
	for _, of := range s.rows {
		if of.labelled && of.delay != timeless {
			days = append(days, of.delay.Hours()/24)
			first, last = min(first, of.labelAt), max(last, of.labelAt)
			if of.delay > s.Age {
				late++
			}
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
	if n >= leastCompared && first == last {
		words += ". All of them became known at the same moment: is that the time of an export?"
	}
	if s.Age > 0 && late > 0 {
		words += fmt.Sprintf(". %s of them come later than stream.labels.age, which is %s days, and such labels are not learnt", english.Share(late, n), english.FourDigits(s.Age.Hours()/24))
		if float64(late) >= manyLate*float64(n) {
			words += ": should that age be longer?"
		}
	}
	return words
}

// manyLate is the share of the labels that come too late from which on it is asked whether that is meant.
const manyLate = .1

// weightWords say how records are weighed, by record.weight and record.propensity.
func (s *Sample) weightWords() string {
	text := ""
	if c := s.names.Of(s.config.Record.Weight); c != nil && s.config.Record.Weight != "" {
		by := [2]map[float64]bool{{}, {}} // the weights of negative records and of positive ones
		for r, of := range s.rows {
			if !of.labelled {
				continue
			}
			if of.positive {
				by[1][c.numbers[r]] = true
			} else {
				by[0][c.numbers[r]] = true
			}
		}
		x := sorted(c.numbers)
		text = fmt.Sprintf("each record counts as %s says, from %s to %s.", quoted(c.name), c.number(x[0]), c.number(x[len(x)-1]))
		if x[len(x)-1] <= 1 && x[0] < 1 {
			text += " If these are probabilities of being among the records, weights are their inverse."
		}
		text += s.weightByGroup(c)
		if weightOf(by[0]) != weightOf(by[1]) && len(by[0]) == 1 && len(by[1]) == 1 {
			text += fmt.Sprintf(" Every positive record has the weight %s and every negative one %s: is it meant that weights depend on the label alone, which moves all decisions towards one of them? Without record.weight, rates are as they are.", c.number(weightOf(by[1])), c.number(weightOf(by[0])))
		}
	}
	inverse, variance, propensities := 0., 0., 0
	for _, of := range s.rows {
		if of.propensity > 0 {
			propensities++
			if of.labelled {
				inverse += 1 / of.propensity
				variance += (1 - of.propensity) / of.propensity / of.propensity
			}
		}
	}
	if propensities > 0 {
		if text != "" {
			text += " "
		}
		text += fmt.Sprintf("By %s, the records with a label stand for %s of %s", quoted(s.config.Record.Propensity), english.FourDigits(inverse), english.Counted(propensities, "record"))
		if far := math.Abs(inverse - float64(propensities)); far > farFromAll*float64(propensities) && far > farDeviations*math.Sqrt(variance) {
			text += ": these two should be about equal. Is it the probability that the label becomes known?"
		} else {
			text += ", as they should."
		}
	}
	return text
}

// leastHeavier is from when on it is said how much more the records of one group count.
const leastHeavier = 1.05

// weightByGroup says how much more a record of one group counts than one of the other, by the first constraint.
func (s *Sample) weightByGroup(weight *column) string {
	for k, c := range s.grouper.Comparisons() {
		if !c.Known() {
			continue
		}
		var n, sum [2]float64
		for r, side := range s.sides[k] {
			x := weight.numbers[r]
			if math.IsNaN(x) || side != fairness.Group && side != fairness.Versus {
				continue
			}
			at := 0
			if side == fairness.Versus {
				at = 1
			}
			n[at]++
			sum[at] += x
		}
		if min(n[0], n[1]) < leastCompared || min(sum[0], sum[1]) <= 0 {
			return ""
		}
		more, less, times := c.GroupLabel(), c.VersusLabel(), sum[0]/n[0]/(sum[1]/n[1])
		if times < 1 {
			more, less, times = less, more, 1/times
		}
		if times < leastHeavier {
			return ""
		}
		return fmt.Sprintf(" On average, a record of %s counts %.2f times as much as one of %s.", quoted(more), times, quoted(less))
	}
	return ""
}

// The sum of the inverse propensities may be farFromAll of the number of records off it, or farDeviations of its standard deviations.
const (
	farFromAll    = .1
	farDeviations = 6
)

// weightOf is the one weight of some records, 0 if there are several.
func weightOf(of map[float64]bool) (weight float64) {
	if len(of) == 1 {
		for x := range of {
			weight = x
		}
	}
	return weight
}
