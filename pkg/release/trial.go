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
	monitor   *monitor.Monitor
	means     []means // by comparison; nil unless some are of means
	constant  constant
	// rivals are the constant, the best of the last stable versions, and the stable version if it is another.
	rivals []rival
}

// observe counts a record, and its label if that is known.
func (m *Machine) observeCandidate(r *Record) {
	t, own := m.trial, r.Decisions[m.at.candidate]
	t.observed++
	if !own.Known {
		t.undecided++
		return
	}
	if t.monitor != nil {
		t.monitor.Observe(m.monitored(own, r))
	}
	m.countMeans(own, r)
	if r.Labelled {
		m.judge(r)
	}
}

// labelCandidate counts a label that came later.
func (m *Machine) labelCandidate(r *Record) {
	t, own := m.trial, r.Decisions[m.at.candidate]
	if r.Number <= t.frozen || !own.Known {
		return
	}
	if t.monitor != nil {
		t.monitor.Label(m.monitored(own, r))
	}
	m.judge(r)
}

// judge compares the losses on a labelled record.
func (m *Machine) judge(r *Record) {
	t, own := m.trial, m.lost(r.Decisions[m.at.candidate], r)
	t.labelled++
	t.rivals[0].add(own, m.lost(t.constant.decide(m.config.Regression), r))
	t.constant.add(r, m.config.Regression)
	for i := 1; i < len(t.rivals); i++ {
		if d := r.Decisions[m.at.rivals[i-1]]; d.Known {
			t.rivals[i].add(own, m.lost(d, r))
		}
	}
}

// judged are the gates of the candidate, in an order that stays. words asks for reasons and records needed, which allocate. The
// list is valid until the next call.
func (m *Machine) judged(t *trial, words bool) []Gate {
	m.gates = append(m.gates[:0], m.sound(t, words))
	for i, c := range m.comparisons() {
		if c.Known() {
			m.gates = append(m.gates, m.compared(t, i, words))
		}
	}
	rivals := t.rivals[:1] // the better constant: there is no stable version, or it is unfair and so no measure
	if len(t.rivals) > 1 && !m.unfair() {
		rivals = t.rivals[1:]
	}
	for i := range rivals {
		if m.config.Regression {
			m.gates = append(m.gates, m.losing(t, GateSquaredError, &rivals[i], words))
		} else {
			m.gates = append(m.gates, m.losing(t, GateLogLoss, &rivals[i], words), m.losing(t, GateError, &rivals[i], words))
		}
	}
	return m.gates
}

func newGate(name GateName) Gate {
	absent := math.NaN()
	return Gate{Name: name, Index: -1, Verdict: fairness.NotEstimable, Decides: true, Value: absent, Lo: absent, Hi: absent, Limit: absent, Needed: absent}
}

// sound is the gate of integrity.
func (m *Machine) sound(t *trial, words bool) Gate {
	g, about := newGate(GateIntegrity), &t.integrity
	g.Records = int64(about.GoldenRows)
	switch {
	case about.Problem != "":
		g.Verdict, g.Reason = fairness.Violated, about.Problem
	case about.GoldenEqual != about.GoldenRows:
		g.Verdict = fairness.Violated
		if words {
			g.Reason = fmt.Sprintf("%d of %d golden rows give other bits than the learner", about.GoldenRows-about.GoldenEqual, about.GoldenRows)
		}
	case about.Bytes > m.config.MostBytes:
		g.Verdict = fairness.Violated
		if words {
			g.Reason = fmt.Sprintf("the document has %d bytes, more than release.most_bytes, %d", about.Bytes, m.config.MostBytes)
		}
	case about.GoldenRows == 0:
		g.Verdict, g.Reason = fairness.Inconclusive, "no golden row was compared"
	default:
		g.Verdict = fairness.Met
	}
	return g
}

