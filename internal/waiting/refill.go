package waiting

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"github.com/fairstream/fairstream/internal/kafka"
)

// readChangelog takes in the changelog: the entries that count at a mark, and what is to be deleted there.
func (s *Store) readChangelog(ctx context.Context, read Reading, mark *Mark, from int64) error {
	b := s.db.inParts(s.db.NewIndexedBatch)
	defer func() { _ = b.Close() }()
	err := read(ctx, from, func(r *kafka.Record) error {
		if err := s.fill(b.Batch, mark, r); err != nil {
			return err
		}
		return b.next()
	})
	if err != nil {
		return err
	}
	return b.commit()
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
			return errors.Join(s.unfill(b, at), b.Delete(deletion, nil))
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
	found, err := valueOf(b, key, func(value []byte) error {
		e, err := readEntry(value)
		if err == nil {
			err = unpoint(b, b, e.key, at)
		}
		return err
	})
	if !found {
		return err
	}
	return errors.Join(err, b.Delete(key, nil))
}

// unpoint has a key point to an entry no longer, if it does.
func unpoint(from pebble.Reader, b *pebble.Batch, key []byte, at id) error {
	pointer := pointerKey(nil, key)
	same := false
	if _, err := valueOf(from, pointer, func(value []byte) error {
		same = len(value) == idBytes && idOf(value) == at
		return nil
	}); err != nil || !same {
		return err
	}
	return b.Delete(pointer, nil)
}

// settle makes the database what it was at a mark: what was put behind it goes, and what was taken out behind it waits again.
func (s *Store) settle(mark *Mark) error {
	b := s.db.inParts(s.db.NewIndexedBatch)
	defer func() { _ = b.Close() }()
	err := s.each(entryKey(nil, id{mark.Number + 1, 0}), []byte{kindEntry + 1}, func(key, value []byte) error {
		if err := b.next(); err != nil {
			return err
		}
		e, err := readEntry(value)
		if err == nil {
			err = unpoint(b, b.Batch, e.key, idOf(key[1:]))
		}
		return errors.Join(err, b.Delete(key, nil), b.Set(append([]byte{kindDelete}, key...), nil, nil))
	})
	if err != nil {
		return err
	}
	err = s.each([]byte{kindSpent}, []byte{kindSpent + 1}, func(key, _ []byte) error {
		if err := b.next(); err != nil {
			return err
		}
		epoch, at := int64(binary.BigEndian.Uint64(key[1:])), idOf(key[9:])
		found, err := valueOf(b, entryKey(nil, at), func(value []byte) error {
			e, err := readEntry(value)
			switch {
			case err != nil:
				return err
			case epoch <= mark.Epoch:
				return unpoint(b, b.Batch, e.key, at)
			}
			return errors.Join(b.Set(pointerKey(nil, e.key), key[9:], nil), b.Delete(key, nil))
		})
		if !found && err == nil && epoch > mark.Epoch {
			return b.Delete(key, nil)
		}
		return err
	})
	if err != nil {
		return err
	}
	return b.commit()
}
