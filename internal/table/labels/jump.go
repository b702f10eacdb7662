package labels

import (
	"math"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// At a threshold the share of positive labels jumps if it differs by leastJump and leastJumps standard deviations of chance between the jumpWindow rows
	// below and above it, or a sixteenth of all, and by mostSlope of that at most between these rows and as many beyond them. Most numbers in all four
	// windows are different, ownNumbers: prices, grades and years have steps of their own.
	leastJump  = .15
	leastJumps = 5.5
	jumpWindow = 100
	mostSlope  = .4
	ownNumbers = .5
)

// Jump is the number at which the share of positive labels jumps, and the shares below it and above.
func Jump(t *table.Table, name string) (at, below, above float64, found bool) {
	c := t.Column(name)
	if c == nil {
		return 0, 0, 0, false
	}
	points := pointsOf(t, c)
	window := max(jumpWindow, len(points)/16)
	if len(points) < 4*window {
		return 0, 0, 0, false
	}
	positive, different := make([]int, len(points)+1), make([]int, len(points)+1) // before each place
	for i, p := range points {
		positive[i+1], different[i+1] = positive[i]+one(p.positive), different[i]
		if i == 0 || p.x != points[i-1].x {
			different[i+1]++
		}
	}
	share := func(from, to int) float64 { return float64(positive[to]-positive[from]) / float64(to-from) }
	most := leastJumps
	for i := 2 * window; i <= len(points)-2*window; i++ {
		if points[i].x == points[i-1].x || float64(different[i+2*window]-different[i-2*window]) < ownNumbers*4*float64(window) {
			continue
		}
		left, right := share(i-window, i), share(i, i+window)
		jump := math.Abs(right - left)
		both := (left + right) / 2
		if z := jump / math.Sqrt(2*both*(1-both)/float64(window)); jump < leastJump || z < most ||
			max(math.Abs(share(i-2*window, i-window)-left), math.Abs(share(i+window, i+2*window)-right)) > mostSlope*jump {
			continue
		} else {
			most, at, below, above, found = z, points[i].x, left, right, true
		}
	}
	return at, below, above, found
}
