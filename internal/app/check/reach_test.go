package check

import "testing"

// TestShownReach: the digits that are printed do not contradict the verdict beside them.
func TestShownReach(t *testing.T) {
	for _, c := range [][3]float64{{.0123, .05, .012}, {.0784, .05, .078}, {.05013, .05, .0501}, {.04987, .05, .0499}, {.0514, .0512, .0514}, {.0510, .0512, .051}, {.0123, .0123, .0123}} {
		if got := shownReach(c[0], c[1]); got != c[2] {
			t.Errorf("%v beside %v is shown as %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
