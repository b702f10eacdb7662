package propensity

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
)

const columns = 6

func frozen(t *testing.T) *features.Frozen {
	t.Helper()
	e, err := features.NewFrozen(features.Parts{Size: columns})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// one is a record of a stream, and the probability that its label is known.
type one struct {
	Record
	probability float64
}

func draw(random *rand.Rand, probability func(x float64, positive, group bool) float64) one {
	x, positive, group := random.NormFloat64(), random.IntN(3) == 0, random.IntN(4) == 0
	row := &features.Row{}
	row.Add(0, 1)
	row.Add(int32(1+random.IntN(3)), 1)
	row.Add(4, x)
	if group == (random.IntN(5) > 0) {
		row.Add(5, 1) // a feature that goes with the group
	}
	side := fairness.Versus
	if group {
		side = fairness.Group
	}
	return one{Record{row, positive, []fairness.Side{side, fairness.Neither}}, probability(x, positive, group)}
}

// TestFactorsAreInversePropensities: whatever a label depends on, labelled records that are weighed have the means of all records.
func TestFactorsAreInversePropensities(t *testing.T) {
	for name, probability := range map[string]func(x float64, positive, group bool) float64{
		"a feature":    func(x float64, _, _ bool) float64 { return 1 / (1 + math.Exp(-x)) },
		"the group":    func(_ float64, _, group bool) float64 { return map[bool]float64{true: .15, false: .7}[group] },
		"the decision": func(_ float64, positive, _ bool) float64 { return map[bool]float64{true: 1, false: .1}[positive] },
		"feature and both": func(x float64, positive, group bool) float64 {
			return max(.1, min(1, .5+.2*x)) * map[bool]float64{true: 1, false: .6}[positive != group]
		},
	} {
		t.Run(name, func(t *testing.T) {
			var m Model
			e, random := frozen(t), rand.New(rand.NewPCG(4, 2))
			var all, labelled, weighed [4]float64 // records, x, positive decisions, of the group
			for i := range 40_000 {
				r := draw(random, probability)
				known := random.Float64() < r.probability
				factor, _ := m.Factor(&r.Record, e)
				m.Learn(&r.Record, e, known)
				if i < 10_000 {
					continue
				}
				values := [4]float64{1, r.Row.At(2), 0, 0}
				if r.Positive {
					values[2] = 1
				}
				if r.Sides[0] == fairness.Group {
					values[3] = 1
				}
				for k, v := range values {
					all[k] += v
					if known {
						labelled[k] += v
						weighed[k] += factor * v
					}
				}
			}
			if mean := weighed[0] / labelled[0]; mean < .9 || mean > 1.1 {
				t.Errorf("a labelled record counts %.2f times on average", mean)
			}
			differs := false
			for k := 1; k < 4; k++ {
				of, want, before := weighed[k]/weighed[0], all[k]/all[0], labelled[k]/labelled[0]
				differs = differs || math.Abs(before-want) > .1
				if math.Abs(of-want) > .025 {
					t.Errorf("mean %d is %.3f where labels are known, %.3f weighed, and %.3f of all", k, before, of, want)
				}
			}
			if !differs {
				t.Error("labels do not depend on anything")
			}
		})
	}
}

// TestNothingIsWeighedEarly: without records that lack a label, and with few, factors are 1; they are bounded later.
func TestNothingIsWeighedEarly(t *testing.T) {
	var m Model
	e, random := frozen(t), rand.New(rand.NewPCG(4, 3))
	times, atBound := 0., 0
	rare := func(_ float64, positive, _ bool) float64 { return map[bool]float64{true: 1, false: .001}[positive] }
	for range 5000 {
		m.Known()
	}
	for i := range 30_000 {
		r := draw(random, rare)
		f, bounded := m.Factor(&r.Record, e)
		times += f
		if bounded != (f == mostFactor || f == 1/mostFactor) {
			t.Fatalf("record %d counts %v times, bounded %v", i, f, bounded)
		}
		if bounded {
			atBound++
		}
		if i < fewest && f != 1 || !(f >= 1/mostFactor && f <= mostFactor) {
			t.Fatalf("record %d counts %v times", i, f)
		}
		if share := m.Given(1); share > 1 || math.Abs(m.Given(.001)/share-1000) > 1e-9 {
			t.Fatalf("record %d: a label that is known to come with probability 0.001 counts %v times, and one that always comes %v times", i, m.Given(.001), share)
		}
		m.Learn(&r.Record, e, random.Float64() < r.probability)
	}
	if atBound == 0 || times < 30_000 {
		t.Errorf("%d factors are bounded, and their sum is %v", atBound, times)
	}
}

// TestStateIsRestored at any time, and nothing is allocated for a record.
func TestStateIsRestored(t *testing.T) {
	e := frozen(t)
	state := func(m *Model) []byte {
		c := codec.NewWriter(nil)
		m.Fields(c, e, 2)
		return c.Bytes()
	}
	half := func(x float64, _, _ bool) float64 { return 1 / (1 + math.Exp(-x)) }
	var whole, parted Model
	random := rand.New(rand.NewPCG(4, 4))
	for i := range 3000 {
		r := draw(random, half)
		known := i < 5 || random.Float64() < r.probability
		var factors [2]float64
		for k, m := range []*Model{&whole, &parted} {
			factors[k], _ = m.Factor(&r.Record, e)
			m.Learn(&r.Record, e, known)
		}
		if factors[0] != factors[1] {
			t.Fatalf("record %d counts %v times, after a state was restored %v times", i, factors[0], factors[1])
		}
		if i%700 == 3 {
			saved := state(&parted)
			parted = Model{}
			c := codec.NewReader(saved)
			parted.Fields(c, e, 2)
			if err := c.End(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(state(&whole), state(&parted)) {
		t.Error("restored, it is another")
	}
	for share, valid := range map[float64]bool{-1: true, 1: true, 1.01: false, math.Inf(1): false} {
		damaged := whole
		damaged.share = share
		c := codec.NewReader(state(&damaged))
		if new(Model).Fields(c, e, 2); (c.End() == nil) != valid {
			t.Errorf("a share of %v is read: %v", share, c.End())
		}
	}
	r := draw(random, half)
	if n := testing.AllocsPerRun(100, func() { whole.Learn(&r.Record, e, true); whole.Factor(&r.Record, e) }); n > 0 {
		t.Errorf("%v allocations for a record", n)
	}
}

// TestWhenWeighingBegins: with fewest records of either kind, whichever comes last, and Given before that.
func TestWhenWeighingBegins(t *testing.T) {
	for _, last := range []bool{false, true} {
		var m Model
		e := frozen(t)
		row := &features.Row{}
		row.Add(0, 1)
		r := Record{row, false, []fairness.Side{fairness.Group, fairness.Neither}}
		if got := m.Given(.25); got != 4 {
			t.Errorf("before the first record, a propensity of 1/4 counts %v times", got)
		}
		for _, known := range []bool{!last, last} {
			for range fewest {
				if factor, bounded := m.Factor(&r, e); factor != 1 || bounded {
					t.Fatalf("after %v with labels and %v without: %v, %v", m.known, m.lack, factor, bounded)
				}
				m.Learn(&r, e, known)
			}
		}
		if factor, _ := m.Factor(&r, e); factor == 1 || m.known != fewest || m.lack != fewest {
			t.Errorf("after %v with labels and %v without: %v", m.known, m.lack, factor)
		}
		if of := m.groups[0]; of[0].squares == 0 || of[0].margin == 0 || of[1] != (group{}) || m.groups[1] != [2]group{} {
			t.Errorf("%+v, where all are of the first group of one comparison", m.groups)
		}
		if m.offset(&r) != m.groups[0][0].margin {
			t.Errorf("offset %v, and the margin of the group is %v", m.offset(&r), m.groups[0][0].margin)
		}
	}
}
