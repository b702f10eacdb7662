package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

var anna = history.Who{Service: "fairstream run", Host: "kappa", Actor: "anna", Reason: "decision 17"}

func published(term, version int64) *history.Entry {
	x, lo, hi := .03, .01, .05
	return &history.Entry{Sequence: version, Kind: history.Publication, Time: time.Unix(version, 0), Term: term, Who: anna, Publication: &history.Published{Version: version, WeightsSHA256: "abc",
		Constraints: []history.Row{{Name: "sex", Criterion: "demographic-parity", Group: "m", Versus: "f", Tau: .05, Value: &x, Lo: &lo, Hi: &hi, Level: .95, Status: "met"},
			{Name: "few", Criterion: "demographic-parity", Group: "a", Versus: "b", Tau: .05, Status: "not_estimable"}}}}
}

// TestRecall: what earlier processes did is known from the history: versions with evidence and who, changes with actor and
// reason, owners, verdicts; and a version that this process published itself is there once.
func TestRecall(t *testing.T) {
	track := newTrack()
	track.recall(&history.Entry{Sequence: 1, Kind: history.Owned, Term: 2, Who: anna, Owner: &history.Owner{Before: 1, HostBefore: "iota", Version: 90}})
	track.recall(published(1, 100))
	track.recall(&history.Entry{Sequence: 3, Kind: history.Configuration, Term: 2, Who: anna, Configuration: &history.Configured{Version: 120,
		Changes: []history.Change{{Key: "constraints[0].tau", Old: json.RawMessage("0.1"), New: json.RawMessage("0.05")}}}})
	track.recall(published(2, 200))
	lo, hi := .06, .2
	track.recall(&history.Entry{Sequence: 5, Kind: history.Decisions, Term: 2, Who: anna, Decisions: &history.Judged{Subject: "as_made", Change: "verdict", Constraint: "sex", Group: "m", Versus: "f",
		Tau: .05, From: "inconclusive", To: "violated", Lo: &lo, Hi: &hi}})
	track.recall(&history.Entry{Sequence: 6, Kind: history.DataLoss, Term: 2, Who: anna, Loss: &history.Loss{Partition: 3, Offset: 7, Lost: 5, Kind: "retention"}})
	track.recall(&history.Entry{Sequence: 7, Kind: history.Reset, Term: 2, Who: anna})
	track.recall(&history.Entry{Sequence: 8, Kind: "promotion", Term: 2, Who: anna})
	// This process publishes, and then reads what it wrote.
	estimate := fairness.Estimate{Name: "sex", Value: .02, Lo: .01, Hi: .03, Status: fairness.Met}
	track.notify(stream.ConfigChanged{Changes: []history.Change{{Key: "learner.window", Old: json.RawMessage("1"), New: json.RawMessage("2")}}})
	track.notify(stream.Published{Term: 3, Version: 300, SHA256: "def", Measurements: document.Measurements{Constraints: []fairness.Estimate{estimate}}})
	track.recall(&history.Entry{Sequence: 9, Kind: history.Configuration, Term: 3, Who: anna, Configuration: &history.Configured{Version: 0,
		Changes: []history.Change{{Key: "learner.window", Old: json.RawMessage("1"), New: json.RawMessage("2")}}}})
	track.recall(published(3, 300))
	track.recall(published(2, 250)) // written late by the owner before

	versions := track.published()
	var order []string
	for _, v := range versions {
		order = append(order, fmt.Sprintf("%d/%d %s", v.Term, v.Version, strings.Join(v.Alias, "")))
		if v.Who == nil || v.Who.Actor != "anna" || v.Who.Reason != "decision 17" {
			t.Errorf("version %d: %+v", v.Version, v.Who)
		}
	}
	if got := strings.Join(order, ", "); got != "3/300 latest, 2/250 , 2/200 , 1/100 " {
		t.Errorf("versions %s", got)
	}
	if own := versions[0]; own.WeightsSHA256 != "def" || own.Constraints[0].Value != .02 || len(own.Changes) != 1 || own.Changes[0].Actor != "anna" {
		t.Errorf("a version of this process: %+v", own)
	}
	old := versions[2]
	if len(old.Changes) != 1 || old.Changes[0].Path != "constraints[0].tau" || old.Changes[0].Reason != "decision 17" || old.Constraints[0].Status != fairness.Met ||
		old.Constraints[0].Value != .03 || old.Constraints[1].Reason == "" || old.Constraints[1].Value.Known() {
		t.Errorf("an earlier version: %+v", old)
	}
	var told []string
	for _, h := range track.past() {
		told = append(told, h.Text)
	}
	want := []string{"Setting of the learner: the number of recent records is now 2; before, it was 1.", "promotion", "What the job had learnt was deleted, and learning began again", "Up to 5 records of partition 3 were lost before they were learnt, from offset 7 on",
		"Comparison \"sex\" of m and f, trial decisions while learning: the verdict changed from \"not known yet\" to \"beyond the limit\". The difference was between +0.060 and +0.200; the limit is ±0.05", "Comparison 1: the limit is now 0.05; before, it was 0.1.",
		"Fairstream on kappa took the job over, after 90 records; before, the job ran on iota"}
	if strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("told\n%s", strings.Join(told, "\n"))
	}
	publications := 0
	for _, m := range track.marks {
		if m.Kind == board.MarkPublication {
			publications++
		}
	}
	if publications != 1 { // of term 3: the others are of a state that was reset in term 2, and so are their records
		t.Errorf("%d publications on the axis: %+v", publications, track.marks)
	}
	configuration := 0
	for _, m := range track.marks {
		if m.Kind == board.MarkConfiguration {
			configuration++
		}
	}
	if configuration != 1 {
		t.Errorf("%d marks of the change since the reset: %+v", configuration, track.marks)
	}
	for i := range int64(10 * board.MostHappenings) {
		track.recall(published(4, 1000+i))
		track.recall(&history.Entry{Kind: history.Reset})
	}
	if len(track.published()) != mostVersions || len(track.past()) != board.MostHappenings || len(track.marks) > board.MostMarks {
		t.Error("what is recalled is not bounded")
	}
}

