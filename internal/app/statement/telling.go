package statement

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// Of numbers, each of numberBins bins has as many; a value of its own has leastOfValue of the rows that are learnt from, and there are mostValues of
	// these: all others count as one.
	numberBins   = 10
	leastOfValue = 5
	mostValues   = 256
	// Of either class there are leastOfClass rows.
	leastOfClass = 30
)

// telling is how well columns tell which of two classes a row is of: by the weights of evidence of their values (naive Bayes), which one half of the rows
// gives to the other.
type telling struct {
	together float64 // the share of pairs of a row of each class that all columns together put in the right order; NaN if there are too few rows
	alone    []alone // by column, the most telling first
	score    []float64
	class    []side   // ofPart, ofRest, or neither where it is not known
	order    []uint16 // of the rows whose class is known, by score
}

// alone is what one column tells.
type alone struct {
	column *column
	area   float64
	rising float64 // of numbers, the share of pairs in which that of the first class is the larger; NaN of texts
}

// tell says how well the columns that may be meant tell a class.
func (s *Sample) tell(class func(row int) (first, known bool), may func(c *column) bool) telling {
	t := telling{together: math.NaN(), class: s.divided(class)}
	ones := 0
	var halves [2][]uint16 // of the rows whose class is known
	for r, is := range t.class {
		if is != neither {
			half := halfOf(r)
			halves[half] = append(halves[half], uint16(r))
			t.order = append(t.order, uint16(r))
			if is == ofPart {
				ones++
			}
		}
	}
	if min(ones, len(t.order)-ones) < leastOfClass {
		t.order = nil
		return t
	}
	t.score = make([]float64, len(s.rows))
	w := weighing{class: t.class, halves: halves, half: make([]uint8, len(s.rows)), keys: make([]uint16, len(s.rows))}
	for r, is := range t.class {
		if w.half[r] = 2; is != neither {
			w.half[r] = uint8(halfOf(r))
		}
	}
	for _, c := range s.columns {
		if !may(c) {
			continue
		}
		of := alone{column: c, rising: math.NaN(), area: w.weigh(c, t.score)}
		if c.numeric {
			of.rising, _, _ = area(c.order, c.numbers, t.class, nil)
		}
		t.alone = append(t.alone, of)
	}
	slices.SortStableFunc(t.order, func(a, b uint16) int { return cmp.Compare(t.score[a], t.score[b]) })
	if len(t.alone) > 0 {
		t.together, _, _ = area(t.order, t.score, t.class, nil)
	}
	slices.SortStableFunc(t.alone, func(a, b alone) int { return cmp.Compare(b.area, a.area) })
	return t
}

// leastKnown is how many rows must show that columns know nothing of a class, and farAbove how many deviations above what they tell still means nothing.
const (
	leastKnown = 800
	farAbove   = 3
)

// nothing says whether the columns together tell no more than chance does.
func (t *telling) nothing() bool {
	a, deviation := t.areaOf(nil)
	return len(t.order) >= leastKnown && a < .5+farAbove*deviation
}

// unrelated is what columns tell at most, by farAbove deviations, of groups that they have nothing to do with: real groups are often told weakly.
const unrelated = .53

// noGroups says whether the columns surely have nothing to do with groups.
func (t *telling) noGroups() bool {
	a, deviation := t.areaOf(nil)
	return len(t.alone) >= leastRelated && max(a, .5)+farAbove*deviation < unrelated
}

// leastRelated is how many columns one of which nearly always has to do with a group.
const leastRelated = 4

// halfOf is the half that a row is of, in no pattern that rows may have, such as groups that take turns.
func halfOf(row int) int { return int(record.Mix(0, uint64(row)) >> 63) }

// weighing is what weighing one column after another needs.
type weighing struct {
	class  []side
	halves [2][]uint16 // of the rows whose class is known
	half   []uint8     // of each row, 2 where the class is not known
	space  [2][numberBins]float64
	keys   []uint16 // of the values of a column, by row
	counts [2][][2]float64
	groups []group
}

// group are the rows of one half with the same value.
type group struct{ weight, others, first float64 }

