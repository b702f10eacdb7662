package scoring

import (
	"context"
	"maps"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// commit has decisions written, and commits them with the offsets behind them. A partition whose next record is pending is held: the fetcher reads it
// again from there, and chunks of it that were fetched before are used no further.
func (s *Scoring) commit(ctx context.Context, fetcher *kafka.Fetcher, order <-chan *task, out *lanes) error {
	held := newHolds(fetcher)
	next, pending := s.Status().Next, Status{Next: map[int32]int64{}, Ends: map[int32]int64{}}
	ticker := time.NewTicker(s.options.CommitEvery)
	defer ticker.Stop()
	for !s.reached(next) {
		select {
		case t := <-order:
			select {
			case <-t.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			if held.passed(t.chunk) {
				out.drop(t)
				continue
			}
			if t.err != nil {
				return t.err
			}
			s.note(t, &pending)
			held.note(t)
			next[t.chunk.Partition] = t.next
			out.write(ctx, t)
			select {
			case <-ticker.C:
			default:
				continue
			}
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.flush(ctx, &pending, out); err != nil {
			return err
		}
	}
	return s.flush(ctx, &pending, out)
}

// note adds a chunk to what is pending.
func (s *Scoring) note(t *task, pending *Status) {
	if t.chunk.Loss != nil {
		s.options.Notify(t.chunk.Loss)
	}
	if t.why != nil && !s.told[t.why.Reason] {
		s.told[t.why.Reason] = true
		s.options.Rejected(t.chunk.Partition, t.why)
	}
	pending.add(&t.made)
	pending.Next[t.chunk.Partition], pending.Ends[t.chunk.Partition] = t.next, t.chunk.LastStable
}

// flush commits what is pending, once it is written.
func (s *Scoring) flush(ctx context.Context, pending *Status, out *lanes) error {
	if len(pending.Next) == 0 {
		return nil
	}
	if err := out.wait(ctx); err != nil {
		return err
	}
	offsets := maps.Clone(pending.Next)
	maps.DeleteFunc(offsets, func(_ int32, next int64) bool { return next < 0 }) // a partition that is gone
	maps.Copy(s.committing, offsets)
	err := out.transactor.CommitOffsets(ctx, s.options.group(), s.options.From, offsets)
	if err == nil {
		err = out.transactor.Commit(ctx)
	}
	if err != nil {
		return err
	}
	maps.Copy(s.committed, offsets)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.status.add(pending)
	s.status.Committed = time.Now()
	maps.Copy(s.status.Next, pending.Next)
	maps.Copy(s.status.Ends, pending.Ends)
	clear(pending.Next)
	clear(pending.Ends)
	*pending = Status{Next: pending.Next, Ends: pending.Ends}
	return nil
}
