package release

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// trial is the evidence about one candidate, from the records after it was frozen.
type trial struct {
	version   Version
	integrity Integrity
	frozen    int64 // the number of the last record before

	observed  int64
	undecided int64 // of these, without a decision by the candidate
	labelled  int64 // labels that came
	selective bool  // some of them stand for more or fewer records than others
	monitor   *monitor.Monitor
	means     []means // by comparison; nil unless some are of means
	constant  constant
	// rivals are the constant, the best of the last stable versions, and the stable version if it is another.
	rivals []rival
}

// newMeans returns counts for the comparisons of means; nil if there are none.
func (l *limits) newMeans() []means {
	if !l.hasMeans() {
		return nil
	}
	return make([]means, len(l.bounds))
}

// lost is what a decision loses on a labelled record.
func (l *limits) lost(d Decision, r *Record) outcome {
	if l.config.Regression {
		off := bounded(d.Score - r.Target)
		return outcome{loss: float64(off * off)}
	}
	o := outcome{loss: logLoss(d.Score, r.Label)}
	if d.Positive != r.Label {
		o.wrong = 1
	}
	return o
}

// gates appends the gates of a candidate, in an order that stays. fair says whether the stable version is, and so a measure of losses.
// words asks for reasons and records needed, which allocate.
func (t *trial) gates(l *limits, dst []Gate, fair, words bool) []Gate {
	dst = append(dst, l.sound(t, words))
	for i, c := range l.comparisons() {
		if c.Known() {
			dst = append(dst, l.compared(t, i, words))
		}
	}
	rivals := t.rivals[:1] // the better constant: there is no stable version, or it is unfair and so no measure
	if len(t.rivals) > 1 && fair {
		rivals = t.rivals[1:]
	}
	for i := range rivals {
		if l.config.Regression {
			dst = append(dst, l.losing(t, GateSquaredError, &rivals[i], words))
		} else {
			dst = append(dst, l.losing(t, GateLogLoss, &rivals[i], words), l.losing(t, GateError, &rivals[i], words))
		}
	}
	return dst
}

// sound is the gate of integrity.
func (l *limits) sound(t *trial, words bool) Gate {
	g, about := newGate(GateIntegrity), &t.integrity
	g.Records = int64(about.GoldenRows)
	switch {
	case about.Problem != "":
		g.Verdict, g.Reason = fairness.Violated, about.Problem
	case about.GoldenEqual != about.GoldenRows:
		g.Verdict = fairness.Violated
		if words {
			g.Reason = fmt.Sprintf("%d of %d sample records get another score than when the version was made", about.GoldenRows-about.GoldenEqual, about.GoldenRows)
		}
	case about.Bytes > l.config.MostBytes:
		g.Verdict = fairness.Violated
		if words {
			g.Reason = fmt.Sprintf("it has %d bytes, and the job allows %d", about.Bytes, l.config.MostBytes)
		}
	case about.GoldenRows == 0:
		g.Verdict, g.Reason = fairness.Inconclusive, "no sample record was compared"
	default:
		g.Verdict = fairness.Met
	}
	return g
}

// compared is the gate of a comparison of groups.
func (l *limits) compared(t *trial, i int, words bool) Gate {
	c := l.comparisons()[i]
	g := newGate(GateComparison)
	g.Comparison, g.Criterion, g.Index = c.Name, c.Criterion, i
	g.Decides = c.Enforce || l.config.Measured
	g.Bound, c.Tau = c.Tau, l.bounds[i].Tau
	g.Limit = c.Tau
	switch {
	case c.Criterion.OfMeans() && t.means != nil:
		if l.meansGate(&g, t); words && g.Verdict == fairness.Inconclusive && g.Reason == "" {
			g.Needed = neededMeans(&g, t.observed)
		}
		return g
	case t.monitor == nil || !sequenced(c):
		l.measured(&g, t, c)
		return g
	}
	seen := t.monitor.Seen(i)
	g.Records = seen.Group.Records + seen.Versus.Records
	if seen.Selective {
		g.Reason = "labels come for one decision only"
		return g
	}
	if t.selective && c.Criterion.NeedsLabel() {
		g.Verdict, g.Reason = fairness.Inconclusive, selectiveReason
		return g
	}
	if !words {
		c = l.bounds[i]
	}
	least := min(fewest(seen.Group), fewest(seen.Versus))
	if least >= fairness.SequenceMinimum || words {
		s := c.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: l.config.Confidence})
		g.Verdict, g.Value, g.Lo, g.Hi, g.Reason = s.Status, s.Value, s.Lo, s.Hi, s.Reason
	}
	switch small := min(seen.Group.Records, seen.Versus.Records); {
	case g.Verdict == fairness.NotEstimable:
		l.waive(&g, t, least)
	case g.Verdict == fairness.Met && small < l.config.MinimumRecords:
		g.Verdict, g.Reason = fairness.Inconclusive, fewRecords
	case g.Verdict == fairness.Met && float64(seen.Unknown) > l.config.MostUnknown*float64(t.observed):
		g.Verdict, g.Reason = fairness.Inconclusive, "more records lack the attribute than the job allows"
	}
	if words && g.Verdict == fairness.Inconclusive && g.Reason == "" {
		g.Needed = needed(c, seen, l.config.Confidence, t.observed)
	}
	return g
}

