package owner

import "testing"

// TestClaimsThatNoOwnerWrote: a term that rises too far would leave the owners after it without terms.
func TestClaimsThatNoOwnerWrote(t *testing.T) {
	for name, c := range map[string]struct {
		before  int64
		claim   Claim
		refused bool
		holder  int64
	}{
		"the first":                {0, Claim{Job: "job", Owner: "a", Term: 1}, false, 1},
		"the largest":              {0, Claim{Job: "job", Owner: "a", Term: MostClaimed}, false, MostClaimed},
		"above the largest":        {0, Claim{Job: "job", Owner: "a", Term: MostClaimed + 1}, true, 0},
		"next after the largest":   {MostClaimed, Claim{Job: "job", Owner: "a", Term: MostClaimed + 1}, false, MostClaimed + 1},
		"too far after it":         {MostClaimed, Claim{Job: "job", Owner: "a", Term: MostClaimed + 2}, true, MostClaimed},
		"the term of another":      {3, Claim{Job: "job", Owner: "a", Term: 3}, false, 3},
		"an earlier term":          {3, Claim{Job: "job", Owner: "a", Term: 2}, false, 3},
		"no term":                  {0, Claim{Job: "job", Owner: "a"}, true, 0},
		"no owner":                 {0, Claim{Job: "job", Term: 1}, true, 0},
		"the claim of another job": {0, Claim{Job: "other", Owner: "a", Term: 1}, true, 0},
	} {
		j := newJournal("job")
		if c.before > 0 {
			j.holder = Claim{Job: "job", Owner: "before", Term: c.before}
		}
		value, err := c.claim.encode()
		if err != nil {
			t.Fatal(err)
		}
		err = j.claim([]byte("key"), value)
		if (err != nil) != c.refused || j.holder.Term != c.holder {
			t.Errorf("%s: error %v, and the holder has term %d, want %d", name, err, j.holder.Term, c.holder)
		}
		if inForce := c.holder > c.before; inForce != (j.holder.Owner == "a") || inForce != (j.live["key"] == Reference{Owner: "a", Term: c.claim.Term}) {
			t.Errorf("%s: the holder is %q, and its key means %+v", name, j.holder.Owner, j.live["key"])
		}
	}
}
