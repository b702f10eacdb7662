package release

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

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

// contrast are the decisions of two versions on the same records of both sides of a comparison.
type contrast struct{ sides [2]contrasted }

// contrasted counts decisions on one side.
type contrasted struct {
	records int64
	stable  int64 // positive decisions by the stable version
	earlier int64 // and by the earlier one
	differ  int64 // decisions that differ
}

func (c *contrasted) add(stable, earlier bool) {
	c.records++
	if stable {
		c.stable++
	}
	if earlier {
		c.earlier++
	}
	if stable != earlier {
		c.differ++
	}
}

// gain is by how much the difference of rates of the stable version is above that of the earlier one, with its confidence sequence: that of
// pair.interval for a difference of two means. Decisions on the same record mostly agree, so the variance is small.
func (c *contrast) gain(level float64) (value, lo, hi float64) {
	variance, sign := 0.0, 1.0
	records := int64(0)
	for _, side := range c.sides {
		n := float64(side.records)
		mean := float64(side.stable-side.earlier) / n
		value += float64(sign * mean)
		variance += max(0, float64(side.differ+2)/n-float64(mean*mean)) / n
		records += side.records
		sign = -1
	}
	half := sequenceHalf(float64(records), variance*float64(records), level)
	return value, value - half, value + half
}

// of are the decisions of the earlier version as trials, and of the stable one.
func (c *contrast) of(stable bool) (group, versus fairness.Trials) {
	var t [2]fairness.Trials
	for i, side := range c.sides {
		t[i] = fairness.Trials{Records: side.records, Positives: side.earlier}
		if stable {
			t[i].Positives = side.stable
		}
	}
	return t[0], t[1]
}

// better says whether an earlier version may replace the stable one: where the stable one has left its limit, the sequence of the
// gain says that the earlier one's difference is smaller; and no comparison that decides is outside its limit with it.
func (m *Machine) better(e *earlier, over []bool) bool {
	for i := range e.by {
		c := m.bounds[i]
		if !sequenced(c) || !m.comparisons()[i].Known() || !m.decides(i) {
			continue
		}
		group, versus := e.by[i].of(false)
		if min(fewest(group), fewest(versus)) < fairness.SequenceMinimum {
			if over[i] {
				return false
			}
			continue
		}
		if c.Sequence(group, versus, fairness.SequenceOptions{Level: m.config.Confidence}).Status == fairness.Violated {
			return false
		}
		if !over[i] {
			continue
		}
		group, versus = e.by[i].of(true)
		present := float64(group.Positives)/float64(group.Records) - float64(versus.Positives)/float64(versus.Records)
		value, lo, hi := e.by[i].gain(m.config.Confidence)
		if present < 0 {
			value, lo = -value, -hi
		}
		if !(lo > 0) || math.Abs(math.Abs(present)-value) >= math.Abs(present) {
			return false
		}
	}
	return true
}
