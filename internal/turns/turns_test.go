package turns

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPairsAreReadAlike: records read together are counted, and found to turn, as they are one by one: for any number of them, in any order of their
// slots, and with margins of 0.
func TestPairsAreReadAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	at := Weights{Least: -1, Most: 1.5}
	found := 0
	for range 5000 {
		at.Present = 2.5*random.Float64() - 1
		margins := make([]float32, 2*(1+random.IntN(200)))
		for i := range margins {
			margins[i] = float32(random.IntN(9)-4) * float32(random.NormFloat64()/8)
		}
		slots := make([]int32, random.IntN(AtOnce+1))
		for i := range slots {
			slots[i] = int32(random.IntN(len(margins) / 2))
		}
		var together, single Counts
		var many, turns [AtOnce]Turn
		count, n := together.Read(margins, slots, &at, &many), 0
		for _, slot := range slots {
			n += single.one(margins[2*slot:], &at, &turns[n])
		}
		if together != single || count != n || !slices.Equal(many[:n], turns[:n]) {
			t.Fatalf("%d records: %+v with %d turns, and one by one %+v with %d", len(slots), together, count, single, n)
		}
		found += n
	}
	if found == 0 {
		t.Error("no record turned")
	}
}

// TestTurns: by hand, a record that is decided positively from 0.25 on, one below that, one always, and one never.
func TestTurns(t *testing.T) {
	margins := []float32{-1, 3, 1, -3, 1, 1, -1, -1}
	at := Weights{Present: .5, Least: -1, Most: 1.5}
	var c Counts
	var turns [AtOnce]Turn
	if found := c.Read(margins, []int32{0, 1, 2, 3}, &at, &turns); found != 2 || turns[0] != (Turn{-1, 4}) || turns[1] != (Turn{1, -4}) || c != (Counts{Present: 2, Free: 2, Least: 2}) {
		t.Errorf("%d turns %+v, counts %+v", found, turns[:2], c)
	}
}

// TestSlotThatDoesNotExist is one beyond a slice.
func TestSlotThatDoesNotExist(t *testing.T) {
	for _, slots := range [][]int32{{0, 2}, {2, 0}, {-1, 0}, {0, 1, 2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("of two records, %v were read", slots)
				}
			}()
			new(Counts).Read(make([]float32, 4), slots, &Weights{}, new([AtOnce]Turn))
		}()
	}
}

func BenchmarkRead(b *testing.B) {
	margins, slots, at := make([]float32, 2*AtOnce), make([]int32, AtOnce), Weights{Present: .5, Least: -1, Most: 1.5}
	for i := range slots {
		slots[i], margins[2*i], margins[2*i+1] = int32(i), float32(i%16-10), float32(i%16-11)
	}
	var c Counts
	var turns [AtOnce]Turn
	for b.Loop() {
		c.Read(margins, slots, &at, &turns)
	}
}
