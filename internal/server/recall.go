package server

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Recall takes note of an entry of the job's history, of this process or of one before it. Entries come in order.
func (l *Live) Recall(e *history.Entry) {
	l.page.Post(func() { l.track.recall(e) }, nil)
}

// NoHistory says that the job keeps no history.
func (l *Live) NoHistory() {
	l.track.mutex.Lock()
	defer l.track.mutex.Unlock()
	l.track.diary.None()
}

func (t *track) recall(e *history.Entry) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	who := board.Who{Service: e.Who.Service, Host: e.Who.Host, Actor: e.Who.Actor, Reason: e.Who.Reason}
	happened := func(format string, arguments ...any) {
		t.happened = slices.Insert(t.happened, 0, board.Happening{Sequence: e.Sequence, Time: e.Time.UTC(), Term: e.Term, Kind: string(e.Kind),
			Text: fmt.Sprintf(format, arguments...), Who: who})
		t.happened = t.happened[:min(len(t.happened), board.MostHappenings)]
	}
	t.diary.Note(e)
	switch e.Kind {
	case history.Publication:
		t.place(versionOf(e, who, t.recalled))
		t.recalled = nil
	case history.Configuration:
		for _, c := range e.Configuration.Changes {
			t.recalled = append(t.recalled, board.Change{Path: c.Key, Text: changeWords(c), From: string(c.Old), To: string(c.New), Actor: who.Actor, Reason: who.Reason})
			t.marks = mark(t.marks, board.Mark{N: e.Configuration.Version, Kind: board.MarkConfiguration, Text: changeWords(c)})
			happened("%s", changeWords(c))
		}
		t.recalled = t.recalled[max(0, len(t.recalled)-mostChanges):]
		if len(e.Configuration.Changes) == 0 {
			happened("The settings were recorded, after %s", records(e.Configuration.Version, "record"))
		}
	case history.Owned:
		t.owner, t.owned = who.Host, e.Time.UTC()
		if e.Owner.Before == 0 {
			t.began = e.Time.UTC()
		}
		switch {
		case e.Owner.Before > 0 && e.Owner.HostBefore == who.Host:
			happened("Fairstream on %s was started again, after %s%s", who.Host, records(e.Owner.Version, "record"), signoff.Away(e))
		case e.Owner.Before > 0:
			happened("Fairstream on %s took the job over, after %s; before, the job ran on %s%s", who.Host, records(e.Owner.Version, "record"), cmp.Or(e.Owner.HostBefore, "an unknown machine"), signoff.Away(e))
		case e.Owner.StartedFrom != "":
			happened("The job began on %s, with %s that had been learnt from files (SHA-256 %s)", who.Host, records(e.Owner.Version, "record"), e.Owner.StartedFrom)
		default:
			happened("The job began on %s", who.Host)
		}
	case history.Decisions:
		happened("%s%s", judged(e.Decisions), ofRecord(e.Decisions.Record, e.Decisions.EventTime)) // which is written with the next snapshot
	case history.DataLoss:
		lost := "Records"
		if e.Loss.Lost >= 0 {
			lost = "Up to " + records(e.Loss.Lost, "record")
		}
		happened("%s of partition %d were lost before they were learnt, from offset %d on", lost, e.Loss.Partition, e.Loss.Offset)
	case history.Release:
		t.stepped(e)
		switch step := release.StepKind(e.Release.Step); step {
		case release.Frozen, release.Superseded: // the panel of the releases tells of tests
		default:
			who.Actor, who.Reason = e.Release.Actor, signoff.StepWhy(e.Release) // and not the person who started the process
			at := ""
			if about := e.Release.EventTime; about != nil && board.Clock(e.Time) != board.Clock(*about) && ofRecords(step) { // the job is behind its records
				at = ofRecord(e.Release.Record, about)
			}
			happened("%s%s", signoff.StepWords(e.Release), at)
		}
	case history.Reset:
		// Records count from 0 again: what the former state did has no place on the axis of this one.
		t.marks, t.recalled, t.steps, t.into, t.untested.count = nil, nil, nil, nil, 0
		t.reset, t.began = max(t.reset, e.Term), e.Time.UTC()
		happened("What the job had learnt was deleted, and learning began again")
	case history.Disown:
		happened("%d entries of the history were written by somebody else and do not count, from entry %d on", len(e.Disowned.Entries), e.Disowned.Entries[0].Sequence)
	default:
		happened("%s", e.Kind)
	}
}

