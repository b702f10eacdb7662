package waiting

import (
	"bytes"
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
	Term   int64 // of the process
	// Read shows the records of the changelog from an offset on, the oldest first. Nobody else can write to it any more.
	Read func(ctx context.Context, from int64, use func(*kafka.Record) error) error

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
		err = s.readChangelog(ctx, o, &mark, from)
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
	s.begun, s.mark = mark, mark
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
	mark.Entries, mark.Bytes = 0, 0
	err = s.each([]byte{kindEntry}, []byte{kindEntry + 1}, func(_, value []byte) error {
		e, err := readEntry(value)
		mark.Entries++
		mark.Bytes += e.size()
		return err
	})
	if err == nil {
		err = s.each([]byte{kindSpent}, []byte{kindSpent + 1}, func(key, _ []byte) error {
			err := s.read(idOf(key[9:]), func(e *entry) {
				mark.Entries--
				mark.Bytes -= e.size()
			})
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
		return meaning{}, nil // another program's: it is filled anew
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

// fillBytes is how much is written to the database at once.
const fillBytes = 4 << 20

// readChangelog takes in the changelog: the entries that count at a mark, and what is to be deleted there.
func (s *Store) readChangelog(ctx context.Context, o Options, mark *Mark, from int64) error {
	b := s.db.NewIndexedBatch()
	defer func() { _ = b.Close() }()
	err := o.Read(ctx, from, func(r *kafka.Record) error {
		if err := s.fill(b, mark, r); err != nil {
			return err
		}
		if b.Len() < fillBytes {
			return nil
		}
		if err := s.db.commit(b); err != nil {
			return err
		}
		if err := b.Close(); err != nil {
			return err
		}
		b = s.db.NewIndexedBatch()
		return nil
	})
	if err != nil {
		return err
	}
	return s.db.commit(b)
}

// fill takes in a record of the changelog.
func (s *Store) fill(b *pebble.Batch, mark *Mark, r *kafka.Record) error {
	name, own := bytes.CutPrefix(r.Key, s.job)
	if !own {
		return nil
	}
	deletion := append([]byte{kindDelete}, name...)
	switch {
	case len(name) == 1+idBytes && name[0] == kindEntry:
		at := idOf(name[1:])
		if r.Value == nil {
			if err := s.unfill(b, at); err != nil {
				return err
			}
			return b.Delete(deletion, nil)
		}
		e, err := readEntry(r.Value)
		if err != nil || !mark.wrote(at.term, at.number) {
			return b.Set(deletion, nil, nil)
		}
		return errors.Join(b.Set(name, r.Value, nil), b.Set(pointerKey(nil, e.key), name[1:], nil))
	case len(name) == 1+3*8 && name[0] == kindList:
		epoch, term := int64(binary.BigEndian.Uint64(name[1:])), int64(binary.BigEndian.Uint64(name[9:]))
		if r.Value == nil {
			return b.Delete(deletion, nil)
		}
		if !mark.listed(term, epoch) || len(r.Value)%idBytes != 0 {
			return b.Set(deletion, nil, nil)
		}
		for ids := range slices.Chunk(r.Value, idBytes) {
			if err := b.Set(spentKey(nil, epoch, idOf(ids)), nil, nil); err != nil {
				return err
			}
		}
	case r.Value != nil: // nobody of this project wrote it
		return b.Set(deletion, nil, nil)
	}
	return nil
}

// unfill takes an entry out that is deleted on the changelog.
func (s *Store) unfill(b *pebble.Batch, at id) error {
	key := entryKey(nil, at)
	value, closer, err := b.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	e, err := readEntry(value)
	if err == nil {
		err = unpoint(b, b, e.key, at)
	}
	return errors.Join(err, closer.Close(), b.Delete(key, nil))
}

// unpoint has a key point to an entry no longer, if it does.
func unpoint(from pebble.Reader, b *pebble.Batch, key []byte, at id) error {
	pointer := pointerKey(nil, key)
	value, closer, err := from.Get(pointer)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	same := len(value) == idBytes && idOf(value) == at
	if err := closer.Close(); err != nil || !same {
		return err
	}
	return b.Delete(pointer, nil)
}

// settle makes the database what it was at a mark: what was put behind it goes, and what was taken out behind it waits again.
func (s *Store) settle(mark *Mark) error {
	b := s.db.NewIndexedBatch()
	defer func() { _ = b.Close() }()
	err := s.each(entryKey(nil, id{mark.Number + 1, 0}), []byte{kindEntry + 1}, func(key, value []byte) error {
		e, err := readEntry(value)
		if err == nil {
			err = unpoint(b, b, e.key, idOf(key[1:]))
		}
		return errors.Join(err, b.Delete(key, nil), b.Set(append([]byte{kindDelete}, key...), nil, nil))
	})
	if err != nil {
		return err
	}
	err = s.each([]byte{kindSpent}, []byte{kindSpent + 1}, func(key, _ []byte) error {
		epoch, at := int64(binary.BigEndian.Uint64(key[1:])), idOf(key[9:])
		value, closer, err := b.Get(entryKey(nil, at))
		if errors.Is(err, pebble.ErrNotFound) {
			if epoch > mark.Epoch {
				return b.Delete(key, nil)
			}
			return nil
		}
		if err != nil {
			return err
		}
		defer func() { _ = closer.Close() }()
		e, err := readEntry(value)
		switch {
		case err != nil:
			return err
		case epoch <= mark.Epoch:
			return unpoint(b, b, e.key, at)
		}
		return errors.Join(b.Set(pointerKey(nil, e.key), key[9:], nil), b.Delete(key, nil))
	})
	if err != nil {
		return err
	}
	return s.db.commit(b)
}
