package server

import (
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/heartbeat"
)

// Serves gives the page the instances that serve versions of the job.
func (l *Live) Serves(fleet *heartbeat.Fleet) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.fleet = fleet
}

// Unheard says why heartbeats cannot be read; nil: they can.
func (l *Live) Unheard(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.unheard = ""
	if err != nil {
		l.unheard = err.Error()
	}
}

// serving is nil without heartbeats.
func (l *Live) serving(now time.Time) *board.Serving {
	l.mutex.Lock()
	fleet, reason := l.fleet, l.unheard
	l.mutex.Unlock()
	if fleet == nil {
		return nil
	}
	known := fleet.Known(now)
	slices.SortStableFunc(known, func(a, b heartbeat.Instance) int { return int(truth(b.Silent) - truth(a.Silent)) })
	s := &board.Serving{Instances: []board.Instance{}, Known: len(known), Ignored: fleet.Ignored(), Reason: reason}
	for _, one := range known {
		if one.Silent {
			s.Silent++
		}
		if len(s.Instances) == board.MostInstances {
			continue
		}
		shown := board.Instance{Name: one.Beat.Instance, Program: one.Program, Started: one.Started, Heard: one.Heard.UTC(), Silent: one.Silent, Uses: []board.Use{}}
		for _, u := range one.Serving {
			shown.Uses = append(shown.Uses, board.Use{Place: board.Place{Term: u.Term, Version: u.Version, WeightsSHA256: u.WeightsSHA256}, Alias: u.Alias, Since: u.Since, Decisions: u.Decisions})
		}
		s.Instances = append(s.Instances, shown)
	}
	return s
}
