package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// A number that is absent where it would be 0 contributes in proportion to itself; one that is missing counts as the mean.
func TestAbsentNumbersAreZeroOrMissing(t *testing.T) {
	count := func(random *rand.Rand) float64 { return float64(1 + random.IntN(2)*random.IntN(3)) }
	age := func(random *rand.Rand) float64 { return float64(17 + random.IntN(60)) }
	one := func(*rand.Rand) float64 { return 1 }
	for name, test := range map[string]struct {
		draw         func(*rand.Rand) float64
		share        float64
		null         bool // instead of absent
		weight, zero bool // there is a weight for the number, and it counts from 0
	}{
		"flag in one of ten":          {one, .1, false, true, true},
		"flag in most":                {one, .95, false, true, true},
		"flag in all":                 {one, 1, false, false, false},
		"flag or null":                {one, .1, true, false, false},
		"count in one of ten":         {count, .1, false, true, true},
		"count or null":               {count, .1, true, true, false},
		"count with gaps":             {count, .8, false, true, false},
		"age with gaps":               {age, .95, false, true, false},
		"age that most do not tell":   {age, .1, false, true, false},
		"rare flag, inferred later":   {one, .02, false, true, true},
		"rare count, inferred later":  {count, .02, false, true, true},
		"rare age, inferred later":    {age, .02, false, true, false},
		"rare count, null, otherwise": {count, .02, true, true, false},
	} {
		random := rand.New(rand.NewPCG(3, 3))
		l := NewLearning(DefaultConfig())
		var row Row
		for i := range 20000 {
			features := fields("other", fmt.Sprint(i%7))
			switch present := random.Float64() < test.share; {
			case present:
				features = fields("other", fmt.Sprint(i%7), "number", fmt.Sprint(test.draw(random)))
			case test.null:
				features = append(features, record.Field{Name: "number", ID: record.NoName, Missing: true})
			}
			if i < 1000 {
				l.Observe(features)
				continue
			}
			if i == 1000 {
				l.Infer()
			}
			l.Encode(&row, &record.Record{Features: features})
		}
		c := &l.Parts().Columns[l.layout.byName["number"]]
		if c.Kind != Binned || c.Linear != 0 != test.weight {
			t.Errorf("%s: kind %d, weight %d", name, c.Kind, c.Linear)
			continue
		}
		if zero := c.Linear != 0 && c.standardize(0) == 0 && math.Abs(c.standardize(1)-c.Scale) < 1e-12; zero != test.zero {
			t.Errorf("%s: 0 is standardized to %v, 1 to %v", name, c.standardize(0), c.standardize(1))
		}
	}
}

// Amounts are standardized by their fourth root; numbers that differ by less than factors are not, nor are few, nor amounts that may be 0.
func TestAmountsAreStandardizedByTheirRoot(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for name, test := range map[string]struct {
		draw    func(i int) float64
		records int
		roots   int32
	}{
		"amounts":         {func(int) float64 { return 1000 * math.Exp(random.NormFloat64()) }, 1000, 2},
		"few amounts":     {func(int) float64 { return 1000 * math.Exp(random.NormFloat64()) }, 255, 0},
		"amounts or none": {func(i int) float64 { return float64(min(1, i%50)) * math.Exp(random.NormFloat64()) }, 1000, 0},
		"normal":          {func(int) float64 { return 50 + 10*random.NormFloat64() }, 1000, 0},
		"uniform":         {func(int) float64 { return 1 + 100*random.Float64() }, 1000, 0},
		"close together":  {func(int) float64 { return 20 + math.Exp(random.NormFloat64()) }, 1000, 0},
		"one below 0":     {func(i int) float64 { return math.Exp(random.NormFloat64()) - 9*float64(max(0, 1-i)) }, 1000, 0},
		"often below 0":   {func(int) float64 { return math.Exp(random.NormFloat64()) - .3 }, 1000, 0},
	} {
		l := NewLearning(DefaultConfig())
		for i := range test.records {
			l.Observe(fields("x", fmt.Sprint(test.draw(i))))
		}
		l.Infer()
		c := &l.Parts().Columns[0]
		if c.SquareRoots != test.roots {
			t.Errorf("%s: %d square roots", name, c.SquareRoots)
		}
		if test.roots == 0 {
			continue
		}
		if low, middle, high := c.standardize(0), c.standardize(1000), c.standardize(1e9); !(low < -2 && math.Abs(middle) < .3 && high > 3) {
			t.Errorf("%s: 0, the median and a very large number are standardized to %v, %v, %v", name, low, middle, high)
		}
	}
}

// A rare count has been a level for 256 records when its column is inferred: it keeps the weight that it has as a level.
func TestALateColumnKeepsItsLevels(t *testing.T) {
	l := NewLearning(DefaultConfig())
	l.Observe(fields("other", "a"))
	l.Infer()
	var row Row
	for i := range 400 {
		l.Encode(&row, &record.Record{Features: fields("count", fmt.Sprint(1+i%3))})
		if own := l.words.find(ColumnSlot(1).Key(record.Hash([]byte(fmt.Sprint(1 + i%3))))); own == 0 || !contains(&row, own) {
			t.Fatalf("record %d: the row %v lacks weight %d of the level", i, row.Index, own)
		}
	}
	c := &l.Parts().Columns[1]
	if c.Kind != Binned || !contains(&row, c.Linear) {
		t.Errorf("kind %d; the row %v should have the weight %d of the number, too", c.Kind, row.Index, c.Linear)
	}
	if words := c.BinWords(int(c.Binning.find(2))); words != "= 2" {
		t.Errorf("the bin of 2 is called %q", words)
	}
}

func contains(row *Row, index int32) bool { return index != 0 && slices.Contains(row.Index, index) }
