package waiting

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// A changelog that was made again, or has lost its end, gets what it lacks.

// try does something, and once more if it fails because the changelog was made again: a new log knows nothing of the batches before.
func (w *writer) try(ctx context.Context, do func(context.Context) error) error {
	err := do(ctx)
	if err == nil || ctx.Err() != nil || w.to.Reopen == nil {
		return err
	}
	if _, failed := w.ends(ctx); failed != nil || w.store.now == w.store.meant.ID {
		return err
	}
	var failed error
	if w.to.To, failed = w.to.Reopen(ctx); failed != nil {
		return failed
	}
	w.open = false
	if err := w.again(ctx); err != nil {
		return err
	}
	return do(ctx)
}

// ends is where the changelog ends. If it lost its end, as by an unclean election, it is another one than that which has the entries.
func (w *writer) ends(ctx context.Context) (offset int64, err error) {
	s := w.store
	id, offset, err := w.to.End(ctx)
	if err != nil {
		return 0, err
	}
	if s.now = id; offset < w.ended {
		s.meant.ID = kafka.TopicID{}
	}
	w.ended = offset
	return offset, nil
}

// again writes all entries, and the lists of those that were taken out, to a changelog that was made again.
func (w *writer) again(ctx context.Context) error {
	s := w.store
	if s.meant.ID == s.now {
		return nil
	}
	var m mail
	entries, begun := int64(0), time.Now()
	err := s.each([]byte{kindEntry}, []byte{kindEntry + 1}, func(key, value []byte) error {
		entries++
		m.add(kafka.Message{Key: slices.Clone(key), Value: slices.Clone(value)})
		if m.bytes < mailBytes {
			return nil
		}
		messages := m.messages
		m = mail{}
		if err := w.append(ctx, messages...); err != nil || time.Since(begun) < longest {
			return err
		}
		begun = time.Now()
		return w.commit(ctx)
	})
	if err == nil {
		err = w.append(ctx, m.messages...)
	}
	if err == nil {
		err = w.disown(ctx)
	}
	var epochs []int64
	if err == nil {
		err = s.each([]byte{kindSpent}, []byte{kindSpent + 1}, func(key, _ []byte) error {
			entries-- // it does not wait
			if epoch := int64(binary.BigEndian.Uint64(key[1:])); len(epochs) == 0 || epochs[len(epochs)-1] != epoch {
				epochs = append(epochs, epoch)
			}
			return nil
		})
	}
	for _, epoch := range epochs {
		if err == nil {
			err = w.list(ctx, epoch)
		}
	}
	if err == nil {
		err = w.commit(ctx)
	}
	if err != nil {
		return err
	}
	if w.to.Again != nil {
		w.to.Again(entries)
	}
	s.meant.ID = s.now // no earlier: whoever is killed before writes all of it again
	return s.explain(s.mean())
}

// disown deletes from the changelog what counts and is not in the store: these deletions were lost with the end of the log.
func (w *writer) disown(ctx context.Context) error {
	s := w.store
	var deletions []kafka.Message
	err := s.reading(ctx, kafka.Earliest, func(r *kafka.Record) error {
		name, own := bytes.CutPrefix(r.Key, s.job)
		if !own || r.Value == nil || len(name) != 1+idBytes || name[0] != kindEntry {
			return nil
		}
		if at := idOf(name[1:]); at.term != s.term && !s.begun.wrote(at.term, at.number) {
			return nil
		}
		found, err := valueOf(s.db, name, func([]byte) error { return nil })
		if err == nil && !found {
			deletions = append(deletions, kafka.Message{Key: slices.Clone(name)})
		}
		return err
	})
	if err != nil {
		return s.explain(err)
	}
	return w.append(ctx, deletions...)
}
