package waiting

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Deliver writes the changelog until ctx ends.
func (s *Store) Deliver(ctx context.Context, to Log) error {
	w := newWriter(s, to)
	if err := w.try(ctx, w.again); err != nil {
		return fmt.Errorf("records that wait for their label: %w", err)
	}
	ticker := time.NewTicker(longest)
	defer ticker.Stop()
	for {
		var err error
		select {
		case m := <-s.mail:
			err = w.try(ctx, func(ctx context.Context) error { return w.deliver(ctx, &m) })
		case <-ticker.C:
			err = w.try(ctx, w.tick)
		case <-s.db.broken:
			err = s.explain(s.db.err)
		case <-ctx.Done():
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("records that wait for their label: %w", err)
		}
	}
}

// leastUnseen is how many looks in a row must fail before somebody is told: while a topic is made again, some do.
const leastUnseen = 3

// tick ends a transaction, and looks after the changelog: one that was made again gets all entries now. A process without a folder that is killed before its
// next snapshot would lose them. If the changelog cannot be seen, the store goes on, since it may have the only copy of the entries.
func (w *writer) tick(ctx context.Context) error {
	if err := w.commit(ctx); err != nil {
		return err
	}
	_, err := w.ends(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && w.unseen >= leastUnseen:
		w.tell(nil)
		fallthrough
	case err == nil:
		w.unseen = 0
		return w.again(ctx)
	}
	if w.unseen++; w.unseen == leastUnseen {
		w.tell(err)
	}
	return nil
}

func (w *writer) tell(unseen error) {
	if w.to.Unseen != nil {
		w.to.Unseen(unseen)
	}
}

func (w *writer) deliver(ctx context.Context, m *mail) error {
	if err := w.append(ctx, m.messages...); err != nil {
		return err
	}
	if m.seal.Epoch > 0 {
		if err := w.seal(ctx, &m.seal); err != nil {
			return err
		}
		m.sealed <- m.seal
		m.seal = Mark{} // if the mail is delivered once more, not again
	}
	if m.counted > 0 {
		if err := w.tidy(ctx, m.counted); err != nil {
			return err
		}
	}
	if m.flushed != nil {
		if err := w.commit(ctx); err != nil {
			return err
		}
		close(m.flushed)
	}
	return nil
}

// seal makes the epoch of a mark durable: what was put in it, and the list of what was taken out. If the changelog was made again, it gets all of the
// entries first.
func (w *writer) seal(ctx context.Context, mark *Mark) (err error) {
	s := w.store
	for again := true; again && err == nil; {
		if err = w.again(ctx); err == nil {
			err = w.list(ctx, mark.Epoch)
		}
		if err == nil {
			err = w.commit(ctx)
		}
		if err == nil {
			mark.Offset, err = w.ends(ctx)
		}
		again = s.meant.ID != s.now
	}
	if err != nil {
		return err
	}
	reach := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(mark.Epoch)), uint64(s.term))
	if err = s.db.Set([]byte{kindReach}, reach, pebble.NoSync); err == nil {
		err = s.db.flush(ctx)
	}
	return s.explain(err)
}

// tidy deletes what was taken out in the epochs up to one that a snapshot counts, and then the lists that name it.
func (w *writer) tidy(ctx context.Context, epoch int64) error {
	s := w.store
	var deletions []kafka.Message
	flush := func(least int) error {
		if len(deletions) < least {
			return nil
		}
		messages := deletions
		deletions = nil
		return w.append(ctx, messages...)
	}
	lists := map[int64]int64{} // entries by epoch
	forget := func(key []byte) error {
		deletions = append(deletions, kafka.Message{Key: key})
		return flush(mailMessages)
	}
	err := s.each(spentFrom(0), spentFrom(epoch+1), func(key, _ []byte) error {
		lists[int64(binary.BigEndian.Uint64(key[1:]))]++
		return forget(entryKey(nil, idOf(key[9:])))
	})
	if err == nil {
		err = s.each([]byte{kindDelete}, []byte{kindDelete + 1}, func(key, _ []byte) error { return forget(append([]byte(nil), key[1:]...)) })
	}
	for of, entries := range lists {
		for part := int64(0); err == nil && part*listed < entries; part++ {
			err = forget(listKey(of, s.termOf(of), part))
		}
	}
	if err == nil {
		err = flush(1)
	}
	if err == nil {
		err = w.commit(ctx) // with the lists that name them, or not at all
	}
	if err != nil {
		return err
	}
	return s.explain(s.clear(epoch))
}

// clear deletes from the database what tidy has deleted from the changelog. That it may lack entries is written first: if the process is killed in
// between, they are still known as taken out, and are deleted again.
func (s *Store) clear(epoch int64) error {
	b := s.db.inParts(func() *pebble.Batch { return s.db.NewBatch() })
	defer func() { _ = b.Close() }()
	err := errors.Join(b.Set([]byte{kindTidied}, binary.BigEndian.AppendUint64(nil, uint64(epoch)), nil),
		s.each(spentFrom(0), spentFrom(epoch+1), func(key, _ []byte) error {
			return errors.Join(b.Delete(entryKey(nil, idOf(key[9:])), nil), b.next())
		}),
		b.DeleteRange(spentFrom(0), spentFrom(epoch+1), nil), b.DeleteRange([]byte{kindDelete}, []byte{kindDelete + 1}, nil))
	if err != nil {
		return err
	}
	return b.commit()
}
