package statement

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// difference is how the values of a column are otherwise in one part of the rows than in the rest.
type difference struct {
	column   *column
	kind     kind
	surprise float64
	size     float64 // of the difference, from 0 to 1
	was, is  float64 // the share that differs most, in the rest and in the part
	value    uint64  // of a category
	upTo     float64 // of numbers
	form     form
	part     int
}

// kind is in what the values differ.
type kind int

const (
	missing kind = iota
	category
	numbers
	writing // how they are written
)

const (
	// Two parts are compared if each has leastCompared rows, and their values if each has leastValues.
	leastCompared = 100
	leastValues   = 30
	// A difference is no chance if its probability is below exp(-beyondChance) for all comparisons that were made together.
	beyondChance = 11
)

// compare lists how a column differs between a part and the rest. numeric says whether it is one of numbers.
func compare(c *column, part, rest values, numeric bool) (found []difference) {
	n, m := len(part.hashes), len(rest.hashes)
	if min(n, m) < leastCompared {
		return nil
	}
	a, _ := part.known()
	b, _ := rest.known()
	is, was := 1-float64(a)/float64(n), 1-float64(b)/float64(m)
	found = append(found, difference{column: c, kind: missing, surprise: ofShares(is, was, n, m), size: math.Abs(is - was), is: is, was: was})
	if min(a, b) < leastValues {
		return found
	}
	forms, formsOfRest := counts(part.forms), counts(rest.forms)
	surprise, size, most := ofClasses(forms, formsOfRest)
	found = append(found, difference{column: c, kind: writing, surprise: surprise, size: size, form: most,
		is: float64(forms[most]) / float64(a), was: float64(formsOfRest[most]) / float64(b)})
	if numeric {
		x, y := sorted(part.numbers), sorted(rest.numbers)
		surprise, size, at := ofNumbers(x, y)
		return append(found, difference{column: c, kind: numbers, surprise: surprise, size: size, upTo: at, is: upTo(x, at), was: upTo(y, at)})
	}
	if c.texts == nil {
		return found
	}
	texts, textsOfRest := counts(part.hashes), counts(rest.hashes)
	surprise, size, value := ofClasses(texts, textsOfRest)
	return append(found, difference{column: c, kind: category, surprise: surprise, size: size, value: value,
		is: float64(texts[value]) / float64(a), was: float64(textsOfRest[value]) / float64(b)})
}

// counts are how many rows have each value, or each form; those without one are left out.
func counts[K cmp.Ordered](of []K) map[K]int {
	var none K
	counts := map[K]int{}
	for _, k := range of {
		if k != none {
			counts[k]++
		}
	}
	return counts
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
func (s *Sample) between(number int, part, rest []int, may func(c *column) bool) (found []difference) {
	for _, c := range s.columns {
		if !may(c) {
			continue
		}
		for _, d := range compare(c, c.in(part), c.in(rest), c.numeric()) {
			d.part = number
			found = append(found, d)
		}
	}
	return found
}

// divided are the rows of which something is true, and the others.
func (s *Sample) divided(is func(row int) (is, known bool)) (part, rest []int) {
	for r := range s.rows {
		switch is, known := is(r); {
		case !known:
		case is:
			part = append(part, r)
		default:
			rest = append(rest, r)
		}
	}
	return part, rest
}

// quarters is into how many parts the rows are divided in their order.
const quarters = 4

// onTheWay are the differences between each quarter of the rows and the others. Times go on by themselves.
func (s *Sample) onTheWay() []difference {
	var all []difference
	for q := range quarters {
		part, rest := s.divided(func(r int) (is, known bool) { return quarters*r/len(s.rows) == q, true })
		all = append(all, s.between(q, part, rest, func(c *column) bool { return !c.isTime() })...)
	}
	return beyond(all)
}

// against are the differences of these rows from those of another sample.
func (s *Sample) against(other *Sample) (found []difference) {
	for _, c := range s.columns {
		o := other.names.Of(c.name)
		if o == nil {
			o = &column{name: c.name, texts: map[uint64]string{}}
			o.fill(len(other.rows))
		}
		all := &column{name: c.name, values: o.values, times: c.times, given: c.given} // texts of both, unless one has many
		if c.texts != nil && o.texts != nil {
			all.texts = maps.Clone(o.texts)
			maps.Copy(all.texts, c.texts)
		}
		found = append(found, compare(all, c.values, o.values, c.numeric() && o.numeric())...)
	}
	return beyond(found)
}
