package adagrad

// takePairs computes all steps but the last one of an odd number, and returns how many.
func takePairs(steps []Step, size float64) (done int) {
	if pairs := len(steps) / 2; pairs > 0 {
		take(&steps[0], pairs, size)
		return 2 * pairs
	}
	return 0
}

// take computes the steps of so many pairs, from the first one on.
//
//go:noescape
func take(first *Step, pairs int, size float64)
