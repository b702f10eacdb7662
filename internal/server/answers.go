package server

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// stableSubject are the decisions of the stable version since it is stable.
const stableSubject = "stable"

// decide fills in what is known of the decisions that count. It comes after everything else is filled in. s is nil before the stream is there.
func (l *Live) decide(b *board.Status, s *stream.Status, seen remembered) {
	now := time.Now()
	d := &b.Deciding
	d.Positive = board.Unknown()
	counts := func(origin string) bool { return origin == signoff.OfRelease }
	switch {
	case s == nil || s.Phase == stream.PhaseStandby:
		d.Answers = board.Answers{Verdict: string(fairness.NotEstimable), Headline: "No verdict here yet", Fair: "This process does not see the decisions of the job; the one that runs it does.",
			Sure: "–", Since: "–"}
	case b.Kind == board.Monitor:
		counts = func(origin string) bool { return origin != signoff.OfRelease }
		l.decideMonitored(b, s)
	case s.Releases != nil && !s.Releases.Stable.IsZero() && s.Releases.Guard != nil && s.Releases.Guard.Decided != nil && b.Release.UnwatchedSince == nil:
		l.decideStable(b, s.Releases, seen)
	default:
		if s.Releases == nil { // what is decided while learning is all that there is
			counts = func(origin string) bool { return origin == string(monitor.AsMade) }
		}
		l.decideCurrent(b, s)
	}
	d.Answers.Happened = seen.diary.Happened(now, counts)
	d.Alarms = seen.diary.Week(now, counts)
}

// decideStable is about the stable version, on the records since it is stable.
func (l *Live) decideStable(b *board.Status, r *release.Report, seen remembered) {
	d, watched := &b.Deciding, r.Guard.Decided
	d.Subject, d.Version = stableSubject, placeOf(r.Stable)
	m := &stream.Monitored{Since: r.Guard.Since, Report: watched}
	l.judged(b, m, stableSubject)
	for i, step := range seen.steps { // the newest first
		if movesStable(step.Kind) {
			d.Since = &seen.steps[i].Time
			break
		}
	}
	d.Answers.Fair = fmt.Sprintf("Version %s is in use. The verdicts are about all of its %s%s%s.", board.Grouped(r.Stable.Version), records(watched.Records, "decision"), upTo(d.Time), shareWords(r.Share))
	d.Answers.Since = fmt.Sprintf("It has been in use since record %s.", board.Grouped(r.Guard.Since))
	if d.Since != nil {
		d.Answers.Since = fmt.Sprintf("It has been in use since %s, record %s.", board.Clock(*d.Since), board.Grouped(r.Guard.Since))
	}
	d.Answers.Since += changed(watched, d.Constraints)
	d.Answer()
	b.Subjects = append(b.Subjects, board.Subject{ID: stableSubject, Title: "Decisions of the version in use", Kind: "version", Records: watched.Records, Since: r.Guard.Since})
	for i := range watched.Groups {
		g := groupOf(stableSubject, &watched.Groups[i])
		b.Groups = append(b.Groups, g)
		if !g.Unknown {
			b.Calibration = append(b.Calibration, calibrationOf(g, watched.Groups[i].Calibration, watched.Level))
		}
	}
	for i := range watched.Comparisons {
		for _, gap := range gapsOf(stableSubject, &watched.Comparisons[i]) {
			b.Gaps = addGap(b.Gaps, gap)
		}
	}
}

// judged takes over the comparisons of a monitor: every number of a row is of the decisions that it saw.
func (l *Live) judged(b *board.Status, m *stream.Monitored, subject string) {
	d := &b.Deciding
	d.Records, d.Confidence, d.Positive = d.Records+m.Report.Records, m.Report.Confidence, positive(m.Report.Groups)
	if !m.Report.First.IsZero() {
		d.Time = &board.Span{First: m.Report.First, Last: m.Report.Last}
	}
	for i := range m.Report.Comparisons {
		c := &m.Report.Comparisons[i]
		row := board.NewConstraint(c.All, subject)
		row.Name = nameOf(c.Comparison, m.Report.Subject)
		judge(&row, c, m)
		d.Constraints = append(d.Constraints, row)
	}
}

