package backfill

import "testing"

// TestRejects: a share of exactly the limit is allowed, in a block and of all rows, and one more rejected row is not.
func TestRejects(t *testing.T) {
	for _, c := range []struct {
		bad           int
		over, tooMany bool
	}{{0, false, false}, {4, false, false}, {5, true, true}} {
		r := rejects{limit: rejectLimit{share: .5, window: 8}}
		over := false
		for i := range 8 {
			over = r.take(i < c.bad) || over
		}
		if over != c.over || r.tooMany(8) != c.tooMany || r.tooMany(9) || r.block != 0 || r.bad != 0 {
			t.Errorf("%d of 8 rejected: block %v, all %v, %+v", c.bad, over, r.tooMany(8), r)
		}
	}
}
