package signoff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// Diary is what the last week brought, for people who look once a day: alarms with their beginning and end, and what else happened.
type Diary struct {
	notes  []note
	alarms []alarmNote
	// reach is the time of the oldest entry that was read. whole says that it is the first one of the job.
	reach time.Time
	whole bool
	none  bool // the job keeps no history
}

// None says that the job keeps no history.
func (d *Diary) None() { d.none = true }

// note is something that happened. what names it, after the words of its kind.
type note struct {
	at         time.Time
	kind, what string
	more       string    // what follows its time
	of         time.Time // of the record that showed it, where that is known: zero otherwise
	from       time.Time // when what ended at the time began; zero for what is of a moment
}

type alarmNote struct {
	about  string   // the version, or the comparison of a monitored model
	origin string   // release, or the subject of decisions
	why    []string // what the alarm says, of each comparison
	began  time.Time
	ended  time.Time // zero while it lasts
	gone   bool      // it ended because another version came into use
	open   int       // how many comparisons of the version it still stands for
}

// Bounds of a diary.
const (
	diaryWeek  = 7 * 24 * time.Hour
	mostNotes  = 2000
	mostAlarms = 200
)

// noteKinds are what is told, in this order if they are of one time: the last one with what it is about, and how many there were.
var noteKinds = []struct{ kind, one, many string }{
	{"violated", "version %s", "findings"},
	{"withdrawn", "version %s withdrawn by fairstream", "withdrawals"},
	{"rolled_back", "version %s", "withdrawals by people"},
	{"marked", "version %s found beyond its tolerance", "such findings"},
	{"loss", "records were lost", "losses"},
	{"reset", "what the job had learnt was deleted", "deletions"},
	{"chosen", "version %s", "versions put into use by people"},
	{"order", "an order about versions by %s", "orders"},
	{"configuration", "settings changed%s", "changes"},
	{"promoted", "version %s came into use", "versions that came into use"},
	{"killed", "fairstream was cut off, and started again%s", "such restarts"},
}

// notRunning is the kind of a note of a time in which fairstream was not running.
const notRunning = "not running"

// Note takes note of an entry of the history. Entries come in order.
func (d *Diary) Note(e *history.Entry) {
	at := e.Time.UTC()
	if d.reach.IsZero() || at.Before(d.reach) {
		d.reach = at
	}
	d.whole = d.whole || e.Sequence == 1
	add := func(n note) {
		d.notes = append(d.notes, n)
		d.notes = d.notes[max(0, len(d.notes)-mostNotes):]
	}
	count := func(kind, what string) { add(note{at: at, kind: kind, what: what}) }
	switch e.Kind {
	case history.Release:
		d.released(e.Release, at, count)
	case history.Decisions:
		about := release.Beyond(e.Decisions.Constraint, e.Decisions.Group, e.Decisions.Versus)
		switch e.Decisions.Change {
		case "alarm":
			d.begin(about, e.Decisions.Subject, about, at)
		case "alarm_ended":
			d.end(at, func(a *alarmNote) bool { return a.about == about && a.origin == e.Decisions.Subject })
		}
	case history.DataLoss:
		count("loss", "")
	case history.Reset:
		count("reset", "")
		d.end(at, func(*alarmNote) bool { return true })
	case history.Configuration:
		if len(e.Configuration.Changes) > 0 {
			add(note{at: at, kind: "configuration", what: by(e.Who.Actor), more: ": " + changes(e.Configuration.Changes)})
		}
	case history.Owned:
		if e.Owner.Before > 0 {
			if e.Owner.Left == nil { // whoever ran it before was killed, or an older program
				add(note{at: at, kind: "killed", what: " on " + cmp.Or(e.Who.Host, "an unknown machine"), more: " (how long it was not running is not known)"})
			} else if span := away(e.Owner.Left, e.Time, "%s to %s (%s)", moment); span != "" {
				add(note{at: at, kind: notRunning, what: span, from: e.Owner.Left.UTC()})
			}
		}
	}
}

