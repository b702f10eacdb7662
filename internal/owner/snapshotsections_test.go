package owner

import (
	"bytes"
	"testing"
)

// TestSectionsOfASnapshot are read as they were written, and as many: one more, one less, or one that is cut off is damage.
func TestSectionsOfASnapshot(t *testing.T) {
	type head struct{ N int }
	written := [][]byte{[]byte("first"), {}, bytes.Repeat([]byte("x"), 1000)}
	pieces, err := Snapshot(head{7}, [][]byte{written[0]}, nil, [][]byte{written[2][:10], written[2][10:]})
	if err != nil {
		t.Fatal(err)
	}
	state := bytes.Join(pieces, nil)
	if more, err := snapshotEnvelope.seal(head{7}, []byte("x")); err != nil || OpenSnapshot(more, &head{}) == nil {
		t.Errorf("a snapshot with a byte more passes, %v", err)
	}
	var h head
	var a, b, c, d []byte
	if err := OpenSnapshot(state, &h, &a, &b, &c); err != nil || h.N != 7 || string(a) != "first" || len(b) != 0 || !bytes.Equal(c, written[2]) {
		t.Errorf("%v: %+v, %q, %q, %d bytes", err, h, a, b, len(c))
	}
	if err := OpenSnapshot(state, &h, &a, &b); err == nil {
		t.Error("a snapshot with a section more passes")
	}
	if err := OpenSnapshot(state, &h, &a, &b, &c, &d); err == nil {
		t.Error("a snapshot with a section less passes")
	}
	if err := checkSnapshot(state); err != nil {
		t.Error(err)
	}
	for _, n := range []int{0, 1, len(state) / 2, len(state) - 1} {
		if err := OpenSnapshot(state[:n], &h, &a, &b, &c); err == nil {
			t.Errorf("%d of %d bytes are a snapshot", n, len(state))
		}
		if err := checkSnapshot(state[:n]); err == nil {
			t.Errorf("%d of %d bytes are not damaged", n, len(state))
		}
	}
	state[len(state)-1] ^= 1
	if err := OpenSnapshot(state, &h, &a, &b, &c); err == nil {
		t.Error("a flipped bit passes")
	}
}
