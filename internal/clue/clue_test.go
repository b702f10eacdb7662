package clue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestExcess: G² of tables whose value is known, at the bound and beside it.
func TestExcess(t *testing.T) {
	independent := table{0: {30, 10}, 5: {90, 30}, 9: {60, 20}}
	if above, associated := independent.excess(); math.Abs(above+2) > 1e-9 || associated {
		t.Errorf("independent: %v %t, want -2", above, associated)
	}
	for name, one := range map[string]table{"one value": {3: {10, 10}}, "one class": {3: {10, 0}, 4: {10, 0}}, "nothing": {}} {
		if above, associated := one.excess(); above != 0 || associated {
			t.Errorf("%s: %v %t", name, above, associated)
		}
	}
	// Two values, half of the 4,000 records each: G² is 2n times the distance (Kullback-Leibler) of a coin with the share from a fair one.
	bound := 1 + 2*math.Sqrt(chance) + 2*chance
	for _, more := range []int32{1, 20, 40, 60, 88, 89, 90, 91, 100, 300} {
		half, share := 1000., float64(1000+more)/2000
		g := 8 * half * (share*math.Log(2*share) + (1-share)*math.Log(2*(1-share)))
		both := table{1: {1000 + more, 1000 - more}, 2: {1000 - more, 1000 + more}}
		above, associated := both.excess()
		if math.Abs(above-(g-1)) > 1e-6*g+1e-9 || associated != (g > bound) {
			t.Errorf("%d more: %v %t, want %v %t", more, above, associated, g-1, g > bound)
		}
	}
}

// TestBins: numbers lie in half standard deviations about the mean of the first; texts and missing values have bins of their own.
func TestBins(t *testing.T) {
	a := &associated{}
	for i := range calibrated {
		if _, ok := a.bin(false, 1, float64(10+4*(i%2*2-1))); ok { // mean 10, standard deviation 4
			t.Fatal("it knows where numbers lie before it has seen them")
		}
	}
	for x, want := range map[float64]uint8{-1e9: 1, -5.9: 1, 8.1: 8, 9.9: 8, 10.1: 9, 11.9: 9, 12.1: 10, 25.9: 16, 1e9: 16} {
		if got, ok := a.bin(false, 1, x); !ok || got != want {
			t.Errorf("%v is in bin %d, want %d", x, got, want)
		}
	}
	if got, ok := a.bin(true, 1, 11); !ok || got != 0 {
		t.Errorf("a missing value is in bin %d", got)
	}
	for _, hash := range []uint64{0, 1, textBins - 1, textBins, math.MaxUint64} {
		if got, ok := a.bin(false, hash, math.NaN()); !ok || got != uint8(1+numberBins+hash%textBins) || got >= bins {
			t.Errorf("the text %d is in bin %d", hash, got)
		}
	}
	constant := &associated{}
	for range calibrated {
		constant.bin(false, 1, 3)
	}
	if got, ok := constant.bin(false, 1, 3); !ok || got != 1 {
		t.Errorf("the only number is in bin %d", got)
	}
}

// TestNeighbours: what stands in the tables of a column is the label of its record, of the one before and of the one after.
func TestNeighbours(t *testing.T) {
	var a Neighbours
	add := func(name string, positive bool) {
		a.Add([]record.Field{{Name: name, Hash: 7}}, []float64{math.NaN()}, positive)
	}
	for _, y := range []int{1, 1, 0, 1, 0, 0, 1} {
		add("x", y == 1)
	}
	count := func(of *table) (c [2]int32) {
		for _, row := range of {
			c[0] += row[0]
			c[1] += row[1]
		}
		return c
	}
	x := a.columns.Of("x")
	if own, previous, next := count(&x.own), count(&x.previous), count(&x.next); own != [2]int32{3, 4} || previous != [2]int32{3, 3} || next != [2]int32{3, 3} {
		t.Errorf("own %v, before %v, after %v", own, previous, next)
	}
	add("z", true) // after 1
	add("", false)
	z := a.columns.Of("z")
	if own, previous, next := count(&z.own), count(&z.previous), count(&z.next); own != [2]int32{0, 1} || previous != [2]int32{0, 1} || next != [2]int32{1, 0} {
		t.Errorf("of z: own %v, before %v, after %v", own, previous, next)
	}
	for n := range 2 * associatedColumns {
		add(fmt.Sprint("c", n), true)
	}
	if n := a.columns.Len(); n != associatedColumns {
		t.Errorf("%d columns are counted, want %d", n, associatedColumns)
	}
}

