package clue

import "slices"

// A threshold is chosen among the first numbers of a column and then told the classes of all later ones.
const (
	// It is chosen from leastPoints numbers with leastRarer of the rarer class, at the latest from mostPoints.
	leastPoints = 2048
	leastRarer  = 30
	mostPoints  = 4 * leastPoints
	// allPoints bounds the numbers that all columns keep until then.
	allPoints = 1 << 20
)

// stump predicts one of two classes from the numbers of one column by the best threshold.
type stump struct {
	points        []point // until the threshold is chosen
	rarer         [2]int  // of points, by class
	chosen        bool
	threshold     float64 // numbers from here on are of the class that upper says
	upper         bool
	all, original Told
}

type point struct {
	x               float64
	first, repeated bool
}

// add takes in one number, and returns how many more numbers the stump keeps than before.
func (s *stump) add(x float64, first, repeated, room bool) (more int) {
	if s.chosen {
		s.tell(point{x, first, repeated})
		return 0
	}
	s.points = append(s.points, point{x, first, repeated})
	class := 0
	if first {
		class = 1
	}
	s.rarer[class]++
	n := len(s.points)
	if room && (n < leastPoints || n < mostPoints && min(s.rarer[0], s.rarer[1]) < leastRarer) {
		return 1
	}
	s.choose()
	s.points = nil
	return 1 - n
}

func (s *stump) tell(p point) {
	wrong := ((p.x >= s.threshold) == s.upper) != p.first
	s.all.add(p.first, wrong)
	if !p.repeated {
		s.original.add(p.first, wrong)
	}
}

// choose takes the threshold that is wrong for the fewest numbers so far, half-way between two of them.
func (s *stump) choose() {
	slices.SortFunc(s.points, func(a, b point) int { // none is NaN, for which cmp.Compare takes twice as long
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	n := len(s.points)
	// below counts the first class below the threshold; upper is wrong for these, and for the second class above.
	below, total := 0, s.rarer[1]
	least := n + 1
	for i := range n + 1 {
		if i == 0 || i == n || s.points[i-1].x < s.points[i].x {
			wrong := below + (n - i) - (total - below)
			for _, upper := range []bool{true, false} {
				if !upper {
					wrong = n - wrong
				}
				if wrong < least {
					least, s.upper, s.threshold = wrong, upper, s.between(i)
				}
			}
		}
		if i < n && s.points[i].first {
			below++
		}
	}
	s.chosen = true
	for _, p := range s.points {
		s.tell(p)
	}
}

// between is a number above those before place i of the sorted points, and not above the others.
func (s *stump) between(i int) float64 {
	switch {
	case i == 0:
		return s.points[0].x
	case i == len(s.points):
		return s.points[i-1].x + 1 // of large numbers the same number: then the last ones are on the wrong side
	}
	return s.points[i-1].x/2 + s.points[i].x/2
}
