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
	next := func(pause int64, loss fairness.Status, lo float64) func(*release.Report) {
		return func(r *release.Report) {
			r.CoolDown, r.Candidate = pause, release.Version{Term: 1, Version: 400}
			r.Trial = &release.TrialReport{Version: r.Candidate, Gates: []release.Gate{{Name: release.GateLogLoss, Decides: true, Verdict: loss},
				{Name: release.GateComparison, Comparison: "sex", Criterion: fairness.DemographicParity, Verdict: fairness.Inconclusive, Lo: lo, Hi: 0.2, Bound: 0.05, Limit: 0.07}}}
		}
	}
	for name, c := range map[string]struct {
		decides, alarm bool
		female         int
		change         func(*release.Report)
		want           string
	}{
		"within":                 {true, false, 305, nil, ""},
		"an alarm":               {true, true, 305, nil, "Fairstream withdraws this version only if \"sex\" (tolerance 0.07) is found beyond its tolerance, which is wider than its limit, and an earlier version is better. A new version may replace it once it has passed its tests, unless somebody pauses new versions. There is no earlier version to go back to."},
		"it decides":             {true, false, 500, func(r *release.Report) { r.Previous = release.Version{Term: 1, Version: 200} }, " Those who run the job can withdraw it."},
		"only watched":           {false, false, 500, nil, "Fairstream does not withdraw this version because of \"sex\": the job is set to report that limit, not to enforce it. A person has to decide whether the version may stay. A new version may replace it"},
		"by order":               {true, false, 500, func(r *release.Report) { r.Pinned = true }, "because a person has ordered it. Only a person can change that. There is no"},
		"outside limits":         {true, false, 500, func(r *release.Report) { r.Guard.Marked, r.Guard.Outside = true, "sex" }, "is not withdrawn, although sex is beyond its tolerance, because no earlier version is better. A new version may"},
		"paused":                 {false, false, 500, func(r *release.Report) { r.Paused = true }, "this one stays in use until a person decides"},
		"a pause after a change": {false, false, 500, func(r *release.Report) { r.CoolDown = 7000 }, "once it has passed its tests, at the earliest after 7,000 more records, unless"},
		"a share of records":     {false, false, 500, func(r *release.Report) { r.CoolDown, r.Share = 7000, 0.1 }, "at the earliest after about 70,000 more records, unless"},
		"the next one passed":    {false, false, 500, next(7368, fairness.Met, 0.11), "Version 400, which is under test and also beyond the limit of \"sex\", may replace it after 7,368 more records, unless"},
		"at any moment":          {false, false, 500, next(0, fairness.Met, 0.01), "Version 400, which is under test and not yet known to keep the limit of \"sex\", may replace it at any moment, unless"},
		"the next one is within": {false, false, 500, func(r *release.Report) {
			next(0, fairness.Met, 0.01)(r)
			r.Trial.Gates[1].Hi = 0.04
		}, "Version 400, which is under test and within the limit of \"sex\", may replace it at any moment, unless"},
		"the next one is open": {false, false, 500, next(10, fairness.Inconclusive, 0.01), "may replace it once it has passed its tests, at the earliest after 10 more records, unless"},
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
			if want := "Not known now. Last known, at " + board.Clock(noon) + ": no, the only comparison is beyond its limit: sex (fewer positive decisions for Male)"; a.Headline != want {
				t.Errorf("%q, want %q", a.Headline, want)
			}
			if want := "fairstream has not watched its decisions since " + board.Clock(noon) + ": no alarm is raised, and no version is withdrawn. A person has to decide"; !strings.Contains(a.Follows, want) {
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
	if a := l.Status().Deciding.Answers; a.Headline != "The verdict is on another page" || !strings.Contains(a.Fair, "runs the job, on kappa.") || !strings.Contains(a.Since, "since "+board.Clock(noon)) {
		t.Errorf("%+v", a)
	}
}
