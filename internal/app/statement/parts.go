package statement

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/chance"
)

// isCategory says whether a column has two to mostTexts texts.
func (c *column) isCategory() bool {
	return !c.numeric && len(c.texts) >= 2 && len(c.texts) <= mostTexts
}

// partWords say where the columns tell less of the label than elsewhere.
func (s *Sample) partWords(t telling) string {
	if math.IsNaN(t.together) {
		return ""
	}
	type lower struct {
		where         string
		inside, other float64
		surprise      float64
	}
	var worst lower
	tried := 0
	try := func(where string, a, deviation, b, deviationOfRest float64) {
		if math.IsNaN(a) || math.IsNaN(b) {
			return
		}
		tried++
		surprise := chance.Tail((b - a) / math.Hypot(deviation, deviationOfRest))
		if a-.5 <= farAbove*deviation && surprise > worst.surprise {
			worst = lower{where, a, b, surprise}
		}
	}
	for q, place := range []string{"in the first quarter of the records", "in the second quarter of the records", "in the third quarter of the records", "in the last quarter of the records"} {
		is := func(r int) bool { return quarters*r/len(s.rows) == q }
		a, deviation := t.areaOf(is)
		b, deviationOfRest := t.areaOf(func(r int) bool { return !is(r) })
		try(place, a, deviation, b, deviationOfRest)
	}
	columns := 0
	for _, c := range s.columns {
		if !c.isCategory() || columns == partColumns {
			continue
		}
		columns++
		parts := t.byText(c)
		for code := 1; code < len(parts); code++ {
			if of := parts[code]; min(of.ones, of.below) >= leastOfClass {
				b, deviationOfRest := within(parts, code)
				try(fmt.Sprintf("where %s is %s", strconv.Quote(c.name), quoted(c.texts[c.of[code]])), of.area(), deviationOf(of.area(), of.ones, of.below), b, deviationOfRest)
			}
		}
	}
	if worst.surprise < beyondChance+math.Log(float64(max(1, tried))) {
		return s.turnedColumn(t)
	}
	return fmt.Sprintf("%s, the columns tell %s of 100 pairs of a positive and a negative record apart, no more than chance, and elsewhere %s. Are these labels beside the right records, and do they mean the same?", worst.where, pairs(worst.inside), pairs(worst.other))
}

// A column of numbers goes with labels the one way above risesAbove, and the other way below fallsBelow.
const (
	risesAbove = .55
	fallsBelow = .45
)

// turnedColumn says in which records with one text of a column the numbers of another go with the labels the other way round than elsewhere.
func (s *Sample) turnedColumn(t telling) string {
	where, most, tried := "", 0., 0
	for _, a := range t.alone {
		if math.IsNaN(a.rising) {
			continue
		}
		columns := 0
		for _, c := range s.columns {
			if !c.isCategory() || columns == partColumns {
				continue
			}
			columns++
			parts := areasByText(a.column.order, a.column.numbers, t.class, c)
			for code := 1; code < len(parts); code++ {
				of := parts[code]
				if min(of.ones, of.below) < leastOfClass {
					continue
				}
				tried++
				inside, deviation := of.area(), deviationOf(of.area(), of.ones, of.below)
				other, deviationOfRest := within(parts, code)
				if math.IsNaN(other) || min(inside, other) > fallsBelow || max(inside, other) < risesAbove {
					continue
				}
				if by := chance.Tail(min(math.Abs(inside-.5)/deviation, math.Abs(other-.5)/deviationOfRest)); by > most {
					way := "rarer"
					if inside > .5 {
						way = "more frequent"
					}
					most = by
					where = fmt.Sprintf("Where %s is %s, positive labels are %s for larger values of %s; in the other records it is the other way round. Does that column have the same unit and direction in both?",
						strconv.Quote(c.name), quoted(c.texts[c.of[code]]), way, strconv.Quote(a.column.name))
				}
			}
		}
	}
	if most < beyondChance+math.Log(float64(max(1, tried))) {
		return ""
	}
	return where
}

// within is the area of all columns among rows of the same text, for all texts but one: what the text itself tells does not count, as it does not in the one.
func within(parts []tally, but int) (a, deviation float64) {
	pairs := 0.
	for code, of := range parts {
		if code == 0 || code == but || min(of.ones, of.below) < leastOfClass {
			continue
		}
		n := of.ones * of.below
		pairs += n
		a += n * of.area()
		deviation = math.Hypot(deviation, n*deviationOf(of.area(), of.ones, of.below))
	}
	return a / pairs, deviation / pairs // NaN if there is none
}

// mostCompared bounds what is compared of parts by their texts, in values; a part is told of where a share differs by farOff.
const (
	mostCompared = 1 << 23
	farOff       = .5
)

// nearlyApart is the distance of two distributions of numbers from which on hardly any number may be of either.
const nearlyApart = .95

// farTimes is by what the middle number of a part is another unit's.
const farTimes = 5

// farOff says whether the middle number of the part is farTimes that of the rest, or its inverse.
func (d *difference) farOff() bool {
	p, q := d.middle[0], d.middle[1]
	return !d.column.isTime() && p*q > 0 && max(p/q, q/p) >= farTimes
}

// gapWords say of which columns the values are missing, or written otherwise, where another column has some text.
func (s *Sample) gapWords() string {
	var all []difference
	var places []string
	left := mostCompared
	if s.Quick && s.least > 0 {
		left /= 8
	}
	for _, c := range s.columns {
		if !c.isCategory() {
			continue
		}
		texts := c.textsOf(nil, neither)
		hashes := slices.Sorted(maps.Keys(c.texts))
		if len(hashes) == 2 {
			hashes = hashes[:1] // the other one differs from it in the same
		}
		for _, hash := range hashes {
			if left -= len(s.columns) * len(s.rows); left < 0 || texts[hash] < leastCompared {
				continue
			}
			sides := s.divided(func(r int) (is, known bool) { return c.hashes[r] == hash, c.hashes[r] != 0 })
			for _, d := range s.between(len(places), sides, missing|writing|numbers, func(o *column) bool { return o != c }) {
				if d.kind == missing || d.kind == writing && d.column.texts == nil || d.kind == numbers && (d.farOff() || d.size >= nearlyApart) {
					all = append(all, d)
				}
			}
			places = append(places, fmt.Sprintf("where %s is %s", strconv.Quote(c.name), quoted(c.texts[hash])))
		}
	}
	var words []string
	apart := ""
	for _, d := range beyond(all) {
		if d.size >= farOff && len(words) < mostChanged {
			words = append(words, d.words("the records "+places[d.part], "the others"))
			if d.kind == numbers && d.size >= nearlyApart && !d.column.isTime() {
				apart = fmt.Sprintf(" Is %s in the same unit there?", strconv.Quote(d.column.name))
			}
		}
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, "; ") + "." + apart
}
