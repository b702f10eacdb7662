package server

import (
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestTheHeadlineOfMonitoredModels is about the decisions of others: of one model with its share of positive decisions, of several without one.
func TestTheHeadlineOfMonitoredModels(t *testing.T) {
	first := time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)
	page := func(all ...*stream.Monitored) *board.Status {
		l := NewLive(NewMonitor("test", "adult"), board.Monitor, "adult", model.Config{Learner: model.LearnerConfig{Level: 0.95}})
		l.Watch(func() stream.Status {
			return stream.Status{Phase: stream.PhaseLearning, Version: 5000, Monitored: all}
		})
		return l.Status()
	}
	one := watched("a", bySex(), 5000)
	one.Since = 100
	b := page(one)
	if d := b.Deciding; d.Subject != "a" || d.Records != one.Report.Records || !d.Positive.Known() || !strings.HasPrefix(d.Answers.Fair, "The verdicts cover 5,000 decisions of the monitored model") || d.Answers.Since != "Since decision 101." ||
		len(d.Constraints) != 1 || d.Answers.Verdict != "violated" || b.Phase != "monitoring" || b.WarmUp != nil || b.Records.Labelled != one.Report.Labelled {
		t.Errorf("%+v, phase %s, labelled %d", d, b.Phase, b.Records.Labelled)
	}
	if len(b.Subjects) != 1 || b.Subjects[0].ID != "a" || b.Subjects[0].Since != 100 || b.Subjects[0].Records != 5000 {
		t.Errorf("%+v", b.Subjects)
	}
	timed, other := watched("b", bySex(), 3000), watched("c", bySex(), 2000)
	timed.Report.First, timed.Report.Last = first, first.Add(time.Hour)
	b = page(timed, other)
	if d := b.Deciding; d.Positive.Known() || d.Answers.Since != "Since 4 Mar 2026, 05:06 UTC." || len(d.Constraints) != 2 || d.Time == nil || !d.Time.Last.Equal(first.Add(time.Hour)) || len(b.Subjects) != 2 || b.Records.Labelled != timed.Report.Labelled+other.Report.Labelled {
		t.Errorf("%+v of %+v, labelled %d", d, b.Subjects, b.Records.Labelled)
	}
	if b := page(); b.Deciding.Answers.Verdict != "not_estimable" || len(b.Subjects) != 0 {
		t.Errorf("%+v", b.Deciding)
	}
}

// TestAComparisonOverTime: its points and what happened to it, behind the records of before, and no other comparison's.
func TestAComparisonOverTime(t *testing.T) {
	m := watched("a", bySex(), 10)
	m.Since = 100
	m.Series = [][]monitor.Point{{{Record: 5, Value: .25, Lo: .125, Hi: .5, SequenceValue: .2, SequenceLo: .1, SequenceHi: .3}, {Record: 9}}}
	m.Events = []monitor.Event{{Kind: monitor.AlarmRaised, Record: 7}, {Kind: monitor.VerdictChanged, Record: 8, Comparison: 1}, {Kind: monitor.VerdictChanged, Record: 9}}
	s := overTime(m, keyOf(m.Report.Comparisons[0].Comparison, m.Report.Subject))
	if s == nil || len(s.Points) != 2 || s.Points[0].N != 105 || s.Points[0].Value != .25 || s.Points[0].Lo != .125 || s.Points[0].Hi != .5 || s.Points[0].SequenceValue != .2 || s.Points[0].SequenceLo != .1 || s.Points[0].SequenceHi != .3 || s.Points[1].N != 109 || s.Tau != .05 {
		t.Fatalf("%+v", s)
	}
	if len(s.Marks) != 2 || s.Marks[0].N != 107 || s.Marks[0].Kind != board.MarkAlarm || s.Marks[1].N != 109 || s.Marks[1].Kind != board.MarkVerdict {
		t.Errorf("%+v", s.Marks)
	}
	if s := overTime(m, board.Key{Name: "another"}); s != nil {
		t.Errorf("%+v", s)
	}
}
