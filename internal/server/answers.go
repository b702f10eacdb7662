package server

import (
	"fmt"
	"math"
	"strings"
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
	case s == nil:
		d.Answers = board.Answers{Verdict: string(fairness.NotEstimable), Headline: "No verdict here yet", Fair: "Fairstream is starting."}
	case s.Phase == stream.PhaseStandby:
		d.Answers = elsewhere(seen.host, seen.owned)
	case b.Kind == board.Monitor:
		counts = func(origin string) bool { return origin != signoff.OfRelease }
		l.decideMonitored(b, s)
	case s.Releases != nil && !s.Releases.Stable.IsZero() && s.Releases.Guard != nil && s.Releases.Guard.Decided != nil && b.Release.UnwatchedSince == nil:
		l.decideStable(b, s.Releases, seen)
	default:
		if s.Releases == nil { // what is decided while learning is all that there is
			counts = func(origin string) bool { return origin == string(monitor.AsMade) }
		}
		l.decideCurrent(b, s, seen.began)
	}
	d.Cover(b.Groups, b.Gaps, l.attribute)
	if d.Answers.Happened == "" {
		d.Answers.Happened = seen.diary.Happened(now, counts)
		if b.WarmUp != nil && d.Records == 0 {
			d.Answers.Happened = unwatched(d.Answers.Happened)
		}
	}
	d.Alarms = seen.diary.Week(now, counts)
	b.StandStill()
}

// unwatched is what happened before the first version: that no alarm was raised then says nothing.
func unwatched(happened string) string {
	const nothing = "There has been no version yet, so there was nothing to watch."
	if strings.HasPrefix(happened, signoff.Quiet) {
		return nothing
	}
	return happened + " " + nothing
}

// elsewhere are the answers of a process that waits to take over from another one, on a host, and since a moment, if these are known.
func elsewhere(host string, since time.Time) board.Answers {
	at, from := "", ""
	if host != "" {
		at = ", on " + host
	}
	if !since.IsZero() {
		from = fmt.Sprintf("That instance has run the job since %s, and this one has stood by meanwhile.", board.Clock(since))
	}
	return board.Answers{Verdict: string(fairness.NotEstimable), Headline: "The verdict is on another page",
		Fair:     "Another instance of fairstream runs the job" + at + ". It sees the decisions, and its page has the verdicts and the alarms. Those who run the job can give you its address.",
		Sure:     "See the page of that instance. This one has not watched the decisions, so its numbers and its report do not show them.",
		Since:    from,
		Happened: "The history below shows what every instance of the job did. This one raises no alarms."}
}

// decideStable is about the stable version, on the records since it is stable.
func (l *Live) decideStable(b *board.Status, r *release.Report, seen remembered) {
	d, watched := &b.Deciding, r.Guard.Decided
	d.Subject, d.Version = stableSubject, placeOf(r.Stable)
	m := &stream.Monitored{Since: r.Guard.Since, Report: watched}
	l.judged(b, m, stableSubject)
	since, again := seen.into, ""
	if since != nil && release.StepKind(since.Kind) == release.Promoted && since.Version != r.Stable.Version {
		since = nil // the history has not told yet of the version that came into use just now
	}
	if since != nil {
		d.Since = &since.Time
		if release.StepKind(since.Kind) != release.Promoted {
			again = " again"
		}
	}
	began, before := "it came into use", ""
	if again != "" {
		began, before = "it came back into use", " What it decided before that is not counted."
	}
	d.Answers.Fair = fmt.Sprintf("Version %s is in use. It learnt from the first %s. The verdicts cover what it decides on the %s since %s%s%s.%s "+
		"Fairstream works out these decisions itself; it does not know which of them people received.",
		board.Grouped(r.Stable.Version), records(r.Stable.Version, "record"), records(watched.Records, "record"), began, strings.Replace(upTo(d.Time), " on records", "", 1), shareWords(r.Share), before)
	d.Answers.Since = fmt.Sprintf("It has been in use%s since record %s.", again, board.Grouped(r.Guard.Since))
	if since != nil {
		d.Answers.Since = fmt.Sprintf("It has been in use%s since %s%s.", again, board.Clock(since.Time), becauseOf(since))
	}
	d.Answers.Since += changed(watched, d.Constraints)
	d.Answer()
	d.Answers.Follows = followsOfStable(r, d.Constraints, b.Release)
	b.Subjects = append(b.Subjects, board.Subject{ID: stableSubject, Title: "Decisions of the version in use", Kind: "version", Records: watched.Records, Since: r.Guard.Since})
	counted(b, watched, stableSubject)
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
	d.Answers.Fair = fmt.Sprintf("The verdicts cover %s of the monitored model, as its records report them%s.", records(d.Records, "decision"), upTo(d.Time))
	d.Answers.Since = fmt.Sprintf("Since decision %s.", board.Grouped(since+1))
	if d.Time != nil {
		d.Answers.Since = fmt.Sprintf("Since %s.", board.Clock(d.Time.First))
	}
	d.Answer()
	d.Answers.Follows = followsOfOthers(d.Constraints)
}

