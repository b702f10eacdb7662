package server

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// decided is what the guard of a stable version knows: of each group so many decisions are positive, out of 1,000.
func decided(t *testing.T, male, female int) *monitor.Report {
	t.Helper()
	grouper, err := fairness.NewGrouper(bySex())
	if err != nil {
		t.Fatal(err)
	}
	m, err := monitor.New(monitor.Config{Subject: monitor.Subject{ID: stableSubject, Kind: monitor.Version}, Grouper: grouper})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20_000 {
		at := i * 617 % 1000 // evenly spread
		for level, positive := range []int{male, female} {
			group := grouper.Known(0, []byte([]string{"Male", "Female"}[level]))
			m.Observe(&monitor.Decision{Levels: []fairness.Level{group}, Positive: at < positive, Time: time.Unix(int64(i), 0)})
		}
	}
	return m.Report()
}

// measured is a stream whose estimates have their level.
func measured() stream.Status {
	s := learning()
	for i := range s.Measurements.Constraints {
		s.Measurements.Constraints[i].Level = 0.95
	}
	return s
}

// liveStable is a job whose version 300 is stable since noon.
func liveStable(r *monitor.Report) *Live {
	s := measured()
	stable := release.Version{Term: 1, Version: 300, SHA256: "aa"}
	s.Releases = &release.Report{Aliases: release.Aliases{Stable: stable}, Confidence: .95, Share: 1, Guard: &release.GuardReport{Version: stable, Since: 310, Decided: r}}
	l := liveOf(s)
	l.Recall(&history.Entry{Sequence: 1, Kind: history.Release, Time: noon, Release: &history.Released{Step: "promoted", Version: &history.Weights{Term: 1, Version: 300}, To: &history.Weights{Term: 1, Version: 300}}})
	return l
}

var noon = time.Now().Add(-3 * time.Hour).UTC().Truncate(time.Hour)

// TestTheHeadlineIsAboutTheStableVersion: verdict, interval and rates are of the decisions of the version that services use, whatever the learner's own
// mean over all time says; and decisions that are nearly all the same are not called alike.
func TestTheHeadlineIsAboutTheStableVersion(t *testing.T) {
	for name, test := range map[string]struct {
		male, female      int
		verdict, headline string
	}{
		"alike":     {300, 305, "met", "Yes: the only comparison is within its limit: sex"},
		"unlike":    {300, 500, "violated", "No: the only comparison is beyond its limit: sex (fewer positive decisions for Male)"},
		"one sided": {980, 984, board.OneSided, "Nearly everybody gets the same decision: 98.2 % of all are positive"},
		"none":      {10, 12, board.OneSided, "Nearly everybody gets the same decision: 1.1 % of all are positive"},
	} {
		t.Run(name, func(t *testing.T) {
			d := liveStable(decided(t, test.male, test.female)).Status().Deciding
			if a := d.Answers; a.Verdict != test.verdict || a.Headline != test.headline {
				t.Errorf("%+v", a)
			}
			row := d.Constraints[0]
			if d.Subject != stableSubject || d.Version.Version != 300 || d.Records != 40_000 || row.Sequence.N != 40_000 || row.NGroup+row.NVersus != 40_000 || row.Sequence.Since != 310 {
				t.Errorf("%+v, %+v", d, row)
			}
			if r := row.GroupRange; r == nil || !(r.Lo < row.GroupMeasure && row.GroupMeasure < r.Hi) {
				t.Errorf("the rate has the interval %+v", r)
			}
			for _, words := range []string{"Version 300 is in use. It learnt from the first 300 records.", "the 40,000 records since it came into use, ", "does not know which of them people received", "up to 1 Jan 1970, 05:33 UTC"} {
				if !strings.Contains(d.Answers.Fair, words) {
					t.Errorf("%q lacks %q", d.Answers.Fair, words)
				}
			}
			if !strings.Contains(d.Answers.Since, "since "+board.Clock(noon)) || !strings.Contains(d.Answers.Sure, "95 %") || !strings.Contains(d.Answers.Happened, ": version 300 came into use") {
				t.Errorf("%+v", d.Answers)
			}
		})
	}
}

// TestWhoDecidesWithoutAStableVersion: the newest weights do, and no number of decisions as made is beside theirs.
func TestWhoDecidesWithoutAStableVersion(t *testing.T) {
	d := liveOf(measured()).Status().Deciding
	if d.Subject != currentSubject || !strings.Contains(d.Answers.Fair, "the newest one is in use") || d.Constraints[0].Sequence != nil || d.Constraints[0].Alarm != nil {
		t.Errorf("%+v", d)
	}
}

