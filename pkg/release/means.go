package release

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// means are the predictions of a version for both sides of a comparison of means.
type means struct {
	sides   [2]pair // whose difference is the prediction itself
	unknown int64
}

func (k *means) add(side fairness.Side, prediction float64) {
	switch side {
	case fairness.Group, fairness.Versus:
		k.sides[side-fairness.Group].add(bounded(prediction))
	case fairness.Unknown:
		k.unknown++
	}
}

func (k *means) difference() float64 { return k.sides[0].mean - k.sides[1].mean }

// fewest is how many records the smaller side has.
func (k *means) fewest() int64 { return min(k.sides[0].records, k.sides[1].records) }

// interval is the confidence sequence of the mean difference: that of pair.interval, with the variance of a difference of two means. Both sides
// have at least two records.
func (k *means) interval(level float64) (value, lo, hi float64) {
	variance, records := 0.0, 0.0
	for _, p := range k.sides {
		n := float64(p.records)
		variance += p.squares / (n - 1) / n
		records += n
	}
	value = k.difference()
	half := sequenceHalf(records, variance*records, level)
	return value, value - half, value + half
}

// countMeans counts a prediction in every comparison of means.
func (m *Machine) countMeans(own Decision, r *Record) {
	t := m.trial
	if t.means == nil {
		return
	}
	m.grouper.Sides(m.sides, r.Levels, true)
	for i, side := range m.sides {
		if m.bounds[i].Criterion.OfMeans() {
			t.means[i].add(side, own.Score)
		}
	}
}

const fewRecords = "a side has fewer records than release.minimum_records"

// meansGate decides a comparison of means.
func (m *Machine) meansGate(g *Gate, t *trial) {
	k, c := &t.means[g.Index], m.bounds[g.Index]
	g.Records = k.sides[0].records + k.sides[1].records
	if k.fewest() < max(2, m.config.MinimumRecords) {
		g.Reason = fewRecords
		return
	}
	g.Value, g.Lo, g.Hi = k.interval(m.config.Confidence)
	if g.Verdict = within(c, g.Lo, g.Hi); g.Verdict == fairness.Met && float64(k.unknown) > m.config.MostUnknown*float64(t.observed) {
		g.Verdict, g.Reason = fairness.Inconclusive, "more records than release.most_unknown lack the attribute"
	}
}

// neededMeans is about how many more records of the stream the gate takes.
func neededMeans(g *Gate, observed int64) float64 {
	room := math.Abs(g.Limit - math.Abs(g.Value))
	half := (g.Hi - g.Lo) / 2
	// The half width falls about as the square root of the number of records.
	return more(float64(observed) * (half*half/(room*room) - 1))
}

func (k *means) fields(c *codec.Coder) {
	k.sides[0].fields(c)
	k.sides[1].fields(c)
	count(c, &k.unknown)
}
