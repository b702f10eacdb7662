package control

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Records in random order recall hardly any; those in bursts as many of the missing side as come at other times.
func TestRecalledRecords(t *testing.T) {
	for _, c := range []struct {
		name  string
		share float64 // of the group
		burst int     // records, 0 for random order
		least float64 // of recalled records for each record learnt
		most  float64
	}{
		{"random, even", .5, 0, 0, .1},
		{"random, rare group", .02, 0, 0, .1},
		{"bursts, even", .5, 1000, .9, 1.1},
		{"bursts, a third", 1. / 3, 1000, .9, 1.4},
	} {
		random := rand.New(rand.NewPCG(1, 3))
		var b balance
		shares := shares{c.share, 1 - c.share}
		recalled, records := 0, 60_000
		for i := range records {
			group := random.Float64() < c.share
			if c.burst > 0 {
				group = float64(i%(2*c.burst)) < 2*float64(c.burst)*c.share
			}
			side := fairness.Versus
			if group {
				side = fairness.Group
			}
			due := b.observe(side, shares)
			if group && due[0] > 0 || !group && due[1] > 0 {
				t.Fatal("the side that is present is recalled")
			}
			recalled += due[0] + due[1]
		}
		if ratio := float64(recalled) / float64(records); ratio < c.least || ratio > c.most {
			t.Errorf("%s: %.3f recalled for each record", c.name, ratio)
		}
	}
}

// A side that is nearly all there is asks for no more than the bound, and one that never came for none.
func TestRecallIsBounded(t *testing.T) {
	var b balance
	for range 10_000 {
		if due := b.observe(fairness.Group, shares{1e-6, 1}); due[0] > mostRecalled || due[1] > mostRecalled {
			t.Fatalf("%d due at once", due)
		}
	}
	b = balance{}
	for range 10_000 {
		if due := b.observe(fairness.Group, shares{1, 0}); due != [2]int{} {
			t.Fatalf("%d due of a side that never came", due)
		}
	}
}

// While an attribute is missing, both sides are recalled in the proportion in which they came.
func TestBothSidesAreRecalled(t *testing.T) {
	var b balance
	sum := [2]int{}
	for range 10_000 {
		due := b.observe(fairness.Unknown, shares{.3, .6})
		sum[0], sum[1] = sum[0]+due[0], sum[1]+due[1]
	}
	if sum[0] < 2950 || sum[0] > 3000 || sum[1] < 5950 || sum[1] > 6000 {
		t.Errorf("%d recalled for 10,000 records", sum)
	}
}

// The next remembered records are all of them in turn.
func TestRecallVisitsAllRecords(t *testing.T) {
	for _, size := range []int{1, 7, 256, 16_384, 65_536} {
		w := &window{capacity: size, slots: make([]int32, size), steady: size}
		var b balance
		seen := make([]bool, size)
		for range size {
			seen[b.next(w)] = true
		}
		for age, was := range seen {
			if !was {
				t.Fatalf("size %d: the record of age %d was not visited", size, age)
			}
		}
	}
}

// A burst is one side without the other, for longer than chance explains.
func TestBurst(t *testing.T) {
	third := shares{1. / 3, 2. / 3}
	for name, c := range map[string]struct {
		away   [2]float64
		shares shares
		want   bool
	}{
		"both come":                {[2]float64{0, 3}, third, false},
		"the group stays away":     {[2]float64{300, 0}, third, true},
		"versus stays away":        {[2]float64{2, 256}, third, true},
		"not for long":             {[2]float64{200, 0}, third, false},
		"a rare group, by chance":  {[2]float64{1500, 0}, shares{.002, .998}, false},
		"a rare group, for longer": {[2]float64{2500, 0}, shares{.002, .998}, true},
		"the attribute is missing": {[2]float64{5000, 5000}, third, false},
	} {
		b := balance{away: c.away}
		if got := b.burst(c.shares, 256); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestABurstAtItsBounds: one side alone has stayed away for the records between two choices, and for longer than chance explains.
func TestABurstAtItsBounds(t *testing.T) {
	half := shares{.5, .5}
	for _, test := range []struct {
		away   [2]float64
		shares shares
		want   bool
	}{
		{[2]float64{64, 0}, half, true}, {[2]float64{63, 0}, half, false}, {[2]float64{0, 64}, half, true}, {[2]float64{64, 64}, half, false},
		{[2]float64{64, 0}, shares{absence / 64, .5}, true}, {[2]float64{64, 0}, shares{absence / 65, .5}, false},
	} {
		b := balance{away: test.away}
		if got := b.burst(test.shares, 64); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
