package release

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// sex is a comparison by demographic parity, enforced.
func sex(t testing.TB, more ...fairness.Comparison) *fairness.Grouper {
	t.Helper()
	g, err := fairness.NewGrouper(append([]fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05, Rest: true, Enforce: true,
		Group: []fairness.Term{fairness.Is("sex", "f")}}}, more...))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func machine(t testing.TB, c Config, g *fairness.Grouper) *Machine {
	t.Helper()
	m, err := New(c, g)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// world draws records, and decisions of versions about them.
type world struct {
	random *rand.Rand
	share  float64
	number int64
	by     map[Version]behaviour
	record Record
}

// behaviour is how a version decides.
type behaviour struct {
	shift float64 // of the log odds, for the group
	base  float64 // of the log odds, for all
	noise float64 // standard deviation of what it adds to the log odds
}

func newWorld(seed uint64) *world {
	return &world{random: rand.New(rand.NewPCG(seed, 16)), share: 0.3, by: map[Version]behaviour{}}
}

// next is a record that the versions decide.
func (w *world) next(wanted []Version) *Record {
	w.number++
	r := &w.record
	level := fairness.OtherLevel
	if w.random.Float64() < w.share {
		level = fairness.OtherLevel + 1
	}
	margin := -1.3 + 1.3*w.random.NormFloat64()
	r.Number, r.Levels, r.Decisions = w.number, append(r.Levels[:0], level), r.Decisions[:0]
	r.Labelled, r.Label = true, w.random.Float64() < 1/(1+math.Exp(-margin))
	common := w.random.NormFloat64()
	for _, v := range wanted {
		b, known := w.by[v]
		at := margin + b.base + b.noise*common
		if level > fairness.OtherLevel {
			at += b.shift
		}
		p := 1 / (1 + math.Exp(-at))
		r.Decisions = append(r.Decisions, Decision{Known: known, Positive: p > 0.4, Score: p})
	}
	return r
}

func version(n int64) Version {
	return Version{Term: 1, Version: n, SHA256: string(rune('a' + n))}
}

var sound = Integrity{GoldenRows: 4, GoldenEqual: 4, Bytes: 1000}

// run observes records until a step is taken, at most so many.
func run(m *Machine, w *world, records int) []Step {
	for range records {
		m.Observe(w.next(m.Wanted()))
		if m.HasSteps() {
			return m.Steps()
		}
	}
	return nil
}
