package owner

import (
	"testing"
	"time"
)

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
		value := c.claim.encode()
		err := j.claim([]byte("key"), value)
		if (err != nil) != c.refused || j.holder.Term != c.holder {
			t.Errorf("%s: error %v, and the holder has term %d, want %d", name, err, j.holder.Term, c.holder)
		}
		if inForce := c.holder > c.before; inForce != (j.holder.Owner == "a") || inForce != (j.live["key"] == Reference{Owner: "a", Term: c.claim.Term}) {
			t.Errorf("%s: the holder is %q, and its key means %+v", name, j.holder.Owner, j.live["key"])
		}
	}
}

// TestWhenTheOwnerBeforeLeft: the next owner knows it of one that said so, and not of one that was killed.
func TestWhenTheOwnerBeforeLeft(t *testing.T) {
	apply := func(value []byte, to func(key, value []byte) error) {
		t.Helper()
		if err := to([]byte("key"), value); err != nil {
			t.Fatal(err)
		}
	}
	for name, beats := range map[string][]bool{"it left": {false, true}, "it was killed": {false}, "it went on": {true, false}} {
		j, one, two := newJournal("job"), Claim{Job: "job", Owner: "a", Term: 1}, Claim{Job: "job", Owner: "b", Term: 2}
		apply(one.encode(), j.claim)
		left := false
		for _, leaving := range beats {
			apply(one.beat(leaving), j.beat)
			left = leaving
		}
		if signs := int64(1 + len(beats)); j.signs != signs || j.left != left {
			t.Errorf("%s: %d signs of life, not %d, left %v", name, j.signs, signs, j.left)
		}
		apply(two.encode(), j.claim)
		apply(one.beat(true), j.beat) // too late
		if j.signs != int64(2+len(beats)) || j.left || j.leftAt != nil || j.holder != two || j.before != one {
			t.Errorf("%s: another owner has %d signs of life, left %v, after %+v", name, j.signs, j.left, j.before)
		}
		if got := j.standing().BeforeLeft; (got != nil) != left || left && time.Since(*got).Abs() > time.Minute {
			t.Errorf("%s: at %v", name, got)
		}
	}
}
