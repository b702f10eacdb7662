package linear

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
)

// Models are not read with numbers that would make the next step, and so the next state, not a number.
func TestDamagedModels(t *testing.T) {
	settings := Settings{Step: 1, Forgetting: 100}
	for name, test := range map[string]struct {
		damage func(m *Models)
		taken  bool
	}{
		"sound":                 {func(*Models) {}, true},
		"no number of records":  {func(m *Models) { m.memory.Records = math.NaN() }, false},
		"fewer than no records": {func(m *Models) { m.memory.Records = -1000 }, false},
		"no mean weight":        {func(m *Models) { m.meanWeight = math.NaN() }, false},
		"no decay":              {func(m *Models) { m.decay = 0 }, false},
		"a growing decay":       {func(m *Models) { m.decay = 2 }, false},
		"a negative error":      {func(m *Models) { m.squaredError = -1e100 }, false},
		"weights that diverged": {func(m *Models) { m.squaredError = math.NaN() }, true},
		"steps that grow":       {func(m *Models) { m.bounded = 2 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := New(settings, NewLogistic())
			test.damage(m)
			w := codec.NewWriter(nil)
			m.Fields(w, 0)
			r := codec.NewReader(w.Bytes())
			if New(settings, NewLogistic()).Fields(r, 0); (r.End() == nil) != test.taken {
				t.Errorf("it is read with %v", r.End())
			}
		})
	}
}
