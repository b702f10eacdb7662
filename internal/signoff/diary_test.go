package signoff

import (
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// TestAlarmsAreToldWithTheirTimes: when one began, for how long it lasted, and that it ends with the version that it is about.
func TestAlarmsAreToldWithTheirTimes(t *testing.T) {
	var d Diary
	begin := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	one, two := &history.Weights{Term: 1, Version: 300}, &history.Weights{Term: 1, Version: 400}
	tell := func(after time.Duration, step string, version, to *history.Weights) {
		d.Note(&history.Entry{Sequence: 5, Kind: history.Release, Time: begin.Add(after), Release: &history.Released{Step: step, Version: version, To: to, Reason: release.Beyond("race", "Black", "rest")}})
	}
	tell(0, "alarm", one, one)
	tell(95*time.Minute, "alarm_ended", one, one)
	tell(3*time.Hour, "alarm", one, one)
	tell(4*time.Hour, "promoted", two, two)
	tell(5*time.Hour, "alarm", two, two)
	all := func(string) bool { return true }
	now := begin.Add(30 * time.Hour)
	var none Diary
	if got := none.Happened(now, all); !strings.HasPrefix(got, "Not known yet") {
		t.Errorf("%s", got)
	}
	if none.None(); none.Happened(now, all) != "Not known: this job keeps no history." {
		t.Errorf("%s", none.Happened(now, all))
	}
	alarms := d.Week(now, all)
	if len(alarms) != 3 || alarms[0].Ended != nil || alarms[1].Ended == nil || !alarms[1].Ended.Equal(begin.Add(4*time.Hour)) {
		t.Fatalf("%+v", alarms)
	}
	for i, words := range []string{"Alarm about version 400 since 20 Nov 2026, 13:00 UTC: in the newest decisions, Black and all others are farther apart than the limit allows (race).", "An alarm about version 300 lasted 60 minutes, from 20 Nov 2026, 11:00 UTC to 20 Nov 2026, 12:00 UTC, when another version came into use: ", "An alarm about version 300 lasted 95 minutes, from 20 Nov 2026, 08:00 UTC to 20 Nov 2026, 09:35 UTC: Black and all others were farther apart than the limit allowed (race)."} {
		if !strings.Contains(alarms[i].Text, words) {
			t.Errorf("%q lacks %q", alarms[i].Text, words)
		}
	}
	if got, want := d.Happened(now, all), "Last 24 hours: 20 Nov, 13:00: alarm about version 400 (race), still on. The six days before: 20 Nov, 12:00: version 400 came into use; 20 Nov, 11:00: alarm about version 300 (race), until 20 Nov, 12:00 (the last of 2 alarms). What happened before 20 Nov 2026, 08:00 UTC is not on this page."; got != want {
		t.Errorf("%s", got)
	}
	if gone := d.Week(begin.Add(20*24*time.Hour), all); len(gone) != 1 {
		t.Errorf("after three weeks: %+v", gone)
	}
}

// TestAlarmsAboutTrialDecisionsAreToldApart: they are no alarms about a version in use, and the history has them.
func TestAlarmsAboutTrialDecisionsAreToldApart(t *testing.T) {
	var d Diary
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for i, name := range []string{"race", "sex"} {
		d.Note(&history.Entry{Sequence: int64(i + 1), Kind: history.Decisions, Time: now.Add(-time.Hour),
			Decisions: &history.Judged{Subject: "as_made", Change: "alarm", Constraint: name, Group: "Black", Versus: "rest"}})
	}
	stable := func(origin string) bool { return origin == OfRelease }
	if got, want := d.Happened(now, stable), "Last 24 hours: no alarm about a version in use; 2 alarms about trial decisions that no one received. The job began on 20 Nov 2026, 07:00 UTC."; got != want {
		t.Errorf("%s", got)
	}
	if made := func(origin string) bool { return origin == "as_made" }; d.Happened(now, made) != "Last 24 hours: 20 Nov, 07:00: alarm (sex), still on (the last of 2 alarms). The job began on 20 Nov 2026, 07:00 UTC." {
		t.Errorf("%s", d.Happened(now, made))
	}
}

// TestAnAlarmOfTwoComparisonsEndsWithTheSecond: while the card of one still shows it, the top of the page does too.
func TestAnAlarmOfTwoComparisonsEndsWithTheSecond(t *testing.T) {
	var d Diary
	begin := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	one := &history.Weights{Term: 1, Version: 300}
	tell := func(after time.Duration, step, reason string) {
		d.Note(&history.Entry{Sequence: 5, Kind: history.Release, Time: begin.Add(after), Release: &history.Released{Step: step, Version: one, To: one, Reason: reason}})
	}
	tell(0, "alarm", "sex is beyond its bound")
	tell(time.Hour, "alarm", "race is beyond its bound")
	tell(2*time.Hour, "alarm_ended", "sex is within its bound again")
	all := func(string) bool { return true }
	if alarms := d.Week(begin.Add(30*time.Hour), all); len(alarms) != 1 || alarms[0].Ended != nil {
		t.Fatalf("while race is beyond its limit: %+v", alarms)
	}
	tell(3*time.Hour, "alarm_ended", "race is within its bound again")
	if alarms := d.Week(begin.Add(30*time.Hour), all); len(alarms) != 1 || alarms[0].Ended == nil || !alarms[0].Ended.Equal(begin.Add(3*time.Hour)) {
		t.Fatalf("after both: %+v", alarms)
	}
}
