package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestADefectOfThePageStopsThePageAlone: events, measurements, records and scrapes of a page with a defect reach nobody who learns, and page,
// metrics and readiness say that it is stopped.
func TestADefectOfThePageStopsThePageAlone(t *testing.T) {
	wake := make(chan struct{})
	untrack := func(l *Live) { l.page.Post(func() { l.track = nil }, nil) } // what jobs use belongs to their goroutine
	for name, defect := range map[string]func(l *Live){
		"an event":       func(l *Live) { untrack(l); l.Notify(stream.DataLost{}) },
		"the history":    func(l *Live) { l.Recall(nil) },
		"a measurement":  func(l *Live) { untrack(l); time.Sleep(2 * followEvery) },
		"a record":       func(l *Live) { l.Page().Try(func() { (*Live)(nil).Look(nil) }) },
		"an explanation": func(l *Live) { l.drivers.page.Try(func() { explain(nil, "", nil) }) },
		"a scrape": func(l *Live) {
			l.Monitor.drivers = func() []board.Driver { panic("server: a defect of a test") }
			_, _ = l.registry.Gather()
		},
		"a hang": func(l *Live) { l.page.Post(func() { <-wake }, nil); time.Sleep(time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				wake = make(chan struct{})
				defer close(wake)
				l := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{}.WithDefaults())
				l.Watch(func() stream.Status { return stream.Status{Phase: stream.PhaseLearning, Version: 7} })
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				go l.Follow(ctx)
				told := 0
				l.Page().OnStop(func(isolate.Stopped) { told++ })
				defect(l)
				synctest.Wait()
				l.Notify(stream.Published{Version: 8})
				if told != 1 {
					t.Errorf("told %d times", told)
				}
				handler := l.Handler(zap.NewAtomicLevel(), board.New(l), Access{})
				if code, text := getFrom(t, handler, "127.0.0.1:1", "/readyz"); code != http.StatusOK || !strings.Contains(text, "page: stopped since 2000-01-01T00:") {
					t.Errorf("/readyz: %d %s", code, text)
				}
				if _, text := getFrom(t, handler, "127.0.0.1:1", "/metrics"); !strings.Contains(text, `fairstream_part_stopped{job_name="adult",part="page"} 1`) ||
					!strings.Contains(text, `fairstream_part_stopped{job_name="adult",part="releases"} 0`) {
					t.Error("no metric says that the page is stopped, and nothing else")
				}
				s := l.Status()
				if s.Version != 7 || !slices.ContainsFunc(s.Conditions, func(c board.Condition) bool { return c.Code == "page_stopped" }) {
					t.Errorf("version %d, conditions %+v", s.Version, s.Conditions)
				}
			})
		})
	}
}

// TestStoppedPartsAreTold: each part has its condition, with what follows and what helps.
func TestStoppedPartsAreTold(t *testing.T) {
	for _, part := range parts {
		at := time.Date(2026, 11, 22, 21, 0, 0, 0, time.UTC)
		all := stoppedConditions([]isolate.Stopped{{Part: part, At: at}})
		if len(all) != 1 || all[0].Code != part+"_stopped" || !strings.Contains(all[0].Detail, "since 2026-11-22T21:00:00Z") || consequences[part] == "" {
			t.Errorf("%s: %+v", part, all)
		}
	}
}

// TestUnwatchedReleases: while the releases are stopped the page shows where the aliases point, since when nobody watches them, and no evidence.
func TestUnwatchedReleases(t *testing.T) {
	at := time.Date(2026, 11, 22, 21, 0, 0, 0, time.UTC)
	s := stream.Status{Phase: stream.PhaseLearning, Releases: releasing(), Stopped: []isolate.Stopped{{Part: stream.PartReleases, At: at}}}
	l := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{}.WithDefaults())
	l.Watch(func() stream.Status { return s })
	r := l.Status().Release
	if r == nil || r.Stable == nil || r.UnwatchedSince == nil || !r.UnwatchedSince.Equal(at) || r.Trial != nil || r.Guard != nil {
		t.Errorf("%+v", r)
	}
	_, text := getFrom(t, l.Handler(zap.NewAtomicLevel(), nil, Access{}), "127.0.0.1:1", "/metrics")
	if strings.Contains(text, "fairstream_release_withdrawal_evidence") || !strings.Contains(text, `part="releases"} 1`) || !strings.Contains(text, `code="releases_stopped"`) {
		t.Error("the metrics show evidence of releases that are stopped, or do not say that they are")
	}
	s.Stopped = nil
	if r := l.Status().Release; r.UnwatchedSince != nil || r.Guard == nil {
		t.Errorf("%+v", r)
	}
}
