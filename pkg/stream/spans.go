package stream

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

// with is the union of the set and some offsets.
func (s spans) with(offsets ...int64) spans {
	all := slices.Clone(s)
	for _, offset := range offsets {
		all = append(all, [2]int64{offset, offset + 1})
	}
	slices.SortFunc(all, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	var merged spans
	for _, span := range all {
		if last := len(merged) - 1; last >= 0 && span[0] <= merged[last][1] {
			merged[last][1] = max(merged[last][1], span[1])
			continue
		}
		merged = append(merged, span)
	}
	return merged
}