// meansGate decides a comparison of means.
func (l *limits) meansGate(g *Gate, t *trial) {
	k, c := &t.means[g.Index], l.bounds[g.Index]
	g.Records = k.sides[0].records + k.sides[1].records
	if k.fewest() < max(2, l.config.MinimumRecords) {
		g.Reason = fewRecords
		return
	}
	g.Value, g.Lo, g.Hi = k.interval(l.config.Confidence)
	if g.Verdict = within(c, g.Lo, g.Hi); g.Verdict == fairness.Met && float64(k.unknown) > l.config.MostUnknown*float64(t.observed) {
		g.Verdict, g.Reason = fairness.Inconclusive, "more records lack the attribute than the job allows"
	}
}

// sequenced says whether a comparison has a confidence sequence of rates.
func sequenced(c fairness.Comparison) bool { return !c.Criterion.OfMeans() && c.Strata == "" }

// measured decides a comparison without a confidence sequence by the learner's own measurement of the version.
func (l *limits) measured(g *Gate, t *trial, c fairness.Comparison) {
	g.Reason = "the learner has not measured this comparison"
	for _, one := range t.integrity.Measured {
		if one.Comparison != g.Index || math.IsNaN(one.Lo) || math.IsNaN(one.Hi) {
			continue
		}
		g.Value, g.Lo, g.Hi = one.Value, one.Lo, one.Hi
		g.Verdict, g.Reason = within(c, one.Lo, one.Hi), "measured by the learner before the tests of the version began"
	}
}

// waive applies release.small_groups: waive to a comparison of which a side has too few decisions, and would still have too few at the
// deadline. The learner's own measurement must not be outside the limit. Values that nobody named, but that a comparison of each value found in
// the records, are always waived: one misspelt value would block every release.
func (l *limits) waive(g *Gate, t *trial, least int64) {
	if l.config.SmallGroups != Waive && !l.bounds[g.Index].Each || t.labelled < l.config.MinimumLabels ||
		float64(least+1)*float64(l.config.Deadline) >= fairness.SequenceMinimum*float64(t.labelled) {
		return
	}
	own := *g
	c := l.bounds[g.Index]
	if l.measured(&own, t, c); own.Verdict != fairness.Violated {
		g.Decides = false
	}
}

// losing is the gate of a loss against a rival.
func (l *limits) losing(t *trial, name GateName, v *rival, words bool) Gate {
	g := newGate(name)
	g.Against, g.Limit, g.Records = v.version, l.config.Delta, v.loss.records
	if v.loss.records == 0 {
		g.Verdict, g.Reason = fairness.Inconclusive, "no label has come"
		return g
	}
	p, unseen, scale := &v.loss, float64(unseenLoss), 1.0
	switch name {
	case GateError:
		p, unseen = &v.wrong, unseenWrong
	case GateSquaredError:
		if scale = v.scale.mean; !(scale > 0) {
			g.Verdict, g.Reason = fairness.Inconclusive, "the squared error of the other version is 0"
			return g
		}
		unseen = scale * unseenLoss
	}
	lo, hi := p.interval(l.config.Confidence, unseen)
	g.Value, g.Lo, g.Hi = p.mean/scale, lo/scale, hi/scale
	if g.Verdict = against(g.Lo, g.Hi, g.Limit); g.Verdict == fairness.Met && v.loss.records < l.config.MinimumLabels {
		g.Verdict, g.Reason = fairness.Inconclusive, "fewer labels have come than the test needs"
	}
	if words && g.Verdict == fairness.Inconclusive && g.Reason == "" {
		variance := (p.squares + 2*unseen*unseen) / float64(p.records) / (scale * scale)
		g.Needed = neededLabels(g.Limit-g.Value, variance, l.config.Confidence, p.records) * float64(t.observed) / float64(p.records)
	}
	return g
}