// TestBeforeTheFirstDecision: who sees no decisions, or has none yet, says that, and gives neither a verdict on them nor a version that is in use.
func TestBeforeTheFirstDecision(t *testing.T) {
	standby, empty, warm := measured(), measured(), measured()
	standby.Phase = stream.PhaseStandby
	empty.Labelled, empty.Version, empty.Rejected, empty.Measurements, empty.Labels = 0, 0, nil, nil, nil
	warm.Measurements.Recent.Records = 0
	warm.Monitored = nil
	for name, test := range map[string]struct {
		of   stream.Status
		want [3]string // which decisions, since when, what happened
	}{
		"standby":    {standby, [3]string{"Another instance of fairstream runs the job", "", "This one raises no alarms"}},
		"empty":      {empty, [3]string{"No record has come yet, so there is no version", "The job has just begun.", "Nothing yet."}},
		"warming up": {warm, [3]string{"so fairstream gives no decisions. The first version comes after 1,500 records with an outcome", "with an outcome have come", "Not known yet"}},
	} {
		a := liveOf(test.of).Status().Deciding.Answers
		if name == "warming up" && !strings.HasPrefix(a.Headline, "No decisions and no verdict yet: the first version comes after ") || name != "standby" && !strings.Contains(a.Sure, "no verdict yet") {
			t.Errorf("%s: %q, %q", name, a.Headline, a.Sure)
		}
		for i, text := range []string{a.Fair, a.Since, a.Happened} {
			if !strings.Contains(text, test.want[i]) || strings.Contains(text, "in use") {
				t.Errorf("%s: %q lacks %q", name, text, test.want[i])
			}
		}
	}
}

// TestADecisionAsMadeGivesNoReason: while no version is stable, the reason of a row is that of its own records, and not that no decision was made.
func TestADecisionAsMadeGivesNoReason(t *testing.T) {
	s := measured()
	s.Monitored = []*stream.Monitored{watched("as_made", bySex(), 0)}
	for _, row := range liveOf(s).Status().Deciding.Constraints {
		if strings.Contains(row.Sentence+row.Reason, "has no decisions") {
			t.Errorf("%s: %s", row.Name, row.Sentence)
		}
	}
}

// TestSinceWhen: the answer names the comparisons that are beyond their limits, and since when they are.
func TestSinceWhen(t *testing.T) {
	l := liveStable(decided(t, 300, 500))
	if a := l.Status().Deciding.Answers; !strings.Contains(a.Since, `"sex" has been found beyond its limit since 1 Jan 1970`) || strings.Contains(a.Since, "again") {
		t.Errorf("%q", a.Since)
	}
	l.Recall(&history.Entry{Sequence: 2, Kind: history.Release, Time: noon, Release: &history.Released{Step: "rolled_back", Actor: "mira", Version: &history.Weights{Term: 1, Version: 400}, To: &history.Weights{Term: 1, Version: 300}}})
	if a := l.Status().Deciding.Answers; !strings.Contains(a.Since, "in use again since "+board.Clock(noon)+", when mira withdrew version 400.") ||
		!strings.Contains(a.Fair, "since it came back into use, ") || !strings.Contains(a.Fair, "What it decided before that is not counted.") {
		t.Errorf("%q", a.Since)
	}
	early := liveStable(decided(t, 300, 500))
	early.Recall(&history.Entry{Sequence: 2, Kind: history.Release, Time: noon, Release: &history.Released{Step: "promoted", Version: &history.Weights{Term: 1, Version: 200}, To: &history.Weights{Term: 1, Version: 200}}})
	if d := early.Status().Deciding; d.Since != nil || !strings.HasPrefix(d.Answers.Since, "It has been in use since record 310.") {
		t.Errorf("before the history tells of the version: %v, %q", d.Since, d.Answers.Since)
	}
	if a := liveStable(decided(t, 300, 305)).Status().Deciding.Answers; !strings.Contains(a.Since, `The last verdict to change was that on "sex"; it has been "within the limit" since`) {
		t.Errorf("%q", a.Since)
	}
}

// TestAnOutageOfKafkaIsOneSentence: the page gets no error of an operation, however many fail; /readyz has them.
func TestAnOutageOfKafkaIsOneSentence(t *testing.T) {
	l := liveOf(measured())
	since := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for i, operation := range []string{"fetch", "produce", "metadata"} {
		l.Notify(stream.KafkaOutage{Operation: operation, Err: errors.New("dial tcp 127.0.0.1:9092: connect: connection refused"), Since: since.Add(time.Duration(i) * time.Second)})
	}
	b := l.Status()
	if b.Ready || b.Reason != "" || b.Outage == nil || !b.Outage.Since.Equal(since) || strings.Contains(b.Outage.Text, "dial") || !strings.Contains(b.Outage.Text, "20 Nov 2026, 08:00 UTC") {
		t.Errorf("%+v, reason %q, ready %v", b.Outage, b.Reason, b.Ready)
	}
	if len(l.NotReady()) != 3 {
		t.Errorf("not ready: %v", l.NotReady())
	}
	for _, operation := range []string{"fetch", "produce", "metadata"} {
		l.Notify(stream.KafkaOutage{Operation: operation})
	}
	if b := l.Status(); b.Outage != nil || !b.Ready {
		t.Errorf("afterwards: %+v", b.Outage)
	}
}
