package monitor

import (
	"math"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Report is everything that a monitor knows at one moment.
type Report struct {
	Subject Subject
	Records int64
	// Labelled is how many decisions have their label.
	Labelled int64
	// First and Last are the span of the event times; zero if records have none.
	First, Last time.Time
	// Late is how many records were too old for the period that they came in, and Beyond those of groups that are not counted for
	// themselves, because there are too many.
	Late   int64
	Beyond int64
	// Cluster is the field that names a person, empty if there is none; Apart says how many decisions it concerns, and Repeats whether
	// decisions that count look like copies of each other.
	Cluster string
	Apart   Apart
	Repeats Repeats
	// Confidence is that of all sequences together, and Level that of each pointwise interval.
	Confidence float64
	Level      float64

	Comparisons []ComparisonReport
	Groups      []GroupReport
}

// ComparisonReport is the report about one comparison.
type ComparisonReport struct {
	// Index is that of the comparison in Grouper.Comparisons, for Series and Event.
	Index      int
	Comparison fairness.Comparison
	// All, Recent and Period are pointwise: over all records, the recent window and the period of event time.
	All, Recent, Period fairness.Estimate
	// Sequence holds at all looks, since the subject began. It is of the last look, after Looked records. The last event about its
	// verdict was at the record Since, at SinceTime. It is of the difference at equal time: of the mean over pairs of records of both
	// sides that came at about the same time. For a ratio, and with Exact, it is Totals.
	Sequence fairness.Sequence
	// Totals is the sequence of the difference of the totals: of the rate of all decisions about the group, less that about
	// versus. It is what a law or an audit asks for. It may leave tau without a difference at any time, if the share of the
	// group and the rates of both move together.
	Totals    fairness.Sequence
	Looked    int64
	Since     int64
	SinceTime time.Time
	// Needed is about how many more records of the stream a verdict of the sequence takes at the present rates; NaN if it has one, or
	// that is not known, as of a ratio.
	Needed float64
	Alarm  AlarmReport
	// Gaps are those of all measures over all records, and RecentGaps over the recent window.
	Gaps, RecentGaps []Gap
	// Group and Versus are the outcomes of both sides.
	Group, Versus Outcomes
	// Weighed says that labels come of some records rather than others. What needs labels is then weighed, since the first label that stood for more or
	// fewer decisions than itself: estimates, gaps, and the sequence, which is of the totals. Such a verdict is never met, and there is no alarm.
	Weighed bool
}

// AlarmReport is the change detector of a comparison.
type AlarmReport struct {
	Evidence float64
	// Threshold is the evidence at which an alarm is raised. It is also the run length: the least mean number of records, of both sides
	// and meeting the condition, between false alarms of this comparison.
	Threshold float64
	Raised    bool
	// Since and SinceTime are when it was raised, 0 and zero if it is not.
	Since     int64
	SinceTime time.Time
}

// GroupReport counts the decisions about a group, or an intersection of groups.
type GroupReport struct {
	Attributes []string
	// Levels are those of the group in each attribute, and Values are their texts, "" for values that no comparison names; see Unknown.
	Levels []fairness.Level
	Values []string
	// Unknown is true of records in which one of the attributes is missing.
	Unknown bool
	All     Outcomes
	Recent  Outcomes
	// Share of all records in which the attributes are known; NaN if Unknown.
	Share float64
	// Rate is the share of positive decisions over all records.
	Rate fairness.Measure
	// ImpactRatio is Rate divided by the highest rate among groups of the same attributes with the minimum number of records; NaN if
	// the group or all others are too small.
	ImpactRatio float64
	Calibration Calibration
}

// Report returns the report on all decisions so far.
func (m *Monitor) Report() *Report {
	r := &Report{Subject: m.config.Subject, Records: m.records, Labelled: m.labelled, Late: m.counters.late, Beyond: m.groups.beyond,
		Cluster: m.config.Cluster, Apart: m.apart, Repeats: m.Repeats(), Confidence: m.config.Confidence, Level: m.config.Level}
	if m.timed {
		r.First, r.Last = time.UnixMilli(m.first).UTC(), time.UnixMilli(m.last).UTC()
	}
	for i, comparison := range m.comparisons() {
		if comparison.known {
			r.Comparisons = append(r.Comparisons, m.compared(i))
		}
	}
	r.Groups = m.grouped()
	return r
}

func (m *Monitor) compared(i int) ComparisonReport {
	comparison, c := m.config.Grouper.Comparisons()[i], &m.claims[i]
	r := ComparisonReport{
		Index: i, Comparison: comparison, Looked: m.looked,
		Sequence: m.sequence(i), Totals: m.totals(i), Since: c.changed.record, SinceTime: c.changed.when(), Needed: math.NaN(),
		All: m.estimate(i, inAll), Recent: m.estimate(i, inRecent), Period: m.estimate(i, inPeriod), Weighed: m.weighs(i),
		Alarm: AlarmReport{Evidence: c.detector.Evidence(), Threshold: c.alarmAt, Raised: c.alarm.raised},
	}
	if c.alarm.raised {
		r.Alarm.Since, r.Alarm.SinceTime = c.alarm.since.record, c.alarm.since.when()
	}
	group, versus := m.both(i, inRecent)
	r.RecentGaps = gaps(comparison, group, versus, m.options())
	group, versus = m.both(i, inAll)
	r.Gaps = gaps(comparison, group, versus, m.options())
	r.Group, r.Versus = group.Outcomes, versus.Outcomes
	if status := r.Sequence.Status; !r.Weighed && !comparison.Criterion.OfRatio() && comparison.Strata == "" &&
		(status == fairness.Inconclusive || status == fairness.NotEstimable && !c.selective) {
		measure := measureOf(comparison.Criterion)
		group, versus := trialsOf(r.Group, measure), trialsOf(r.Versus, measure)
		if m.ownTrials() {
			group, versus = c.trials[0], c.trials[1]
		}
		r.Needed = m.needed(comparison, c.level, group, versus)
	}
	return r
}

// estimate is the pointwise estimate of a comparison in a window.
func (m *Monitor) estimate(i int, in window) fairness.Estimate {
	comparison := m.config.Grouper.Comparisons()[i]
	group, versus := m.both(i, in)
	measure := measureOf(comparison.Criterion)
	e := comparison.Estimate(fairness.PairCounts{Group: group.Count(measure), Versus: versus.Count(measure), Neither: m.buffer[atNeither], Unknown: m.buffer[atUnknown]},
		m.options())
	if m.weighs(i) {
		e.Status, e.Reason = unproven(e.Status, e.Reason)
	}
	if comparison.Strata != "" {
		e.Status, e.Reason = fairness.NotEstimable, "a monitor does not compare within strata: the learner measures this comparison"
		e.Value, e.Lo, e.Hi = math.NaN(), math.NaN(), math.NaN()
	}
	if m.claims[i].selective {
		e.Status, e.Reason = fairness.NotEstimable, whySelective(&comparison, group, versus)
		e.Value, e.Lo, e.Hi = math.NaN(), math.NaN(), math.NaN()
	}
	return e
}

// needed is about how many more records of the stream a verdict takes, at the rates and shares so far.
func (m *Monitor) needed(c fairness.Comparison, level float64, group, versus fairness.Trials) float64 {
	if group.Records == 0 || versus.Records == 0 {
		return math.NaN()
	}
	both := float64(group.Records + versus.Records)
	needs := fairness.Needs{RateGroup: float64(group.Positives) / float64(group.Records), RateVersus: float64(versus.Positives) / float64(versus.Records),
		ShareGroup: float64(group.Records) / both, Tau: c.Tau}
	more := (needs.Verdict(level) - both) * float64(m.records) / both
	if !(more > 0) || more > 1e10 {
		return math.NaN()
	}
	return math.Ceil(more)
}

// grouped reports every group that was met, in the order in which they were.
func (m *Monitor) grouped() []GroupReport {
	names := m.config.Grouper.Attributes()
	var all []GroupReport
	known, best := make([]int64, len(m.groups.kinds)), make([]float64, len(m.groups.kinds))
	var n [perGroup]int64
	for at := range m.groups.cells {
		cell := &m.groups.cells[at]
		counter := len(m.claims)*perComparison + at*perGroup
		g := GroupReport{Levels: append([]fairness.Level(nil), cell.levels...), Calibration: cell.calibration, ImpactRatio: math.NaN(), Share: math.NaN()}
		for k, i := range m.groups.kinds[cell.kind].attributes {
			g.Attributes = append(g.Attributes, names[i])
			g.Values = append(g.Values, m.config.Grouper.Value(i, cell.levels[k]))
			g.Unknown = g.Unknown || cell.levels[k] == fairness.MissingLevel
		}
		g.All, g.Recent = newOutcomes(m.counters.inAll(n[:], counter)), newOutcomes(m.counters.inRecent(n[:], counter))
		g.Rate = g.All.Rate(SelectionRate, m.config.Level)
		if !g.Unknown {
			known[cell.kind] += g.All.Records()
			if g.All.Records() >= int64(m.config.MinimumRecords) {
				best[cell.kind] = max(best[cell.kind], g.Rate.Value)
			}
		}
		all = append(all, g)
	}
	for at := range all {
		g, kind := &all[at], m.groups.cells[at].kind
		if g.Unknown {
			continue
		}
		g.Share = float64(g.All.Records()) / float64(known[kind])
		if g.All.Records() >= int64(m.config.MinimumRecords) && best[kind] > 0 {
			g.ImpactRatio = g.Rate.Value / best[kind]
		}
	}
	return all
}

// Events returns the events after the one with a number, 0 for all, in their order. Only the newest 256 are kept: a caller that is
// further behind notices this from the number of the first.
func (m *Monitor) Events(after int64) []Event {
	e := &m.events
	var list []Event
	for i, one := range e.kept {
		number := e.total - int64(len(e.kept)) + int64(i) + 1
		if number <= after {
			continue
		}
		list = append(list, Event{Number: number, Kind: one.kind, Comparison: one.comparison, Record: one.at.record, Time: one.at.when(),
			From: one.from, To: one.to, Value: one.value, Lo: one.lo, Hi: one.hi, Evidence: one.evidence})
	}
	return list
}

// Series is a comparison over time, at most 384 points in ascending order.
func (m *Monitor) Series(comparison int) []Point {
	points := make([]Point, 0, len(m.series.at))
	for k, at := range m.series.at {
		v := m.series.points[comparison][k]
		points = append(points, Point{Record: at.record, Time: at.when(), Value: number(v[0]), Lo: number(v[1]), Hi: number(v[2]),
			SequenceValue: number(v[3]), SequenceLo: number(v[4]), SequenceHi: number(v[5])})
	}
	return points
}

// AlarmAfter is about how many records of the stream pass between a sudden change and the alarm: before it both sides have the rate
// of all their records so far, after it their rates differ by difference, which is in (0, 1). It is the median of
// fairness.Needs.Alarm in the direction that takes longer. It is NaN where the rates are not known or compared by their ratio, and
// for a difference that is not beyond tau.
func (r *Report) AlarmAfter(c *ComparisonReport, difference float64) float64 {
	measure := measureOf(c.Comparison.Criterion)
	k1, n1 := c.Group.fraction(measure)
	k0, n0 := c.Versus.fraction(measure)
	if c.Sequence.Status == fairness.NotEstimable || c.Weighed || c.Comparison.Criterion.OfRatio() || n1 == 0 || n0 == 0 || difference >= 1 {
		return math.NaN()
	}
	both := float64(n1 + n0)
	rate, share := float64(k1+k0)/both, float64(n1)/both
	longest := 0.0
	for _, signed := range []float64{difference, -difference} {
		// The rate of all stays as it is, as far as both rates stay within 0 and 1.
		versus := min(max(rate-signed*share, max(0, -signed)), min(1, 1-signed))
		needs := fairness.Needs{RateGroup: min(max(versus+signed, 0), 1), RateVersus: versus, ShareGroup: share, Tau: c.Comparison.Tau}
		longest = max(longest, needs.Alarm(c.Alarm.Threshold))
	}
	if r.Cluster != "" {
		both = float64(c.Totals.NGroup + c.Totals.NVersus) // one of each person
	}
	after := longest * float64(r.Records) / both
	if !(after < 1e10) {
		return math.NaN()
	}
	return math.Ceil(after)
}
