package release

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
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

// contrast is what is known of two versions in one comparison, on the same records of both sides.
type contrast interface {
	add(side fairness.Side, stable, earlier Decision)
	// enough says whether there is enough for the rest.
	enough() bool
	// status compares the sequence of the earlier version with a limit.
	status(limit *fairness.Comparison, level float64) fairness.Status
	// present is the difference of the stable version, and gain is by how much it is above that of the earlier one, with its confidence
	// sequence.
	present() float64
	gain(level float64) (value, lo, hi float64)
	fields(c *codec.Coder)
}

// rateContrast counts the decisions on both sides.
type rateContrast [2]contrasted

// contrasted counts decisions on one side.
type contrasted struct {
	records int64
	stable  int64 // positive decisions by the stable version
	earlier int64 // and by the earlier one
	differ  int64 // decisions that differ
}

func (k *rateContrast) add(side fairness.Side, stable, earlier Decision) {
	c := &k[side-fairness.Group]
	c.records++
	if stable.Positive {
		c.stable++
	}
	if earlier.Positive {
		c.earlier++
	}
	if stable.Positive != earlier.Positive {
		c.differ++
	}
}

func (k *rateContrast) enough() bool {
	group, versus := k.of(false)
	return min(fewest(group), fewest(versus)) >= fairness.SequenceMinimum
}

func (k *rateContrast) status(limit *fairness.Comparison, level float64) fairness.Status {
	group, versus := k.of(false)
	return limit.Sequence(group, versus, fairness.SequenceOptions{Level: level}).Status
}

func (k *rateContrast) present() float64 {
	group, versus := k.of(true)
	return float64(group.Positives)/float64(group.Records) - float64(versus.Positives)/float64(versus.Records)
}

// gain has the sequence of pair.interval for a difference of two means. Decisions on the same record mostly agree, so the variance is
// small.
func (k *rateContrast) gain(level float64) (value, lo, hi float64) {
	variance, sign := 0.0, 1.0
	records := int64(0)
	for _, side := range k {
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

// of are the decisions of the earlier version as trials, or of the stable one.
func (k *rateContrast) of(stable bool) (group, versus fairness.Trials) {
	var t [2]fairness.Trials
	for i, side := range k {
		t[i] = fairness.Trials{Records: side.records, Positives: side.earlier}
		if stable {
			t[i].Positives = side.stable
		}
	}
	return t[0], t[1]
}

func (k *rateContrast) fields(c *codec.Coder) {
	for i := range k {
		s := &k[i]
		for _, n := range [...]*int64{&s.records, &s.stable, &s.earlier, &s.differ} {
			count(c, n)
		}
		c.Check(max(s.stable, s.earlier, s.differ) <= s.records)
	}
}

// better says whether an earlier version may replace the stable one: where the stable one has left its limit, the sequence of the
// gain says that the earlier one's difference is smaller; and no comparison that decides is outside its limit with it.
func (m *Machine) better(e *earlier, over []bool) bool {
	for i, k := range e.by {
		if !m.watched(i) || !m.comparisons()[i].Known() || !m.decides(i) {
			continue
		}
		if !k.enough() {
			if over[i] {
				return false
			}
			continue
		}
		if k.status(&m.bounds[i], m.config.Confidence) == fairness.Violated {
			return false
		}
		if !over[i] {
			continue
		}
		present := k.present()
		value, lo, hi := k.gain(m.config.Confidence)
		if present < 0 {
			value, lo = -value, -hi
		}
		if !(lo > 0) || math.Abs(math.Abs(present)-value) >= math.Abs(present) {
			return false
		}
	}
	return true
}