// weigh adds the evidence of a column for the first class to the scores of the rows of each half, from those of the other, and returns how well it tells the
// class alone.
func (w *weighing) weigh(c *column, score []float64) float64 {
	for half := range w.counts {
		w.counts[half] = slices.Grow(w.counts[half][:0], len(c.of)+numberBins)[:len(c.of)+numberBins]
	}
	w.groups = w.groups[:0]
	copy(w.keys, c.codes)
	edges := w.edges(c)
	for half := range 2 {
		if c.numeric {
			w.bin(c, edges[1-half])
		}
		for _, of := range w.counts {
			clear(of)
		}
		for from, rows := range w.halves {
			of := w.counts[from]
			for _, r := range rows {
				of[w.keys[r]][w.class[r]-ofPart]++ // the first class is 0
			}
		}
		from, to := w.counts[1-half], w.counts[half]
		var all, others [2]float64
		kept := 1.
		for _, n := range from {
			all[0], all[1] = all[0]+n[0], all[1]+n[1]
			if n[0]+n[1] >= leastOfValue {
				kept++
			} else {
				others[0], others[1] = others[0]+n[0], others[1]+n[1]
			}
		}
		many := kept > mostValues
		if many {
			kept, others = 1, all
		}
		weight := func(n [2]float64) float64 {
			return math.Log((n[0]+1)/(all[0]+kept)) - math.Log((n[1]+1)/(all[1]+kept))
		}
		rest := weight(others)
		for key, n := range from {
			e := rest
			if !many && n[0]+n[1] >= leastOfValue {
				e = weight(n)
			}
			if is := to[key]; is[0]+is[1] > 0 {
				w.groups = append(w.groups, group{e, is[1], is[0]})
			}
			from[key][0] = e // from now on the evidence
		}
		for _, r := range w.halves[half] {
			score[r] += from[w.keys[r]][0]
		}
	}
	slices.SortFunc(w.groups, func(a, b group) int { return cmp.Compare(a.weight, b.weight) })
	var tally tally
	for i, g := range w.groups {
		if i > 0 && g.weight != w.groups[i-1].weight {
			tally.close()
		}
		tally.same[0], tally.same[1] = tally.same[0]+g.others, tally.same[1]+g.first
	}
	tally.close()
	return tally.area()
}

// edges are where the bins of the numbers of a column begin, by the rows of each half.
func (w *weighing) edges(c *column) (edges [2][]float64) {
	var n, seen [2]int
	next := [2]int{1, 1}
	for _, r := range c.order {
		if half := w.half[r]; half < 2 {
			n[half]++
		}
	}
	for _, r := range c.order {
		half := w.half[r]
		if half > 1 {
			continue
		}
		for ; next[half] < numberBins && seen[half] == next[half]*n[half]/numberBins; next[half]++ {
			if of := edges[half]; len(of) == 0 || c.numbers[r] > of[len(of)-1] {
				edges[half] = append(w.space[half][:len(of)], c.numbers[r])
			}
		}
		seen[half]++
	}
	return edges
}

// bin gives the numbers of a column the keys behind those of its texts.
func (w *weighing) bin(c *column, edges []float64) {
	at, first := 0, uint16(len(c.of))
	for _, r := range c.order {
		for at < len(edges) && c.numbers[r] >= edges[at] {
			at++
		}
		w.keys[r] = first + uint16(at)
	}
}

// tally is the share of the pairs of a row of each class of which the first has the larger score; equal ones count half. Rows come by score.
type tally struct {
	same              [2]float64 // the rows of one score: of the other class, and of the first
	wins, below, ones float64
}

// close is between two scores.
func (t *tally) close() {
	t.wins += t.same[1] * (t.below + t.same[0]/2)
	t.below, t.ones = t.below+t.same[0], t.ones+t.same[1]
	t.same = [2]float64{}
}

func (t *tally) area() float64 { return t.wins / (t.ones * t.below) }

// area is that of rows in the order of their scores, of those that may be meant, and how many of them are of each class.
func area(order []uint16, score []float64, class []side, may func(row int) bool) (share, ones, others float64) {
	var t tally
	last := math.NaN()
	for _, r := range order {
		if class[r] == neither || may != nil && !may(int(r)) {
			continue
		}
		if score[r] != last {
			t.close()
			last = score[r]
		}
		if class[r] == ofPart {
			t.same[1]++
		} else {
			t.same[0]++
		}
	}
	t.close()
	return t.area(), t.ones, t.below
}

// areaOf is the area of all columns in the rows that may be meant, with its standard deviation (Hanley and McNeil, Radiology 143, 1982); NaN of few rows.
func (t *telling) areaOf(may func(row int) bool) (a, deviation float64) {
	a, ones, others := area(t.order, t.score, t.class, may)
	if min(ones, others) < leastOfClass {
		return math.NaN(), math.NaN()
	}
	return a, deviationOf(a, ones, others)
}

func deviationOf(a, ones, others float64) float64 {
	q1, q2 := a/(2-a), 2*a*a/(1+a)
	return math.Sqrt((a*(1-a) + (ones-1)*(q1-a*a) + (others-1)*(q2-a*a)) / (ones * others))
}

// byText are the areas of all columns in the rows of each text of a column, a place in its different ones.
func (t *telling) byText(c *column) []tally { return areasByText(t.order, t.score, t.class, c) }

// areasByText are those of rows in the order of their scores, by the texts of a column.
func areasByText(order []uint16, score []float64, class []side, c *column) []tally {
	tallies, last := make([]tally, len(c.of)), make([]float64, len(c.of))
	for _, r := range order {
		if class[r] == neither {
			continue
		}
		code := c.codes[r]
		of := &tallies[code]
		if score[r] != last[code] {
			of.close()
			last[code] = score[r]
		}
		of.same[ofRest-class[r]]++ // the first class is 1
	}
	for code := range tallies {
		tallies[code].close()
	}
	return tallies
}

// labels is the class of a row by its label.
func (s *Sample) labels(r int) (first, known bool) { return s.rows[r].positive, s.rows[r].labelled }
