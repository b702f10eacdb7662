package clue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// fields are columns a, b, … with texts; "-" is a missing value, and a column with an empty text is not there.
func fields(texts ...string) (features []record.Field, parsed []float64) {
	for i, text := range texts {
		if text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			x = math.NaN()
		}
		features = append(features, record.Field{Name: string(rune('a' + i)), Text: []byte(text), Missing: text == "-"})
		parsed = append(parsed, x)
	}
	return features, parsed
}

func anything(string) bool { return true }

// TestPairs: each way in which two values may compare tells the class, if it comes with one class only.
func TestPairs(t *testing.T) {
	ways := [][2]string{{"1", "2"}, {"2", "2.0"}, {"10", "9"}, {"x", "y"}, {"z", "z"}, {"z", "y"}, {"1", "-"}, {"x", ""}, {"-", "y"}, {"", "7"}, {"-", "-"}, {"1", "x"}}
	same := func(i, j int) bool { // these compare alike
		outcome := []int{0, 1, 2, 0, 1, 2, 3, 3, 4, 4, 5, 5}
		return outcome[i] == outcome[j]
	}
	for i := range ways {
		for j := range ways {
			var p Pairs
			p.column("a")
			p.column("b")
			for n := range 2 * leastTold {
				way := ways[i]
				if n%2 == 1 {
					way = ways[j]
				}
				features, parsed := fields(way[0], way[1])
				p.Add(features, parsed, n%2 == 0)
			}
			a, b, told, found := p.Best(anything)
			if found == same(i, j) {
				t.Fatalf("%v for one class and %v for the other: found %v", ways[i], ways[j], found)
			}
			if found && (a != "a" || b != "b" || told != (Told{Records: 2 * leastTold, First: leastTold})) {
				t.Fatalf("%v and %v: %s, %s, %+v", ways[i], ways[j], a, b, told)
			}
		}
	}
}

// TestTheBestOfPairs: of several pairs that tell the class the one that is wrong least often is named, and none of columns that are not meant.
func TestTheBestOfPairs(t *testing.T) {
	var p Pairs
	for n := range 2000 {
		first := n%2 == 0
		low, high := "1", "2"
		if !first {
			low, high = high, low
		}
		most := high // wrong once in 50 records
		if n%50 == 0 {
			most = low
		}
		features, parsed := fields("1.5", most, high, low)
		p.Add(features, parsed, first)
	}
	a, b, told, found := p.Best(anything)
	if !found || told.Wrong != 0 || a == "b" || b == "b" {
		t.Errorf("the best of all: %s, %s, %+v", a, b, told)
	}
	a, b, told, found = p.Best(func(name string) bool { return name == "a" || name == "b" })
	if !found || a != "a" || b != "b" || told != (Told{Records: 2000, First: 1000, Wrong: 40, WrongFirst: 40}) {
		t.Errorf("of a and b: %s, %s, %+v", a, b, told)
	}
	if _, _, _, found = p.Best(func(name string) bool { return name == "a" }); found {
		t.Error("a column was compared with itself")
	}
}

// TestPairsAreBounded: columns beyond the first ones are not compared.
func TestPairsAreBounded(t *testing.T) {
	var p Pairs
	var features []record.Field
	for i := range mostPaired + 5 {
		features = append(features, record.Field{Name: fmt.Sprint(i), Text: []byte("1")})
	}
	for range leastTold {
		p.Add(features, make([]float64, len(features)), true)
	}
	if len(p.names) != mostPaired {
		t.Errorf("%d columns are compared", len(p.names))
	}
	if last := p.pairs[len(p.pairs)-1].told(); last.Records != leastTold {
		t.Errorf("the last pair: %+v", last)
	}
}

// TestTwins: a line is found in what lies on it but for rounding, with its factor, and not in what lies beside it.
func TestTwins(t *testing.T) {
	tests := []struct {
		name         string
		of           func(x, noise float64) float64
		factor       float64 // 0: none
		proportional bool
	}{
		{"a multiple", func(x, _ float64) float64 { return math.Round(.92*x*100) / 100 }, .92, true},
		{"turned around", func(x, _ float64) float64 { return 2000 - math.Round(10*x) }, -10, false},
		{"a line beside 0", func(x, _ float64) float64 { return 32 + 1.8*x }, 1.8, false},
		{"with noise of a hundredth", func(x, noise float64) float64 { return x + noise/3 }, 1, true},
		{"with noise of a tenth", func(x, noise float64) float64 { return x + 3*noise }, 0, false},
		{"a constant", func(float64, float64) float64 { return 7 }, 0, false},
		{"a square", func(x, _ float64) float64 { return x * x }, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var p Pairs
			random := rand.New(rand.NewPCG(1, 2))
			for n := range 1000 {
				x := 100 * random.Float64()
				if n == leastTold-1 {
					if got := p.Twins(anything); len(got) != 0 {
						t.Fatalf("%d records were enough: %v", n, got)
					}
				}
				p.Add([]record.Field{{Name: "a"}, {Name: "b"}, {Name: "c", Missing: true}}, []float64{x, test.of(x, random.NormFloat64()), x}, true)
			}
			found := p.Twins(anything)
			if test.factor == 0 {
				if len(found) != 0 {
					t.Errorf("found %+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].First != "a" || found[0].Second != "b" || found[0].Records != 1000 || math.Abs(found[0].Factor-test.factor) > .01 || found[0].Proportional != test.proportional {
				t.Errorf("found %+v", found)
			}
			if left := p.Twins(func(name string) bool { return name != "a" }); len(left) != 0 {
				t.Errorf("of columns that are not meant: %+v", left)
			}
		})
	}
}

// TestOnlyAbove: numbers above 0 give a class away if others are 0, nearly none of the other class is above it, and chance would have brought some.
func TestOnlyAbove(t *testing.T) {
	tests := []struct {
		name                         string
		records, first               int // and of them of the first class
		aboveFirst, aboveSecond, all int // numbers above 0, and how many have the column
		found                        bool
	}{
		{"some of one class", 2000, 1000, 200, 0, 2000, true},
		{"a few of the other", 2000, 1000, 200, 2, 2000, true},
		{"more of the other", 2000, 1000, 200, 3, 2000, false},
		{"too few", 2000, 1000, 99, 0, 2000, false},
		{"nearly none of a large class", 8000, 4000, 199, 0, 8000, false},
		{"enough of a large class", 8000, 4000, 200, 0, 8000, true},
		{"what chance brings", 4000, 3700, 240, 0, 4000, false},
		{"no zeros", 2000, 1000, 200, 0, 250, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, turned := range []bool{false, true} {
				var c Classes
				var counts [2]int
				for n := range test.records {
					of := n < test.first
					class, above := 0, test.aboveFirst
					if !of {
						class, above = 1, test.aboveSecond
					}
					x := 0.
					if counts[class] < above {
						x = 3
					}
					counts[class]++
					c.Add(of != turned, false)
					missing := x == 0 && n >= test.all && n < test.records-test.aboveSecond
					c.Tell("x", uint64(x), x, missing, of != turned, false)
				}
				above, first, found := c.OnlyAbove("x", false)
				if found != test.found || found && first == turned || above.Records != int64(test.aboveFirst+test.aboveSecond) {
					t.Errorf("turned %v: %+v, %v, %v", turned, above, first, found)
				}
				if _, _, withCopies := c.OnlyAbove("x", true); withCopies != found {
					t.Errorf("with copies %v", withCopies)
				}
			}
		})
	}
	if _, _, found := new(Classes).OnlyAbove("x", true); found {
		t.Error("a column that nobody has")
	}
}
