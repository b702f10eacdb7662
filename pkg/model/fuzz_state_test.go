package model

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// smallConfigs are one of each mode, and a regression, with every part that a state can have.
func smallConfigs() []Config {
	var configs []Config
	for _, mode := range modes {
		c := Config{Learner: DefaultLearner(), Constraints: []Constraint{
			{Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .05},
			{Name: "odds", Attribute: OneOrMore{"sex"}, Group: Values("f"), Versus: Values(Rest), Tau: .05,
				Criterion: "equalized-odds"},
		}}
		c.Record.Label = record.Label{Field: "y", Positive: "1"}
		c.Learner.Mode, c.Learner.Warmup, c.Learner.Window, c.Learner.MinimumRecords = mode, 40, 256, 5
		if mode == Paper {
			c.Constraints[0].Threshold, c.Constraints[1].Threshold = 2, 1.5
		} else {
			c.Learner.Forgetting = 1000
		}
		if mode != Unconstrained {
			c.Constraints[1].Relaxation = surrogate.Approximation2
		}
		c.Learner.Vocabulary = features.VocabularyConfig{Levels: 10, Buckets: 3, Columns: 5}
		c.Learner.Columns = map[string]features.ColumnConfig{"b": {Type: features.Numeric, Encoding: features.PiecewiseLinear}, "c": {Type: features.Numeric, Encoding: features.Standardized}}
		c.Learner.Crosses = [][]string{{"a", "d"}}
		configs = append(configs, c)
	}
	regression := configs[0]
	regression.Learner.Task, regression.Record.Label.Positive, regression.Learner.Sparsity = Regression, "", .01
	regression.Constraints = []Constraint{
		{Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .5},
		{Name: "rest", Attribute: OneOrMore{"sex"}, Group: Values("f"), Versus: Values(Rest), Tau: .5},
	}
	return append(configs, regression)
}

// smallRecords favour m.
func smallRecords(count int) []record.Record {
	random := rand.New(rand.NewPCG(1, 2))
	var records []record.Record
	for range count {
		sex := []string{"m", "f"}[random.IntN(2)]
		x := random.NormFloat64()
		if sex == "m" {
			x++
		}
		y := x + random.NormFloat64()
		r := record.Record{HasLabel: true, Positive: y > 0, Label: 100 + float64(7*y), Weight: 1 + float64(random.IntN(3)),
			Attributes: []record.Value{{Text: []byte(sex), Missing: random.IntN(20) == 0}},
			Features: fields("a", fmt.Sprintf("%.1f", x), "b", fmt.Sprintf("%.2f", x+random.NormFloat64()), "c", fmt.Sprint(random.IntN(9)),
				"d", fmt.Sprint("v", random.IntN(12)), "e", []string{"?", "1", "2"}[random.IntN(3)])}
		records = append(records, r)
	}
	return records
}

// goOn does with a learner what a program does with one that it has restored.
func goOn(t *testing.T, l *Learner, records []record.Record) {
	t.Helper()
	for i := range records {
		l.Learn(&records[i])
	}
	if d, err := l.Document(); err == nil { // weights out of a damaged state may be infinite
		if _, err := d.Explain(); err != nil {
			t.Error(err)
		}
	}
	w := codec.NewWriter(nil)
	l.fields(w)
	again, err := New(l.config)
	if err != nil {
		t.Fatal(err)
	}
	r := codec.NewReader(w.Bytes())
	if again.fields(r); r.End() != nil {
		t.Errorf("what it saves it cannot read: %v", r.Err())
	}
}

// bodies returns a state's body of every small configuration at some stages.
func bodies(tb testing.TB) (all [][]byte, configs []int) {
	tb.Helper()
	for which, config := range smallConfigs() {
		for _, count := range []int{0, 20, 45, 400} {
			l, err := New(config)
			if err != nil {
				tb.Fatal(err)
			}
			records := smallRecords(count)
			for i := range records {
				l.Learn(&records[i])
			}
			w := codec.NewWriter(nil)
			l.fields(w)
			all, configs = append(all, w.Bytes()), append(configs, which)
		}
	}
	return all, configs
}

