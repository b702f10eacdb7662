package waiting

import (
	"slices"
)

// readAhead is how many entries are looked for at once.
const readAhead = 256

// Hold has other bytes wait in the place of the entry of a ticket, which waits under the key: they are as old as it is, and under no key.
func (s *Store) Hold(key []byte, of Ticket, payload []byte) error {
	b := s.db.NewBatch()
	defer func() { _ = b.Close() }()
	if err := s.remove(b, of, callers(key)); err != nil {
		return err
	}
	e := entry{of.came, heldKey(of.at), payload}
	at, err := s.set(b, &e)
	if err != nil {
		return err
	}
	s.mark.Held++
	if of.at.compare(s.aside.next) < 0 {
		s.aside.insert(inPlace{aged{Ticket{at, e.size(), e.at}, e.key}, of.at})
	}
	return s.commit(b)
}

// insert adds one to those that were read, and lets go of the last ones if these become many.
func (a *aside) insert(one inPlace) {
	i, _ := slices.BinarySearchFunc(a.all, one.of, func(other inPlace, of id) int { return other.of.compare(of) })
	a.all = slices.Insert(a.all, i, one)
	if len(a.all) > 4*readAhead {
		a.next = a.all[readAhead].of
		a.all = slices.Delete(a.all, readAhead, len(a.all))
	}
}

// Entry is what one that waits is known by: the number under which it was put, or the one in whose place it is held.
type Entry struct {
	Number int64
	Came   int64 // the time that Put was given
	Held   bool
}

// Oldest is the oldest entry; waits is false if there is none. Entries are in the order in which they were put.
func (s *Store) Oldest() (e Entry, waits bool, err error) {
	oldest, held, waits, err := s.oldest()
	if err != nil || !waits {
		return Entry{}, false, err
	}
	number := oldest.at.number
	if of, is := heldFor(oldest.key); is {
		number = of.number
	}
	return Entry{number, oldest.came, held}, true, nil
}

// Newest is the number of the entry that was put last.
func (s *Store) Newest() int64 { return s.mark.Number }

func (s *Store) oldest() (oldest aged, held, waits bool, err error) {
	first, waits, err := s.inLine()
	if err != nil || s.mark.Held == 0 {
		return first, false, waits, err
	}
	at, err := s.firstAside()
	if err != nil {
		return oldest, false, false, err
	}
	if !waits || at.of.compare(first.at) < 0 {
		return at.aged, true, true, nil
	}
	return first, false, true, nil
}

// firstAside is the oldest entry that is held; there is one.
func (s *Store) firstAside() (first inPlace, err error) {
	if len(s.aside.all) == 0 {
		if err := s.readAside(); err != nil {
			return first, err
		}
		if len(s.aside.all) == 0 {
			return first, s.explain(errDamaged) // fewer are there than were counted
		}
	}
	return s.aside.all[0], nil
}

// OldestHeld is what waits longest of those that are held; there is one.
func (s *Store) OldestHeld() (payload []byte, err error) {
	first, err := s.firstAside()
	if err != nil {
		return nil, err
	}
	err = s.read(first.at, func(e *entry) { payload = slices.Clone(e.payload) })
	return payload, err
}

// DropHeld takes out the oldest entry that is held; there is one.
func (s *Store) DropHeld() error {
	first, err := s.firstAside()
	if err != nil {
		return err
	}
	return s.drop(first.aged, true)
}

// inLine is the oldest entry that is not held.
func (s *Store) inLine() (oldest aged, waits bool, err error) {
	for s.mark.Entries > s.mark.Held {
		if len(s.line.all) == 0 {
			if err := s.readOn(); err != nil {
				return oldest, false, err
			}
			if len(s.line.all) == 0 {
				return oldest, false, s.explain(errDamaged) // fewer are there than were counted
			}
		}
		oldest = s.line.all[0]
		now, found, err := s.find(oldest.key)
		if err != nil {
			return oldest, false, err
		}
		if found && now == oldest.at {
			return oldest, true, nil
		}
		s.line.all = s.line.all[1:] // taken out since it was read
	}
	return oldest, false, nil
}

// OldestPayload is what waits longest; nil: nothing waits.
func (s *Store) OldestPayload() (payload []byte, err error) {
	oldest, _, waits, err := s.oldest()
	if err != nil || !waits {
		return nil, err
	}
	err = s.read(oldest.at, func(e *entry) { payload = slices.Clone(e.payload) })
	return payload, err
}

// DropOldest takes out the oldest entry; there is one.
func (s *Store) DropOldest() error {
	oldest, held, waits, err := s.oldest()
	if err != nil || !waits {
		return err
	}
	return s.drop(oldest, held)
}

// drop takes out the oldest entry of those that are held, or of the others.
func (s *Store) drop(oldest aged, held bool) error {
	b := s.db.NewBatch()
	defer func() { _ = b.Close() }()
	if err := s.remove(b, oldest.Ticket, oldest.key); err != nil {
		return err
	}
	if held {
		s.mark.Held--
		s.aside.all = s.aside.all[1:]
	} else {
		s.line.all = s.line.all[1:]
	}
	return s.commit(b)
}

// readOn reads the next entries that wait, and are not held.
func (s *Store) readOn() error {
	s.line.all = s.line.all[:0]
	return s.until(entryKey(nil, id{s.line.next, 0}), []byte{kindEntry + 1}, func(key, value []byte) (more bool, err error) {
		at := idOf(key[1:])
		e, err := readEntry(value)
		if err != nil {
			return false, s.explain(err)
		}
		s.line.next = at.number + 1
		if _, is := heldFor(e.key); is {
			return true, nil
		}
		now, found, err := s.find(e.key)
		if found && now == at {
			s.line.all = append(s.line.all, aged{Ticket{at, e.size(), e.at}, slices.Clone(e.key)})
		}
		return len(s.line.all) < readAhead, err
	})
}

// readAside reads the next entries that are held.
func (s *Store) readAside() error {
	s.aside.all = s.aside.all[:0]
	from, to := pointerKey(nil, heldKey(s.aside.next)), pointerKey(nil, []byte{own, 1})
	return s.until(from, to, func(key, value []byte) (more bool, err error) {
		key = slices.Clone(key[1:])
		of, is := heldFor(key)
		if !is || len(value) != idBytes {
			return false, s.explain(errDamaged)
		}
		one := inPlace{aged{Ticket{at: idOf(value)}, key}, of}
		if err = s.read(one.at, func(e *entry) { one.size, one.came = e.size(), e.at }); err == nil {
			s.aside.all, s.aside.next = append(s.aside.all, one), id{of.number, of.term + 1}
		}
		return len(s.aside.all) < readAhead, err
	})
}
