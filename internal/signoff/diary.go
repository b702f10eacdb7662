package signoff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// Diary is what the last week brought, for people who look once a day: alarms with their beginning and end, and how often other things happened.
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

type note struct {
	at   time.Time
	kind string
}

type alarmNote struct {
	about  string // the version, or the comparison of a monitored model
	origin string // release, or the subject of decisions
	began  time.Time
	ended  time.Time // zero while it lasts
	open   int       // how many comparisons of the version it still stands for
}

// Bounds of a diary.
const (
	diaryWeek  = 7 * 24 * time.Hour
	mostNotes  = 2000
	mostAlarms = 200
)

// noteKinds are what is counted, in the order in which it is told, with the words for one and several.
var noteKinds = [][3]string{
	{"alarm", "alarm", "alarms"}, {"withdrawn", "withdrawal of a version", "withdrawals of versions"}, {"marked", "version found outside its limit", "versions found outside their limits"},
	{"loss", "loss of records", "losses of records"}, {"reset", "reset of the job", "resets of the job"}, {"order", "decision of a person about versions", "decisions of people about versions"},
	{"configuration", "change of the configuration", "changes of the configuration"}, {"promoted", "new deciding version", "new deciding versions"}, {"owner", "change of the process", "changes of the process"},
}

// Note takes note of an entry of the history. Entries come in order.
func (d *Diary) Note(e *history.Entry) {
	at := e.Time.UTC()
	if d.reach.IsZero() || at.Before(d.reach) {
		d.reach = at
	}
	d.whole = d.whole || e.Sequence == 1
	count := func(kind string) {
		d.notes = append(d.notes, note{at, kind})
		d.notes = d.notes[max(0, len(d.notes)-mostNotes):]
	}
	switch e.Kind {
	case history.Release:
		d.released(e.Release, at, count)
	case history.Decisions:
		about := fmt.Sprintf("%s, %s and %s", e.Decisions.Constraint, e.Decisions.Group, e.Decisions.Versus)
		switch e.Decisions.Change {
		case "alarm":
			d.begin(about, e.Decisions.Subject, at)
		case "alarm_ended":
			d.end(at, func(a *alarmNote) bool { return a.about == about && a.origin == e.Decisions.Subject })
		}
	case history.DataLoss:
		count("loss")
	case history.Reset:
		count("reset")
		d.end(at, func(*alarmNote) bool { return true })
	case history.Configuration:
		if len(e.Configuration.Changes) > 0 {
			count("configuration")
		}
	case history.Owned:
		if e.Owner.Before > 0 {
			count("owner")
		}
	}
}

// OfRelease is the origin of alarms about the stable version.
const OfRelease = "release"

func (d *Diary) released(r *history.Released, at time.Time, count func(kind string)) {
	others := func(a *alarmNote) bool { return a.origin == OfRelease && a.about != named(r.To) }
	if r.To != nil {
		d.end(at, others) // the version that it was about no longer decides
	}
	if r.Actor != "" {
		count("order")
	}
	switch kind := release.StepKind(r.Step); kind {
	case release.Alarm:
		d.begin(named(r.Version), OfRelease, at)
	case release.AlarmEnded:
		d.end(at, func(a *alarmNote) bool {
			if a.origin == OfRelease {
				a.open--
			}
			return a.origin == OfRelease && a.open <= 0 // another comparison may keep it
		})
	case release.Promoted, release.Withdrawn, release.Marked:
		if r.Actor == "" {
			count(string(kind))
		}
	}
}

func (d *Diary) begin(about, origin string, at time.Time) {
	for i := range d.alarms {
		if a := &d.alarms[i]; a.ended.IsZero() && a.about == about && a.origin == origin {
			a.open++
			return
		}
	}
	d.alarms = append(d.alarms, alarmNote{about: about, origin: origin, began: at, open: 1})
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
			all = append(all, a.told(now))
		}
	}
	return all
}

// told is an alarm in words.
func (a *alarmNote) told(now time.Time) board.AlarmTime {
	said := "the groups %s treated differently: " + a.about
	if a.origin == OfRelease {
		_, version, _ := strings.Cut(a.about, "/")
		said = "the groups %s treated differently by version " + grouped(version)
	}
	one := board.AlarmTime{ID: a.about + " " + a.began.Format(time.RFC3339), Began: a.began}
	if a.ended.IsZero() {
		one.Text = fmt.Sprintf("Since %s, for %s now, an alarm says that %s.", board.Clock(a.began), board.Lasted(now.Sub(a.began)), fmt.Sprintf(said, "are"))
		return one
	}
	ended := a.ended
	one.Ended = &ended
	one.Text = fmt.Sprintf("On %s an alarm said that %s. It lasted %s, until %s.", board.Clock(a.began), fmt.Sprintf(said, "were"),
		board.Lasted(ended.Sub(a.began)), board.Clock(ended))
	return one
}

// grouped is a number in digits, with marks between thousands.
func grouped(digits string) string {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return board.Grouped(n)
	}
	return digits
}

// Happened says what the last day and week brought.
func (d *Diary) Happened(now time.Time, counts func(origin string) bool) string {
	if d.none {
		return "Not known: this job keeps no history."
	}
	if d.reach.IsZero() {
		return "Not known yet: the history of the job has not been read."
	}
	day, week := d.told(now, 24*time.Hour, counts), d.told(now, diaryWeek, counts)
	text := "Last 24 hours: " + day + ". Last 7 days: " + week + "."
	if day == week {
		text = "Last 24 hours and last 7 days: " + day + "."
	}
	if !d.whole && now.Sub(d.reach) < diaryWeek {
		text += " What happened before " + board.Clock(d.reach) + " is not on this page."
	}
	return text
}

func (d *Diary) told(now time.Time, span time.Duration, counts func(origin string) bool) string {
	n := map[string]int{}
	for _, one := range d.notes {
		if now.Sub(one.at) <= span {
			n[one.kind]++
		}
	}
	for _, a := range d.alarms {
		if counts(a.origin) && (a.ended.IsZero() || now.Sub(a.ended) <= span) {
			n["alarm"]++
		}
	}
	var parts []string
	for _, kind := range noteKinds {
		switch c := n[kind[0]]; {
		case c == 1:
			parts = append(parts, "1 "+kind[1])
		case c > 1:
			parts = append(parts, fmt.Sprintf("%d %s", c, kind[2]))
		}
	}
	if n["alarm"] == 0 {
		parts = slices.Insert(parts, 0, "no alarm")
	}
	return strings.Join(parts, ", ")
}

// named is a version for people.
func named(w *history.Weights) string {
	if w == nil {
		return "–"
	}
	return fmt.Sprintf("%d/%d", w.Term, w.Version)
}
