package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Reading shows the records of the changelog from an offset on, the oldest first. Nobody else can write to it any more.
type Reading func(ctx context.Context, from int64, use func(*kafka.Record) error) error

// Store is the entries that wait. Its methods are called by one goroutine, the owner's, but for Deliver.
type Store struct {
	db      *database
	place   string // the folder; empty: in memory
	job     []byte // the beginning of its keys on the changelog
	term    int64
	mark    Mark    // what the next snapshot is to count
	begun   Mark    // what the last one of another term counted
	meant   meaning // of the folder
	reading Reading
	now     kafka.TopicID // of the changelog; another one than in meant must get the entries
	filter  *filter
	line    line  // the oldest
	aside   aside // the oldest that are held
	mail    chan mail
	letter  mail // what goes to the changelog next

	scratch, pointer []byte
}

// line is the oldest entries, read ahead: to look for one alone costs as much as to look for many.
type line struct {
	all  []aged
	next int64 // the number behind the last one that was read
}

type aged struct {
	Ticket
	key []byte
}

// aside is the oldest entries that are held, in the order of those in whose place they are.
type aside struct {
	all  []inPlace
	next id // in whose place the first one may be that was not read
}

type inPlace struct {
	aged
	of id
}

// Len is how many entries wait, Held how many of them are held, Bytes how many bytes they take.
func (s *Store) Len() int64   { return s.mark.Entries }
func (s *Store) Held() int64  { return s.mark.Held }
func (s *Store) Bytes() int64 { return s.mark.Bytes }

// Put has the payload wait under a key, from a time on. One that waits under the key already is dropped, and replaced is true.
func (s *Store) Put(key, payload []byte, at int64) (replaced bool, err error) {
	key = callers(key)
	b := s.db.NewBatch()
	defer func() { _ = b.Close() }()
	found, err := s.replace(b, key)
	if err != nil {
		return false, err
	}
	now, err := s.set(b, &entry{at, key, payload})
	if err != nil {
		return false, err
	}
	s.filter.put(key, now.number, s.mark.Entries-s.mark.Held)
	return found, s.commit(b)
}

// replace takes out the entry that waits under a key, if there is one; another one is to follow.
func (s *Store) replace(b *pebble.Batch, key []byte) (found bool, err error) {
	if err := s.readKeys(); err != nil {
		return false, err
	}
	s.pointer = pointerKey(s.pointer[:0], key)
	if !s.filter.mayWait(key, s.pointer) {
		return false, nil
	}
	var earlier Ticket
	if earlier.at, found, err = s.find(key); err != nil || !found {
		return false, err
	}
	if err = s.read(earlier.at, func(e *entry) { earlier.size = e.size() }); err == nil {
		err = s.spend(b, earlier)
	}
	s.filter.gone(earlier.at.number)
	return true, err
}

// set adds an entry.
func (s *Store) set(b *pebble.Batch, e *entry) (at id, err error) {
	s.mark.Number++
	at = id{s.mark.Number, s.term}
	message := kafka.Message{Key: entryKey(nil, at), Value: e.append(make([]byte, 0, len(e.key)+len(e.payload)+18))}
	s.mark.Entries++
	s.mark.Bytes += e.size()
	s.letter.add(message)
	return at, s.explain(errors.Join(b.Set(message.Key, message.Value, nil), b.Set(pointerKey(s.scratch[:0], e.key), message.Key[1:], nil)))
}

// readAtOnce is how many keys are read before an entry is put, while some are to be read.
const readAtOnce = 64

// readKeys reads the next keys of those that waited when the store was opened. Those that were put since are among them, which does no harm.
func (s *Store) readKeys() error {
	f := s.filter
	if f.unread == nil {
		return nil
	}
	rest, err := s.some(f.unread, []byte{kindKey + 1}, readAtOnce, func(key, _ []byte) error {
		if _, is := heldFor(key[1:]); !is {
			f.all[0].add(f.hash(key[1:]))
		}
		return nil
	})
	if err == nil {
		f.unread = rest
	}
	return err
}

