package stream

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// standby follows the job of another process and holds its state decoded, to take over when that process is silent.
//
//	state topic ──▶ follow ──▶ journal ──▶ learning, decoded      silence, or "leaving" ──▶ claim
//
// It takes over by a claim like every owner (journal.claim), so whatever it believes of the other process, there is one
// lineage: at worst a healthy owner loses its job.
type standby struct {
	*Stream
	mutex   sync.Mutex
	journal *journal
	next    int64     // where the journal goes on
	signs   int64     // of the journal when it was last looked at
	sign    time.Time // when there was a new one

	held    *learning // restored from the snapshot that heldAs names
	heldAs  Reference
	heldSet bool
}

// StandingBy: another process owns the job, and this one would take over.
type StandingBy struct {
	// Owner is the one that is followed. It may give no signs of life: see Claim.BeatMillis.
	Owner Claim
	// Timeout is how long it may be silent.
	Timeout time.Duration
}

// TakingOver: the owner is silent, or leaves.
type TakingOver struct {
	Owner   Claim
	Silent  time.Duration
	Leaving bool
}

// awaitTurn stands by while another process owns the job, and claims it then. held is the decoded state, nil if it is to
// be decoded from the journal.
func (s *Stream) awaitTurn(ctx context.Context) (claim Claim, j *journal, next int64, held *learning, err error) {
	for {
		b := &standby{Stream: s, journal: newJournal(s.options.Job)}
		if b.next, err = s.readJournal(ctx, b.journal); err != nil {
			return claim, nil, 0, nil, err
		}
		s.tellGarbage(b.journal, 0)
		if err = s.mayBegin(ctx, b.journal); err == nil {
			err = b.decode()
		}
		if err != nil {
			return claim, nil, 0, nil, err
		}
		if err = b.wait(ctx); err != nil {
			return claim, nil, 0, nil, err
		}
		claim, next, err = s.take(ctx, b.journal, b.next, 0)
		var superseded *Superseded
		if errors.As(err, &superseded) {
			continue // another standby was first
		}
		if err != nil {
			return claim, nil, 0, nil, err
		}
		if b.heldSet && b.heldAs == b.journal.last {
			held = b.held
		}
		return claim, b.journal, next, held, nil
	}
}

// wait follows the owner until it is silent or leaves.
func (b *standby) wait(ctx context.Context) error {
	if b.free() {
		return nil
	}
	b.signs, b.sign = b.journal.signs, time.Now()
	owner := b.journal.holder
	b.board.post(func(status *Status) { status.Claim = owner })
	b.board.enter(PhaseStandby, "")
	b.options.Notify(StandingBy{owner, b.timeout()})
	for {
		quiet, err := b.follow(ctx)
		if err != nil {
			return err
		}
		// What a slow connection still holds back must not look like silence.
		b.next, err = b.cluster.Read(ctx, b.options.Topics.State, 0, b.next, kafka.End, b.apply)
		if err != nil {
			return err
		}
		if b.free() || b.silence() >= b.timeout() {
			b.options.Notify(TakingOver{b.journal.holder, quiet, b.journal.left})
			b.board.enter(PhaseStarting, "taking over")
			return nil
		}
	}
}

// free says whether nobody owns the job.
func (b *standby) free() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.journal.holder.Term == 0 || b.journal.left
}

// timeout is how long the owner may be silent. An owner that was configured with a longer timeout gives signs less often.
func (b *standby) timeout() time.Duration {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return max(b.options.StandbyTimeout, beatsPerTimeout*time.Duration(b.journal.holder.BeatMillis)*time.Millisecond)
}

// silence is how long there was no sign of the owner.
func (b *standby) silence() time.Duration {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.journal.signs != b.signs {
		b.signs, b.sign = b.journal.signs, time.Now()
	}
	return time.Since(b.sign)
}

func (b *standby) apply(r *kafka.Record) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.journal.follow(r)
}

// follow reads the state topic until the owner is silent or leaves, and decodes each new snapshot.
func (b *standby) follow(ctx context.Context) (quiet time.Duration, err error) {
	reading, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		next, err := b.cluster.Read(reading, b.options.Topics.State, 0, b.next, kafka.Forever, b.apply)
		b.next = next // read after done
		done <- err
	}()
	ticker := time.NewTicker(min(heartbeat, b.options.StandbyTimeout/beatsPerTimeout))
	defer ticker.Stop()
	for {
		select {
		case err = <-done:
			stop()
			return 0, err // it ended by itself
		case <-ticker.C:
			quiet = b.silence()
			if err = b.decode(); err == nil && quiet < b.timeout() && !b.free() {
				continue
			}
			stop()
			if ended := <-done; err == nil && !errors.Is(ended, context.Canceled) {
				err = ended
			}
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			return quiet, err
		}
	}
}

// decode restores a learner from the newest snapshot, so that a takeover need not.
func (b *standby) decode() error {
	b.mutex.Lock()
	last, state := b.journal.last, b.journal.state
	b.mutex.Unlock()
	if b.heldSet && last == b.heldAs {
		return nil
	}
	l := newLearning(b.Stream)
	if err := b.restore(l, state); err != nil {
		return err
	}
	b.held, b.heldAs, b.heldSet = l, last, true
	b.board.post(func(status *Status) { status.Version = l.learner.Version() })
	return nil
}
