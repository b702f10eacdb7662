package statement

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/chance"
	"github.com/fairstream/fairstream/internal/table"
)

// isCategory says whether a column has two to mostTexts texts.
func (c *column) isCategory() bool {
	return !c.numeric && len(c.texts) >= 2 && len(c.texts) <= mostTexts
}

// place are the records of one place, with what the columns, as they go with the label in all records, tell of it there and elsewhere.
type place struct {
	where         string
	is            func(row int) bool
	inside, other float64
	surprise      float64
}

// partWords say where the columns tell nothing of the label, although they do elsewhere.
func (s *Sample) partWords(t telling) string {
	if math.IsNaN(t.together) {
		return ""
	}
	var parts []place
	tried := 0
	try := func(of place, deviation, deviationOfRest float64) {
		if math.IsNaN(of.inside) || math.IsNaN(of.other) {
			return
		}
		tried++
		if of.inside-.5 > farAbove*deviation {
			return
		}
		if expected := min(of.other, t.expected(of.is)); !math.IsNaN(expected) {
			of.surprise = chance.Tail((expected - of.inside) / math.Hypot(deviation, deviationOfRest))
			parts = append(parts, of)
		}
	}
	for q, at := range []string{"in the first quarter of the records", "in the second quarter of the records", "in the third quarter of the records", "in the last quarter of the records"} {
		is := func(r int) bool { return quarters*r/len(s.rows) == q }
		a, deviation := t.areaOf(is)
		b, deviationOfRest := t.areaOf(func(r int) bool { return !is(r) })
		try(place{where: at, is: is, inside: a, other: b}, deviation, deviationOfRest)
	}
	columns := 0
	for _, c := range s.columns {
		if !c.isCategory() || columns == partColumns {
			continue
		}
		columns++
		tallies := t.byText(c)
		for code := 1; code < len(tallies); code++ {
			if of := tallies[code]; min(of.ones, of.below) >= leastOfClass {
				b, deviationOfRest := within(tallies, code)
				is := func(r int) bool { return int(c.codes[r]) == code }
				try(place{where: fmt.Sprintf("where %s is %s", strconv.Quote(c.name), quoted(c.texts[c.of[code]])), is: is, inside: of.area(), other: b}, deviationOf(of.area(), of.ones, of.below), deviationOfRest)
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b place) int { return cmp.Compare(b.surprise, a.surprise) })
	for i, of := range parts {
		if of.surprise < beyondChance+math.Log(float64(tried)) || i == mostAsked {
			break
		}
		if !s.ownTelling(t, of) {
			return fmt.Sprintf("%s, the columns tell %s of 100 pairs of a positive and a negative record apart, which is no better than chance; elsewhere, they tell %s. Are these labels beside the right records, and do they mean the same?", of.where, pairs(of.inside), pairs(of.other))
		}
	}
	return s.turnedColumn(t)
}

// expected is the area that all columns would have in a part: see table.ExpectedArea.
func (t *telling) expected(is func(row int) bool) float64 {
	return table.ExpectedArea(t.order, is, func(int) bool { return true }, func(r int) bool { return t.class[r] == ofPart })
}

// mostAsked bounds the parts of which it is computed what the columns tell inside them.
const mostAsked = 8

// ownTelling says whether the columns go with the label in a part in a way of its own, beyond chance and by ownShare of what they tell elsewhere. What that is
// may mean little among the young, who have no husbands and hardly any capital, and yet their labels are beside the right records: there, age and education
// tell them apart.
func (s *Sample) ownTelling(t telling, part place) bool {
	may := map[*column]bool{}
	for _, a := range t.alone {
		may[a.column] = true
	}
	own := s.tell(func(r int) (first, known bool) {
		first, known = s.labels(r)
		return first, known && part.is(r)
	}, func(c *column) bool { return may[c] })
	ones, others := 0., 0.
	for _, is := range own.class {
		switch is {
		case ofPart:
			ones++
		case ofRest:
			others++
		}
	}
	chances, least := deviationOf(.5, ones, others), ownShare*(part.other-.5)
	if own.together-.5 > max(ownBeyond*chances, least) {
		return true
	}
	for _, a := range own.alone {
		if a.area-.5 > max(farAbove*chances, least) {
			return true
		}
	}
	return false
}

const (
	// Columns go with a label if they tell ownBeyond deviations of chance more than chance does, and in a way of their own ownShare of what they tell elsewhere:
	// a label that was put beside other records may still be rarer in some month.
	ownBeyond = 2
	ownShare  = .3
)

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
	if where == "" || most < beyondChance+math.Log(float64(tried)) {
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
