package clue

import (
	"math"
	"testing"
)

// TestVote: each value tells the class that came with it more often before, the second of two that came as often; a new value that of new ones.
func TestVote(t *testing.T) {
	var v vote
	for i, c := range []struct {
		hash             uint64
		first, repeated  bool
		wrong, remembers bool
	}{
		{1, true, false, true, true},   // nothing is known: the second class
		{2, true, false, false, true},  // new ones were first
		{1, false, false, true, false}, // 1 was first
		{1, false, true, false, false}, // as often: the second class
		{1, true, false, true, false},  // 1 was second
		{3, true, false, false, true},
	} {
		before := v
		more := v.add(c.hash, c.first, c.repeated, true)
		if wrong := v.all.Wrong - before.all.Wrong; wrong == 1 != c.wrong || more != c.remembers {
			t.Errorf("%d: wrong %d, remembered %t", i, wrong, more)
		}
		if counted := v.original.Records - before.original.Records; counted == 0 != c.repeated {
			t.Errorf("%d: %d original records", i, counted)
		}
	}
	if v.add(4, true, false, false) {
		t.Error("a value is remembered without room")
	}
	for hash := range uint64(2 * mostVotes) {
		v.add(hash, true, false, true)
	}
	if v.votes.Len() != mostVotes {
		t.Errorf("%d values are remembered, want %d", v.votes.Len(), mostVotes)
	}
}

// TestStump: the threshold is the first of those that are wrong for the fewest numbers, and belongs to the upper side.
func TestStump(t *testing.T) {
	for name, c := range map[string]struct {
		x         []float64
		first     []bool
		threshold float64
		upper     bool
		wrong     int64
	}{
		"first above":    {[]float64{1, 2, 3, 4}, []bool{false, false, true, true}, 2.5, true, 0},
		"first below":    {[]float64{4, 3, 2, 1}, []bool{false, false, true, true}, 2.5, false, 0},
		"one is wrong":   {[]float64{1, 2, 3, 4, 5}, []bool{false, true, false, true, true}, 1.5, true, 1},
		"the lowest":     {[]float64{1, 1, 2, 2}, []bool{false, true, true, true}, 1, true, 1},
		"all of a class": {[]float64{1, 2}, []bool{true, true}, 1, true, 0},
	} {
		var s stump
		for i, x := range c.x {
			s.points = append(s.points, point{x: x, first: c.first[i]})
			if c.first[i] {
				s.rarer[1]++
			}
		}
		s.choose()
		if s.threshold != c.threshold || s.upper != c.upper || s.all.Wrong != c.wrong || s.all.Records != int64(len(c.x)) {
			t.Errorf("%s: from %v on %t, %d of %d wrong", name, s.threshold, s.upper, s.all.Wrong, s.all.Records)
		}
	}
	s := stump{chosen: true, threshold: 2, upper: true}
	s.add(2, true, false, true)
	s.add(1.9, true, true, true)
	if s.all != (Told{2, 2, 1, 1}) || s.original != (Told{1, 1, 0, 0}) {
		t.Errorf("all %+v, original %+v", s.all, s.original)
	}
}

// TestWhenAStumpIsChosen: after leastPoints numbers with enough of the rarer class, at the latest after mostPoints, or when there is no room.
func TestWhenAStumpIsChosen(t *testing.T) {
	for name, c := range map[string]struct{ rarer, room, want int }{
		"enough of both": {leastRarer, math.MaxInt, leastPoints}, "one fewer": {leastRarer - 1, math.MaxInt, mostPoints}, "no room": {leastRarer, 50, 50},
	} {
		var s stump
		kept, n := 0, 0
		for !s.chosen {
			n++
			kept += s.add(float64(n), n <= c.rarer, false, n < c.room)
		}
		if n != c.want || kept != 0 {
			t.Errorf("%s: chosen after %d numbers, and %d are kept", name, n, kept)
		}
	}
}

// TestNearlyAll: the bounds of what a column may tell wrongly.
func TestNearlyAll(t *testing.T) {
	for name, c := range map[string]struct {
		told Told
		want bool
	}{
		"all right":                             {Told{200, 100, 0, 0}, true},
		"one record fewer":                      {Told{199, 100, 0, 0}, false},
		"one class":                             {Told{200, 200, 0, 0}, false},
		"one in twenty":                         {Told{1000, 500, 50, 25}, true},
		"more":                                  {Told{1000, 500, 51, 26}, false},
		"a quarter of the rarer class":          {Told{1000, 100, 25, 5}, true},
		"more of the rarer class":               {Told{1000, 100, 26, 6}, false},
		"one side only":                         {Told{10_000, 4000, 600, 600}, true},
		"one side, and it misses more":          {Told{10_000, 4000, 601, 601}, false},
		"one side, and 1 in 100 is of others":   {Told{10_000, 4000, 634, 600}, true},
		"one side, and more are":                {Told{10_000, 4000, 635, 600}, false},
		"one side, the first class is frequent": {Told{10_000, 6000, 600, 0}, true},
		"one side, of 29 records":               {Told{210, 29, 11, 4}, false},
	} {
		if got := c.told.NearlyAll(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestTheRoomOfAllColumns: columns together keep no more values and numbers than there is room for.
func TestTheRoomOfAllColumns(t *testing.T) {
	full := Classes{votes: allVotes, points: allPoints}
	full.Tell("x", 1, 3, false, true, false)
	if x := full.columns.Of("x"); full.votes != allVotes || x.values.votes.Len() != 0 || !x.order.chosen {
		t.Errorf("%d values and %d numbers are kept", full.votes, full.points)
	}
	room := Classes{votes: allVotes - 1, points: allPoints - 1}
	room.Tell("x", 1, 3, false, true, false)
	if x := room.columns.Of("x"); room.votes != allVotes || room.points != allPoints || x.values.votes.Len() != 1 || x.order.chosen {
		t.Errorf("with room for one, %d values and %d numbers are kept", room.votes, room.points)
	}
	room.Tell("missing", 2, math.NaN(), true, true, false)
	if m := room.columns.Of("missing"); m.present.Records != 0 || m.values.all.Records != 1 || m.order.chosen {
		t.Errorf("a missing value: %+v", m)
	}
}