// readDamaged reads a body that no checksum protects. Taken or not, it must not bring a program down.
func readDamaged(t *testing.T, config Config, body []byte, records []record.Record) (taken bool) {
	t.Helper()
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	r := codec.NewReader(body)
	if l.fields(r); r.End() != nil {
		return false
	}
	goOn(t, l, records)
	return true
}

// Bytes changed in a body are refused, or lead to a learner that works.
func TestDamagedBodies(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	all, which := bodies(t)
	configs := smallConfigs()
	records := smallRecords(120)
	taken := 0
	for range 1200 {
		i := random.IntN(len(all))
		body := append([]byte(nil), all[i]...)
		if len(body) == 0 {
			continue
		}
		// Most of a body is windows: look at its beginning more often than at its end.
		at := random.IntN(1 + random.IntN(len(body)))
		switch random.IntN(6) {
		case 0:
			body[at] = 0
		case 1:
			body[at] = 255
		case 2:
			body[at] ^= 1 << random.IntN(8)
		case 3:
			for k := at; k < min(at+8, len(body)); k++ {
				body[k] = 255 // not a number, or a huge length
			}
		case 4:
			body = append(body[:at], body[min(at+1+random.IntN(8), len(body)):]...)
		case 5:
			if at+8 <= len(body) {
				binary.LittleEndian.PutUint64(body[at:], math.Float64bits(math.Ldexp(1, random.IntN(2000)-1000)))
			}
		}
		if readDamaged(t, configs[which[i]], body, records) {
			taken++
		}
	}
	if taken < 100 {
		t.Errorf("only %d of 1200 damaged bodies were taken: the test looks at nothing", taken)
	}
}

// Moments that no numbers have are refused: sums and intervals of them would be infinite or not a number.
func TestDamagedMoments(t *testing.T) {
	sound := fairness.Moments{Records: 3, Weight: 3, WeightSquared: 3, Mean: 5, Squares: 9}
	for name, test := range map[string]struct {
		damage func(m *fairness.Moments)
		taken  bool
	}{
		"sound":                    {func(*fairness.Moments) {}, true},
		"none":                     {func(m *fairness.Moments) { *m = fairness.Moments{} }, true},
		"a mean too far out":       {func(m *fairness.Moments) { m.Mean = 1e200 }, false},
		"no mean":                  {func(m *fairness.Moments) { m.Mean = math.NaN() }, false},
		"squares too large":        {func(m *fairness.Moments) { m.Squares = 1e300 }, false},
		"negative squares":         {func(m *fairness.Moments) { m.Squares = -1 }, false},
		"weight without records":   {func(m *fairness.Moments) { m.Records = 0 }, false},
		"records without weight":   {func(m *fairness.Moments) { m.Weight = 0 }, false},
		"more effective than real": {func(m *fairness.Moments) { m.WeightSquared = 1e-300 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := sound
			test.damage(&m)
			w := codec.NewWriter(nil)
			momentFields(w, &m, 1e32)
			r := codec.NewReader(w.Bytes())
			if momentFields(r, &fairness.Moments{}, 1e32); (r.End() == nil) != test.taken {
				t.Errorf("%+v: %v", m, r.End())
			}
		})
	}
}

// FuzzStateBody looks below the checksum, which would stop nearly everything that a fuzzer tries.
func FuzzStateBody(f *testing.F) {
	all, which := bodies(f)
	for i := range all {
		f.Add(uint8(which[i]), all[i])
	}
	configs := smallConfigs()
	records := smallRecords(60)
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		readDamaged(t, configs[int(which)%len(configs)], body, records)
	})
}

// FuzzRestore looks at all of a state, with its checksum put right.
func FuzzRestore(f *testing.F) {
	configs := smallConfigs()
	records := smallRecords(60)
	for _, config := range configs {
		l, err := New(config)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(l.AppendState(nil))
		for i := range records {
			l.Learn(&records[i])
		}
		f.Add(l.AppendState(nil))
	}
	f.Fuzz(func(t *testing.T, state []byte) {
		if len(state) > 4 {
			body := state[:len(state)-4]
			state = envelope.Seal(append([]byte(nil), body...), 0)
		}
		if l, err := Restore(configs[0], state); err == nil {
			goOn(t, l, records)
		}
	})
}
