package signoff

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
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
	left := time.Date(2026, 11, 10, 8, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		entry *history.Entry
		want  string // empty: nothing is told
	}{
		"promoted":         {release("promoted", "", ""), "version 7 came into use"},
		"found beyond":     {release("violated", "", "race, between Black and all others; the difference is from 0.1 to 0.2"), "version 7 found beyond its limit for \"race\" (Black and all others)"},
		"no longer beyond": {release("violated_ended", "", "race"), ""},
		"withdrawn":        {release("withdrawn", "", ""), "version 7 withdrawn by the program"},
		"marked":           {release("marked", "", ""), "version 7 found beyond its tolerance"},
		"a frozen version": {release("frozen", "", ""), ""},
		"an order":         {release("promoted", "mira", ""), "version 7 put into use by mira"},
		"a withdrawal":     {release("rolled_back", "mira", ""), "version 7 withdrawn by mira, and version 5 in use again"},
		"a pause":          {release("paused", "mira", ""), "an order about versions by mira"},
		"a loss":           {&history.Entry{Kind: history.DataLoss, Loss: &history.Loss{}}, "a loss of records"},
		"a reset":          {&history.Entry{Kind: history.Reset}, "what the job had learnt was deleted"},
		"configured":       {&history.Entry{Kind: history.Configuration, Who: mira, Configuration: &history.Configured{Changes: []history.Change{{Key: "release.cool_down", Old: json.RawMessage("300"), New: json.RawMessage("60000")}}}}, "settings changed by mira on {time}: the pause after a change of version (in records), from 300 to 60,000"},
		"many settings": {&history.Entry{Kind: history.Configuration, Configuration: &history.Configured{Changes: []history.Change{{Key: "constraints[0].tau"}, {Key: "constraints[1]"}, {Key: "learner.window"}, {Key: "log.level"}, {Key: "job"}}}},
			"settings changed on {time}: the limit of comparison 1, comparison 2, the number of recent records and 2 more"},
		"first configured": {&history.Entry{Kind: history.Configuration, Configuration: &history.Configured{}}, ""},
		"another process":  {&history.Entry{Kind: history.Owned, Who: mira, Owner: &history.Owner{Before: 1}}, "the process started again on kappa"},
		"after a day":      {&history.Entry{Kind: history.Owned, Who: mira, Owner: &history.Owner{Before: 1, Left: &left}}, "the process started again on kappa on {time}; the program was not running from 10 Nov, 08:00 to {time} ({long}), so no alarm could be raised"},
		"the first one":    {&history.Entry{Kind: history.Owned, Owner: &history.Owner{}}, ""},
		"published":        {&history.Entry{Kind: history.Publication, Publication: &history.Published{}}, ""},
	} {
		for _, ago := range []time.Duration{0, 24 * time.Hour, 24*time.Hour + 1, 7 * 24 * time.Hour, 7*24*time.Hour + 1} {
			var d Diary
			c.entry.Time = now.Add(-ago)
			c.entry.Sequence = 1
			d.Note(c.entry)
			clock := c.entry.Time.Format("2 Jan, 15:04")
			want, told := Quiet, strings.NewReplacer("{time}", clock, "{long}", board.Lasted(c.entry.Time.Sub(left))).Replace(c.want)
			if told == c.want {
				told += " on " + clock
			}
			switch {
			case c.want == "" || ago > 7*24*time.Hour:
			case ago <= 24*time.Hour:
				before := "nothing"
				if _, span, long := strings.Cut(told, "; the program was not running"); long { // since before the last day
					before = "no alarm; the program was not running" + span
				}
				want = "Last 24 hours: no alarm about a version in use; " + told + ". The six days before: " + before + "."
			default:
				want = "Last 24 hours: no alarm about a version in use. The six days before: no alarm; " + told + "."
			}
			if got := d.Happened(now, all); got != want {
				t.Errorf("%s, %v ago: %q, want %q", name, ago, got, want)
			}
		}
	}
	var d Diary
	for i := range mostNotes + 10 {
		d.Note(&history.Entry{Kind: history.Reset, Time: now, Sequence: int64(i + 1)})
	}
	if got := d.Happened(now, all); got != fmt.Sprintf("Last 24 hours: no alarm about a version in use; %d deletions of what the job had learnt, the last one on 20 Nov, 12:00. The six days before: nothing.", mostNotes) {
		t.Error(got)
	}
	d = Diary{}
	for range 2 {
		one := release("promoted", "", "")
		one.Time = now
		d.Note(one)
	}
	if got := d.told(now, 0, time.Hour, all); got != "no alarm about a version in use; 2 versions came into use, one after the other, the last one: version 7 came into use on 20 Nov, 12:00" {
		t.Error(got)
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
