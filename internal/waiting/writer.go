package waiting

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

const (
	// listed is how many entries one message of a list names.
	listed = 8192
	// longest bounds a transaction: the broker ends one that stays open for a minute.
	longest = 5 * time.Second
)

// Deliver writes the changelog until ctx ends. to is its only writer, and end gives the offset at which it ends.
func (s *Store) Deliver(ctx context.Context, to cluster.Transaction, topic string, end func(context.Context) (int64, error)) error {
	w := writer{store: s, to: to, topic: topic, end: end}
	if err := w.again(ctx); err != nil {
		return fmt.Errorf("records that wait for their label: %w", err)
	}
	ticker := time.NewTicker(longest)
	defer ticker.Stop()
	for {
		var err error
		select {
		case m := <-s.mail:
			err = w.deliver(ctx, &m)
		case <-ticker.C:
			err = w.commit(ctx)
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
	to    cluster.Transaction
	topic string
	end   func(context.Context) (int64, error)
	open  bool // a transaction
}

// again writes all entries to a changelog that was made again.
func (w *writer) again(ctx context.Context) error {
	if !w.store.again {
		return nil
	}
	w.store.again = false
	var m mail
	err := w.store.each([]byte{kindEntry}, []byte{kindEntry + 1}, func(key, value []byte) error {
		m.add(kafka.Message{Key: slices.Clone(key), Value: slices.Clone(value)})
		if m.bytes < mailBytes {
			return nil
		}
		messages := m.messages
		m = mail{}
		return w.append(ctx, messages...)
	})
	if err == nil {
		err = w.append(ctx, m.messages...)
	}
	return err
}

func (w *writer) deliver(ctx context.Context, m *mail) error {
	if err := w.append(ctx, m.messages...); err != nil {
		return err
	}
	if m.seal.Epoch > 0 {
		if err := w.seal(ctx, m.seal.Epoch); err != nil {
			return err
		}
		var err error
		if m.seal.Offset, err = w.end(ctx); err != nil {
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

// seal makes an epoch durable: what was put in it, and the list of what was taken out.
func (w *writer) seal(ctx context.Context, epoch int64) error {
	var list []byte
	part := int64(0)
	write := func() error {
		message := kafka.Message{Key: listKey(epoch, w.store.term, part), Value: list}
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
	if err == nil {
		err = w.commit(ctx)
	}
	if err == nil {
		err = w.store.explain(w.store.db.flush(ctx))
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
		n, bytes := 0, 0
		for n < len(messages) && (n == 0 || bytes+len(messages[n].Value) <= mailBytes) {
			messages[n].Key = append(w.store.job[:len(w.store.job):len(w.store.job)], messages[n].Key...)
			bytes += len(messages[n].Value)
			n++
		}
		if err := w.to.Append(ctx, w.topic, 0, messages[:n]...); err != nil {
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
	return w.to.Commit(ctx)
}
