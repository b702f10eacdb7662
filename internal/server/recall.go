package server

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
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
			happened("the configuration was recorded, after %d records", e.Configuration.Version)
		}
	case history.Owned:
		text := fmt.Sprintf("%s on %s owns the job, after %d records", who.Service, who.Host, e.Owner.Version)
		if e.Owner.Before > 0 {
			text += fmt.Sprintf("; before, the owner was on %s (term %d)", cmp.Or(e.Owner.HostBefore, "an unknown host"), e.Owner.Before)
		} else if e.Owner.StartedFrom != "" {
			text += "; they were learnt by fairstream backfill, as the file with the SHA-256 " + e.Owner.StartedFrom + " says"
		}
		happened("%s", text)
	case history.Decisions:
		happened("%s", judged(e.Decisions))
	case history.DataLoss:
		lost := "records"
		if e.Loss.Lost >= 0 {
			lost = fmt.Sprintf("%d offsets", e.Loss.Lost)
		}
		happened("%s of partition %d are lost, from offset %d on: %s", lost, e.Loss.Partition, e.Loss.Offset, e.Loss.Kind)
	case history.Release:
		t.stepped(e)
	case history.Reset:
		// Records count from 0 again: what the former state did has no place on the axis of this one.
		t.marks, t.recalled, t.steps = nil, nil, nil
		t.reset = max(t.reset, e.Term)
		happened("the state of the job was deleted: learning begins again")
	case history.Disown:
		happened("the owner disowned %d entries of the history that somebody else wrote, from entry %d on", len(e.Disowned.Entries), e.Disowned.Entries[0].Sequence)
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
			GroupMeasure: board.Unknown(), VersusMeasure: board.Unknown(), Subject: currentSubject}
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
	whose := "decisions of version " + d.Subject
	if d.Subject == string(monitor.AsMade) {
		whose = "decisions while learning"
	}
	about := fmt.Sprintf("%s, %s and %s, %s: ", d.Constraint, d.Group, d.Versus, whose)
	switch {
	case d.To == "":
		return about + map[string]string{"alarm": "alarm, the difference has left the bounds", "alarm_ended": "the alarm has ended"}[d.Change]
	case d.Lo != nil && d.Hi != nil && fairness.Criterion(d.Criterion).OfRatio():
		return about + fmt.Sprintf("the verdict %q becomes %q, the ratio is between %.3f and %.3f, at least %v is asked for", verdictWords(fairness.Status(d.From)), verdictWords(fairness.Status(d.To)), *d.Lo, *d.Hi, d.Tau)
	case d.Lo != nil && d.Hi != nil:
		return about + fmt.Sprintf("the verdict %q becomes %q, the difference is between %+.3f and %+.3f, ±%v is allowed", verdictWords(fairness.Status(d.From)), verdictWords(fairness.Status(d.To)), *d.Lo, *d.Hi, d.Tau)
	}
	return about + fmt.Sprintf("the verdict %q becomes %q", verdictWords(fairness.Status(d.From)), verdictWords(fairness.Status(d.To)))
}

// past is what happened, the newest first.
func (t *track) past() []board.Happening {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.happened)
}
