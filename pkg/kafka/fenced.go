package kafka

import (
	"fmt"
	"time"
)

// Fenced says that the broker refuses what this process writes under a transactional id.
type Fenced struct {
	ID string
	// TimedOut is how long the transaction was open, if it was longer than brokers allow: they aborted it, and nobody need
	// have taken over. A new Transactor may go on from what was committed. 0: another process writes under the id now.
	TimedOut time.Duration
}

func (e *Fenced) Error() string {
	if e.TimedOut > 0 {
		return fmt.Sprintf("a transaction of %s was open for %v, and the broker ended it, or another process took over the transactional id", e.ID, e.TimedOut.Round(time.Second))
	}
	return fmt.Sprintf("another process took over the transactional id %s: one process at a time may write under it", e.ID)
}