// TestStrongest: a column that has the label of the record before is the strongest beside that one, and not beside its own or the next.
func TestStrongest(t *testing.T) {
	var a Neighbours
	random, last := rand.New(rand.NewPCG(1, 2)), false
	for range 2000 {
		hash := uint64(1)
		if last {
			hash = 2
		}
		positive := random.IntN(2) == 0
		a.Add([]record.Field{{Name: "late", Hash: hash}, {Name: "noise", Hash: random.Uint64N(3)}}, []float64{math.NaN(), math.NaN()}, positive)
		last = positive
	}
	for beside, want := range map[Beside]string{Own: "", Before: "late", After: ""} {
		if _, column := a.Strongest([]string{"late", "noise", "absent"}, beside); column != want {
			t.Errorf("beside %d: %q, want %q", beside, column, want)
		}
	}
	if sum, column := a.Strongest([]string{"noise"}, Before); column != "" || sum > 10 {
		t.Errorf("noise alone has %v, %q", sum, column)
	}
}

// TestOnly: a column is had by one class alone from its bounds on.
func TestOnly(t *testing.T) {
	for _, test := range []struct {
		name                            string
		first, having, others, firstHas int64
		found                           bool
	}{
		{"three in ten of the class", 1000, 300, 1000, 300, true},
		{"fewer", 1000, 299, 1000, 299, false},
		{"of the other class", 1000, 300, 1000, 0, true},
		{"one in a hundred of the records is of the others", 1000, 500, 1000, 495, true},
		{"one more", 1000, 500, 1000, 494, false},
		{"a hundred records", 300, 100, 1000, 100, true},
		{"99 records", 300, 99, 1000, 99, false},
		{"a hundred others", 1000, 400, 100, 400, true},
		{"99 others", 1000, 400, 99, 400, false},
		{"few others, who have it as often", 9900, 9950, 100, 9890, false},
		{"few others, of whom one in a hundred has it", 9900, 9801, 100, 9800, true},
		{"few others, of whom two in a hundred have it", 9900, 9802, 100, 9800, false},
	} {
		var c Classes
		c.columns.Make("x", &clue{})
		c.original = Told{Records: test.first + test.others, First: test.first}
		c.columns.Of("x").presentOriginal = Told{Records: test.having, First: test.firstHas}
		present, first, found := c.Only("x", false)
		if found != test.found || present.Records != test.having || found && first != (2*test.firstHas > test.having) {
			t.Errorf("%s: found %t, of the first class %t", test.name, found, first)
		}
		if _, _, found := c.Only("x", true); found {
			t.Errorf("%s: counted with copies, there are no records", test.name)
		}
	}
	if _, _, found := (&Classes{}).Only("x", false); found {
		t.Error("a column that no record has is found")
	}
}

// TestColumnsThatNeverCame tell nothing.
func TestColumnsThatNeverCame(t *testing.T) {
	var n Neighbours
	var c Classes
	c.Add(true, false)
	c.Add(false, true)
	for _, beside := range []Beside{Own, Before, After} {
		if got := n.Tells("none", beside); got != (Told{}) {
			t.Errorf("beside %v: %+v", beside, got)
		}
	}
	for _, withCopies := range []bool{false, true} {
		if got := c.Of("none", withCopies); got != (Told{}) {
			t.Errorf("with copies %v: %+v", withCopies, got)
		}
	}
}
