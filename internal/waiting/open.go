package waiting

import (
	"context"
	"encoding/binary"
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
	End    int64 // offset at which it ends
	Term   int64 // of the process
	Read   Reading

	files vfs.FS // of a test; nil: those of the machine, or memory
}

// Opened is how a store was opened.
type Opened struct {
	// Rebuilt says that all of the changelog was read. Lost is how many entries the mark counts that are not there any more, and Cut says that the
	// changelog had lost its end, so that entries may wait which were taken out.
	Rebuilt, Cut bool
	Lost         int64
}

// Open gives the store as it was at a mark: from the folder if it has all that the mark counts, otherwise from the changelog. A zero mark
// is that of an empty store.
func Open(ctx context.Context, o Options, mark Mark) (s *Store, how Opened, err error) {
	s = &Store{place: o.Folder, job: append([]byte(o.Job), 0), term: o.Term, reading: o.Read, mail: make(chan mail, mailRoom)}
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
	if !how.Rebuilt {
		covers, err := s.covers(&mark)
		if err != nil {
			return how, err
		}
		how.Rebuilt = !covers
	}
	from := mark.Offset
	switch {
	case how.Rebuilt:
		from, m, how.Cut = 0, meaning{ID: o.ID}, o.End < mark.Offset
		err = s.db.DeleteRange([]byte{0}, []byte{0xff}, pebble.NoSync)
	case m.ID != o.ID:
		from = 0
	case o.End < mark.Offset: // its end was lost: all entries are written again
		from, m.ID = 0, kafka.TopicID{}
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
	s.meant, s.now = meaning{format, o.Job, o.Topic, m.ID, append(m.Terms, o.Term)}, o.ID
	if err := s.mean(); err != nil {
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
	return max(0, before-mark.Entries), err
}

func (s *Store) meaning() (m meaning, err error) {
	_, err = valueOf(s.db, []byte{kindMeaning}, func(value []byte) error {
		if json.Unmarshal(value, &m) != nil {
			m = meaning{} // another program wrote it: the store is filled again
		}
		return nil
	})
	return m, err
}

// covers says whether the folder has all that a mark counts: it was sealed up to there, and nothing behind it was deleted.
func (s *Store) covers(mark *Mark) (bool, error) {
	reach, err := s.numbers(kindReach)
	if err != nil || len(reach) != 2 {
		return false, err
	}
	tidied, err := s.numbers(kindTidied)
	if err != nil || len(tidied) > 0 && tidied[0] > mark.Epoch {
		return false, err
	}
	epoch, term := reach[0], reach[1]
	return term > mark.term() || term == mark.term() && epoch >= mark.Epoch, nil
}

// numbers are those that the database has of a kind.
func (s *Store) numbers(kind byte) (numbers []int64, err error) {
	_, err = valueOf(s.db, []byte{kind}, func(value []byte) error {
		for b := range slices.Chunk(value, 8) {
			if len(b) == 8 {
				numbers = append(numbers, int64(binary.BigEndian.Uint64(b)))
			}
		}
		return nil
	})
	return numbers, err
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
