package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

const tableHead = "| comparisons | binding | streams | accuracy | unconstrained − accuracy | SE | the same on the way | SE | streams that lose more than 0.006 | seconds | times unconstrained | pairs within tau | streams with all pairs within tau | largest difference | covered | of those that bind | pressed | snapshot, MB | median records until the first pair stays within tau | changes seen in a stream | looks with `unsteady` |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// dear is the accuracy that a stream should not lose to comparisons that need nothing.
const dear = .006

// pairedOutcome is what came of a stream with constraints, and of the same stream without.
type pairedOutcome struct{ constrained, free outcome }

// write prints the row of a world.
func write(out io.Writer, w world, runs []pairedOutcome) error {
	mean := func(of func(pairedOutcome) float64) (mean, se float64) {
		for _, r := range runs {
			mean += of(r) / float64(len(runs))
		}
		for _, r := range runs {
			se += (of(r) - mean) * (of(r) - mean)
		}
		return mean, math.Sqrt(se / float64(max(1, len(runs)-1)) / float64(len(runs)))
	}
	constrained := func(of func(outcome) float64) float64 {
		m, _ := mean(func(r pairedOutcome) float64 { return of(r.constrained) })
		return m
	}
	share := func(of func(outcome) int) float64 {
		return constrained(func(o outcome) float64 { return float64(of(o)) / float64(o.pairs) })
	}
	loss, lossSE := mean(func(r pairedOutcome) float64 { return r.free.accuracy - r.constrained.accuracy })
	way, waySE := mean(func(r pairedOutcome) float64 { return r.free.onTheWay - r.constrained.onTheWay })
	free, _ := mean(func(r pairedOutcome) float64 { return r.free.seconds })
	seconds, families, costly, largest := constrained(func(o outcome) float64 { return o.seconds }), 0, 0, 0.0
	var kept []int
	for _, r := range runs {
		kept = append(kept, r.constrained.kept)
		if r.free.accuracy-r.constrained.accuracy > dear {
			costly++
		}
		largest = max(largest, r.constrained.largest)
		if r.constrained.within == r.constrained.pairs {
			families++
		}
	}
	slices.Sort(kept)
	held := "–"
	if w.binding > 0 {
		held = fmt.Sprintf("%.3f", constrained(func(o outcome) float64 { return float64(o.held) / float64(o.binding) }))
	}
	_, err := fmt.Fprintf(out, "| %d | %d | %d | %.4f | %.4f | %.4f | %.4f | %.4f | %d | %.2f | %.1f | %.3f | %.2f | %.3f | %.3f | %s | %.1f | %.1f | %d | %.2f | %.3f |\n",
		w.comparisons, w.binding, len(runs), constrained(func(o outcome) float64 { return o.accuracy }), loss, lossSE, way, waySE, costly,
		seconds, seconds/free, share(func(o outcome) int { return o.within }), float64(families)/float64(len(runs)), largest,
		share(func(o outcome) int { return o.covered }), held, constrained(func(o outcome) float64 { return float64(o.pressed) }),
		constrained(func(o outcome) float64 { return float64(o.state) / 1e6 }), kept[len(kept)/2],
		constrained(func(o outcome) float64 { return float64(o.changes) }), constrained(func(o outcome) float64 { return float64(o.unsteady) / float64(max(1, o.looks)) }))
	return err
}
