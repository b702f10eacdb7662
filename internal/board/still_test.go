package board_test

import (
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
)

// TestNothingGoesOnAfterTheEnd: a job that stands still tells since when decisions are not watched, and why, before what happened; one that runs does not.
func TestNothingGoesOnAfterTheEnd(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 10, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		phase  string
		kind   board.Kind
		outage *board.Outage
		first  bool // no version yet
		why    string
		past   bool
	}{
		"ended":            {phase: "ended", why: "because the job has ended", past: true},
		"stopped":          {phase: "halted", why: "because the job has stopped", past: true},
		"away":             {phase: "learning", outage: &board.Outage{Since: at}, why: "because Kafka does not answer", past: true},
		"monitor ended":    {phase: "ended", kind: board.Monitor, why: "because the job has ended", past: true},
		"runs":             {phase: "learning"},
		"starts":           {phase: "starting"},
		"standby":          {phase: "standby", outage: &board.Outage{Since: at}},
		"before a version": {phase: "halted", first: true, past: true},
	} {
		s := &board.Status{Phase: c.phase, Kind: c.kind, Outage: c.outage, AsOf: &at}
		if !c.first && c.kind != board.Monitor {
			s.Deciding.Version = &board.Place{Version: 1512}
		}
		const follows, happened = "It may be replaced.", "Last 24 hours: no alarm."
		s.Deciding.Answers = board.Answers{Headline: "Yes: all", Follows: follows, Happened: happened}
		s.StandStill()
		a := s.Deciding.Answers
		if c.why != "" {
			if want := "Decisions have not been watched since 23 Nov 2026, 08:10 UTC, " + c.why + ". " + happened; a.Happened != want || a.Follows == follows {
				t.Errorf("%s: %q, %q", name, a.Happened, a.Follows)
			}
		} else if a.Happened != happened || a.Follows != follows {
			t.Errorf("%s: %q, %q", name, a.Happened, a.Follows)
		}
		if of := s.Deciding.Version; of != nil && c.why != "" && (!strings.Contains(a.Follows, "no version is withdrawn") || !strings.Contains(a.Follows, "A person has to decide")) {
			t.Errorf("%s: %q", name, a.Follows)
		}
		if past := strings.HasPrefix(a.Headline, "Not known now. Last known"); past != c.past {
			t.Errorf("%s: %q", name, a.Headline)
		}
	}
}

// TestVerdictsThatNeverCame: a job that has ended could not decide, and one that stopped has no verdict yet.
func TestVerdictsThatNeverCame(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 10, 0, 0, time.UTC)
	for phase, want := range map[string]string{"ended": "One comparison could not be decided. 2 could not be decided.", "halted": "One comparison has no verdict. 2 have no verdict."} {
		s := &board.Status{Phase: phase, AsOf: &at}
		s.Deciding.Answers.Sure = "One comparison has no verdict. 2 have no verdict."
		if s.StandStill(); s.Deciding.Answers.Sure != want {
			t.Errorf("%s: %s", phase, s.Deciding.Answers.Sure)
		}
	}
}
