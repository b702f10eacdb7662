package signoff

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/history"
)

// TestWhatHappenedIsNamed by kind, with version, person and time: of the last day and of the six days before, each with its bound; what changes nothing is
// not told.
func TestWhatHappenedIsNamed(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	all := func(string) bool { return true }
	release := func(step, actor, reason string) *history.Entry {
		return &history.Entry{Kind: history.Release, Release: &history.Released{Step: step, Actor: actor, Reason: reason, Version: &history.Weights{Term: 1, Version: 7}, To: &history.Weights{Term: 1, Version: 5}}}
	}
	mira := history.Who{Host: "kappa", Actor: "mira"}
	for name, c := range map[string]struct {
		entry *history.Entry
		want  string // empty: nothing is told
	}{
		"promoted":         {release("promoted", "", ""), "version 7 came into use"},
		"found beyond":     {release("violated", "", "race, between Black and all others; the difference is from 0.1 to 0.2"), "version 7 found beyond its limit for \"race\" (Black and all others)"},
		"no longer beyond": {release("violated_ended", "", "race"), ""},
		"withdrawn":        {release("withdrawn", "", ""), "version 7 withdrawn by fairstream"},
		"marked":           {release("marked", "", ""), "version 7 found beyond its tolerance"},
		"a frozen version": {release("frozen", "", ""), ""},
		"an order":         {release("promoted", "mira", ""), "version 7 put into use by mira"},
		"a withdrawal":     {release("rolled_back", "mira", ""), "version 7 withdrawn by mira, and version 5 in use again"},
		"for a reason":     {&history.Entry{Kind: history.Release, Release: &history.Released{Step: "rolled_back", Actor: "mira", Reason: "two complaints; a letter", Version: &history.Weights{Term: 1, Version: 7}, To: &history.Weights{Term: 1, Version: 5}}}, "version 7 withdrawn by mira (\"two complaints, a letter\"), and version 5 in use again"},
		"a pause":          {release("paused", "mira", ""), "an order about versions by mira"},
		"a loss":           {&history.Entry{Kind: history.DataLoss, Loss: &history.Loss{}}, "records were lost"},
		"a reset":          {&history.Entry{Kind: history.Reset}, "what the job had learnt was deleted"},
		"configured":       {&history.Entry{Kind: history.Configuration, Who: mira, Configuration: &history.Configured{Changes: []history.Change{{Key: "release.cool_down", Old: json.RawMessage("300"), New: json.RawMessage("60000")}}}}, "settings changed by mira: the pause after a change of version (in records), from 300 to 60,000"},
		"many settings": {&history.Entry{Kind: history.Configuration, Configuration: &history.Configured{Changes: []history.Change{{Key: "constraints[0].tau"}, {Key: "constraints[1]"}, {Key: "learner.window"}, {Key: "log.level"}, {Key: "job"}}}},
			"settings changed: the limit of comparison 1, comparison 2, the number of recent records and 2 more"},
		"first configured": {&history.Entry{Kind: history.Configuration, Configuration: &history.Configured{}}, ""},
		"after a kill":     {&history.Entry{Kind: history.Owned, Who: mira, Owner: &history.Owner{Before: 1}}, "fairstream was cut off, and started again on kappa (how long it was not running is not known)"},
		"another process":  {&history.Entry{Kind: history.Owned, Who: mira, Owner: &history.Owner{Before: 1, Left: &now}}, ""},
		"the first one":    {&history.Entry{Kind: history.Owned, Owner: &history.Owner{}}, ""},
		"published":        {&history.Entry{Kind: history.Publication, Publication: &history.Published{}}, ""},
	} {
		for _, ago := range []time.Duration{0, 24 * time.Hour, 24*time.Hour + 1, 7 * 24 * time.Hour, 7*24*time.Hour + 1} {
			d := old(now)
			c.entry.Time = now.Add(-ago)
			c.entry.Sequence = 2
			d.Note(c.entry)
			want, told := Quiet, c.entry.Time.Format("2 Jan, 15:04: ")+c.want
			switch {
			case c.want == "" || ago > 7*24*time.Hour:
			case ago <= 24*time.Hour:
				want = "Last 24 hours: no alarm about a version in use; " + told + ". The six days before: no alarm."
			default:
				want = "Last 24 hours: no alarm about a version in use. The six days before: no alarm; " + told + "."
			}
			if got := d.Happened(now, all); got != want {
				t.Errorf("%s, %v ago: %q, want %q", name, ago, got, want)
			}
		}
	}
	d := old(now)
	for i := range mostNotes + 10 {
		d.Note(&history.Entry{Kind: history.Reset, Time: now, Sequence: int64(i + 2)})
	}
	if got := d.Happened(now, all); got != fmt.Sprintf("Last 24 hours: no alarm about a version in use; 20 Nov, 12:00: what the job had learnt was deleted (the last of %d deletions). The six days before: no alarm.", mostNotes) {
		t.Error(got)
	}
	d = Diary{}
	for range 2 {
		one := release("promoted", "", "")
		one.Time = now
		d.Note(one)
	}
	if got := d.told(now, 0, time.Hour, all); got != "no alarm about a version in use; 20 Nov, 12:00: version 7 came into use (the last of 2 versions that came into use)" {
		t.Error(got)
	}
}