// Get gives what waits under a key, and its ticket. The payload is the caller's.
func (s *Store) Get(key []byte) (payload []byte, of Ticket, found bool, err error) {
	if of.at, found, err = s.find(callers(key)); err != nil || !found {
		return nil, of, false, err
	}
	err = s.read(of.at, func(e *entry) { payload, of.size, of.came = slices.Clone(e.payload), e.size(), e.at })
	return payload, of, err == nil, err
}

// Ticket stands for an entry that was found.
type Ticket struct {
	at   id
	size int64
	came int64
}

// Remove takes out the entry of a ticket, which waits under the key.
func (s *Store) Remove(key []byte, of Ticket) error {
	b := s.db.NewBatch()
	defer func() { _ = b.Close() }()
	if err := s.remove(b, of, callers(key)); err != nil {
		return err
	}
	return s.commit(b)
}

// remove takes the entry out that waits under a key.
func (s *Store) remove(b *pebble.Batch, of Ticket, key []byte) error {
	if err := s.spend(b, of); err != nil {
		return err
	}
	if _, is := heldFor(key); !is {
		s.filter.gone(of.at.number)
	}
	return s.explain(b.Delete(pointerKey(s.scratch[:0], key), nil))
}

// spend notes that an entry no longer waits. It stays until a snapshot counts that.
func (s *Store) spend(b *pebble.Batch, of Ticket) error {
	s.mark.Entries--
	s.mark.Bytes -= of.size
	return s.explain(b.Set(spentKey(s.scratch[:0], s.mark.Epoch+1, of.at), nil, nil))
}

// find gives the entry that waits under a key.
func (s *Store) find(key []byte) (at id, found bool, err error) {
	s.pointer = pointerKey(s.pointer[:0], key)
	found, err = valueOf(s.db, s.pointer, func(value []byte) error {
		if len(value) != idBytes {
			return errDamaged
		}
		at = idOf(value)
		return nil
	})
	return at, found && err == nil, s.explain(err)
}

// read shows an entry that is there.
func (s *Store) read(at id, show func(*entry)) error {
	s.scratch = entryKey(s.scratch[:0], at)
	found, err := valueOf(s.db, s.scratch, func(value []byte) error {
		e, err := readEntry(value)
		if err == nil {
			show(&e)
		}
		return err
	})
	if !found && err == nil {
		err = pebble.ErrNotFound
	}
	return s.explain(err)
}

// commit does not wait for the disk: Seal does.
func (s *Store) commit(b *pebble.Batch) error { return s.explain(s.db.commit(b)) }

func (s *Store) explain(err error) error {
	if err == nil {
		return nil
	}
	if known := (*Failure)(nil); errors.As(err, &known) {
		return err
	}
	return &Failure{s.place, err}
}

// mean writes what the folder is.
func (s *Store) mean() error {
	data, err := json.Marshal(s.meant)
	if err == nil {
		err = s.db.Set([]byte{kindMeaning}, data, pebble.NoSync)
	}
	return err
}

// Close ends the use of the database. What is not sealed is put again by whoever goes on.
func (s *Store) Close() error { return s.explain(s.db.Close()) }

// each shows the keys and values of a range. They are valid for the call. What is put meanwhile may be shown or not.
func (s *Store) each(from, to []byte, show func(key, value []byte) error) (err error) {
	for from != nil && err == nil {
		from, err = s.some(from, to, shownAtOnce, show)
	}
	return err
}

// shownAtOnce is how many entries are shown before the database may let go of what it has since written elsewhere.
const shownAtOnce = 4096

// some shows the first of a range, and gives the key from which to go on, nil if there is none.
func (s *Store) some(from, to []byte, most int, show func(key, value []byte) error) (rest []byte, err error) {
	shown := 0
	err = s.until(from, to, func(key, value []byte) (more bool, err error) {
		if shown++; shown > most {
			rest = slices.Clone(key)
			return false, nil
		}
		return true, show(key, value)
	})
	return rest, err
}

// until shows a range until show has seen enough.
func (s *Store) until(from, to []byte, show func(key, value []byte) (more bool, err error)) error {
	found, err := s.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return s.explain(err)
	}
	defer func() { _ = found.Close() }()
	for valid := found.First(); valid; valid = found.Next() {
		if more, err := show(found.Key(), found.Value()); err != nil || !more {
			return err
		}
	}
	return s.explain(found.Error())
}
