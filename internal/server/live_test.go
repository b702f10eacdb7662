package server

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	audit "github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

func liveOf(status stream.Status) *Live {
	l := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{Learner: model.LearnerConfig{Level: 0.95, Warmup: 1500}, Constraints: []model.Constraint{
		{Name: "sex", Attribute: model.OneOrMore{"sex"}}, {Name: "race", Attribute: model.OneOrMore{"race"}}}})
	l.Watch(func() stream.Status { return status })
	return l
}

// TestLiveStatus: the page says what the stream and its learner say.
func TestLiveStatus(t *testing.T) {
	s := learning()
	for i := range s.Measurements.Constraints {
		s.Measurements.Constraints[i].Level = 0.95
	}
	b := liveOf(s).Status()
	if b.Job != "adult" || b.Role != "owner" || b.Phase != "learning" || !b.Ready || b.Version != 1000 || b.Term != 3 {
		t.Errorf("%+v", b)
	}
	if want := (board.Records{Seen: 1011, Learnt: 1000, Rejected: 7, Labelled: 1000, Unlabelled: 4, Waiting: 3}); b.Records != want {
		t.Errorf("records %+v, want %+v", b.Records, want)
	}
	if b.WarmUp == nil || b.WarmUp.Records != 1000 || b.WarmUp.Of != 1500 {
		t.Errorf("warm-up %+v", b.WarmUp)
	}
	if b.Stream.LagRecords != 120 || !(b.Stream.LagSeconds > 50) || b.Stream.Partitions[1].End.Known() || !b.Stream.SnapshotAgeSeconds.Known() || b.Stream.RecordsPerSecond.Known() {
		t.Errorf("stream %+v", b.Stream)
	}
	if c := b.Constraints; len(c) != 2 || c[0].Sentence == "" || c[0].VersusMeasure != 0.2 || c[1].Status != fairness.NotEstimable {
		t.Errorf("constraints %+v", c)
	}
	if len(b.Groups) != 2 || b.Groups[0].Attribute != "sex" || b.Groups[0].Group != "Male" {
		t.Errorf("groups %+v", b.Groups)
	}
	if len(b.Learner.Measures) != 10 || len(b.Learner.Controls) != 1 || len(b.Conditions) != 1 || b.Conditions[0].Code != "too_few_records" {
		t.Errorf("learner %+v, conditions %+v", b.Learner, b.Conditions)
	}
}

// TestLiveStates: what is not learning says why.
func TestLiveStates(t *testing.T) {
	if b := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{}).Status(); b.Phase != "starting" || b.Ready || b.Reason != "starting" {
		t.Errorf("before the stream: %+v", b)
	}
	for phase, want := range map[stream.Phase]struct {
		ready bool
		role  string
	}{stream.PhaseStandby: {true, "standby"}, stream.PhaseHalted: {false, "owner"}, stream.PhaseEnded: {false, "owner"}} {
		b := liveOf(stream.Status{Phase: phase, Reason: "because"}).Status()
		if b.Ready != want.ready || b.Role != want.role || b.Reason != "because" {
			t.Errorf("%s: ready %v, role %s, reason %q", phase, b.Ready, b.Role, b.Reason)
		}
	}
}