// TestRecordsOfFindings: the history is told of changes on trial decisions with the next snapshot, and of a job that is behind, late. Then the record and its time stand
// beside the time of the entry.
func TestRecordsOfFindings(t *testing.T) {
	late, soon := noon.Add(10*time.Minute), noon.Add(30*time.Second)
	step := func(at time.Time, kind release.StepKind, about *time.Time) *history.Entry {
		return &history.Entry{Kind: history.Release, Time: at, Release: &history.Released{Step: string(kind), Record: 1500, EventTime: about, Version: &history.Weights{Term: 1, Version: 300}}}
	}
	trial := func(about *time.Time) *history.Entry {
		return &history.Entry{Kind: history.Decisions, Time: late, Decisions: &history.Judged{Subject: "as_made", Change: "alarm", Constraint: "race", Group: "Black", Versus: "rest", Record: 1500, EventTime: about}}
	}
	of := " (at record 1,500, of " + board.Clock(noon) + ")"
	for name, c := range map[string]struct {
		entry *history.Entry
		want  string // the end of the text
	}{
		"trial decisions":  {trial(&noon), "than the limit allows" + of},
		"without times":    {trial(nil), "than the limit allows (at record 1,500)"},
		"a late alarm":     {step(late, release.Alarm, &noon), "the one in use at that time" + of},
		"an alarm at once": {step(soon, release.Alarm, &noon), "the one in use at that time"},
		"no finding":       {step(late, release.Promoted, &noon), "Version 300 came into use"},
	} {
		l := liveOf(measured())
		l.track.recall(c.entry)
		if got := l.track.past()[0].Text; !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q does not end with %q", name, got, c.want)
		}
	}
}

// TestEveryVersionThatWasNeverTestedIsTold: one line tells of those that were superseded one after the other, and none is left out.
func TestEveryVersionThatWasNeverTestedIsTold(t *testing.T) {
	l := liveOf(measured())
	step := func(kind release.StepKind, version int64) {
		l.track.recall(&history.Entry{Kind: history.Release, Time: noon, Release: &history.Released{Step: string(kind), Version: &history.Weights{Term: 1, Version: version}}})
	}
	told := func(want ...string) {
		t.Helper()
		steps, _ := l.track.released()
		for i, text := range want {
			if len(steps) != len(want) || steps[i].Text != text {
				t.Fatalf("%+v, want %q", steps, want)
			}
		}
	}
	const one, alarm = "Version 100 was never tested: a newer version took its place", "Alarm about version 50, the one in use at that time"
	step(release.Superseded, 100)
	told(one)
	step(release.Alarm, 50)
	step(release.Superseded, 2000)
	step(release.Superseded, 3000)
	told("Versions 2,000 and 3,000 were never tested: newer versions took their places", alarm, one)
	step(release.Superseded, 4000)
	told("3 versions, from version 2,000 to version 4,000, were never tested: newer versions took their places", alarm, one)
	l.track.recall(&history.Entry{Kind: history.Reset})
	step(release.Superseded, 100)
	told(one)
}
