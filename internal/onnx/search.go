package onnx

import "math"

// below is how many of the sorted keys are at most x (LessOrEqual) or below x (Less): a binary search, each step of which is a few nodes. x is
// finite.
func (g *graph) below(keys []float64, compare string, x value) value {
	size := 1
	for size <= len(keys) {
		size *= 2
	}
	padded := make([]float64, size)
	for i := range padded {
		padded[i] = math.Inf(1)
	}
	copy(padded, keys)
	table := g.numbers(padded, int64(size))
	at := g.integers(0)
	for step := size / 2; step > 0; step /= 2 {
		key := g.add("Gather", nil, table, g.add("Add", nil, at, g.integers(int64(step-1))))
		more := g.cast(g.add(compare, nil, key, x), int64Type)
		at = g.add("Add", nil, at, g.add("Mul", nil, more, g.integers(int64(step))))
	}
	if size == 1 { // without keys there is no step, and no row
		at = g.add("Mul", nil, g.cast(g.add("IsNaN", nil, x), int64Type), at)
	}
	return at
}
