package clue

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBoundsOfNearlyAll: of how many records, how many may be told wrongly, of both classes or of one side only.
func TestBoundsOfNearlyAll(t *testing.T) {
	for name, c := range map[string]struct {
		told Told
		want bool
	}{
		"all right":                          {Told{Records: 200, First: 100}, true},
		"too few records":                    {Told{Records: 199, First: 100}, false},
		"one class":                          {Told{Records: 200, First: 200}, false},
		"the other class":                    {Told{Records: 200}, false},
		"as many wrong as may be":            {Told{Records: 1000, First: 500, Wrong: 50, WrongFirst: 25}, true},
		"one more":                           {Told{Records: 1000, First: 500, Wrong: 51, WrongFirst: 25}, false},
		"a quarter of the rarer class":       {Told{Records: 1000, First: 100, Wrong: 25, WrongFirst: 0}, true},
		"more than a quarter of it":          {Told{Records: 1000, First: 100, Wrong: 26, WrongFirst: 0}, false},
		"one side, of the first":             {Told{Records: 1000, First: 400, Wrong: 60, WrongFirst: 60}, true},
		"one side, missing more":             {Told{Records: 1000, First: 400, Wrong: 61, WrongFirst: 61}, false},
		"one side, some wrongly":             {Told{Records: 1000, First: 400, Wrong: 63, WrongFirst: 60}, true},
		"one side, more wrongly":             {Told{Records: 1000, First: 400, Wrong: 64, WrongFirst: 60}, false},
		"one side, of the second":            {Told{Records: 1000, First: 600, Wrong: 60, WrongFirst: 0}, true},
		"one side, missing more of it":       {Told{Records: 1000, First: 600, Wrong: 61, WrongFirst: 0}, false},
		"of a class of the least size":       {Told{Records: 1000, First: leastRarer, Wrong: 4, WrongFirst: 4}, true},
		"of a rarer one, a quarter is wrong": {Told{Records: 1000, First: leastRarer - 1, Wrong: 7, WrongFirst: 7}, true},
		"of a rarer one, more":               {Told{Records: 1000, First: leastRarer - 1, Wrong: 8, WrongFirst: 8}, false},
	} {
		if got := c.told.NearlyAll(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestRecordsWithoutAValue are of their majority, and those of the minority are told wrongly.
func TestRecordsWithoutAValue(t *testing.T) {
	for _, c := range []struct{ some, all, want Told }{
		{Told{10, 4, 1, 1}, Told{10, 4, 0, 0}, Told{10, 4, 1, 1}},
		{Told{10, 4, 1, 1}, Told{20, 7, 0, 0}, Told{20, 7, 4, 4}},   // of ten others three are of the first class
		{Told{10, 4, 1, 1}, Told{20, 11, 0, 0}, Told{20, 11, 4, 1}}, // of ten others seven
		{Told{10, 4, 1, 1}, Told{20, 9, 0, 0}, Told{20, 9, 6, 1}},   // five of each
	} {
		if got := c.some.among(c.all); got != c.want {
			t.Errorf("%+v among %+v: %+v, want %+v", c.some, c.all, got, c.want)
		}
	}
	if a, b := (Told{Records: 1, Wrong: 5}), (Told{Records: 2, Wrong: 5}); fewerWrong(a, b) != a || fewerWrong(b, a) != b || fewerWrong(a, Told{Wrong: 4}).Wrong != 4 {
		t.Error("the one that is wrong less often")
	}
}

// TestTheThresholdIsTheBest of all, on either side, as trying each shows; later numbers are told by it.
func TestTheThresholdIsTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + rng.IntN(30)
		var s stump
		for range n {
			x := float64(rng.IntN(8))
			s.add(x, rng.Float64() < x/8, rng.IntN(4) == 0, true)
		}
		points := slices.Clone(s.points)
		least := n + 1
		for threshold := -.5; threshold < 9; threshold++ {
			for _, upper := range []bool{true, false} {
				wrong := 0
				for _, p := range points {
					if ((p.x >= threshold) == upper) != p.first {
						wrong++
					}
				}
				least = min(least, wrong)
			}
		}
		s.choose()
		original := 0
		for _, p := range points {
			if !p.repeated {
				original++
			}
		}
		if s.all.Wrong != int64(least) || s.all.Records != int64(n) || s.original.Records != int64(original) || !s.chosen {
			t.Fatalf("of %d numbers %d are told wrongly, want %d: %+v", n, s.all.Wrong, least, s)
		}
		before := s.all
		if more := s.add(100, true, false, true); more != 0 || s.all.Records != before.Records+1 || (s.all.Wrong == before.Wrong) != s.upper {
			t.Fatalf("a large number of the first class: %+v, then %+v", before, s.all)
		}
	}
}

// TestAColumnIsAskedBeforeItsEnd: what its numbers tell so far is told, again after more of them, and a column that is not there tells nothing.
func TestAColumnIsAskedBeforeItsEnd(t *testing.T) {
	var c Classes
	add := func(from, to int) {
		for i := from; i < to; i++ {
			first := i%2 == 0
			x := float64(i + 1)
			if !first {
				x = -x
			}
			c.Add(first, i%4 == 3)
			c.Tell("x", uint64(i)+1, x, false, first, i%4 == 3)
		}
	}
	add(0, 300)
	if got := c.Of("x", true); got != (Told{Records: 300, First: 150}) {
		t.Errorf("%+v", got)
	}
	if got := c.Of("x", false); got.Records != 225 || got.First != 150 || got.Wrong != 0 {
		t.Errorf("without copies %+v", got)
	}
	add(300, 310)
	if got := c.Of("x", true); got != (Told{Records: 310, First: 155}) {
		t.Errorf("%+v", got)
	}
	if got := c.Of("none", true); got != (Told{}) {
		t.Errorf("%+v", got)
	}
	if present, all := c.Present("none", true); present != (Told{}) || all != (Told{}) {
		t.Errorf("%+v of %+v", present, all)
	}
	if present, all := c.Present("x", false); present.Records != 233 || all.Records != 233 {
		t.Errorf("%+v of %+v", present, all)
	}
}
