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

// Rare counts are numbers after 32 values. The weight of the least one, so far that of a level, is that of all of them in proportion to their roots, and
// stays so when the bins come. What may be codes, amounts or missing is left as it is.
func TestRareCountsKeepTheWeightOfTheLeast(t *testing.T) {
	words := []string{"2", "2", "2", "2", "2", "2", "2", "4"}
	for name, test := range map[string]struct {
		values []string
		every  int // a record in so many has the field
		config ColumnConfig
		cross  bool
		null   bool // a record has a null
		levels int
		counts bool
	}{
		"counts":             {values: words, every: 10, counts: true},
		"in fewer than half": {values: words, every: 3, counts: true},
		"flags":              {values: []string{"1"}, every: 10, counts: true},
		"declared":           {values: words, every: 10, config: ColumnConfig{Type: Numeric}, counts: true},
		"in half":            {values: words, every: 2},
		"two codes":          {values: []string{"1", "2"}, every: 10},
		"not the least":      {values: []string{"2", "2", "2", "2", "2", "2", "2", "1"}, every: 10},
		"some texts":         {values: append([]string{"some"}, words...), every: 10},
		"zeros":              {values: []string{"0"}, every: 10},
		"nulls":              {values: words, every: 10, null: true},
		"part of a cross":    {values: words, every: 10, cross: true},
		"standardized":       {values: words, every: 10, config: ColumnConfig{Type: Numeric, Encoding: Standardized}},
		"categorical":        {values: words, every: 10, config: ColumnConfig{Type: Categorical}},
		"no room for levels": {values: words, every: 10, levels: 1},
	} {
		t.Run(name, func(t *testing.T) {
			config := DefaultConfig()
			config.Columns = map[string]ColumnConfig{"count": test.config}
			config.Vocabulary.Levels = max(test.levels, config.Vocabulary.Levels*(1-test.levels))
			if test.cross {
				config.Crosses = [][]string{{"count", "other"}}
			}
			l := NewLearning(config)
			l.Observe(fields("other", "a"))
			l.Infer()
			var row Row
			level, values := int32(0), 0
			learn := func(until int) {
				for i := 0; values < until; i++ {
					features := fields("other", "a")
					if i%test.every == 0 {
						features = fields("other", "a", "count", test.values[values%len(test.values)])
						values++
					}
					if test.null && i == 5 {
						features = append(fields("other", "a"), record.Field{Name: "count", ID: record.NoName, Missing: true})
					}
					l.Encode(&row, &record.Record{Features: features})
					if values == 1 && level == 0 {
						level = row.Index[len(row.Index)-1]
					}
				}
			}
			effect := func(text string) (x float64) {
				l.Frozen.Encode(&row, &record.Record{Features: fields("count", text)})
				for i, j := range row.Index {
					if j == level {
						x += row.At(i)
					}
				}
				return x
			}
			learn(31)
			if before := l.columns[l.layout.byName["count"]].Kind; before >= Binned {
				t.Fatalf("the column is of the kind %d after 31 values", before)
			}
			learn(40)
			c := &l.columns[l.layout.byName["count"]]
			if got := c.Kind == Binned; got != test.counts {
				t.Fatalf("after 40 values, the column has counts: %t", got)
			}
			if !test.counts {
				return
			}
			for range 2 { // before and after the bins
				least := test.values[0]
				x, _ := readNumber([]byte(least))
				if one, four, many, below := effect(least), effect(fmt.Sprint(4*x)), effect(fmt.Sprint(100*x)), effect("-3"); one != 1 || four != 2 || many != clip || below != 0 {
					t.Errorf("the least number counts %v times, four times of it %v, one far above %v, one below 0 %v", one, four, many, below)
				}
				l.Frozen.Encode(&row, &record.Record{Features: fields("count", "4")})
				if four := l.words.find(ColumnSlot(int(l.layout.byName["count"])).Key(record.Hash([]byte("4")))); four != 0 && !contains(&row, four) {
					t.Errorf("4 has lost its level: the row is %v", row.Index)
				}
				learn(300)
			}
			if l.proofs[l.layout.byName["count"]].bins == nil {
				t.Error("no bins are tested after 300 values")
			}
		})
	}
}

// Counts of any size make an encoder that can be read again.
func TestRareCountsOfAnySize(t *testing.T) {
	for text, counts := range map[string]bool{"1e150": true, "1e308": true, "3e149": true, "1e-140": true, "1e-160": false, "5e-324": false} {
		l := NewLearning(DefaultConfig())
		l.Observe(fields("other", "a"))
		l.Infer()
		var row Row
		for i := range 400 {
			if i%10 == 0 {
				l.Encode(&row, &record.Record{Features: fields("other", "a", "count", text)})
			} else {
				l.Encode(&row, &record.Record{Features: fields("other", "a")})
			}
		}
		c := &l.columns[l.layout.byName["count"]]
		if got := c.Kind == Binned; got != counts {
			t.Errorf("%s: the column has counts: %t", text, got)
		}
		if _, err := NewFrozen(l.Parts()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		l.Frozen.Encode(&row, &record.Record{Features: fields("count", text)})
		if last := len(row.Index) - 1; row.At(last) != 1 {
			t.Errorf("%s: the least number counts %v times", text, row.At(last))
		}
	}
}

// TestCountsWithoutZero: the least number is above 0, and that of most.
func TestCountsWithoutZero(t *testing.T) {
	of := func(least float64, more ...float64) []float64 {
		return append(slices.Repeat([]float64{least}, 9), more...)
	}
	many := make([]float64, 200)
	for i := range many {
		many[i] = float64(i + 1)
	}
	for name, c := range map[string]struct {
		sample []float64
		want   bool
	}{"ones": {of(1, 2), true}, "another least": {of(.5, 2), true}, "zeros": {of(0, 2), false}, "negative": {of(-1, 2), false}, "few of the least": {many, false}} {
		if got := counts(c.sample); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
