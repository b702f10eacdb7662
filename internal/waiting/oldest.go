package waiting

import (
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// readAhead is how many entries are looked for at once.
const readAhead = 256

// Oldest is when the oldest entry came; false if none waits. Entries are in the order in which they were put.
func (s *Store) Oldest() (at int64, waits bool, err error) {
	for s.mark.Entries > 0 {
		if len(s.line.all) == 0 {
			if err := s.readOn(); err != nil {
				return 0, false, err
			}
			if len(s.line.all) == 0 {
				return 0, false, s.explain(errDamaged) // fewer are there than were counted
			}
		}
		oldest := s.line.all[0]
		now, found, err := s.find(oldest.key)
		if err != nil {
			return 0, false, err
		}
		if found && now == oldest.at {
			return oldest.came, true, nil
		}
		s.line.all = s.line.all[1:] // taken out since it was read
	}
	return 0, false, nil
}

// OldestPayload is what waits longest; nil: nothing waits.
func (s *Store) OldestPayload() (payload []byte, err error) {
	if _, waits, err := s.Oldest(); err != nil || !waits {
		return nil, err
	}
	err = s.read(s.line.all[0].at, func(e *entry) { payload = slices.Clone(e.payload) })
	return payload, err
}

// DropOldest takes out the oldest entry; there is one.
func (s *Store) DropOldest() error {
	if _, waits, err := s.Oldest(); err != nil || !waits {
		return err
	}
	oldest := s.line.all[0]
	b := s.db.NewBatch()
	defer func() { _ = b.Close() }()
	if err := s.remove(b, oldest.Ticket, oldest.key); err != nil {
		return err
	}
	s.line.all = s.line.all[1:]
	return nil
}

// readOn reads the next entries that wait.
func (s *Store) readOn() error {
	s.line.all = s.line.all[:0]
	entries, err := s.db.NewIter(&pebble.IterOptions{LowerBound: entryKey(nil, id{s.line.next, 0}), UpperBound: []byte{kindEntry + 1}})
	if err != nil {
		return s.explain(err)
	}
	defer func() { _ = entries.Close() }()
	for valid := entries.First(); valid && len(s.line.all) < readAhead; valid = entries.Next() {
		at := idOf(entries.Key()[1:])
		e, err := readEntry(entries.Value())
		if err != nil {
			return s.explain(err)
		}
		s.line.next = at.number + 1
		now, found, err := s.find(e.key)
		if err != nil {
			return err
		}
		if found && now == at {
			s.line.all = append(s.line.all, aged{Ticket{at, e.size()}, e.at, append([]byte(nil), e.key...)})
		}
	}
	return s.explain(entries.Error())
}