// old is the diary of a job that began before the last week.
func old(now time.Time) (d Diary) {
	d.Note(&history.Entry{Sequence: 1, Kind: history.Publication, Publication: &history.Published{}, Time: now.AddDate(0, 0, -8)})
	return d
}

// TestWhatWasNotWatchedIsToldOnce: that fairstream was not running stands once, whatever span it reaches into, and bounds "no alarm" in each of these.
func TestWhatWasNotWatchedIsToldOnce(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	owned := func(left, at time.Time) *history.Entry {
		return &history.Entry{Sequence: 2, Kind: history.Owned, Time: at, Owner: &history.Owner{Before: 1, Left: &left}}
	}
	ago := func(hours int) time.Time { return now.Add(-time.Duration(hours) * time.Hour) }
	for name, c := range map[string]struct {
		entries []*history.Entry
		want    string
	}{
		"a break of a minute": {[]*history.Entry{owned(now.Add(-time.Minute), now)}, Quiet},
		"today":               {[]*history.Entry{owned(ago(5), ago(3))}, "Last 7 days: no alarm about a version in use in the 6 days in which fairstream was running. From 20 Nov, 07:00 to 20 Nov, 09:00 (2 hours) fairstream was not running, so no alarm could be raised. Once it runs again, it reads the records that came meanwhile, and the verdicts then count them."},
		"before a week":       {[]*history.Entry{owned(ago(190), ago(180))}, Quiet},
		"twice": {[]*history.Entry{owned(ago(80), ago(70)), owned(ago(30), ago(20))},
			"Last 7 days: no alarm about a version in use in the 6 days in which fairstream was running. In 2 periods, fairstream was not running, so no alarm could be raised; the last one was from 19 Nov, 06:00 to 19 Nov, 16:00 (10 hours). Once it runs again, it reads the records that came meanwhile, and the verdicts then count them."},
		"yesterday, and a version today": {[]*history.Entry{owned(ago(80), ago(70)), {Sequence: 3, Kind: history.Release, Time: ago(2), Release: &history.Released{Step: "promoted", Version: &history.Weights{Term: 1, Version: 7}, To: &history.Weights{Term: 1, Version: 7}}}},
			"Last 24 hours: no alarm about a version in use; 20 Nov, 10:00: version 7 came into use. The six days before: no alarm in the 5 days in which fairstream was running. From 17 Nov, 04:00 to 17 Nov, 14:00 (10 hours) fairstream was not running, so no alarm could be raised. Once it runs again, it reads the records that came meanwhile, and the verdicts then count them."},
	} {
		d := old(now)
		for _, e := range c.entries {
			d.Note(e)
		}
		if got := d.Happened(now, func(string) bool { return true }); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	var young Diary
	young.Note(&history.Entry{Sequence: 1, Kind: history.Reset, Time: ago(2)})
	if got := young.Happened(now, func(string) bool { return false }); got != "Last 24 hours: no alarm; 20 Nov, 10:00: what the job had learnt was deleted. The job began on 20 Nov 2026, 10:00 UTC." {
		t.Errorf("a job of today: %q", got)
	}
}

// TestHowFarADiaryReaches: where the history was not read, or not from its beginning.
func TestHowFarADiaryReaches(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	all := func(string) bool { return true }
	var d Diary
	if got := d.Happened(now, all); got != "Not known yet: the history of the job has not been read." {
		t.Error(got)
	}
	for _, c := range []struct {
		ago      time.Duration
		sequence int64
		short    bool
	}{{time.Hour, 7, true}, {7*24*time.Hour - 1, 7, true}, {7 * 24 * time.Hour, 7, false}, {time.Hour, 1, false}} {
		d = Diary{}
		d.Note(&history.Entry{Kind: history.Publication, Publication: &history.Published{}, Time: now.Add(-c.ago), Sequence: c.sequence})
		if got := d.Happened(now, all); strings.Contains(got, "is not on this page") != c.short {
			t.Errorf("from entry %d, %v ago: %s", c.sequence, c.ago, got)
		}
	}
	d.None()
	if got := d.Happened(now, all); got != "Not known: this job keeps no history." {
		t.Error(got)
	}
}

// TestAlarmsOfDecisions begin and end by what they are about and whose decisions it is; a reset ends all, and a copy goes on by itself.
func TestAlarmsOfDecisions(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	all := func(string) bool { return true }
	judged := func(subject, constraint, change string, ago time.Duration) *history.Entry {
		return &history.Entry{Kind: history.Decisions, Time: now.Add(-ago), Decisions: &history.Judged{Subject: subject, Constraint: constraint, Group: "m", Versus: "f", Change: change}}
	}
	lasting := func(d *Diary) (n int) {
		for _, a := range d.Week(now, all) {
			if a.Ended == nil {
				n++
			}
		}
		return n
	}
	var d Diary
	for i, c := range []struct {
		entry *history.Entry
		want  int
	}{
		{judged("as_made", "sex", "alarm", 5*time.Hour), 1}, {judged("as_made", "age", "alarm", 5*time.Hour), 2}, {judged("other", "sex", "alarm", 5*time.Hour), 3}, {judged("as_made", "sex", "verdict", 4*time.Hour), 3},
		{judged("other", "age", "alarm_ended", 4*time.Hour), 3}, {judged("as_made", "age", "alarm_ended", 4*time.Hour), 2}, {judged("other", "sex", "alarm_ended", 3*time.Hour), 1},
	} {
		if d.Note(c.entry); lasting(&d) != c.want {
			t.Errorf("after entry %d %d alarms last, want %d", i, lasting(&d), c.want)
		}
	}
	copied := d.Clone()
	copied.Note(&history.Entry{Kind: history.Reset, Time: now})
	if lasting(&copied) != 0 || lasting(&d) != 1 {
		t.Errorf("after a reset of the copy %d and %d alarms last", lasting(&copied), lasting(&d))
	}
	if n := len(d.Week(now, func(origin string) bool { return origin == "other" })); n != 1 {
		t.Errorf("%d alarms of the other model", n)
	}
	later := now.Add(-3 * time.Hour).Add(diaryWeek)
	if n := len(d.Week(later, all)); n != 2 { // the one that lasts, and the one that ended a week ago
		t.Errorf("%d alarms a week later", n)
	}
	if n := len(d.Week(later.Add(1), all)); n != 1 {
		t.Errorf("%d alarms after more than a week", n)
	}
	for i := range mostAlarms + 5 {
		d.Note(judged("as_made", fmt.Sprint("c", i), "alarm", time.Hour))
	}
	if len(d.alarms) != mostAlarms {
		t.Errorf("%d alarms are kept", len(d.alarms))
	}
}
