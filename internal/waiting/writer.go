package waiting

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

const (
	// listed is how many entries one message of a list names.
	listed = 8192
	// longest bounds a transaction: the broker ends one that stays open for a minute.
	longest = 5 * time.Second
)

// Log is the changelog.
type Log struct {
	Topic string
	To    cluster.Transaction // its only writer
	// Reopen gives another one, of the same id, in place of To.
	Reopen func(context.Context) (cluster.Transaction, error)
	// End gives the topic's identity, and the offset at which it ends.
	End func(context.Context) (kafka.TopicID, int64, error)
	// Again is told how many entries were written to a topic that was made again, or had lost its end.
	Again func(entries int64)
}

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
			err = w.try(ctx, w.commit)
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

// writer writes the changelog.
type writer struct {
	store *Store
	to    Log
	open  bool  // a transaction
	ended int64 // offset at which the changelog ended last
}

func newWriter(s *Store, to Log) *writer {
	w := &writer{store: s, to: to}
	if s.meant.ID == s.now {
		w.ended = s.begun.Offset
	}
	return w
}

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

func (w *writer) deliver(ctx context.Context, m *mail) error {
	if err := w.append(ctx, m.messages...); err != nil {
		return err
	}
	if m.seal.Epoch > 0 {
		if err := w.seal(ctx, &m.seal); err != nil {
			return err
		}
		m.sealed <- m.seal
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
		_, closer, err := s.db.Get(name)
		if errors.Is(err, pebble.ErrNotFound) {
			deletions = append(deletions, kafka.Message{Key: slices.Clone(name)})
			return nil
		}
		if err != nil {
			return err
		}
		return closer.Close()
	})
	if err != nil {
		return s.explain(err)
	}
	return w.append(ctx, deletions...)
}

// list writes the list of what was taken out in an epoch.
func (w *writer) list(ctx context.Context, epoch int64) error {
	var list []byte
	part := int64(0)
	write := func() error {
		message := kafka.Message{Key: listKey(epoch, w.store.termOf(epoch), part), Value: list}
		list, part = nil, part+1
		return w.append(ctx, message)
	}
	err := w.store.each(spentFrom(epoch), spentFrom(epoch+1), func(key, _ []byte) error {
		if list = append(list, key[9:]...); len(list) < listed*idBytes {
			return nil
		}
		return write()
	})
	if err == nil && len(list) > 0 {
		err = write()
	}
	return err
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
	b := s.db.NewBatch()
	defer func() { _ = b.Close() }()
	lists := map[int64]int64{} // entries by epoch
	forget := func(key []byte) error {
		deletions = append(deletions, kafka.Message{Key: key})
		return flush(mailMessages)
	}
	err := s.each(spentFrom(0), spentFrom(epoch+1), func(key, _ []byte) error {
		lists[int64(binary.BigEndian.Uint64(key[1:]))]++
		if err := b.Delete(entryKey(nil, idOf(key[9:])), nil); err != nil {
			return err
		}
		return forget(entryKey(nil, idOf(key[9:])))
	})
	if err == nil {
		err = s.each([]byte{kindDelete}, []byte{kindDelete + 1}, func(key, _ []byte) error { return forget(append([]byte(nil), key[1:]...)) })
	}
	if err == nil {
		err = flush(1)
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
	if err = b.DeleteRange(spentFrom(0), spentFrom(epoch+1), nil); err == nil {
		err = b.DeleteRange([]byte{kindDelete}, []byte{kindDelete + 1}, nil)
	}
	if err == nil {
		err = b.Set([]byte{kindTidied}, binary.BigEndian.AppendUint64(nil, uint64(epoch)), nil)
	}
	if err == nil {
		err = s.db.commit(b)
	}
	return s.explain(err)
}

// termOf is the term that wrote the list of an epoch.
func (s *Store) termOf(epoch int64) int64 {
	for _, stretch := range s.begun.Lineage {
		if epoch <= stretch.Epoch {
			return stretch.Term
		}
	}
	return s.term
}

func spentFrom(epoch int64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kindSpent}, uint64(epoch))
}

// append writes messages under keys of the job, in batches of at most mailBytes or of one message.
func (w *writer) append(ctx context.Context, messages ...kafka.Message) error {
	for len(messages) > 0 {
		w.open = true
		batch := make([]kafka.Message, 0, min(len(messages), mailMessages))
		n, bytes := 0, 0
		for n < len(messages) && (n == 0 || bytes+len(messages[n].Value) <= mailBytes) {
			m := messages[n]
			m.Key = append(w.store.job[:len(w.store.job):len(w.store.job)], m.Key...)
			batch = append(batch, m)
			bytes += len(m.Value)
			n++
		}
		if err := w.to.To.Append(ctx, w.to.Topic, 0, batch...); err != nil {
			return err
		}
		messages = messages[n:]
	}
	return nil
}

func (w *writer) commit(ctx context.Context) error {
	if !w.open {
		return nil
	}
	w.open = false
	return w.to.To.Commit(ctx)
}
