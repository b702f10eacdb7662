package intake

import (
	"reflect"
	"testing"
)

func TestRejectWindow(t *testing.T) {
	limit := RejectLimit{Share: .5, Window: 100}
	pattern := func(i int) bool { return i%7 == 0 || i%11 == 3 }
	w := NewRejects(limit)
	for i := range 1000 {
		foreseen, exceeded := w.TooMany()
		w.Push(pattern(i))
		if pattern(i) && (foreseen != w.count || exceeded != (i >= 99 && w.count > 50)) {
			t.Fatalf("before record %d: %d would be rejected, too many: %v", i, foreseen, exceeded)
		}
		count := 0
		for k := max(0, i-99); k <= i; k++ {
			if pattern(k) {
				count++
			}
		}
		if w.count != count {
			t.Fatalf("after %d records %d of the window are rejected, want %d", i+1, w.count, count)
		}
		if i%37 != 0 {
			continue
		}
		restored := NewRejects(limit)
		if err := restored.Restore(w.Recent()); err != nil || restored.count != w.count || !reflect.DeepEqual(restored.Recent(), w.Recent()) {
			t.Fatalf("restored after %d records: %+v, before %+v, %v", i+1, restored, w, err)
		}
	}
	smaller := NewRejects(RejectLimit{Share: .5, Window: 10})
	if err := smaller.Restore(w.Recent()); err != nil || smaller.count != 2 {
		t.Errorf("a smaller window holds %d, %v", smaller.count, err)
	}
	if err := w.Restore(Recent{Seen: 65, Bits: []uint64{0}}); err == nil {
		t.Error("a history longer than its bits passed")
	}
	always := NewRejects(RejectLimit{Share: 1, Window: 10})
	for range 100 {
		if _, exceeded := always.TooMany(); exceeded {
			t.Fatal("a share of 1 stops")
		}
		always.Push(true)
	}
}
