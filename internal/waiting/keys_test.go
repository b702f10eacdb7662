package waiting

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
)

// TestEntriesAreReadAsWritten, and what is cut off is damaged.
func TestEntriesAreReadAsWritten(t *testing.T) {
	for _, e := range []entry{{}, {at: -5, key: []byte("k"), payload: []byte("payload")}, {at: 7, payload: []byte("p")}, {at: 1 << 60, key: bytes.Repeat([]byte("k"), 300)}} {
		written := e.append(nil)
		read, err := readEntry(written)
		if err != nil || read.at != e.at || !bytes.Equal(read.key, e.key) || !bytes.Equal(read.payload, e.payload) {
			t.Errorf("%+v is read as %+v (%v)", e, read, err)
		}
		least := len(written) - len(e.payload)
		for n := range written {
			if read, err := readEntry(written[:n]); (err == nil) != (n >= least) {
				t.Errorf("%d of %d bytes: %+v (%v)", n, len(written), read, err)
			}
		}
	}
	if _, err := readEntry(append(binary.BigEndian.AppendUint64(nil, 1), bytes.Repeat([]byte{0xff}, 11)...)); err == nil {
		t.Error("a length without an end was read")
	}
}

// TestKeysOfCallers are told apart from those of the store, and an entry in the place of another one names it.
func TestKeysOfCallers(t *testing.T) {
	for _, key := range [][]byte{nil, []byte("k"), {own}, {own, 'k'}, {own, own, 'k'}} {
		got := callers(key)
		if len(key) > 0 && key[0] == own {
			if !bytes.Equal(got, append([]byte{own, own}, key...)) {
				t.Errorf("%q: %q", key, got)
			}
		} else if !bytes.Equal(got, key) {
			t.Errorf("%q: %q", key, got)
		}
		if of, is := heldFor(got); is {
			t.Errorf("%q is held for %v", key, of)
		}
	}
	of := id{term: 3, number: 1 << 40}
	key := heldKey(of)
	if got, is := heldFor(key); !is || got != of {
		t.Errorf("held for %v, %v", got, is)
	}
	for name, other := range map[string][]byte{"shorter": key[:len(key)-1], "longer": append(bytes.Clone(key), 0), "of others": append([]byte("x"), key[1:]...)} {
		if _, is := heldFor(other); is {
			t.Errorf("%s: %s", name, fmt.Sprintf("%q", other))
		}
	}
}

// TestStretchesAreForgotten once all of their entries are older than the oldest that waits; the newest stays.
func TestStretchesAreForgotten(t *testing.T) {
	for oldest, want := range map[int64]int{5: 3, 10: 3, 11: 2, 20: 2, 21: 1, 99: 1} {
		m := Mark{Lineage: []Stretch{{Term: 1, Number: 10}, {Term: 2, Number: 20}, {Term: 3, Number: 30}}}
		if m.forget(oldest); len(m.Lineage) != want || m.Lineage[want-1].Term != 3 {
			t.Errorf("%d: %+v", oldest, m.Lineage)
		}
	}
	var none Mark
	if none.forget(7); len(none.Lineage) != 0 {
		t.Errorf("%+v", none)
	}
}