// recentOf is the difference in the newest decisions; nil if it cannot be estimated.
func recentOf(e *fairness.Estimate) *board.Recent {
	if math.IsNaN(e.Value) {
		return nil
	}
	return &board.Recent{Interval: board.Interval{Value: board.Number(e.Value), Lo: board.Number(e.Lo), Hi: board.Number(e.Hi)}, N: e.NGroup + e.NVersus}
}

// decideCurrent is about the newest weights, while no version is stable. began is when the job began; zero if that is not known.
func (l *Live) decideCurrent(b *board.Status, s *stream.Status, began time.Time) {
	d := &b.Deciding
	d.Subject = currentSubject
	if m := s.Measurements; m != nil {
		for _, e := range m.Constraints { // and not the rows of b, which have sequences, alarms and reasons of decisions as made
			d.Constraints = append(d.Constraints, rowOf(e))
		}
		d.Records = m.Recent.Records
		if m.Recent.Decisions != nil && m.Recent.PositiveDecisions.Records > 0 {
			d.Positive = board.Number(m.Recent.PositiveDecisions.Value)
		}
	}
	d.Time = b.Time
	d.Answer()
	d.Answers.Follows = followsOfNewest(d.Constraints, s.Releases != nil)
	switch {
	case b.Records.Seen == 0:
		d.Answers.Headline, d.Answers.Sure, d.Answers.Happened = "No records yet", "There is no verdict yet.", "Nothing yet."
		d.Answers.Since = "The job has just begun."
		if !began.IsZero() {
			d.Answers.Since = fmt.Sprintf("The job began on %s.", board.Clock(began))
		}
		d.Answers.Fair = "No record has come yet, so there is no version, and nothing has been decided."
		return
	case b.WarmUp != nil && d.Records == 0:
		d.Answers.Headline = fmt.Sprintf("No decisions and no verdict yet: the first version comes after %s", records(max(1, b.WarmUp.Of-b.WarmUp.Records), "more record"))
		d.Answers.Sure = "There is no verdict yet. " + d.Answers.Sure
		d.Answers.Fair = fmt.Sprintf("There is no version yet, so fairstream gives no decisions. The first version comes after %s with an outcome. The shares below are those of what the model, as far as it has learnt, would decide about the %s so far.",
			records(b.WarmUp.Of, "record"), records(b.WarmUp.Records, "record"))
		d.Answers.Since = fmt.Sprintf("So far, %s.", come(b.WarmUp.Records, " with an outcome"))
		if d.Time != nil {
			d.Answers.Since = fmt.Sprintf("Since %s, %s.", board.Clock(d.Time.First), come(b.WarmUp.Records, " with an outcome"))
		} else if !began.IsZero() {
			d.Answers.Since = fmt.Sprintf("Since %s, when the job began, %s.", board.Clock(began), come(b.WarmUp.Records, " with an outcome"))
		}
		return
	}
	last := records(d.Records, "record") + strings.Replace(upTo(d.Time), " on records", "", 1)
	if b.Release != nil && b.Release.Stable != nil {
		d.Version = b.Release.Stable
		d.Answers.Fair = fmt.Sprintf("Version %s is in use, but its own decisions are not measured at present. The verdicts cover what the newest version would decide instead, on the last %s.",
			board.Grouped(b.Release.Stable.Version), last)
	} else {
		why := "No version has passed all tests yet"
		if s.Releases == nil {
			why = "New versions are not tested"
		}
		d.Answers.Fair = fmt.Sprintf("%s, so the newest one is in use. The verdicts cover what it decides, as it is now, on the last %s. Fairstream works out these decisions itself; it does not know which of them people received.", why, last)
	}
	d.Answers.Since = fmt.Sprintf("The newest version changes as records come. So far, %s%s.", come(s.Version, ""), fromOn(d.Time))
}

// movesStable says whether a step makes another version decide.
func movesStable(kind string) bool {
	switch release.StepKind(kind) {
	case release.Promoted, release.Withdrawn, release.RolledBack:
		return true
	}
	return false
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
	return fmt.Sprintf(" (one record in %.0f is examined)", 1/share)
}

// come says how many records of a kind have come.
func come(n int64, kind string) string {
	verb := "have"
	if n == 1 {
		verb = "has"
	}
	return records(n, "record") + kind + " " + verb + " come"
}

func records(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return board.Grouped(n) + " " + one + "s"
}
