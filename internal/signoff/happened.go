package signoff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
)

// told is an alarm in words: since when or how long, about what, and between which groups.
func (a *alarmNote) told() board.AlarmTime {
	one := board.AlarmTime{ID: a.about + " " + a.began.Format(time.RFC3339), Began: a.began}
	what := strings.Join(a.why, "; ")
	if a.origin != OfRelease {
		what = a.about
	}
	if a.ended.IsZero() {
		one.Text = fmt.Sprintf("Alarm%s since %s", a.whose(), board.Clock(a.began)) // and not for how long: the page may be an old one
	} else {
		ended := a.ended
		one.Ended = &ended
		one.Text = fmt.Sprintf("An alarm%s lasted %s, from %s to %s", a.whose(), board.Lasted(ended.Sub(a.began)), board.Clock(a.began), board.Clock(ended))
		if a.gone {
			one.Text += ", when another version came into use"
		}
		what = strings.NewReplacer("in the newest decisions, ", "", " are farther apart than the limit allows", " were farther apart than the limit allowed").Replace(what)
	}
	if what != "" {
		one.Text += ": " + what
	}
	one.Text += "."
	return one
}

// whose says which version an alarm is about, if it is about one.
func (a *alarmNote) whose() string {
	if _, version, found := strings.Cut(a.about, "/"); found && a.origin == OfRelease {
		return " about version " + grouped(version)
	}
	return ""
}

// comparisons are the names at the ends of what an alarm says.
func (a *alarmNote) comparisons() string {
	var names []string
	for _, why := range a.why {
		if _, name, found := strings.Cut(why, " than the limit allows ("); found {
			names = append(names, strings.TrimSuffix(name, ")"))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// brief is an alarm in a list of what happened.
func (a *alarmNote) brief() string {
	text := "alarm" + a.whose() + a.comparisons()
	if a.ended.IsZero() {
		return text + " since " + moment(a.began)
	}
	return text + " from " + moment(a.began) + " to " + moment(a.ended)
}

// moment is a time of the last days in few words, in UTC.
func moment(at time.Time) string { return at.UTC().Format("2 Jan, 15:04") }

// grouped is a number in digits, with marks between thousands.
func grouped(digits string) string {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return board.Grouped(n)
	}
	return digits
}

// Quiet is what a week brought in which nothing happened to versions in use.
const Quiet = "Last 7 days: no alarm about a version in use."

// Happened says what the last day and week brought.
func (d *Diary) Happened(now time.Time, counts func(origin string) bool) string {
	if d.none {
		return "Not known: this job keeps no history."
	}
	if d.reach.IsZero() {
		return "Not known yet: the history of the job has not been read."
	}
	const day = 24 * time.Hour
	quiet := "no alarm" + about(counts)
	text := "Last 7 days: " + quiet + "."
	last, before := d.told(now, 0, day, counts), d.told(now, day, diaryWeek, counts)
	if last != "" || before != "" {
		text = "Last 24 hours: " + cmp.Or(last, quiet) + ". The six days before: " + cmp.Or(before, "nothing") + "."
	}
	if !d.whole && now.Sub(d.reach) < diaryWeek {
		text += " What happened before " + board.Clock(d.reach) + " is not on this page."
	}
	return text
}

// told is what happened within a span, and before another one that is shorter, if it is not 0: in the order of time, and alarms about trial decisions last.
// It is empty if nothing did.
func (d *Diary) told(now time.Time, before, within time.Duration, counts func(origin string) bool) string {
	in := func(at time.Time) bool {
		ago := now.Sub(at)
		return ago <= within && (before == 0 || ago > before)
	}
	type part struct {
		at   time.Time
		text string
	}
	var parts []part
	var alarms []*alarmNote
	trials := 0
	for i := range d.alarms {
		a := &d.alarms[i]
		at := a.ended
		if at.IsZero() {
			at = now
		}
		switch {
		case !in(at):
		case counts(a.origin):
			alarms = append(alarms, a)
		case a.origin == asMade:
			trials++
		}
	}
	switch n := len(alarms); {
	case n == 1:
		parts = append(parts, part{alarms[0].began, alarms[0].brief()})
	case n > 1:
		parts = append(parts, part{alarms[n-1].began, fmt.Sprintf("%d alarms, the last one: %s", n, alarms[n-1].brief())})
	}
	for _, kind := range noteKinds {
		n, newest := 0, note{}
		for _, one := range d.notes {
			if one.kind == kind.kind && (in(one.at) || !one.from.IsZero() && now.Sub(one.at) <= within && now.Sub(one.from) > before) {
				n, newest = n+1, one
			}
		}
		one := strings.Replace(kind.one, "%s", newest.what, 1)
		if kind.kind != "away" { // which has times of its own
			when := newest.at
			if !newest.of.IsZero() {
				when = newest.of
			}
			one += " on " + moment(when) + newest.more
		}
		switch named := strings.HasPrefix(kind.one, "version") || kind.kind == "away" || newest.more != ""; {
		case n == 1:
			parts = append(parts, part{newest.at, one})
		case n > 1 && named:
			parts = append(parts, part{newest.at, fmt.Sprintf("%d %s, the last one: %s", n, kind.many, one)})
		case n > 1:
			parts = append(parts, part{newest.at, fmt.Sprintf("%d %s, the last one on %s", n, kind.many, moment(newest.at))})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.at.Compare(b.at) })
	var told []string
	if len(alarms) == 0 && len(parts)+trials > 0 {
		quiet := "no alarm"
		if before == 0 {
			quiet += about(counts)
		}
		told = append(told, quiet)
	}
	for _, p := range parts {
		told = append(told, p.text)
	}
	if trials > 0 {
		told = append(told, board.Counted(trials, "alarm")+" about trial decisions that no one received")
	}
	return strings.Join(told, "; ")
}

// about tells an alarm that counts from one of trial decisions, which is another thing.
func about(counts func(origin string) bool) string {
	if counts(OfRelease) {
		return " about a version in use"
	}
	return ""
}
