package inspect

import (
	"fmt"
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
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
	constraint := model.DefaultConstraint()
	constraint.Attribute, constraint.Group, constraint.Versus, constraint.Criterion = model.OneOrMore{"g"}, model.Values("a"), model.Values("b"), fairness.DemographicParity
	constraint.Tau = .05
	i, err := New(model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Learner: model.DefaultLearner(), Constraints: []model.Constraint{constraint}}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	labels := []int{1, 1, 0, 1, 0, 0, 1}
	for n, y := range labels {
		_ = i.Add(fmt.Appendf(nil, `{"y":%d,"g":%q,"x":"only"}`, y, []string{"a", "b"}[n%2]))
	}
	count := func(of *table) (c [2]int32) {
		for _, row := range of {
			c[0] += row[0]
			c[1] += row[1]
		}
		return c
	}
	a := i.associations.columns["x"]
	if own, previous, next := count(&a.own), count(&a.previous), count(&a.next); own != [2]int32{3, 4} || previous != [2]int32{3, 3} || next != [2]int32{3, 3} {
		t.Errorf("own %v, before %v, after %v", own, previous, next)
	}
	// The records are told apart by their order: of a column that has a text in the third record only, label 0, between 1 and 1.
	_ = i.Add([]byte(`{"y":1,"g":"a","z":"here"}`)) // after 1
	_ = i.Add([]byte(`{"y":0,"g":"b"}`))
	z := i.associations.columns["z"]
	if own, previous, next := count(&z.own), count(&z.previous), count(&z.next); own != [2]int32{0, 1} || previous != [2]int32{0, 1} || next != [2]int32{1, 0} {
		t.Errorf("of z: own %v, before %v, after %v", own, previous, next)
	}
	for n := range 2 * associatedColumns {
		_ = i.Add(fmt.Appendf(nil, `{"y":1,"g":"a","c%d":1}`, n))
	}
	if n := len(i.associations.columns); n != associatedColumns {
		t.Errorf("%d columns are counted, want %d", n, associatedColumns)
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
		c := classes{columns: map[string]*clue{"x": {}}}
		c.original = told{records: test.first + test.others, first: test.first}
		c.columns["x"].presentOriginal = told{records: test.having, first: test.firstHas}
		present, first, found := c.only("x", false)
		if found != test.found || present.records != test.having || found && first != (2*test.firstHas > test.having) {
			t.Errorf("%s: found %t, of the first class %t", test.name, found, first)
		}
		if _, _, found := c.only("x", true); found {
			t.Errorf("%s: counted with copies, there are no records", test.name)
		}
	}
	if _, _, found := (&classes{}).only("x", false); found {
		t.Error("a column that no record has is found")
	}
}
