package features

import (
	"fmt"
	"math"
	"math/rand/v2"
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
