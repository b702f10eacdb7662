package stream

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// savingMargin is how long a save may take beyond three intervals before it is told: a large state on a slow broker takes a while.
const savingMargin = time.Minute

// SavingStuck: something was learnt, and no save ended for three times stream.snapshot.interval and a minute. The process is not ready until one does.
type SavingStuck struct{ Reason string }

// SavingAgain: a save ended after SavingStuck.
type SavingAgain struct{ After time.Duration }

func (SavingStuck) event() {}
func (SavingAgain) event() {}

// debt is what the learner owes to the state topic. The learner's goroutine notes it, and the watchdog looks at it, because all others may wait.
type debt struct {
	unsaved time.Time // since when something is learnt that no save covers; zero: all is covered
	saving  time.Time // since when what the save at hand covers was unsaved; zero: there is none
}

// since is when the oldest of what is not saved was learnt. Without an interval, only a save at hand must end.
func (d debt) since(interval time.Duration) time.Time {
	if !d.saving.IsZero() || interval == 0 {
		return d.saving
	}
	return d.unsaved
}

// owe notes since when something is unsaved.
func (l *learning) owe() {
	if l.dirty && l.debt.unsaved.IsZero() {
		l.debt.unsaved = l.now
		l.tellDebt()
	}
}

// lend notes that a save begins, or with false that it ended.
func (l *learning) lend(begins bool) {
	l.debt.saving = time.Time{}
	if begins {
		if l.debt.saving = l.debt.unsaved; l.debt.saving.IsZero() {
			l.debt.saving = l.now
		}
		l.debt.unsaved = time.Time{}
	}
	l.tellDebt()
}

func (l *learning) tellDebt() {
	l.board.mutex.Lock()
	defer l.board.mutex.Unlock()
	l.board.debt = l.debt
}

// doing is what the keeper is at, for the reason of SavingStuck.
func (k *keeper) doing(format string, arguments ...any) {
	now := fmt.Sprintf(format, arguments...)
	k.at.Store(&now)
}

// watchSaving tells when saving is stuck, and when it goes on, until ctx ends.
func (s *Stream) watchSaving(ctx context.Context, k *keeper) error {
	interval := s.options.Snapshot.Interval
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	var stuck time.Time // since when; zero: it is not
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		s.board.mutex.Lock()
		since, phase := s.board.debt.since(interval), s.board.status.Phase
		s.board.mutex.Unlock()
		late := phase != PhaseHalted && !since.IsZero() && time.Since(since) > 3*interval+savingMargin
		switch {
		case late && stuck.IsZero():
			stuck = since
			reason := fmt.Sprintf("nothing was saved since %s, although records were learnt: %s. Nothing is lost: a restart goes on from the last snapshot",
				since.UTC().Format(time.RFC3339), cmp.Or(k.state(), "no save has begun"))
			s.board.post(func(status *Status) { status.Stuck = reason })
			s.options.Notify(SavingStuck{reason})
		case !late && !stuck.IsZero():
			s.board.post(func(status *Status) { status.Stuck = "" })
			s.options.Notify(SavingAgain{time.Since(stuck)})
			stuck = time.Time{}
		}
	}
}

// state is what the keeper is at; empty if it waits for work.
func (k *keeper) state() string {
	if at := k.at.Load(); at != nil {
		return *at
	}
	return ""
}

// readable are the topics that others read.
func (k *keeper) readable() string {
	topics := []string{k.publisher.Name, k.announcer.Name}
	if k.history != nil {
		topics = append(topics, k.history.Name)
	}
	return strings.Join(slices.DeleteFunc(topics, func(name string) bool { return name == "" }), ", ")
}
