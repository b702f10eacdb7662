package waiting

import (
	"fmt"
	"testing"
)

// TestManyAreHeld: in whatever order they were held, and however many were read ahead, the oldest comes first. Keys may begin with the bytes of the store's own.
func TestManyAreHeld(t *testing.T) {
	w := newWorld(t, 1, "")
	const count = 6000
	key := func(i int) []byte { return append([]byte{own, byte(i % 3)}, fmt.Sprint(i)...) }
	for i := range count {
		if replaced, err := w.store.Put(key(i), fmt.Append(nil, i), int64(i)); err != nil || replaced {
			t.Fatal(replaced, err)
		}
	}
	begun, next := false, 0
	for _, i := range w.random.Perm(count) {
		if i%5 == 0 {
			continue // waits on
		}
		_, of, found, err := w.store.Get(key(i))
		if err != nil || found != (i >= next) {
			t.Fatal(i, found, err)
		}
		if !found {
			continue
		}
		if err := w.store.Hold(key(i), of, fmt.Append(nil, "held ", i)); err != nil {
			t.Fatal(err)
		}
		if begun = begun || w.store.Held() > 500; begun && w.random.IntN(8) == 0 {
			at, held, waits, err := w.store.Oldest()
			payload, _ := w.store.OldestPayload()
			want := fmt.Sprint(next)
			if held {
				want = "held " + want
			}
			if err != nil || !waits || at != int64(next) || string(payload) != want {
				t.Fatalf("the oldest is of %d, %s, %v; want %s", at, payload, err, want)
			}
			if err := w.store.DropOldest(); err != nil {
				t.Fatal(err)
			}
			next++
		}
	}
	for ; next < count; next++ {
		at, _, waits, err := w.store.Oldest()
		if err != nil || !waits || at != int64(next) {
			t.Fatalf("the oldest is of %d, %v, %v; want %d", at, waits, err, next)
		}
		if err := w.store.DropOldest(); err != nil {
			t.Fatal(err)
		}
	}
	if w.store.Len() != 0 || w.store.Held() != 0 || w.store.Bytes() != 0 {
		t.Errorf("%d wait, %d are held, of %d bytes", w.store.Len(), w.store.Held(), w.store.Bytes())
	}
}