func changeWords(c history.Change) string {
	return board.ChangeWords(c.Key, string(c.Old), string(c.New))
}

// versionOf is a publication as the history tells it.
func versionOf(e *history.Entry, who board.Who, changes []board.Change) board.Version {
	v := board.Version{Term: e.Term, Version: e.Publication.Version, WeightsSHA256: e.Publication.WeightsSHA256, Published: e.Time.UTC(), Changes: changes, Who: &who}
	for _, r := range e.Publication.Constraints {
		c := board.Constraint{Name: r.Name, Criterion: fairness.Criterion(r.Criterion), Group: r.Group, Versus: r.Versus, Tau: r.Tau, Enforced: r.Enforced,
			Value: number(r.Value), Lo: number(r.Lo), Hi: number(r.Hi), Level: r.Level, NGroup: r.NGroup, NVersus: r.NVersus, Status: fairness.Status(r.Status),
			GroupMeasure: board.Unknown(), VersusMeasure: board.Unknown(), EffectiveGroup: board.Unknown(), EffectiveVersus: board.Unknown(), Subject: currentSubject}
		if r.Value == nil {
			c.Reason = "it could not be estimated when the version was published"
		}
		c.Sentence = board.Sentence(&c)
		v.Constraints = append(v.Constraints, c)
	}
	return v
}

func number(x *float64) board.Number {
	if x == nil {
		return board.Unknown()
	}
	return board.Number(*x)
}

// judged is a changed verdict or alarm in words.
func judged(d *history.Judged) string {
	whose := fmt.Sprintf("decisions of the model %q", d.Subject)
	switch d.Subject {
	case string(monitor.AsMade):
		whose = "trial decisions while learning"
	case stream.OnlyModel:
		whose = "decisions of the monitored model"
	}
	about := fmt.Sprintf("Comparison %q of %s and %s, %s: ", d.Constraint, d.Group, board.Others(d.Versus), whose)
	if d.To == "" {
		return about + map[string]string{"alarm": "alarm; in the newest decisions they were farther apart than the limit allows", "alarm_ended": "the alarm ended"}[d.Change]
	}
	about += fmt.Sprintf("the verdict changed from %q to %q.", verdictWords(fairness.Status(d.From)), verdictWords(fairness.Status(d.To)))
	switch {
	case d.Lo == nil || d.Hi == nil:
		return about
	case fairness.Criterion(d.Criterion).OfRatio():
		return about + fmt.Sprintf(" The ratio was between %s and %s; the limit is at least %v", board.Near(board.Number(*d.Lo), d.Tau), board.Near(board.Number(*d.Hi), d.Tau), d.Tau)
	}
	return about + fmt.Sprintf(" The difference was between %s and %s; the limit is ±%v", board.SignedNear(board.Number(*d.Lo), d.Tau), board.SignedNear(board.Number(*d.Hi), d.Tau), d.Tau)
}

// ofRecord says at which record something was found, and of what time that is. It need not be the time at which the history was told.
func ofRecord(n int64, at *time.Time) string {
	switch {
	case n == 0:
		return ""
	case at == nil:
		return fmt.Sprintf(" (at record %s)", board.Grouped(n))
	}
	return fmt.Sprintf(" (at record %s, of %s)", board.Grouped(n), board.Clock(*at))
}

// ofRecords says whether a step tells what records show.
func ofRecords(step release.StepKind) bool {
	switch step {
	case release.Alarm, release.AlarmEnded, release.Violated, release.ViolatedEnded:
		return true
	}
	return false
}

// past is what happened, the newest first.
func (t *track) past() []board.Happening {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.happened)
}
