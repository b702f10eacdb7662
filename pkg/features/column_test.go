package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestColumnTypesAreInferred(t *testing.T) {
	words := []string{"red", "green", "blue"}
	for name, test := range map[string]struct {
		set     func(*Config)
		values  []string
		decided bool
		numeric bool
	}{
		"numbers":                    {values: numbers(0, 100), decided: true, numeric: true},
		"words":                      {values: slices.Repeat(words, 20), decided: true},
		"a number in 20 is a word":   {values: append(numbers(0, 95), slices.Repeat(words, 2)[:5]...), decided: true, numeric: true},
		"more than that are words":   {values: append(numbers(0, 94), slices.Repeat(words, 2)...), decided: true},
		"missing values say nothing": {values: append(numbers(0, 40), slices.Repeat([]string{"?"}, 60)...), decided: true, numeric: true},
		"too few values":             {values: numbers(0, leastSample-1)},
		"nothing but missing":        {values: slices.Repeat([]string{"?"}, 100)},
		"declared categorical": {decided: true, values: numbers(0, 100),
			set: func(c *Config) { c.Columns = map[string]ColumnConfig{"x": {Type: Categorical}} }},
		"declared numeric, mostly words": {decided: true, numeric: true, values: append(numbers(0, 5), slices.Repeat(words, 20)...),
			set: func(c *Config) { c.Columns = map[string]ColumnConfig{"x": {Type: Numeric}} }},
		"declared numeric, only words": {decided: true, values: slices.Repeat(words, 20),
			set: func(c *Config) { c.Columns = map[string]ColumnConfig{"x": {Type: Numeric}} }},
	} {
		t.Run(name, func(t *testing.T) {
			e := testEncoder(t, test.set, test.values...)
			if c := &e.columns[0]; (c.Kind != Untyped) != test.decided || c.Numeric() != test.numeric {
				t.Errorf("kind %d", c.Kind)
			}
		})
	}
}

// A column that appears late is decided when it has had lateSample values. Its values are levels until then,
// and the weights of those levels keep their meaning.
func TestLateColumns(t *testing.T) {
	e := testEncoder(t, nil, numbers(0, 100)...)
	first := encoded(e, true, fields("x", "5", "late", "0"))
	for i := 1; i < lateSample-1; i++ {
		encoded(e, true, fields("late", fmt.Sprint(i%50)))
	}
	late := &e.columns[e.layout.byName["late"]]
	if late.Kind != Untyped {
		t.Fatal("decided too early")
	}
	if again := encoded(e, false, fields("x", "5", "late", "0")); again != first {
		t.Errorf("0 was %s and is %s", first, again)
	}
	before := e.size
	encoded(e, true, fields("late", "49"))
	if late.Kind != Binned || e.samples[e.layout.byName["late"]].size() != 0 || e.size <= before {
		t.Errorf("not decided after %d values", lateSample)
	}
	if again := encoded(e, false, fields("x", "5", "late", "0")); again == first {
		t.Error("a decided column still gives the level alone")
	}
}

// The piecewise-linear encoding is a partition of unity, continuous, exact at its knots and constant beyond.
func TestPiecewiseLinear(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for name, numbers := range samples(random) {
		t.Run(name, func(t *testing.T) {
			c, s := Column{}, sample{numbers: slices.Clone(numbers)}
			size := int(s.infer(&c, ColumnConfig{Type: Numeric, Encoding: PiecewiseLinear}, 0, 1))
			weights := make([]float64, size)
			for i := range weights {
				weights[i] = random.NormFloat64()
			}
			value := func(x float64) float64 {
				var row Row
				c.interpolate(&row, x)
				sum, total := 0.0, 0.0
				for i, j := range row.Index {
					if v := row.At(i); !(v >= 0 && v <= 1) {
						t.Fatalf("at %v the share of knot %d is %v", x, j, v)
					}
					sum += weights[j] * row.At(i)
					total += row.At(i)
				}
				if math.Abs(total-1) > 1e-7 { // shares are in single precision
					t.Fatalf("at %v the shares add up to %v", x, total)
				}
				return sum
			}
			last := len(c.Knots) - 1
			for i, knot := range c.Knots {
				if got := value(knot); math.Abs(got-weights[i]) > 1e-6 {
					t.Errorf("at knot %v the value is %v, not its weight %v", knot, got, weights[i])
				}
				for _, side := range []float64{math.Inf(-1), math.Inf(1)} {
					near := knot
					for range 3 {
						near = math.Nextafter(near, side)
					}
					gap := math.Inf(1)
					for k := range c.Knots[:last] {
						gap = min(gap, c.Knots[k+1]-c.Knots[k])
					}
					if jump := math.Abs(value(near) - weights[i]); jump > 10*math.Abs(near-knot)/gap+1e-6 {
						t.Errorf("it jumps by %v next to the knot %v", jump, knot)
					}
				}
			}
			if value(-math.MaxFloat64) != value(c.Knots[0]) || value(math.MaxFloat64) != value(c.Knots[last]) {
				t.Error("it is not constant beyond the outermost knots")
			}
		})
	}
}

// One outlier must not decide alone, whatever the sample was.
func TestStandardizedIsClipped(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 10))
	for name, numbers := range samples(random) {
		t.Run(name, func(t *testing.T) {
			c, s := Column{}, sample{numbers: slices.Clone(numbers)}
			if size := s.infer(&c, ColumnConfig{Type: Numeric, Encoding: Standardized}, 3, 1); size != 4 {
				t.Fatalf("it takes %d weights", size-3)
			}
			for _, x := range append([]float64{largestNumber, -largestNumber, 0, 1}, numbers...) {
				var row Row
				at := c.encode(&row, x)
				if len(row.Index) != 1 || !(math.Abs(row.At(0)) <= clip) || at.token < 0 || at.token > 2*clip || at.level {
					t.Errorf("%v becomes %v, bin %d", x, row.At(0), at.token)
				}
			}
		})
	}
	sample := samples(random)["normal"]
	mean, scale := standardize(sample)
	sum, square := 0.0, 0.0
	for _, x := range sample {
		z := (x - mean) * scale
		sum += z / float64(len(sample))
		square += z * z / float64(len(sample))
	}
	if math.Abs(sum) > 1e-12 || math.Abs(square-1) > 1e-12 {
		t.Errorf("mean %v, mean square %v", sum, square)
	}
	if mean, scale := standardize([]float64{.1, .1, .1, .1, .1, .1}); mean != .1 || scale != 1 {
		t.Errorf("a constant column: mean %v, scale %v", mean, scale)
	}
}

// TestUnlikelyScale: a scale that no sample has is refused, since sums of the numbers that it makes have no bound.
func TestUnlikelyScale(t *testing.T) {
	for _, test := range []struct {
		scale float64
		taken bool
	}{{.5, true}, {1e200, false}, {math.MaxFloat64, false}} {
		c := Column{Name: "x", Kind: Binned, Linear: 1, Binning: newBinning([]float64{1, 2, 3}), Mean: 2, Scale: test.scale, Low: 1, High: 3}
		if err := c.check(2); (err == nil) != test.taken {
			t.Errorf("scale %v: %v", test.scale, err)
		}
	}
}
