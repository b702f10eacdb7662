package server

import (
	"math"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// The decisions as the monitor counts them.
var (
	groupDecisions  = describe("group_decisions_total", "Decisions about records of the group.", "subject", "attribute", "group", "decision")
	groupOutcomes   = describe("group_outcomes_total", "Labelled decisions about records of the group, by decision and label.", "subject", "attribute", "group", "decision", "label")
	groupUnlabelled = describe("group_unlabelled", "Decisions about records of the group whose label has not arrived.", "subject", "attribute", "group", "decision")
	groupUnknown    = describe("group_unknown_total", "Decisions about records that lack the attribute, or one of several.", "subject", "attribute", "decision")
	groupScored     = describe("group_scored_total", "Labelled decisions about records of the group, by range of the score and label.", "subject", "attribute", "group", "score", "label")
	groupScores     = describe("group_scores_total", "Sum of the scores of labelled decisions about records of the group, by range of the score.", "subject", "attribute", "group", "score")
	groupsOmitted   = describe("groups_omitted", "Number of groups without series of their own, because there are more than 500 groups of all subjects.", "subject")

	recentDifference = describe("recent_difference", "Rate of group minus that of versus in the recent window, or the impact ratio where it is the criterion, with its pointwise interval; absent while not estimable.", "subject", "constraint", "criterion", "group", "versus", "bound")
	sequence         = describe("sequence_difference", "Difference of the two rates at equal time, since the subject began, or the impact ratio of the totals where it is the criterion, with its confidence sequence; absent while not estimable.", "subject", "constraint", "criterion", "group", "versus", "bound")
	sequenceStatus   = describe("sequence_status", "1 for the verdict on the comparison, from its confidence sequence: met, violated, inconclusive or not_estimable.", "subject", "constraint", "criterion", "group", "versus", "status")
	sequenceTau      = describe("sequence_tau", "Largest allowed absolute difference of the comparison; for an impact ratio, least allowed ratio.", "subject", "constraint", "criterion", "group", "versus")
	alarmRaised      = describe("alarm_raised", "1 while the alarm of the change detector is raised, otherwise 0.", "subject", "constraint", "criterion", "group", "versus")
	alarmEvidence    = describe("alarm_evidence", "Evidence of the change detector against a difference within tau.", "subject", "constraint", "criterion", "group", "versus")
	alarmThreshold   = describe("alarm_threshold", "Evidence at which the alarm is raised, which is also the run length of the detector.", "subject", "constraint", "criterion", "group", "versus")
	gap              = describe("gap", "Difference of a measure since the subject began, group minus versus, with its pointwise interval; absent while not estimable.", "subject", "constraint", "measure", "group", "versus", "bound")

	judgements = describe("verdicts_and_alarms_total", "Changed verdicts, alarms and ends of alarms since the subject began.", "subject")
	repeated   = describe("decisions_repeated_total", "Decisions of other models that came again with the same identifier (record.id), and do not count.")
	ignored    = describe("decisions_ignored_total", "Decisions that are not monitored, because they belong to models beyond the first 20.")
	driver     = describe("driver", "Mean contribution of the column to the margin in group minus that in versus, for the columns with the largest effect.", "constraint", "group", "versus", "column")
)

const (
	mostGroups   = 500 // with series of their own, of all subjects
	longestLabel = 100 // characters of a name from records
)

// named makes a label of a text from records, which may be of any length.
func named(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if characters := []rune(text); len(characters) > longestLabel {
		return string(characters[:longestLabel-1]) + "…"
	}
	return text
}

// monitored sends what the monitors know.
func (o output) monitored(s *stream.Status) {
	o.counter(ignored, float64(s.Unmonitored))
	o.counter(repeated, float64(s.Repeated))
	told := map[string]bool{}
	for _, m := range s.Monitored {
		subject := named(m.Report.Subject.ID)
		if told[subject] { // only names that are too long may be the same
			continue
		}
		told[subject] = true
		o.groups(subject, m.Report.Groups, mostGroups/len(s.Monitored))
		for i := range m.Report.Comparisons {
			o.judged(subject, &m.Report.Comparisons[i], told)
		}
		if n := len(m.Events); n > 0 {
			o.counter(judgements, float64(m.Events[n-1].Number), subject)
		} else {
			o.counter(judgements, 0, subject)
		}
	}
}

// groups sends the counters of at most so many groups.
func (o output) groups(subject string, groups []monitor.GroupReport, most int) {
	type key struct{ attribute, group string }
	var order []key
	counts, unknown := map[key]*monitor.GroupReport{}, map[string]*monitor.Outcomes{}
	omitted := 0
	for i := range groups {
		g := &groups[i]
		as := groupOf(subject, g)
		k := key{named(as.Attribute), named(as.Group)}
		known := counts[k]
		switch {
		case g.Unknown:
			if unknown[k.attribute] == nil {
				unknown[k.attribute] = &monitor.Outcomes{}
			}
			unknown[k.attribute].Combine(g.All)
		case known != nil: // two groups with one name, such as a value that is called "all other values"
			known.All.Combine(g.All)
			known.Calibration.Combine(g.Calibration)
		case len(order) == most:
			omitted++
		default:
			copied := *g
			counts[k] = &copied
			order = append(order, k)
		}
	}
	for _, k := range order {
		o.group(counts[k], subject, k.attribute, k.group)
	}
	for attribute, outcomes := range unknown {
		o.counter(groupUnknown, float64(outcomes.Positive), subject, attribute, "positive")
		o.counter(groupUnknown, float64(outcomes.Negative), subject, attribute, "negative")
	}
	o.gauge(groupsOmitted, float64(omitted), subject)
}

func (o output) group(g *monitor.GroupReport, labels ...string) {
	with := func(more ...string) []string { return append(labels[:len(labels):len(labels)], more...) }
	o.counter(groupDecisions, float64(g.All.Positive), with("positive")...)
	o.counter(groupDecisions, float64(g.All.Negative), with("negative")...)
	o.gauge(groupUnlabelled, float64(g.All.UnlabelledPositive()), with("positive")...)
	o.gauge(groupUnlabelled, float64(g.All.UnlabelledNegative()), with("negative")...)
	o.counter(groupOutcomes, float64(g.All.TruePositive), with("positive", "positive")...)
	o.counter(groupOutcomes, float64(g.All.FalsePositive), with("positive", "negative")...)
	o.counter(groupOutcomes, float64(g.All.FalseNegative), with("negative", "positive")...)
	o.counter(groupOutcomes, float64(g.All.TrueNegative), with("negative", "negative")...)
	for i, records := range g.Calibration.Records {
		if records == 0 {
			continue
		}
		score := strconv.FormatFloat(float64(i)/monitor.CalibrationBins, 'f', 1, 64)
		o.counter(groupScored, float64(g.Calibration.Positives[i]), with(score, "positive")...)
		o.counter(groupScored, float64(records-g.Calibration.Positives[i]), with(score, "negative")...)
		o.counter(groupScores, g.Calibration.Scores[i], with(score)...)
	}
}

// judged sends the verdicts on a comparison, once for each of its labels.
func (o output) judged(subject string, c *monitor.ComparisonReport, told map[string]bool) {
	group, versus := named(c.Comparison.GroupLabel()), named(c.Comparison.VersusLabel())
	labels := []string{subject, c.Comparison.Name, string(c.Comparison.Criterion), group, versus}
	once := strings.Join(labels, "\x00")
	if told[once] {
		return
	}
	told[once] = true
	with := func(last string) []string { return append(labels[:len(labels):len(labels)], last) }
	o.gauge(sequenceTau, c.Comparison.Tau, labels...)
	for _, status := range fairness.Statuses() {
		o.gauge(sequenceStatus, truth(c.Sequence.Status == status), with(string(status))...)
	}
	o.between(sequence, c.Sequence.Value, c.Sequence.Lo, c.Sequence.Hi, labels)
	o.between(recentDifference, c.Recent.Value, c.Recent.Lo, c.Recent.Hi, labels)
	o.gauge(alarmRaised, truth(c.Alarm.Raised), labels...)
	o.gauge(alarmEvidence, c.Alarm.Evidence, labels...)
	o.gauge(alarmThreshold, c.Alarm.Threshold, labels...)
	for _, g := range c.Gaps {
		if labels := []string{subject, c.Comparison.Name, string(g.Measure), group, versus}; !told[strings.Join(labels, "\x00")] {
			told[strings.Join(labels, "\x00")] = true // criteria of one constraint have the same gaps
			o.between(gap, g.Value, g.Lo, g.Hi, labels)
		}
	}
}

// between sends a number with its bounds, and nothing if it is not known.
func (o output) between(d *prometheus.Desc, value, lo, hi float64, labels []string) {
	if math.IsNaN(value) {
		return
	}
	with := func(last string) []string { return append(labels[:len(labels):len(labels)], last) }
	o.gauge(d, value, with("value")...)
	o.gauge(d, lo, with("lo")...)
	o.gauge(d, hi, with("hi")...)
}

// driven sends what drives the differences.
func (o output) driven(all []board.Driver) {
	told := map[[4]string]bool{}
	for _, d := range all {
		labels := [4]string{d.Constraint, named(d.Group), named(d.Versus), named(d.Column)}
		if !told[labels] && d.Contribution.Known() {
			told[labels] = true
			o.gauge(driver, float64(d.Contribution), labels[:]...)
		}
	}
}
