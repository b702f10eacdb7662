package statement

import (
	"cmp"
	"math"
	"slices"
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
	rows     []int // that were scored
	first    []bool
}

// alone is what one column tells.
type alone struct {
	column *column
	area   float64
	rising float64 // of numbers, the share of pairs in which that of the first class is the larger; NaN of texts
}

// tell says how well the columns that may be meant tell a class.
func (s *Sample) tell(class func(row int) (first, known bool), may func(c *column) bool) telling {
	t := telling{together: math.NaN()}
	ones := 0
	for r := range s.rows {
		if first, known := class(r); known {
			t.rows, t.first = append(t.rows, r), append(t.first, first)
			if first {
				ones++
			}
		}
	}
	if min(ones, len(t.rows)-ones) < leastOfClass {
		return t
	}
	t.score = make([]float64, len(t.rows))
	evidence := make([]float64, len(t.rows))
	for _, c := range s.columns {
		if !may(c) {
			continue
		}
		of := alone{column: c, rising: math.NaN()}
		numeric := c.numeric()
		for half := range 2 {
			weigh(c, t.rows, t.first, half, numeric, evidence)
		}
		for i, e := range evidence {
			t.score[i] += e
		}
		of.area = area(evidence, t.first)
		if numeric {
			of.rising = rising(c, t.rows, t.first)
		}
		t.alone = append(t.alone, of)
	}
	if len(t.alone) > 0 {
		t.together = area(t.score, t.first)
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
	a, deviation := areaOf(t.score, t.first)
	return len(t.rows) >= leastKnown && a < .5+farAbove*deviation
}

// unrelated is what columns tell at most, by farAbove deviations, of groups that they have nothing to do with: real groups are often told weakly.
const unrelated = .53

// noGroups says whether the columns surely have nothing to do with groups.
func (t *telling) noGroups() bool {
	a, deviation := areaOf(t.score, t.first)
	return len(t.alone) >= leastRelated && a+farAbove*deviation < unrelated
}

// leastRelated is how many columns one of which nearly always has to do with a group.
const leastRelated = 4

// weigh writes the evidence of a column for the first class, for the rows of one half, from those of the other.
func weigh(c *column, rows []int, first []bool, half int, numeric bool, evidence []float64) {
	var edges []float64
	if numeric {
		var x []float64
		for i, r := range rows {
			if i%2 != half && !math.IsNaN(c.numbers[r]) {
				x = append(x, c.numbers[r])
			}
		}
		slices.Sort(x)
		for b := 1; b < numberBins && len(x) > 0; b++ {
			if edge := x[b*len(x)/numberBins]; len(edges) == 0 || edge > edges[len(edges)-1] {
				edges = append(edges, edge)
			}
		}
	}
	key := func(r int) uint64 {
		switch {
		case c.hashes[r] == 0:
			return 0
		case !numeric || math.IsNaN(c.numbers[r]):
			return c.hashes[r]
		}
		at, found := slices.BinarySearch(edges, c.numbers[r])
		if found {
			at++
		}
		return uint64(at) + 1
	}
	seen, all := map[uint64]*[2]float64{}, [2]float64{}
	for i, r := range rows {
		if i%2 == half {
			continue
		}
		k := key(r)
		of := seen[k]
		if of == nil {
			of = &[2]float64{}
			seen[k] = of
		}
		class := 0
		if first[i] {
			class = 1
		}
		of[class]++
		all[class]++
	}
	weights := map[uint64]float64{}
	var others [2]float64
	kept := 1.
	for _, of := range seen {
		if of[0]+of[1] >= leastOfValue {
			kept++
		} else {
			others[0], others[1] = others[0]+of[0], others[1]+of[1]
		}
	}
	if kept > mostValues {
		kept, others = 1, all
		clear(seen)
	}
	weight := func(of [2]float64) float64 {
		return math.Log((of[1]+1)/(all[1]+kept)) - math.Log((of[0]+1)/(all[0]+kept))
	}
	for k, of := range seen {
		if of[0]+of[1] >= leastOfValue {
			weights[k] = weight(*of)
		}
	}
	rest := weight(others)
	for i, r := range rows {
		if i%2 != half {
			continue
		}
		w, known := weights[key(r)]
		if !known {
			w = rest
		}
		evidence[i] = w
	}
}

// area is the share of the pairs of a row of each class of which the first has the larger score; equal ones count half.
func area(score []float64, first []bool) float64 {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[a], score[b]) })
	below, wins, ones := 0., 0., 0.
	for i := 0; i < len(order); {
		same, sameFirst := 0., 0.
		for j := i; i < len(order) && score[order[i]] == score[order[j]]; i++ {
			if first[order[i]] {
				sameFirst++
			} else {
				same++
			}
		}
		wins += sameFirst * (below + same/2)
		below, ones = below+same, ones+sameFirst
	}
	return wins / (ones * below)
}

// areaOf is an area with its standard deviation (Hanley and McNeil, Radiology 143, 1982); NaN of few rows.
func areaOf(score []float64, first []bool) (a, deviation float64) {
	ones := 0.
	for _, is := range first {
		if is {
			ones++
		}
	}
	others := float64(len(first)) - ones
	if min(ones, others) < leastOfClass {
		return math.NaN(), math.NaN()
	}
	a = area(score, first)
	q1, q2 := a/(2-a), 2*a*a/(1+a)
	return a, math.Sqrt((a*(1-a) + (ones-1)*(q1-a*a) + (others-1)*(q2-a*a)) / (ones * others))
}

// rising is the area of the numbers of a column.
func rising(c *column, rows []int, first []bool) float64 {
	var x []float64
	var of []bool
	for i, r := range rows {
		if !math.IsNaN(c.numbers[r]) {
			x, of = append(x, c.numbers[r]), append(of, first[i])
		}
	}
	return area(x, of)
}

// labels is the class of a row by its label.
func (s *Sample) labels(r int) (first, known bool) { return s.rows[r].positive, s.rows[r].labelled }
