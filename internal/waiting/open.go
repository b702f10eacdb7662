package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Options say where a store is.
type Options struct {
	Folder string // empty: in memory
	Job    string
	Topic  string // the changelog
	ID     kafka.TopicID
	Term   int64 // of the process
	Read   Reading

	files vfs.FS // of a test; nil: those of the machine, or memory
}

// meaning is what a folder says of itself.
type meaning struct {
	Format int           `json:"format"`
	Job    string        `json:"job"`
	Topic  string        `json:"topic"`
	ID     kafka.TopicID `json:"topic_id"`
	Terms  []int64       `json:"terms"` // that used it since it was filled
}

const format = 1

// Opened is how a store was opened.
type Opened struct {
	// Rebuilt says that all of the changelog was read. Lost is how many entries the mark counts that are not there any more.
	Rebuilt bool
	Lost    int64
}

// Open gives the store as it was at a mark: from the folder if it has all that the mark counts, otherwise from the changelog. A zero mark
// is that of an empty store.
func Open(ctx context.Context, o Options, mark Mark) (s *Store, how Opened, err error) {
	s = &Store{place: o.Folder, job: append([]byte(o.Job), 0), term: o.Term, mail: make(chan mail, mailRoom)}
	if s.db, err = openDatabase(o.Folder, o.files); err != nil {
		return nil, how, s.explain(err)
	}
	if how, err = s.recover(ctx, o, mark); err != nil {
		_ = s.db.Close()
		return nil, how, s.explain(err)
	}
	return s, how, nil
}

func (s *Store) recover(ctx context.Context, o Options, mark Mark) (how Opened, err error) {
	m, err := s.meaning()
	if err != nil {
		return how, err
	}
	how.Rebuilt = m.Format != format || m.Job != o.Job || m.Topic != o.Topic || mark.term() == 0 || !slices.Contains(m.Terms, mark.term())
	from := mark.Offset
	switch {
	case how.Rebuilt:
		from, m = 0, meaning{Terms: nil}
		err = s.db.DeleteRange([]byte{0}, []byte{0xff}, pebble.NoSync)
	case m.ID != o.ID:
		from, s.again = 0, true
	}
	if err == nil {
		err = s.readChangelog(ctx, o.Read, &mark, from)
	}
	if err == nil {
		err = s.settle(&mark)
	}
	if err == nil && how.Rebuilt {
		how.Lost, err = s.recount(&mark)
	}
	if err != nil {
		return how, err
	}
	data, err := json.Marshal(meaning{format, o.Job, o.Topic, o.ID, append(m.Terms, o.Term)})
	if err == nil {
		err = s.db.Set([]byte{kindMeaning}, data, pebble.NoSync)
	}
	if err != nil {
		return how, err
	}
	s.begun, s.mark, s.filter = mark, mark, newFilter(mark.Entries-mark.Held, mark.Number)
	s.mark.follow(o.Term)
	oldest, err := s.first()
	s.mark.forget(oldest)
	if err == nil {
		err = s.db.flush(ctx)
	}
	return how, err
}

// recount counts what waits, and says how many entries that a mark counts are gone.
func (s *Store) recount(mark *Mark) (lost int64, err error) {
	before := mark.Entries
	mark.Entries, mark.Bytes, mark.Held = 0, 0, 0
	count := func(e *entry, of int64) {
		mark.Entries += of
		mark.Bytes += of * e.size()
		if _, is := heldFor(e.key); is {
			mark.Held += of
		}
	}
	err = s.each([]byte{kindEntry}, []byte{kindEntry + 1}, func(_, value []byte) error {
		e, err := readEntry(value)
		count(&e, 1)
		return err
	})
	if err == nil {
		err = s.each([]byte{kindSpent}, []byte{kindSpent + 1}, func(key, _ []byte) error {
			err := s.read(idOf(key[9:]), func(e *entry) { count(e, -1) })
			if errors.Is(err, pebble.ErrNotFound) {
				return nil
			}
			return err
		})
	}
	return before - mark.Entries, err
}

func (s *Store) meaning() (m meaning, err error) {
	value, closer, err := s.db.Get([]byte{kindMeaning})
	if errors.Is(err, pebble.ErrNotFound) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	defer func() { _ = closer.Close() }()
	if json.Unmarshal(value, &m) != nil {
		return meaning{}, nil // another program wrote it: the store is filled again
	}
	return m, nil
}

// first is the number of the oldest entry that is there; behind the newest one if none is.
func (s *Store) first() (number int64, err error) {
	number = s.mark.Number + 1
	stop := errors.New("found")
	err = s.each([]byte{kindEntry}, []byte{kindEntry + 1}, func(key, _ []byte) error {
		number = idOf(key[1:]).number
		return stop
	})
	if errors.Is(err, stop) {
		err = nil
	}
	return number, err
}
