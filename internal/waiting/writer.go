package waiting

import (
	"context"
	"encoding/binary"
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

// Log is the changelog.
type Log struct {
	Topic string
	To    cluster.Transaction // its only writer
	// Reopen gives another one, of the same id, in place of To.
	Reopen func(context.Context) (cluster.Transaction, error)
	// End gives the topic's identity, and the offset at which it ends.
	End func(context.Context) (kafka.TopicID, int64, error)
	// Again is told how many entries that wait were written to a topic that was made again, or had lost its end.
	Again func(entries int64)
	// Unseen is told why the topic cannot be looked at for a while, and nil once it can be again.
	Unseen func(error)
}

// writer writes the changelog.
type writer struct {
	store *Store
	to    Log
	open  bool  // a transaction
	ended int64 // offset at which the changelog ended last

	unseen int // looks in a row that failed
}

func newWriter(s *Store, to Log) *writer {
	w := &writer{store: s, to: to}
	if s.meant.ID == s.now {
		w.ended = s.begun.Offset
	}
	return w
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
