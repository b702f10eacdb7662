package owner

import "testing"

// TestWhichSnapshotsMayCount: those of the owner in force, behind its last one.
func TestWhichSnapshotsMayCount(t *testing.T) {
	j := newJournal("job")
	j.holder = Claim{Owner: "a", Term: 3}
	for _, test := range []struct {
		last, of Reference
		may      bool
	}{
		{Reference{}, Reference{"a", 3, 1}, true}, {Reference{"b", 2, 9}, Reference{"a", 3, 1}, true}, {Reference{"a", 3, 4}, Reference{"a", 3, 5}, true},
		{Reference{"a", 3, 4}, Reference{"a", 3, 4}, false}, {Reference{"a", 3, 4}, Reference{"a", 3, 3}, false}, {Reference{}, Reference{"b", 3, 1}, false},
		{Reference{}, Reference{"a", 2, 1}, false}, {Reference{}, Reference{"a", 4, 1}, false},
	} {
		if j.last = test.last; j.may(test.of) != test.may {
			t.Errorf("behind %v, %v may count: %v", test.last, test.of, !test.may)
		}
	}
	// A complete one ends the wait for the parts of those before it, and of its own.
	j.keep = false
	for sequence := range int64(4) {
		j.pending[Reference{"a", 3, sequence + 1}] = &assembly{}
	}
	r := Reference{"a", 3, 2}
	if err := j.count(r, &assembly{}); err != nil || j.last != r || len(j.pending) != 2 || j.pending[Reference{"a", 3, 3}] == nil {
		t.Errorf("%v, %v, %d wait", err, j.last, len(j.pending))
	}
}
