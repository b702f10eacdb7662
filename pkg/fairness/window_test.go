package fairness

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWindowIsTheTailOfWhatWasPushed(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	for range 300 {
		capacity := 1 + rng.IntN(7)
		w := NewWindow[int](capacity)
		var pushed []int
		for item := range rng.IntN(30) {
			displaced, full := w.Push(item)
			if wantFull := len(pushed) >= capacity; full != wantFull || full && displaced != pushed[len(pushed)-capacity] {
				t.Fatalf("capacity %d after %v: displaced %v, %v", capacity, pushed, displaced, full)
			}
			pushed = append(pushed, item)
		}
		want := pushed[max(0, len(pushed)-capacity):]
		if got := slices.Collect(w.All()); !slices.Equal(got, want) || w.Len() != len(want) {
			t.Fatalf("window %v of length %d, want %v", got, w.Len(), want)
		}
		// A copy of the exported fields is the same window.
		copied := &Window[int]{Items: slices.Clone(w.Items), Next: w.Next, Capacity: w.Capacity}
		w.Push(99)
		copied.Push(99)
		if !slices.Equal(slices.Collect(w.All()), slices.Collect(copied.All())) {
			t.Fatalf("a copy continues as %v, the window as %v", copied, w)
		}
	}
}

func TestWindowIterationCanStop(t *testing.T) {
	w := NewWindow[int](4)
	for i := range 6 {
		w.Push(i)
	}
	for item := range w.All() {
		if item != 2 {
			t.Fatalf("the oldest item is %d, want 2", item)
		}
		break
	}
}

func TestWindowDoesNotAllocate(t *testing.T) {
	w := NewWindow[int32](1000)
	if n := testing.AllocsPerRun(5000, func() { w.Push(7) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWindowRefusesWhatItCannotHold(t *testing.T) {
	for name, call := range map[string]func(){
		"no capacity": func() { NewWindow[int](0) },
		"no item":     func() { NewWindow[int](1).At(0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
