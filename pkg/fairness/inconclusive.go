package fairness

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// interval is that of a difference or ratio whose sides have so many effective records.
type interval func(group, versus float64) (lo, hi float64)

// judge sets the interval, the verdict and how many records a clear one would need.
func (e *Estimate) judge(of interval, verdict func(lo, hi float64) Status) {
	e.Lo, e.Hi = of(e.EffectiveGroup, e.EffectiveVersus)
	if e.Status = verdict(e.Lo, e.Hi); e.Status != Inconclusive {
		return
	}
	// Each side at least so many: the one with fewer records makes the interval wide. It is infinite where the difference is
	// tau itself, but for digits.
	side := solve(func(side float64) bool {
		return verdict(of(max(e.EffectiveGroup, side), max(e.EffectiveVersus, side))) != Inconclusive
	})
	if side < mostNeeded {
		e.MoreGroup = more(e.NGroup, e.EffectiveGroup, side)
		e.MoreVersus = more(e.NVersus, e.EffectiveVersus, side)
	}
}

// more is how many records a side is short of, each of which is as many effective records as those that it has.
func more(records int64, effective, needed float64) int64 {
	return int64(math.Ceil(max(0, needed-effective) * (float64(records) / effective)))
}

// Need says how many more records would give a verdict that is met or violated, or why no number would; empty unless the verdict is
// inconclusive or there is none.
func (e Estimate) Need() string {
	if e.Status != Inconclusive || e.Reason != "" {
		return e.Reason
	}
	var sides []string
	for _, side := range [...]struct {
		name string
		more int64
	}{{e.Group, e.MoreGroup}, {e.Versus, e.MoreVersus}} {
		if side.more > 0 {
			sides = append(sides, fmt.Sprintf("about %s more records of %s%s", rounded(side.more), side.name, e.labelled()))
		}
	}
	if sides == nil {
		return "the difference is so near tau that no number of records decides"
	}
	return strings.Join(sides, " and ") + " would decide, if the difference stays"
}

// rounded is a number with two digits that count, in groups of three digits.
func rounded(n int64) string {
	unit := int64(math.Pow(10, max(0, math.Floor(math.Log10(float64(n)))-1)))
	text := strconv.FormatInt((n+unit/2)/unit*unit, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
