package modeltopic

import "testing"

// TestTermsLeaveRoom: no single term that is believed takes the next one from the owner.
func TestTermsLeaveRoom(t *testing.T) {
	for _, test := range []struct {
		term, now int64
		want      bool
	}{
		{0, 0, true}, {1, 0, true}, {1000, 3, true}, {3, 1000, true}, {-1, 0, false},
		{MostBelieved, 3, true}, {MostBelieved + 1, 3, false}, {MostTerm, 3, false}, {1<<63 - 1, 3, false},
		{MostBelieved + 1, MostBelieved, true}, {MostBelieved + 2, MostBelieved, false}, {MostTerm, MostTerm - 1, true},
		{MostTerm + 1, MostTerm, false}, {1<<63 - 1, 1<<63 - 1, false},
	} {
		if got := Believable(test.term, test.now); got != test.want {
			t.Errorf("term %d at %d: %v", test.term, test.now, got)
		}
	}
	for now := int64(3); ; now++ { // whatever is written, an owner above all that is believed is accepted by readers
		highest := now
		for _, term := range []int64{MostBelieved, MostBelieved + 1, MostTerm - 1, MostTerm, 1<<63 - 1} {
			if Believable(term, now) {
				highest = max(highest, term)
			}
		}
		if next := highest + 1; !(Place{Term: next}).valid() {
			t.Fatalf("at term %d the next is %d", now, next)
		} else if now = next; now > MostBelieved+1000 {
			break
		}
	}
}
