package compare

import (
	"math"

	"github.com/fairstream/fairstream/internal/table"
)

// Positives returns the shares of positive labels of both tables, and whether they differ.
func Positives(t, other *table.Table) (was, is float64, differ bool) {
	n, p := labels(t)
	m, q := labels(other)
	if min(n, m) < leastCompared {
		return 0, 0, false
	}
	was, is = float64(p)/float64(n), float64(q)/float64(m)
	odds := func(positive, all int) float64 { return (float64(positive) + .5) / (float64(all-positive) + .5) }
	far := math.Abs(math.Log(odds(p, n)/odds(q, m))) >= math.Log(oddsFactor)
	return was, is, (far || math.Abs(was-is) >= leastPositive) && beyondChance(was, is, n, m)
}

func labels(t *table.Table) (known, positive int) {
	for _, r := range t.Kept {
		if r.Labelled {
			known++
			if r.Positive {
				positive++
			}
		}
	}
	return known, positive
}
