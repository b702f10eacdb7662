package waiting

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// Kinds of keys, of the database and, for entries and lists, of the changelog, where the name of the job and a zero come before them. All
// numbers are big endian, so that keys ascend with them.
//
//	'e' number term        ─▶ an entry
//	'k' key                ─▶ number term of the entry that waits under the key
//	's' epoch number term  ─▶ nothing: the entry was taken out in the epoch
//	'd' key of changelog   ─▶ nothing: to be deleted from the changelog
//	'l' epoch term part    ─▶ on the changelog only: numbers and terms of entries taken out in the epoch
//	'm'                    ─▶ what the folder is
//	'r'                    ─▶ epoch and term up to which the folder has all
//	't'                    ─▶ epoch up to which what was taken out is deleted
const (
	kindEntry   = 'e'
	kindKey     = 'k'
	kindSpent   = 's'
	kindDelete  = 'd'
	kindList    = 'l'
	kindMeaning = 'm'
	kindReach   = 'r'
	kindTidied  = 't'
)

// id is one entry.
type id struct{ number, term int64 }

const idBytes = 16

func (a id) compare(b id) int {
	return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.term, b.term))
}

func appendID(dst []byte, at id) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, uint64(at.number)), uint64(at.term))
}

// idOf reads what appendID wrote; b has idBytes.
func idOf(b []byte) id {
	return id{int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:]))}
}

func entryKey(dst []byte, at id) []byte { return appendID(append(dst, kindEntry), at) }

// pointerKey is for the key of an entry. Those of held entries begin like no other.
func pointerKey(dst, key []byte) []byte { return append(append(dst, kindKey), key...) }

// own and held begin keys that Store itself has: own those of callers that begin with it, and held those of entries that were held.
const own = 0xff

var held = []byte{own, 0}

// callers is the key under which an entry waits for a caller.
func callers(key []byte) []byte {
	if len(key) > 0 && key[0] == own {
		return append([]byte{own, own}, key...)
	}
	return key
}

// heldKey is the key of an entry that is held in the place of another one.
func heldKey(of id) []byte { return appendID(slices.Clone(held), of) }

// heldFor is in whose place an entry is held.
func heldFor(key []byte) (of id, is bool) {
	if len(key) != len(held)+idBytes || !bytes.HasPrefix(key, held) {
		return of, false
	}
	return idOf(key[len(held):]), true
}

func spentKey(dst []byte, epoch int64, at id) []byte {
	return appendID(binary.BigEndian.AppendUint64(append(dst, kindSpent), uint64(epoch)), at)
}

func listKey(epoch, term, part int64) []byte {
	b := binary.BigEndian.AppendUint64([]byte{kindList}, uint64(epoch))
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, uint64(term)), uint64(part))
}

// entry is what waits. Its bytes belong to the database or to a message, and are valid for as long.
type entry struct {
	at      int64 // when it came, as the caller measures time
	key     []byte
	payload []byte
}

func (e *entry) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(e.at))
	dst = binary.AppendUvarint(dst, uint64(len(e.key)))
	return append(append(dst, e.key...), e.payload...)
}

var errDamaged = errors.New("waiting: an entry is damaged")

func readEntry(b []byte) (e entry, err error) {
	if len(b) < 9 {
		return e, errDamaged
	}
	e.at = int64(binary.BigEndian.Uint64(b))
	length, n := binary.Uvarint(b[8:])
	if n <= 0 || length > uint64(len(b)-8-n) {
		return e, errDamaged
	}
	rest := b[8+n:]
	e.key, e.payload = rest[:length], rest[length:]
	return e, nil
}

// overhead is what an entry takes beside its key and payload, roughly.
const overhead = 64

func (e *entry) size() int64 { return int64(len(e.key) + len(e.payload) + overhead) }