// compared is the gate of a comparison of groups.
func (m *Machine) compared(t *trial, i int, words bool) Gate {
	c := m.comparisons()[i]
	g := newGate(GateComparison)
	g.Comparison, g.Criterion, g.Index = c.Name, c.Criterion, i
	g.Decides = c.Enforce || m.config.Measured
	c.Tau = m.bounds[i].Tau
	g.Limit = c.Tau
	switch {
	case c.Criterion.OfMeans() && t.means != nil:
		if m.meansGate(&g, t); words && g.Verdict == fairness.Inconclusive && g.Reason == "" {
			g.Needed = neededMeans(&g, t.observed)
		}
		return g
	case t.monitor == nil || !sequenced(c):
		m.measured(&g, t, c)
		return g
	}
	seen := t.monitor.Seen(i)
	g.Records = seen.Group.Records + seen.Versus.Records
	if seen.Selective {
		g.Reason = "labels come for one decision only"
		return g
	}
	if !words {
		c = m.bounds[i]
	}
	least := min(fewest(seen.Group), fewest(seen.Versus))
	if least >= fairness.SequenceMinimum || words {
		s := c.Sequence(seen.Group, seen.Versus, fairness.SequenceOptions{Level: m.config.Confidence})
		g.Verdict, g.Value, g.Lo, g.Hi, g.Reason = s.Status, s.Value, s.Lo, s.Hi, s.Reason
	}
	switch small := min(seen.Group.Records, seen.Versus.Records); {
	case g.Verdict == fairness.NotEstimable:
		m.waive(&g, t, least)
	case g.Verdict == fairness.Met && small < m.config.MinimumRecords:
		g.Verdict, g.Reason = fairness.Inconclusive, fewRecords
	case g.Verdict == fairness.Met && float64(seen.Unknown) > m.config.MostUnknown*float64(t.observed):
		g.Verdict, g.Reason = fairness.Inconclusive, "more records than release.most_unknown lack the attribute"
	}
	if words && g.Verdict == fairness.Inconclusive && g.Reason == "" {
		g.Needed = needed(c, seen, m.config.Confidence, t.observed)
	}
	return g
}

// fewest is how many decisions there are of the rarer kind.
func fewest(t fairness.Trials) int64 { return min(t.Positives, t.Records-t.Positives) }

// sequenced says whether a comparison has a confidence sequence of rates.
func sequenced(c fairness.Comparison) bool { return !c.Criterion.OfMeans() && c.Strata == "" }

// measured decides a comparison without a confidence sequence by the learner's own measurement of the version.
func (m *Machine) measured(g *Gate, t *trial, c fairness.Comparison) {
	g.Reason = "the learner has not measured this comparison"
	for _, one := range t.integrity.Measured {
		if one.Comparison != g.Index || math.IsNaN(one.Lo) || math.IsNaN(one.Hi) {
			continue
		}
		g.Value, g.Lo, g.Hi = one.Value, one.Lo, one.Hi
		g.Verdict, g.Reason = within(c, one.Lo, one.Hi), "measured by the learner before the version was frozen"
	}
}

// within compares an interval with a comparison's limit.
func within(c fairness.Comparison, lo, hi float64) fairness.Status {
	switch ratio := c.Criterion.OfRatio(); {
	case ratio && lo >= c.Tau, !ratio && lo >= -c.Tau && hi <= c.Tau:
		return fairness.Met
	case ratio && hi < c.Tau, !ratio && (lo > c.Tau || hi < -c.Tau):
		return fairness.Violated
	}
	return fairness.Inconclusive
}

// waive applies release.small_groups: waive to a comparison of which a side has too few decisions, and would still have too few at the
// deadline. The learner's own measurement must not be outside the limit. Values that nobody named, but that a comparison of each value found in
// the records, are always waived: one misspelt value would block every release.
func (m *Machine) waive(g *Gate, t *trial, least int64) {
	if m.config.SmallGroups != Waive && !m.bounds[g.Index].Each || t.labelled < m.config.MinimumLabels ||
		float64(least+1)*float64(m.config.Deadline) >= fairness.SequenceMinimum*float64(t.labelled) {
		return
	}
	own := *g
	c := m.bounds[g.Index]
	if m.measured(&own, t, c); own.Verdict != fairness.Violated {
		g.Decides = false
	}
}

// losing is the gate of a loss against a rival.
func (m *Machine) losing(t *trial, name GateName, v *rival, words bool) Gate {
	g := newGate(name)
	g.Against, g.Limit, g.Records = v.version, m.config.Delta, v.loss.records
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
	lo, hi := p.interval(m.config.Confidence, unseen)
	g.Value, g.Lo, g.Hi = p.mean/scale, lo/scale, hi/scale
	if g.Verdict = against(g.Lo, g.Hi, g.Limit); g.Verdict == fairness.Met && v.loss.records < m.config.MinimumLabels {
		g.Verdict, g.Reason = fairness.Inconclusive, "fewer labels have come than release.minimum_labels"
	}
	if words && g.Verdict == fairness.Inconclusive && g.Reason == "" {
		variance := (p.squares + 2*unseen*unseen) / float64(p.records) / (scale * scale)
		g.Needed = neededLabels(g.Limit-g.Value, variance, m.config.Confidence, p.records) * float64(t.observed) / float64(p.records)
	}
	return g
}
