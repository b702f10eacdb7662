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

// noteKinds are what is counted, in the order in which it is told, with the words for one and several.
var noteKinds = [][3]string{
	{"alarm", "alarm", "alarms"}, {"withdrawn", "version withdrawn", "versions withdrawn"}, {"rolled_back", "version withdrawn by a person", "versions withdrawn by people"},
	{"marked", "version found outside its limit", "versions found outside their limits"}, {"loss", "loss of records", "losses of records"}, {"reset", "new beginning of the job from nothing", "new beginnings of the job from nothing"},
	{"chosen", "version put into use by a person", "versions put into use by people"}, {"order", "other order of a person about versions", "other orders of people about versions"},
	{"configuration", "change of the settings", "changes of the settings"}, {"promoted", "new version in use", "new versions in use"}, {"owner", "start of a new process", "starts of new processes"},
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
		about := release.Beyond(e.Decisions.Constraint, e.Decisions.Group, e.Decisions.Versus)
		switch e.Decisions.Change {
		case "alarm":
			d.begin(about, e.Decisions.Subject, about, at)
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

// OfRelease is the origin of alarms about the stable version, and asMade that of alarms about trial decisions.
const (
	OfRelease = "release"
	asMade    = "as_made"
)

func (d *Diary) released(r *history.Released, at time.Time, count func(kind string)) {
	others := func(a *alarmNote) bool {
		a.gone = a.origin == OfRelease && a.about != named(r.To) && a.ended.IsZero() || a.gone
		return a.origin == OfRelease && a.about != named(r.To)
	}
	if r.To != nil {
		d.end(at, others) // the version that it was about no longer decides
	}
	if r.Actor != "" {
		d.order(release.StepKind(r.Step), count)
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
	case release.Promoted, release.Withdrawn, release.Marked:
		if r.Actor == "" {
			count(string(kind))
		}
	}
}

// order counts what a person ordered.
func (d *Diary) order(kind release.StepKind, count func(kind string)) {
	switch kind {
	case release.Promoted:
		count("chosen")
	case release.RolledBack:
		count("rolled_back")
	default:
		count("order")
	}
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

// told is an alarm in words: since when or how long, about what, and between which groups.
func (a *alarmNote) told() board.AlarmTime {
	what, is := strings.Join(a.why, "; "), " is "
	one := board.AlarmTime{ID: a.about + " " + a.began.Format(time.RFC3339), Began: a.began}
	if a.ended.IsZero() {
		one.Text = fmt.Sprintf("An alarm has lasted since %s.", board.Clock(a.began)) // and not for how long: the page may be an old one
	} else {
		ended := a.ended
		one.Ended = &ended
		one.Text = fmt.Sprintf("An alarm lasted %s, from %s to %s", board.Lasted(ended.Sub(a.began)), board.Clock(a.began), board.Clock(ended))
		if a.gone {
			one.Text += ", when another version came into use"
		}
		one.Text += "."
		what, is = strings.ReplaceAll(what, " are beyond the bound", " were beyond the bound"), " was "
	}
	switch _, version, _ := strings.Cut(a.about, "/"); {
	case a.origin != OfRelease:
		one.Text += " " + strings.ToUpper(what[:1]) + what[1:] + "."
	case what == "":
		one.Text += " It" + is + "about version " + grouped(version) + "."
	default:
		one.Text += " Version " + grouped(version) + ": " + what + "."
	}
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
	trials := 0
	for _, a := range d.alarms {
		switch recent := a.ended.IsZero() || now.Sub(a.ended) <= span; {
		case recent && counts(a.origin):
			n["alarm"]++
		case recent && a.origin == asMade:
			trials++
		}
	}
	about := "" // an alarm of trial decisions is another thing
	if counts(OfRelease) {
		about = " about a version in use"
	}
	var parts []string
	for _, kind := range noteKinds {
		if kind[0] == "alarm" {
			kind[1], kind[2] = kind[1]+about, kind[2]+about
		}
		switch c := n[kind[0]]; {
		case c == 1:
			parts = append(parts, "1 "+kind[1])
		case c > 1:
			parts = append(parts, fmt.Sprintf("%d %s", c, kind[2]))
		}
	}
	if n["alarm"] == 0 {
		parts = slices.Insert(parts, 0, "no alarm"+about)
	}
	if trials > 0 {
		at := min(1, len(parts)) // after those that count
		parts = slices.Insert(parts, at, fmt.Sprintf("%d about trial decisions that no one received", trials))
	}
	return strings.Join(parts, ", ")
}

// named is a version with its term, by which nothing else is named.
func named(w *history.Weights) string {
	if w == nil {
		return "–"
	}
	return fmt.Sprintf("%d/%d", w.Term, w.Version)
}
