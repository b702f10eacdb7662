package persons

import (
	"bytes"
	"testing"
)

// TestOnce: what comes again does not count, also after a restart, until as many others came as promised.
func TestOnce(t *testing.T) {
	var o Once
	if len(o.AppendState(nil)) > 0 {
		t.Error("no identifiers have a state")
	}
	for id := range uint64(Remembered) {
		if o.Again(id + 1) {
			t.Fatalf("identifier %d came before", id)
		}
	}
	state := o.AppendState(nil)
	again, err := RestoreOnce(state)
	if err != nil || !bytes.Equal(again.AppendState(nil), state) {
		t.Fatal("restored, it is another:", err)
	}
	for id := range uint64(Remembered) {
		if !again.Again(id + 1) {
			t.Fatalf("identifier %d is forgotten", id)
		}
	}
	if again.Repeated() != Remembered {
		t.Errorf("%d came again", again.Repeated())
	}
	for id := range uint64(2 * Remembered) {
		again.Again(1<<40 + id)
	}
	if again.Again(1) {
		t.Error("an identifier is remembered for ever")
	}
	state = again.AppendState(nil)
	if third, err := RestoreOnce(state); err != nil || third.Repeated() != Remembered {
		t.Errorf("restored, %d came again: %v", third.Repeated(), err)
	}
	for n := range len(state) {
		if _, err := RestoreOnce(state[:n]); err == nil {
			t.Fatalf("%d of %d bytes are accepted", n, len(state))
		}
	}
}
