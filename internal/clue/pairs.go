package clue

import (
	"bytes"
	"math"

	"github.com/fairstream/fairstream/pkg/record"
)

// mostPaired is how many columns are compared with each other: the first ones that records bring.
const mostPaired = 24

// Pairs compares the values of two columns of a record with each other: which is larger, or which of them is there, may tell the class of the
// record though neither column does. The zero value is ready.
type Pairs struct {
	index map[string]int
	names []string
	pairs [mostPaired * (mostPaired - 1) / 2]compared
	now   [mostPaired]value // scratch: of the present record
}

// value is that of one column in one record.
type value struct {
	there, number bool
	x             float64
	text          []byte
}

// compared counts the records of one pair, by how the two values compare and by class, and how its numbers go together.
type compared struct {
	counts [outcomes][2]int32
	line   line
}

// How two values compare.
const (
	less = iota
	equal
	more
	onlyFirst
	onlySecond
	otherwise // none is there, or one is a number and one a text
	outcomes
)

func (v *value) compare(w *value) int {
	switch {
	case v.there && w.there && v.number && w.number:
		switch {
		case v.x < w.x:
			return less
		case v.x > w.x:
			return more
		}
		return equal
	case v.there && w.there && !v.number && !w.number:
		return equal + bytes.Compare(v.text, w.text)
	case v.there && !w.there:
		return onlyFirst
	case w.there && !v.there:
		return onlySecond
	}
	return otherwise
}

// Add takes in a record of the first class or of the second. parsed are its features as numbers, NaN where they are none.
func (p *Pairs) Add(features []record.Field, parsed []float64, first bool) {
	for i := range p.names {
		p.now[i] = value{}
	}
	for f := range features {
		if i, ok := p.column(features[f].Name); ok && !features[f].Missing {
			p.now[i] = value{true, !math.IsNaN(parsed[f]), parsed[f], features[f].Text}
		}
	}
	class := 0
	if first {
		class = 1
	}
	for i := range p.names {
		for j := range i {
			a, b := &p.now[j], &p.now[i]
			c := &p.pairs[pairOf(j, i)]
			c.counts[a.compare(b)][class]++
			if a.number && b.number {
				c.line.add(a.x, b.x)
			}
		}
	}
}

func pairOf(lower, upper int) int { return upper*(upper-1)/2 + lower }

// column numbers a column, if there is room.
func (p *Pairs) column(name string) (int, bool) {
	if i, known := p.index[name]; known {
		return i, true
	}
	if len(p.names) == mostPaired {
		return 0, false
	}
	if p.index == nil {
		p.index = map[string]int{}
	}
	p.index[name] = len(p.names)
	p.names = append(p.names, name)
	return len(p.names) - 1, true
}

// allowed says of each column whether it may be meant.
func (p *Pairs) allowed(may func(name string) bool) (allowed [mostPaired]bool) {
	for i, name := range p.names {
		allowed[i] = may(name)
	}
	return allowed
}

// Best is the pair that tells the class nearly always and is wrong least often, among pairs of columns that may be meant.
func (p *Pairs) Best(may func(name string) bool) (a, b string, best Told, found bool) {
	allowed := p.allowed(may)
	for i := range p.names {
		for j := range i {
			if !allowed[i] || !allowed[j] {
				continue
			}
			if t := p.pairs[pairOf(j, i)].told(); t.NearlyAll() && (!found || t.Wrong < best.Wrong) {
				a, b, best, found = p.names[j], p.names[i], t, true
			}
		}
	}
	return a, b, best, found
}

// told is what the majority of each outcome tells.
func (c *compared) told() (t Told) {
	for _, n := range c.counts {
		second, first := int64(n[0]), int64(n[1])
		t.Records += first + second
		t.First += first
		t.Wrong += min(first, second)
		if first <= second {
			t.WrongFirst += first
		}
	}
	return t
}

// Twin is two columns of numbers of which one follows from the other: the second is nearly Factor times the first plus a constant, which is
// close to 0 if Proportional.
type Twin struct {
	First, Second string
	Records       int64
	Factor        float64
	Proportional  bool
}

// Twins lists the pairs of columns that may be meant and of which one follows from the other.
func (p *Pairs) Twins(may func(name string) bool) (found []Twin) {
	allowed := p.allowed(may)
	for i := range p.names {
		for j := range i {
			if !allowed[i] || !allowed[j] {
				continue
			}
			if l := &p.pairs[pairOf(j, i)].line; l.straight() {
				found = append(found, Twin{p.names[j], p.names[i], l.n, l.factor(), l.proportional()})
			}
		}
	}
	return found
}

// line is how two numbers go together, by their moments (Welford, Technometrics 4, 1962).
type line struct {
	n                         int64
	meanA, meanB, aa, bb, sum float64 // sum of the products of deviations
}

func (l *line) add(a, b float64) {
	l.n++
	da, db := a-l.meanA, b-l.meanB
	l.meanA += da / float64(l.n)
	l.meanB += db / float64(l.n)
	l.aa += da * (a - l.meanA)
	l.bb += db * (b - l.meanB)
	l.sum += da * (b - l.meanB)
}

// mostBeside is the largest share of the variance that a line may leave open: an amount in another currency, at the rate of its day, leaves some.
const mostBeside = 3e-3

// straight says whether one number follows from the other.
func (l *line) straight() bool {
	return l.n >= leastTold && l.aa > 0 && l.bb > 0 && l.sum*l.sum >= (1-mostBeside)*l.aa*l.bb
}

func (l *line) factor() float64 { return l.sum / l.aa }

// proportional says whether the line goes through 0, but for a twentieth of a deviation.
func (l *line) proportional() bool {
	return math.Abs(l.meanB-l.factor()*l.meanA) <= math.Sqrt(l.bb/float64(l.n))/20
}