// TestSeriesStayBounded: old points lie farther apart, the first and the newest stay, and marks of rare events outlive publications.
func TestSeriesStayBounded(t *testing.T) {
	l := liveOf(stream.Status{})
	s := learning()
	for i := range int64(5000) {
		s.Version, s.MeasuredVersion = 100*i+100, 100*i+100
		m := document.Measurements{Constraints: slices.Clone(s.Measurements.Constraints)}
		if i == 3 { // and from then on
			m.Constraints[0].Status = fairness.Violated
		}
		s.Measurements = &m
		l.track.observe(&s, time.Unix(i, 0))
		if i == 0 { // from now on it is known after how many records
			l.Notify(stream.ConfigChanged{Changes: []audit.Change{{Key: "learner.window", Old: []byte("1"), New: []byte("2")}}})
		}
		l.Notify(stream.Published{Version: s.Version, Term: 3, SHA256: fmt.Sprint(i), Measurements: m})
	}
	series := l.Series(board.Key{Name: "sex"})
	if series == nil || l.Series(board.Key{Name: "age"}) != nil {
		t.Fatal("a series is missing, or one too many")
	}
	points := series.Points
	ordered := slices.IsSortedFunc(points, func(a, b board.Point) int { return int(a.N - b.N) })
	if n := len(points); n > board.MostPoints || n < board.MostPoints/2 || !ordered || points[0].N != 100 || points[n-1].N != 500_000 {
		t.Errorf("%d points from %d to %d", n, points[0].N, points[n-1].N)
	}
	kinds := map[board.MarkKind]int{}
	for _, m := range series.Marks {
		kinds[m.Kind]++
	}
	if len(series.Marks) > board.MostMarks || kinds[board.MarkPublication] < 100 || kinds[board.MarkConfiguration] != 1 || kinds[board.MarkVerdict] != 1 {
		t.Errorf("%d marks: %v", len(series.Marks), kinds)
	}
	if b := l.Status(); len(b.Versions) != mostVersions || b.Versions[0].Version != 500_000 || !slices.Equal(b.Versions[0].Alias, []string{"latest"}) || b.Versions[1].Alias != nil {
		t.Errorf("%d versions: %+v", len(b.Versions), b.Versions[0])
	}
	if speed := l.track.speed(); speed != 100 {
		t.Errorf("%v records a second", speed)
	}
}

// TestNeededRecords: four times the records halve the interval.
func TestNeededRecords(t *testing.T) {
	e := fairness.Estimate{Value: 0.01, Lo: -0.07, Hi: 0.09, Tau: 0.05, NGroup: 600, NVersus: 400}
	if n := needed(e); n == nil || *n != 3000 {
		t.Errorf("%v more records", n)
	}
	e.Value = 0.05
	if n := needed(e); n != nil {
		t.Errorf("on the bound: %v more records", *n)
	}
}

// TestNeededRecordsAtTheirBounds: more than none, and fewer than a billion.
func TestNeededRecordsAtTheirBounds(t *testing.T) {
	for _, test := range []struct {
		lo, hi, tau float64
		records     int64
		want        int64 // 0: none is said
	}{
		{-1, 1, .5, 100, 300}, {-1, 1, 1, 100, 0}, {-1, 1, 2, 100, 0}, {-2, 2, 1, 333_333_333, 999_999_999}, {-2, 2, 1, 333_333_334, 0},
		{-1.0001, 1.0001, 1, 100, 1},
	} {
		n := needed(fairness.Estimate{Lo: test.lo, Hi: test.hi, Tau: test.tau, NGroup: test.records})
		if (n != nil) != (test.want > 0) || n != nil && *n != test.want {
			t.Errorf("%+v: %v", test, n)
		}
	}
}

// TestFailuresOfKafkaAreAdded over all operations.
func TestFailuresOfKafkaAreAdded(t *testing.T) {
	l := liveOf(learning())
	for _, operation := range []string{"fetch", "fetch", "append", "commit", "append"} {
		l.Notify(stream.KafkaOutage{Operation: operation, Err: errors.New("no broker answers"), Since: time.Now()})
	}
	s := learning()
	if got := l.stream(&s, board.Unknown(), time.Now()).KafkaFailures; got != 5 {
		t.Errorf("%v failures", got)
	}
}

// TestPointsOfASeriesHaveTheirVersions: those that were published by then.
func TestPointsOfASeriesHaveTheirVersions(t *testing.T) {
	s := learning()
	m := watched("a", bySex(), 10)
	m.Series = [][]monitor.Point{{{Record: 5, Value: .25}, {Record: 9}}}
	s.Monitored = []*stream.Monitored{m}
	l := liveOf(s)
	l.track.place(board.Version{Term: 3, Version: 7})
	series := l.Series(keyOf(m.Report.Comparisons[0].Comparison, m.Report.Subject))
	if series == nil || len(series.Points) != 2 || series.Points[0].Version != 0 || series.Points[1].Version != 7 {
		t.Errorf("%+v", series)
	}
}
