package chance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestChance: of parts that differ by chance alone, at most about one in fifty has a surprise of ln 50, by each of the three tests; and parts that differ have a
// large one.
func TestChance(t *testing.T) {
	const rounds, n, m = 2000, 150, 450
	random := rand.New(rand.NewPCG(1, 1))
	classes := func(n int, off float64) map[int]int {
		of := map[int]int{}
		for range n {
			of[int(10*math.Pow(random.Float64(), 2+4*off))]++
		}
		return of
	}
	numbers := func(n int, off float64) (x []float64) {
		for range n {
			x = append(x, math.Floor(30*(random.NormFloat64()+off)))
		}
		slices.Sort(x)
		return x
	}
	shares := func(n int, off float64) float64 {
		of := 0.
		for range n {
			if random.Float64() < .1+off {
				of++
			}
		}
		return of / float64(n)
	}
	for _, test := range []struct {
		name string
		of   func(off float64) float64
	}{
		{"shares", func(off float64) float64 { return OfShares(shares(n, off), shares(m, 0), n, m) }},
		{"numbers", func(off float64) float64 {
			surprise, _, _ := OfNumbers(numbers(n, off), numbers(m, 0))
			return surprise
		}},
		{"classes", func(off float64) float64 {
			surprise, _, _ := OfClasses(classes(n, off), classes(m, 0))
			return surprise
		}},
	} {
		alarms := 0
		for range rounds {
			if test.of(0) > math.Log(50) {
				alarms++
			}
		}
		if alarms > rounds/50+15 {
			t.Errorf("%s: %d of %d by chance", test.name, alarms, rounds)
		}
		if surprise := test.of(.8); surprise < 11 {
			t.Errorf("%s: parts that differ surprise by %v", test.name, surprise)
		}
	}
}

// TestTail against the values of a table of the normal distribution.
func TestTail(t *testing.T) {
	for z, p := range map[float64]float64{1: .158655, 2: .0227501, 4: 3.16712e-5, 6: 9.86588e-10} {
		if got := math.Exp(-Tail(z)); !(math.Abs(got/p-1) <= .06) {
			t.Errorf("beyond %v: %v, want %v", z, got, p)
		}
	}
	if Tail(-1) != 0 {
		t.Error("below the mean nothing surprises")
	}
}

// TestClassesOfOnePartAlone count as much as those of the other.
func TestClassesOfOnePartAlone(t *testing.T) {
	few, more := map[int]int{1: 50, 2: 50}, map[int]int{1: 50, 3: 40, 4: 10}
	for _, parts := range [][2]map[int]int{{few, more}, {more, few}} {
		surprise, distance, most := OfClasses(parts[0], parts[1])
		if surprise < 20 || math.Abs(distance-.5) > 1e-12 || most != 2 {
			t.Errorf("%v: surprise %v, distance %v, mostly of %d", parts, surprise, distance, most)
		}
	}
}

// TestRareClassesAreOne: classes too rare for the test count as if they had been one class from the beginning; and of classes that differ as much, the first one is named.
func TestRareClassesAreOne(t *testing.T) {
	few, one := map[int]int{0: 300, 1: 200}, map[int]int{0: 300, 1: 200}
	fewB, oneB := map[int]int{0: 200, 1: 150}, map[int]int{0: 200, 1: 150}
	for i := range 20 {
		few[10+i], fewB[10+i] = i%3, (i+1)%4
		one[10], oneB[10] = one[10]+i%3, oneB[10]+(i+1)%4
	}
	surprise, _, _ := OfClasses(few, fewB)
	if want, _, _ := OfClasses(one, oneB); surprise != want || surprise == 0 {
		t.Errorf("one by one they surprise by %v, together by %v", surprise, want)
	}
	if Sum(few) != Sum(one) || Sum(few) != 519 {
		t.Errorf("%d and %d rows", Sum(few), Sum(one))
	}
	a, b := map[int]int{}, map[int]int{}
	for i := range 40 {
		a[i], b[i+40] = 10, 10
	}
	first, distance, most := OfClasses(a, b)
	for range 20 {
		if again, far, of := OfClasses(a, b); again != first || far != distance || of != most || of != 0 || math.Abs(far-1) > 1e-12 {
			t.Fatalf("%v, %v, class %d; before %v, %v, class %d", again, far, of, first, distance, most)
		}
	}
}
