package deadletter

import (
	"cmp"
	"slices"
)

// spans is a set of offsets of one partition: stretches from one offset to before another, in order and apart.
type spans [][2]int64

func (s spans) has(offset int64) bool {
	i, found := slices.BinarySearchFunc(s, offset, func(span [2]int64, offset int64) int { return cmp.Compare(span[0], offset) })
	return found || i > 0 && offset < s[i-1][1]
}

func (s spans) count() (n int64) {
	for _, span := range s {
		n += span[1] - span[0]
	}
	return n
}

// with is the set and the offsets from one to before another. It changes s in place; offsets that come in order cost
// no copy.
func (s spans) with(from, to int64) spans {
	// The stretches from i to before j touch the new one.
	i, _ := slices.BinarySearchFunc(s, from, func(span [2]int64, from int64) int { return cmp.Compare(span[1], from) })
	j := i
	for j < len(s) && s[j][0] <= to {
		j++
	}
	if j == i {
		return slices.Insert(s, i, [2]int64{from, to})
	}
	s[i] = [2]int64{min(from, s[i][0]), max(to, s[j-1][1])}
	return slices.Delete(s, i+1, j)
}