// changes are settings in a list of what happened: what changed, with values where there is one change.
func changes(all []history.Change) string {
	if len(all) == 1 {
		return board.ChangeBrief(all[0].Key, string(all[0].Old), string(all[0].New))
	}
	var names []string
	for i := range min(len(all), mostSettings) {
		names = append(names, board.SettingWords(all[i].Key))
	}
	text := strings.Join(names, ", ")
	if more := len(all) - mostSettings; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// mostSettings is how many settings a list of what happened names, and longAway from when on it tells that no process ran.
const (
	mostSettings = 3
	longAway     = 10 * time.Minute
)

// away says from when to when, and how long, no process ran before one took over at a time, if that was long. clock writes a time.
func away(left *time.Time, at time.Time, format string, clock func(time.Time) string) string {
	if left == nil || at.Sub(*left) < longAway {
		return ""
	}
	return fmt.Sprintf(format, clock(*left), clock(at), board.Lasted(at.Sub(*left)))
}

// Away says, at the end of a sentence, from when to when no process ran before one took over; empty if that was not long.
func Away(e *history.Entry) string {
	return away(e.Owner.Left, e.Time, "; fairstream was not running from %s to %s (%s), so no alarm could be raised", board.Clock)
}

// OfRelease is the origin of alarms about the stable version, and asMade that of alarms about trial decisions.
const (
	OfRelease = "release"
	asMade    = "as_made"
)

func (d *Diary) released(r *history.Released, at time.Time, count func(kind, what string)) {
	others := func(a *alarmNote) bool {
		a.gone = a.origin == OfRelease && a.about != named(r.To) && a.ended.IsZero() || a.gone
		return a.origin == OfRelease && a.about != named(r.To)
	}
	if r.To != nil {
		d.end(at, others) // the version that it was about no longer decides
	}
	if r.Actor != "" {
		d.order(r, count)
	}
	switch kind := release.StepKind(r.Step); kind {
	case release.Alarm:
		d.begin(named(r.Version), OfRelease, WhyWords(r.Reason), at)
	case release.AlarmEnded:
		d.end(at, func(a *alarmNote) bool {
			if a.origin == OfRelease {
				a.open--
			}
			return a.origin == OfRelease && a.open <= 0 // another comparison may keep it
		})
	case release.Violated:
		count(string(kind), called(r.Version)+" found beyond its limit"+comparisonOf(r.Reason))
		if last := &d.notes[len(d.notes)-1]; r.EventTime != nil { // which the verdict at the top has, too
			last.of = r.EventTime.UTC()
		}
	case release.Promoted, release.Withdrawn, release.Marked:
		if r.Actor == "" {
			count(string(kind), called(r.Version))
		}
	}
}

// comparisonOf is the comparison that the reason of a step begins with, in a list of what happened.
func comparisonOf(reason string) string {
	comparison, _, _ := strings.Cut(reason, ";")
	at := strings.LastIndex(comparison, between)
	if at < 0 {
		return ""
	}
	return fmt.Sprintf(" for %q (%s)", comparison[:at], comparison[at+len(between):])
}

// between stands after the name of a comparison in the reason of a step.
const between = ", between "

// order notes what a person ordered.
func (d *Diary) order(r *history.Released, count func(kind, what string)) {
	switch release.StepKind(r.Step) {
	case release.Promoted:
		count("chosen", called(r.Version)+" put into use"+by(r.Actor))
	case release.RolledBack:
		count("rolled_back", fmt.Sprintf("%s withdrawn%s%s, and version %s in use again", called(r.Version), by(r.Actor), because(r.Reason), called(r.To)))
	default:
		count("order", r.Actor)
	}
}

// because is the reason that a person gave for an order, in brackets. Events of a list stand between semicolons, so it has none.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", strings.ReplaceAll(WhyWords(reason), ";", ","))
}

func by(actor string) string {
	if actor == "" {
		return ""
	}
	return " by " + actor
}

func (d *Diary) begin(about, origin, why string, at time.Time) {
	for i := range d.alarms {
		if a := &d.alarms[i]; a.ended.IsZero() && a.about == about && a.origin == origin {
			a.open++
			if !slices.Contains(a.why, why) {
				a.why = append(slices.Clone(a.why), why) // a clone of the diary keeps its own
			}
			return
		}
	}
	d.alarms = append(d.alarms, alarmNote{about: about, origin: origin, why: []string{why}, began: at, open: 1})
	d.alarms = d.alarms[max(0, len(d.alarms)-mostAlarms):]
}

func (d *Diary) end(at time.Time, is func(*alarmNote) bool) {
	for i := range d.alarms {
		if a := &d.alarms[i]; a.ended.IsZero() && is(a) {
			a.ended = at
		}
	}
}

// Clone is a copy that shares nothing.
func (d Diary) Clone() Diary {
	d.notes, d.alarms = slices.Clone(d.notes), slices.Clone(d.alarms)
	return d
}

// Week are the alarms of the last week about the decisions that count, the newest first. counts says which do, by their origin.
func (d *Diary) Week(now time.Time, counts func(origin string) bool) (all []board.AlarmTime) {
	for _, a := range slices.Backward(d.alarms) {
		lasts := a.ended.IsZero()
		if counts(a.origin) && (lasts || now.Sub(a.ended) <= diaryWeek) {
			all = append(all, a.told())
		}
	}
	return all
}

// named is a version with its term, by which nothing else is named.
func named(w *history.Weights) string {
	if w == nil {
		return "–"
	}
	return fmt.Sprintf("%d/%d", w.Term, w.Version)
}
