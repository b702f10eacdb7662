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

// brief is an alarm in a list of what happened, after the time at which it began.
func (a *alarmNote) brief() string {
	text := "alarm" + a.whose() + a.comparisons()
	if a.ended.IsZero() {
		return text + ", still on"
	}
	return text + ", until " + moment(a.ended)
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
	began, age := d.whole && now.Sub(d.reach) < diaryWeek, now.Sub(d.reach)
	last, before := d.told(now, 0, day, counts), d.told(now, day, diaryWeek, counts)
	text := "Last 7 days: no alarm" + about(counts) + d.whileRunning(now, 0, diaryWeek) + "."
	if last != "" || before != "" {
		text = "Last 24 hours: " + cmp.Or(last, "no alarm"+about(counts)+d.whileRunning(now, 0, day)) + "."
		if before != "" || !began || age > day {
			text += " The six days before: " + cmp.Or(before, "no alarm"+d.whileRunning(now, day, diaryWeek)) + "."
		}
	}
	text += d.stood(now)
	switch {
	case began:
		text += " The job began on " + board.Clock(d.reach) + "."
	case !d.whole && age < diaryWeek:
		text += " What happened before " + board.Clock(d.reach) + " is not on this page."
	}
	return text
}

// within says whether a moment is of a span, which ends before another one that is shorter, if that is not 0.
func within(now, at time.Time, before, span time.Duration) bool {
	ago := now.Sub(at)
	return ago <= span && (before == 0 || ago > before)
}

// whileRunning says for how long of a span fairstream was running, if there were times in which it was not: only then it could have seen anything.
func (d *Diary) whileRunning(now time.Time, before, span time.Duration) string {
	from, to := now.Add(-span), now.Add(-before)
	if d.whole && d.reach.After(from) {
		from = d.reach
	}
	running, all := to.Sub(from), true
	for _, one := range d.notes {
		if one.kind != notRunning {
			continue
		}
		began, ended := one.from, one.at
		if began.Before(from) {
			began = from
		}
		if ended.After(to) {
			ended = to
		}
		if away := ended.Sub(began); away > 0 {
			running, all = running-away, false
		}
	}
	switch {
	case all:
		return ""
	case running < time.Minute:
		return ", but fairstream was not running"
	}
	return " in the " + board.Lasted(running) + " in which fairstream was running"
}

// read says what becomes of what came meanwhile.
const read = "Once it runs again, it reads the records that came meanwhile, and the verdicts then count them."

// stood says once when fairstream was not running in the last week: whatever span that reaches into.
func (d *Diary) stood(now time.Time) string {
	n, newest := 0, note{}
	for _, one := range d.notes {
		if one.kind == notRunning && now.Sub(one.at) <= diaryWeek {
			n, newest = n+1, one
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" From %s fairstream was not running, so no alarm could be raised. "+read, newest.what)
	}
	return fmt.Sprintf(" In %d periods, fairstream was not running, so no alarm could be raised; the last one was from %s. "+read, n, newest.what)
}

// told is what happened within a span, and before another one that is shorter, if it is not 0: whether there was an alarm, then everything with its time, the
// newest first, and alarms about trial decisions last. It is empty if nothing happened.
func (d *Diary) told(now time.Time, before, span time.Duration, counts func(origin string) bool) string {
	type part struct {
		at   time.Time
		text string
	}
	var parts []part
	add := func(at time.Time, text string, n int, many string) {
		text = moment(at) + ": " + text
		if n > 1 {
			text += fmt.Sprintf(" (the last of %d %s)", n, many)
		}
		parts = append(parts, part{at, text})
	}
	var newest *alarmNote
	alarms, trials := 0, 0
	for i := range d.alarms {
		a := &d.alarms[i]
		at := a.ended
		if at.IsZero() {
			at = now
		}
		switch {
		case !within(now, at, before, span):
		case counts(a.origin):
			alarms, newest = alarms+1, a
		case a.origin == asMade:
			trials++
		}
	}
	if alarms > 0 {
		add(newest.began, newest.brief(), alarms, "alarms")
	}
	for _, kind := range noteKinds {
		n, newest := 0, note{}
		for _, one := range d.notes {
			if one.kind == kind.kind && within(now, one.at, before, span) {
				n, newest = n+1, one
			}
		}
		if n > 0 {
			at := newest.at
			if !newest.of.IsZero() {
				at = newest.of
			}
			add(at, strings.Replace(kind.one, "%s", newest.what, 1)+newest.more, n, kind.many)
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return b.at.Compare(a.at) })
	var told []string
	if alarms == 0 && len(parts)+trials > 0 {
		quiet := "no alarm"
		if before == 0 {
			quiet += about(counts)
		}
		told = append(told, quiet+d.whileRunning(now, before, span))
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
