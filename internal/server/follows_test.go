package server

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestWhatFollows: a verdict beyond a bound, or an alarm, comes with what the program does about it, what it does not, and who has to decide.
func TestWhatFollows(t *testing.T) {
	for name, c := range map[string]struct {
		decides, alarm bool
		female         int
		change         func(*release.Report)
		want           string
	}{
		"within":         {true, false, 305, nil, ""},
		"an alarm":       {true, true, 305, nil, "The version stays in use for now. The program withdraws it only if sex (limit 0.07) is found beyond its limit, which is wider than its bound, and an earlier version is better. There is no earlier version to go back to."},
		"it decides":     {true, false, 500, func(r *release.Report) { r.Previous = release.Version{Term: 1, Version: 200} }, "an earlier version is better. Those who run the job can withdraw it."},
		"only watched":   {false, false, 500, nil, "The version stays in use until a person decides: the bound of sex is only watched, so it counts neither for a withdrawal nor in the tests of new versions."},
		"by order":       {true, false, 500, func(r *release.Report) { r.Pinned = true }, "because a person has ordered it"},
		"outside limits": {true, false, 500, func(r *release.Report) { r.Guard.Marked, r.Guard.Outside = true, "sex" }, "although sex is outside its limit, because no earlier version is better. A person has to decide."},
	} {
		t.Run(name, func(t *testing.T) {
			l := liveStable(decided(t, 300, c.female))
			s := l.state()
			gate := release.Gate{Name: release.GateComparison, Comparison: "sex", Criterion: fairness.DemographicParity, Decides: c.decides, Limit: 0.05 + 0.02, Bound: 0.05}
			s.Releases.Guard.Gates = []release.Gate{gate}
			s.Releases.Guard.Decided.Comparisons[0].Alarm.Raised = c.alarm
			if c.change != nil {
				c.change(s.Releases)
			}
			if got := l.Status().Deciding.Answers.Follows; (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%q lacks %q", got, c.want)
			}
		})
	}
	bad := []board.Constraint{{Status: fairness.Violated}}
	for _, text := range []string{followsOfNewest(bad, true), followsOfNewest(bad, false), followsOfOthers(bad)} {
		if !strings.Contains(text, "person has to decide") {
			t.Errorf("%q", text)
		}
	}
	if followsOfNewest(nil, true)+followsOfOthers(nil) != "" {
		t.Error("something follows from nothing")
	}
}

// TestNothingIsSaidOfNow while the job has stopped or Kafka is away: the headline is that of a moment, and who decides meanwhile is told.
func TestNothingIsSaidOfNow(t *testing.T) {
	for name, change := range map[string]func(*Live, *stream.Status){
		"stopped": func(_ *Live, s *stream.Status) {
			s.Phase, s.Reason = stream.PhaseHalted, "too many records are rejected"
		},
		"away": func(l *Live, _ *stream.Status) {
			l.Notify(stream.KafkaOutage{Operation: "fetch", Err: errors.New("refused"), Since: time.Now()})
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := liveStable(decided(t, 300, 500))
			s := l.state()
			l.track.observe(s, noon)
			change(l, s)
			l.Watch(func() stream.Status { return *s })
			a := l.Status().Deciding.Answers
			if want := "Not known now. At " + board.Clock(noon) + ": No: the only comparison is beyond its bound: sex"; a.Headline != want {
				t.Errorf("%q, want %q", a.Headline, want)
			}
			if want := "Programs that decide by version 300 go on with it. Nobody has watched what it decides since " + board.Clock(noon); !strings.Contains(a.Follows, want) {
				t.Errorf("%q lacks %q", a.Follows, want)
			}
		})
	}
}

// TestAStandbyNamesTheMachine on which the job runs, as the history tells.
func TestAStandbyNamesTheMachine(t *testing.T) {
	s := measured()
	s.Phase = stream.PhaseStandby
	l := liveOf(s)
	l.Recall(&history.Entry{Sequence: 1, Kind: history.Owned, Time: noon, Who: history.Who{Host: "kappa"}, Owner: &history.Owner{}})
	if a := l.Status().Deciding.Answers; a.Headline != "The verdict is on another page" || !strings.Contains(a.Fair, "runs the job, on kappa.") {
		t.Errorf("%+v", a)
	}
}
