package release

import (
	"math"
	"math/rand/v2"
	"slices"
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

// meanOf is a comparison by mean predictions, enforced.
func meanOf(t testing.TB) *fairness.Grouper {
	t.Helper()
	g, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.MeanDifference, Tau: 0.2, Rest: true, Enforce: true,
		Group: []fairness.Term{fairness.Is("sex", "f")}}})
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
	means  bool // versions predict the log odds, and that is the label too, with noise
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
	if w.means {
		r.Target = margin + w.random.NormFloat64()
	}
	for _, v := range wanted {
		b, known := w.by[v]
		at := margin + b.base + b.noise*common
		if level > fairness.OtherLevel {
			at += b.shift
		}
		p := 1 / (1 + math.Exp(-at))
		d := Decision{Known: known, Positive: p > 0.4, Score: p}
		if w.means {
			d.Score = at
		}
		r.Decisions = append(r.Decisions, d)
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

// kinds are those of steps.
func kinds(steps []Step) (all []StepKind) {
	for _, s := range steps {
		all = append(all, s.Kind)
	}
	return all
}

func wantKinds(t *testing.T, steps []Step, want ...StepKind) {
	t.Helper()
	if got := kinds(steps); !slices.Equal(got, want) {
		t.Fatalf("steps %v, want %v\n%+v", got, want, steps)
	}
}

// unjudged are steps without those of verdicts.
func unjudged(steps []Step) []Step {
	return slices.DeleteFunc(steps, func(s Step) bool { return s.Kind == Violated || s.Kind == ViolatedEnded })
}

// gate is the gate of a name in a list.
func gate(t *testing.T, gates []Gate, name GateName) Gate {
	t.Helper()
	i := slices.IndexFunc(gates, func(g Gate) bool { return g.Name == name })
	if i < 0 {
		t.Fatalf("no gate %s in %+v", name, gates)
	}
	return gates[i]
}

// withStable is a machine with a stable version and a world that knows the versions 1 to 9.
func withStable(t testing.TB, c Config, stable behaviour) (*Machine, *world) {
	t.Helper()
	g := sex(t)
	if c.Regression {
		g = meanOf(t)
	}
	m, w := machine(t, c, g), newWorld(7)
	w.means = c.Regression
	for n := range int64(9) {
		w.by[version(n+1)] = behaviour{noise: 0.1}
	}
	w.by[version(1)] = stable
	obey(t, m, Command{ID: "first", Action: Promote, Version: version(1)})
	m.Steps()
	return m, w
}

// bothTasks tests classifiers and regressions.
func bothTasks(t *testing.T, test func(t *testing.T, regression bool)) {
	t.Run("classification", func(t *testing.T) { test(t, false) })
	t.Run("regression", func(t *testing.T) { test(t, true) })
}

func obey(t testing.TB, m *Machine, c Command) {
	t.Helper()
	c.Actor, c.Reason = "ada", "a test"
	if err := m.Command(c); err != nil {
		t.Fatal(err)
	}
}
