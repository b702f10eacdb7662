package persons

import (
	"bytes"
	"testing"
)

// A person is forgotten only after as many others as promised, and a restart forgets nobody.
func TestWhoIsRemembered(t *testing.T) {
	var p Recent
	p.Meet(1)
	for round := range 5 {
		if p.Meet(1) {
			t.Fatalf("round %d: forgotten after fewer others than promised", round)
		}
		for other := range Remembered - 1 {
			p.Meet(uint64(2 + round*Remembered + other))
		}
	}
	for other := range 2 * Remembered {
		p.Meet(uint64(1<<40 + other))
	}
	if !p.Meet(1) || len(p.recent)+len(p.earlier) > 2*Remembered {
		t.Errorf("remembered after %d others, %d persons", 2*Remembered, len(p.recent)+len(p.earlier))
	}
	state := p.AppendState(nil)
	if again, err := Restore(state); err != nil || !bytes.Equal(again.AppendState(nil), state) || again.Meet(1) {
		t.Errorf("restored: %v", err)
	}
	for n := range 64 {
		if _, err := Restore(state[:n]); err == nil {
			t.Fatalf("%d of %d bytes are accepted", n, len(state))
		}
	}
}
