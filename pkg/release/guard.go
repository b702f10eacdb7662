package release

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// guard watches the stable version.
type guard struct {
	limits *limits // settings

	// State: what a snapshot saves.
	version  Version
	since    int64 // the number of the last record before it was watched
	observed int64
	monitor  *monitor.Monitor // nil if no comparison is of rates
	told     int64            // the last event of the monitor that was looked at
	alarms   []meanAlarm      // by comparison; nil unless some are of means
	// watches are the tests of withdrawal, by comparison. over are those that were beyond their limit since the inquiry began, and crossed is how
	// many records there were then.
	watches []watch
	over    []bool
	beyond  []bool // those that the mark is about
	crossed int64  // machine records at the first crossing, 0 without one
	marked  bool
	inquiry *inquiry
}

// inquiry compares the stable version with earlier ones, on the records since an alarm.
type inquiry struct {
	since    int64 // the number of the last record before
	observed int64
	earlier  []earlier
}

// earlier is a version that a withdrawal may return to.
type earlier struct {
	version Version
	by      []contrast // by comparison
}

// newGuard watches a version from the next record on.
func (l *limits) newGuard(v Version, since int64) *guard {
	n := len(l.bounds)
	g := &guard{limits: l, version: v, since: since, monitor: l.newMonitor("stable", v), watches: make([]watch, n), over: make([]bool, n), beyond: make([]bool, n)}
	g.arm()
	if l.hasMeans() {
		g.alarms = make([]meanAlarm, n)
	}
	return g
}

// arm gives every comparison a watch that has seen nothing.
func (g *guard) arm() {
	for i := range g.watches {
		g.watches[i] = g.limits.newWatch(i, g.monitor)
	}
}

// watched says whether a comparison has tests of withdrawal: those within strata have none, those of rates need a monitor, and those of rates
// given the label need labels that stand for all.
func (g *guard) watched(i int) bool {
	c := &g.limits.bounds[i]
	return c.Strata == "" && (c.Criterion.OfMeans() || g.monitor != nil) && !g.selective(i)
}

// selective says whether labels come of some records rather than others, and a comparison needs them.
func (g *guard) selective(i int) bool {
	return g.monitor != nil && g.monitor.Weighs() && g.limits.bounds[i].Criterion.NeedsLabel()
}

// contrasts are empty ones, by comparison.
func (g *guard) contrasts() []contrast {
	all := make([]contrast, len(g.watches))
	for i, w := range g.watches {
		all[i] = w.contrast()
	}
	return all
}

// better says whether an earlier version may replace the stable one: where the stable one has left its limit, the sequence of the
// gain says that the earlier one's difference is smaller; and no comparison that decides is outside its limit with it.
func (g *guard) better(e *earlier) bool {
	for i, k := range e.by {
		if !g.watched(i) || !g.limits.comparisons()[i].Known() || !g.limits.decides(i) {
			continue
		}
		if !k.enough() {
			if g.over[i] {
				return false
			}
			continue
		}
		if k.status(&g.limits.bounds[i], g.limits.config.Confidence) == fairness.Violated {
			return false
		}
		if !g.over[i] {
			continue
		}
		present := k.present()
		value, lo, hi := k.gain(g.limits.config.Confidence)
		if present < 0 {
			value, lo = -value, -hi
		}
		if !(lo > 0) || math.Abs(math.Abs(present)-value) >= math.Abs(present) {
			return false
		}
	}
	return true
}

// unfair says whether there is a stable version that is known to be: it is marked, or the sequence of a comparison that decides is violated.
func (g *guard) unfair() bool {
	if g == nil {
		return false
	}
	if g.marked {
		return true
	}
	for i, w := range g.watches {
		if g.limits.decides(i) && g.watched(i) && w.unfair() {
			return true
		}
	}
	return false
}

// insideLimit says whether every comparison that left the limit is shown to be within it again.
func (g *guard) insideLimit() bool {
	shown := false
	for i, w := range g.watches {
		if !g.limits.decides(i) || !g.limits.comparisons()[i].Known() || !g.watched(i) || !w.enough() {
			continue
		}
		if w.status() != fairness.Met {
			return false
		}
		shown = true
	}
	return shown
}

// forgive takes back what labels said before it was known that they come of some records rather than others.
func (g *guard) forgive() {
	over := false
	for i := range g.over {
		g.over[i] = g.over[i] && !g.selective(i)
		over = over || g.over[i]
	}
	if !over {
		g.crossed = 0
	}
}

// gates are the comparisons of the stable version against their limits, since it has been watched. They decide nothing by themselves.
func (g *guard) gates() []Gate {
	var gates []Gate
	if g == nil {
		return nil
	}
	for i, c := range g.limits.comparisons() {
		if !c.Known() || !g.watched(i) && !g.selective(i) {
			continue
		}
		one := newGate(GateComparison)
		one.Bound, c.Tau = c.Tau, g.limits.bounds[i].Tau
		one.Comparison, one.Criterion, one.Index, one.Decides, one.Limit = c.Name, c.Criterion, i, g.limits.decides(i), c.Tau
		if g.selective(i) {
			one.Reason = selectiveReason
		} else {
			g.watches[i].gate(&one, &c, g.observed)
		}
		gates = append(gates, one)
	}
	return gates
}

// evidence is that of the tests of withdrawal, the largest, as a share of what raises one.
func (g *guard) evidence(at float64) float64 {
	most := 0.0
	for i, w := range g.watches {
		if g.limits.decides(i) && !g.selective(i) { // the others withdraw no version
			most = math.Max(most, w.Evidence()/at)
		}
	}
	return most
}

// alarmed says whether an alarm about the stable version is raised.
func (g *guard) alarmed() bool {
	for i := range g.limits.bounds {
		if g.monitor != nil && g.monitor.Alarmed(i) || g.alarms != nil && g.alarms[i].raised {
			return true
		}
	}
	return false
}

func (g *guard) names(of []bool) string {
	names := ""
	for i, is := range of {
		if is {
			if names != "" {
				names += ", "
			}
			names += g.limits.comparisons()[i].Name
		}
	}
	return names
}

// overNames are the comparisons that left their limits.
func (g *guard) overNames() string { return g.names(g.over) }

// outside are the comparisons that are known to be outside their limits.
func (g *guard) outside() string {
	if g.marked {
		return g.names(g.beyond)
	}
	return g.overNames()
}
