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
			oldest, waits, err := w.store.Oldest()
			payload, _ := w.store.OldestPayload()
			want := fmt.Sprint(next)
			if oldest.Held {
				want = "held " + want
			}
			if err != nil || !waits || oldest.Came != int64(next) || oldest.Number != int64(next)+1 || string(payload) != want {
				t.Fatalf("the oldest is %+v, %s, %v; want %s", oldest, payload, err, want)
			}
			if err := w.store.DropOldest(); err != nil {
				t.Fatal(err)
			}
			next++
		}
	}
	for ; next < count; next++ {
		oldest, waits, err := w.store.Oldest()
		if err != nil || !waits || oldest.Came != int64(next) {
			t.Fatalf("the oldest is %+v, %v, %v; want %d", oldest, waits, err, next)
		}
		if err := w.store.DropOldest(); err != nil {
			t.Fatal(err)
		}
	}
	if w.store.Len() != 0 || w.store.Held() != 0 || w.store.Bytes() != 0 {
		t.Errorf("%d wait, %d are held, of %d bytes", w.store.Len(), w.store.Held(), w.store.Bytes())
	}
}
