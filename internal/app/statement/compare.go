package statement

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/app/statement/form"
	"github.com/fairstream/fairstream/internal/chance"
)

// difference is how the values of a column are otherwise in one part of the rows than in the rest.
type difference struct {
	column   *column
	kind     kind
	surprise float64
	size     float64    // of the difference, from 0 to 1
	was, is  float64    // the share that differs most, in the rest and in the part
	value    uint64     // of a category
	upTo     float64    // of numbers
	middle   [2]float64 // of numbers, in the part and in the rest
	form     form.Form
	part     int
}

const (
	// Two parts are compared if each has leastCompared rows, and their values if each has leastValues.
	leastCompared = 100
	leastValues   = 30
	// A difference is no chance if its probability is below exp(-beyondChance) for all comparisons that were made together.
	beyondChance = 11
)

// compare lists how a column differs between a part and the rest. numeric says whether it is one of numbers.
func compare(c *column, p, rest part, numeric bool) (found []difference) {
	n, m, a, b := p.rows, rest.rows, p.given, rest.given
	if min(n, m) < leastCompared {
		return nil
	}
	is, was := 1-float64(a)/float64(n), 1-float64(b)/float64(m)
	found = append(found, difference{column: c, kind: missing, surprise: chance.OfShares(is, was, n, m), size: math.Abs(is - was), is: is, was: was})
	if min(a, b) < leastValues {
		return found
	}
	surprise, size, most := chance.OfClasses(p.forms, rest.forms)
	found = append(found, difference{column: c, kind: writing, surprise: surprise, size: size, form: most,
		is: float64(p.forms[most]) / float64(a), was: float64(rest.forms[most]) / float64(b)})
	if numeric && len(p.numbers) > 0 && len(rest.numbers) > 0 {
		x, y := p.numbers, rest.numbers
		surprise, size, at := chance.OfNumbers(x, y)
		return append(found, difference{column: c, kind: numbers, surprise: surprise, size: size, upTo: at, middle: [2]float64{x[len(x)/2], y[len(y)/2]}, is: upTo(x, at), was: upTo(y, at)})
	}
	if numeric || p.texts == nil && rest.texts == nil {
		return found
	}
	surprise, size, value := chance.OfClasses(p.texts, rest.texts)
	return append(found, difference{column: c, kind: category, surprise: surprise, size: size, value: value,
		is: float64(p.texts[value]) / float64(a), was: float64(rest.texts[value]) / float64(b)})
}

func sorted(numbers []float64) []float64 {
	x := slices.DeleteFunc(slices.Clone(numbers), math.IsNaN)
	slices.Sort(x)
	return x
}

// upTo is which share of sorted numbers is at most a limit.
func upTo(x []float64, limit float64) float64 {
	at, _ := slices.BinarySearchFunc(x, limit, func(v, limit float64) int {
		if v <= limit {
			return -1
		}
		return 1
	})
	return float64(at) / float64(max(1, len(x)))
}

// beyond are the differences that are no chance, one of each column and the largest first. The comparisons were made together.
func beyond(all []difference) (found []difference) {
	limit := math.Log(float64(max(1, len(all)))) + beyondChance
	of := map[*column]int{}
	for _, d := range all {
		if d.surprise < limit {
			continue
		}
		if at, told := of[d.column]; !told {
			of[d.column] = len(found)
			found = append(found, d)
		} else if d.size > found[at].size {
			found[at] = d
		}
	}
	slices.SortStableFunc(found, func(a, b difference) int { return cmp.Compare(b.size, a.size) })
	return found
}

// between compares a part of the rows with the rest of them, in all columns that may be meant.
func (s *Sample) between(number int, sides []side, want kind, may func(c *column) bool) (found []difference) {
	for _, c := range s.columns {
		if !may(c) {
			continue
		}
		p, rest := c.parts(sides, want, &s.space)
		for _, d := range compare(c, p, rest, c.numeric) {
			d.part = number
			found = append(found, d)
		}
	}
	return found
}

// divided says of which side each row is: something is true of it, or not, or that is not known.
func (s *Sample) divided(is func(row int) (is, known bool)) []side {
	sides := make([]side, len(s.rows))
	for r := range sides {
		switch is, known := is(r); {
		case !known:
		case is:
			sides[r] = ofPart
		default:
			sides[r] = ofRest
		}
	}
	return sides
}

// quarters is into how many parts the rows are divided in their order.
const quarters = 4

// onTheWay are the differences between each quarter of the rows and the others. Times go on by themselves.
func (s *Sample) onTheWay() []difference {
	var all []difference
	for q := range quarters {
		sides := s.divided(func(r int) (is, known bool) { return quarters*r/len(s.rows) == q, true })
		all = append(all, s.between(q, sides, missing|writing|numbers|category, func(c *column) bool { return !c.isTime() })...)
	}
	return beyond(all)
}

// against are the differences of these rows from those of another sample.
func (s *Sample) against(other *Sample) (found []difference) {
	for _, c := range s.columns {
		p, rest, numeric := c.whole(numbers|category), part{rows: len(other.rows)}, false
		all := &column{name: c.name, values: values{given: c.given}, times: c.times}
		if o := other.names.Of(c.name); o != nil {
			rest, numeric = o.whole(numbers|category), c.numeric && o.numeric
			if !numeric && c.texts != nil && o.texts != nil { // texts of both, unless one has many
				p.texts, rest.texts = c.textsOf(nil, ofPart), o.textsOf(nil, ofRest)
				all.texts = maps.Clone(o.texts)
				maps.Copy(all.texts, c.texts)
			} else {
				p.texts, rest.texts = nil, nil
			}
		}
		found = append(found, compare(all, p, rest, numeric)...)
	}
	return beyond(found)
}
