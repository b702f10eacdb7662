package server

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// eventful lets a job go through what a page and metrics tell of: earlier owners, publications, verdicts, losses, steps of releases and rejections.
func eventful(l *Live, notify func(stream.Event)) {
	lo, hi := 0.06, 0.2
	l.Recall(&history.Entry{Sequence: 1, Kind: history.Owned, Term: 2, Who: anna, Owner: &history.Owner{Before: 1, HostBefore: "iota", Version: 90}})
	l.Recall(published(1, 100))
	l.Recall(&history.Entry{Sequence: 3, Kind: history.Configuration, Term: 2, Who: anna, Configuration: &history.Configured{Version: 120,
		Changes: []history.Change{{Key: "constraints[0].tau", Old: json.RawMessage("0.1"), New: json.RawMessage("0.05")}}}})
	l.Recall(published(2, 200))
	for i, change := range []string{"verdict", "alarm", "alarm_ended"} {
		l.Recall(&history.Entry{Sequence: int64(5 + i), Kind: history.Decisions, Time: time.Now().Add(time.Duration(i-30) * time.Hour), Term: 2, Who: anna,
			Decisions: &history.Judged{Subject: "as_made", Change: change, Constraint: "sex", Group: "m", Versus: "f", Tau: .05, From: "inconclusive", To: "violated", Lo: &lo, Hi: &hi}})
	}
	l.Recall(&history.Entry{Sequence: 9, Kind: history.DataLoss, Term: 2, Who: anna, Loss: &history.Loss{Partition: 3, Offset: 7, Lost: 5, Kind: "retention"}})
	l.Recall(&history.Entry{Sequence: 10, Kind: history.DataLoss, Term: 2, Who: anna, Loss: &history.Loss{Partition: 3, Offset: 7, Lost: -1, Kind: "recreated"}})
	l.Recall(&history.Entry{Sequence: 11, Kind: history.Reset, Term: 2, Who: anna})
	weights := func(version int64) *history.Weights { return &history.Weights{Term: 1, Version: version} }
	for i, step := range []release.StepKind{release.Promoted, release.Rejected, release.Alarm, release.Withdrawn, release.Marked, release.RolledBack} {
		l.Recall(&history.Entry{Sequence: int64(12 + i), Kind: history.Release, Time: time.Now().Add(time.Duration(i-20) * time.Hour), Term: 2, Who: anna,
			Release: &history.Released{Step: string(step), Version: weights(900), From: weights(800), To: weights(900), Reason: "as it was", Actor: "ada"}})
	}
	estimate := fairness.Estimate{Name: "sex", Value: .02, Lo: .01, Hi: .03, Status: fairness.Met}
	notify(stream.ConfigChanged{Changes: []history.Change{{Key: "learner.window", Old: json.RawMessage("1"), New: json.RawMessage("2")}}})
	notify(stream.Published{Term: 3, Version: 300, SHA256: "def", Measurements: document.Measurements{Constraints: []fairness.Estimate{estimate}}})
	notify(stream.Released{Step: release.Step{Kind: release.Withdrawn, Version: release.Version{Term: 1, Version: 300}}})
}

// TestTheWholeStatus compares all that the page and the metrics have of some jobs with files. The clock is that of a bubble, so ages are the same in each run.
func TestTheWholeStatus(t *testing.T) {
	worst := func() stream.Status { // with everything that can be wrong
		s := judging()
		for i := range s.Measurements.Constraints {
			s.Measurements.Constraints[i].Level = 0.95
		}
		s.Measurements.Conditions = append(s.Measurements.Conditions, document.Condition{Code: document.OneLabel, Detail: "all are alike"}, document.Condition{Code: document.ColumnsLeftOut, Detail: "2 columns"})
		s.Unmonitored, s.Version, s.Labelled = 12, 5000, 4800
		return s
	}
	in := func(phase stream.Phase) func() stream.Status {
		return func() stream.Status {
			s := measured()
			s.Phase, s.Reason = phase, "as somebody asked"
			return s
		}
	}
	for name, c := range map[string]struct {
		status   func() stream.Status
		kind     board.Kind
		eventful bool
	}{
		"learning": {measured, board.Run, false}, "eventful": {worst, board.Run, true}, "predicting": {predicting, board.Run, true}, "monitor": {worst, board.Monitor, true},
		"standby": {in(stream.PhaseStandby), board.Run, true}, "halted": {in(stream.PhaseHalted), board.Run, true}, "ended": {in(stream.PhaseEnded), board.Run, false},
		"starting": {func() stream.Status { return stream.Status{Phase: stream.PhaseStarting} }, board.Run, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				madeRoom.Store(0) // connections that other tests of this process closed
				status := c.status()
				l := liveOf(status)
				l.kind = c.kind
				if c.eventful {
					eventful(l, l.Notify)
				}
				time.Sleep(90 * time.Second)
				text := goldentest.Print("status", l.Status())
				_, metrics := get(t, l.Handler(zap.NewAtomicLevel(), board.New(l), Access{}), "/metrics")
				for line := range strings.Lines(withoutJob(metrics)) {
					if strings.HasPrefix(line, "fairstream_") && !strings.Contains(line, "build_info") {
						text += line
					}
				}
				for _, path := range []string{"/readyz", "/livez"} {
					_, body := get(t, l.Handler(zap.NewAtomicLevel(), board.New(l), Access{}), path)
					text += path + "\n" + body + "\n"
				}
				goldentest.Compare(t, "whole/"+name+".txt", text)
			})
		})
	}
}