// decideMonitored is about the decisions of the models that are monitored.
func (l *Live) decideMonitored(b *board.Status, s *stream.Status) {
	d := &b.Deciding
	since := int64(0)
	for _, m := range s.Monitored {
		d.Subject = m.Report.Subject.ID
		since = m.Since
		l.judged(b, m, m.Report.Subject.ID)
	}
	if len(s.Monitored) > 1 {
		d.Positive = board.Unknown() // each model has its own
	}
	d.Time = b.Time
	d.Answers.Fair = fmt.Sprintf("The verdicts are about %s of the monitored model%s.", records(d.Records, "decision"), upTo(d.Time))
	d.Answers.Since = fmt.Sprintf("Since decision %s.", board.Grouped(since+1))
	if d.Time != nil {
		d.Answers.Since = fmt.Sprintf("Since %s.", board.Clock(d.Time.First))
	}
	d.Answer()
}

// decideCurrent is about the newest weights, while no version is stable.
func (l *Live) decideCurrent(b *board.Status, s *stream.Status) {
	d := &b.Deciding
	d.Subject = currentSubject
	for _, row := range b.Constraints {
		row.Sequence, row.Totals, row.Alarm = nil, nil, nil // they are of decisions as made
		row.Sentence = board.Sentence(&row)
		d.Constraints = append(d.Constraints, row)
	}
	if m := s.Measurements; m != nil {
		d.Records = m.Recent.Records
		if m.Recent.Decisions != nil && m.Recent.PositiveDecisions.Records > 0 {
			d.Positive = board.Number(m.Recent.PositiveDecisions.Value)
		}
	}
	d.Time = b.Time
	if b.Release != nil && b.Release.Stable != nil {
		d.Version = b.Release.Stable
		d.Answers.Fair = fmt.Sprintf("Version %s is in use, and its own decisions are not measured at present. The verdicts are about the newest version instead, on the last %s%s.",
			board.Grouped(b.Release.Stable.Version), records(d.Records, "record"), upTo(d.Time))
	} else {
		d.Answers.Fair = fmt.Sprintf("No version has passed all tests yet, so the newest one is in use. The verdicts are about it as it is now, on the last %s%s.", records(d.Records, "record"), upTo(d.Time))
	}
	d.Answers.Since = fmt.Sprintf("The newest version changes as records come; %s have been learnt so far.", records(s.Version, "record"))
	d.Answer()
}

// movesStable says whether a step makes another version decide.
func movesStable(kind string) bool {
	switch release.StepKind(kind) {
	case release.Promoted, release.Withdrawn, release.RolledBack:
		return true
	}
	return false
}

// changed says since when the worst verdict stands.
func changed(r *monitor.Report, rows []board.Constraint) string {
	var newest time.Time
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; rows[i].Verdict() != fairness.NotEstimable && c.SinceTime.After(newest) {
			newest = c.SinceTime
		}
	}
	if newest.IsZero() {
		return ""
	}
	return " The last change of a verdict was on " + board.Clock(newest) + "."
}

// positive is the share of positive decisions.
func positive(groups []monitor.GroupReport) board.Number {
	var all monitor.Outcomes
	for i := range groups {
		if len(groups[i].Attributes) == len(groups[0].Attributes) && groups[i].Attributes[0] == groups[0].Attributes[0] {
			all.Combine(groups[i].All)
		}
	}
	if all.Records() == 0 {
		return board.Unknown()
	}
	return board.Number(float64(all.Positive) / float64(all.Records()))
}

func upTo(span *board.Span) string {
	if span == nil {
		return ""
	}
	return ", on records up to " + board.Clock(span.Last)
}

func shareWords(share float64) string {
	if share <= 0 || share >= 1 {
		return ""
	}
	return fmt.Sprintf(" (one record in %.0f is looked at)", 1/share)
}

func records(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return board.Grouped(n) + " " + one + "s"
}
