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
		"no steps":              {func(m *Models) { m.bounded = 0 }, true},
		"steps backwards":       {func(m *Models) { m.bounded = -.1 }, false},
		"no error":              {func(m *Models) { m.squaredError = 0 }, true},
		"no decay yet":          {func(m *Models) { m.decay = 1 }, true},
		"a weight too many":     {func(m *Models) { m.values = append(m.values, 0) }, false},
		"a precision":           {func(m *Models) { m.prior.precisions = []float64{.1, 300} }, true},
		"no precision":          {func(m *Models) { m.prior.precisions = []float64{1, 0} }, false},
		"a precision too large": {func(m *Models) { m.prior.precisions = []float64{301} }, false},
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

// A state is read with as many models as there can be, and with no more; each cut of it is refused.
func TestModelsOfAState(t *testing.T) {
	settings := Settings{Most: 3, Sums: 1, Window: 9, Step: 1, Forgetting: 100, Sparsity: .1}
	written := func(most, models int) []byte {
		with := settings
		with.Most = most
		m := New(with, NewSquared())
		for range models {
			m.Join()
		}
		m.norms = [][]float64{make([]float64, m.count), make([]float64, m.count)}
		w := codec.NewWriter(nil)
		m.Fields(w, 0)
		return w.Bytes()
	}
	read := func(joined int, data []byte) error {
		m := New(settings, NewSquared())
		for range joined {
			m.Join()
		}
		r := codec.NewReader(data)
		m.Fields(r, 0)
		return r.End()
	}
	for models := range 5 {
		if err := read(0, written(4, models)); (err == nil) != (models <= 3) {
			t.Errorf("%d models of 3 are read with %v", models, err)
		}
		if err := read(2, written(4, models)); (err == nil) != (models >= 2 && models <= 3) {
			t.Errorf("%d models, where 2 have joined, are read with %v", models, err)
		}
	}
	whole := written(3, 3)
	for n := range whole {
		if read(0, whole[:n]) == nil {
			t.Fatalf("%d of %d bytes are taken for a state", n, len(whole))
		}
	}
}
