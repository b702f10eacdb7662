package stream

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// savingMargin is how long a save may take beyond three intervals before it is told: a large state on a slow broker takes a while.
const savingMargin = time.Minute

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
