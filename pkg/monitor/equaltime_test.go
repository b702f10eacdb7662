package monitor

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// The share of a group falls from a half to a tenth while the rates of both groups rise from .2 to .5: the totals differ, but nobody is treated
// differently at any time. With a difference at every moment, both say so. A state goes on with the same verdict.
func TestNoDifferenceAtAnyTime(t *testing.T) {
	config := func() Config {
		g := grouper(t, group("sex", "f", fairness.DemographicParity, 0.05))
		return Config{Subject: Subject{ID: "x"}, Grouper: g, Look: 16}
	}
	for _, difference := range []float64{0, 0.15} {
		c := config()
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(4, 4))
		f, other := c.Grouper.Level(0, []byte("f")), c.Grouper.Level(0, []byte("m"))
		for n := range 20_000 {
			share, rate := 0.5, 0.2
			if n >= 10_000 {
				share, rate = 0.1, 0.5
			}
			d := Decision{Levels: []fairness.Level{other}}
			if random.Float64() < share {
				d.Levels[0], rate = f, rate+difference
			}
			d.Positive = random.Float64() < rate
			m.Observe(&d)
		}
		r := m.Report().Comparisons[0]
		if difference == 0 && (r.Totals.Status != fairness.Violated || r.Sequence.Status != fairness.Met) {
			t.Errorf("no difference at any time: the totals are %+v, at equal time it is %+v", r.Totals, r.Sequence)
		}
		if s := r.Sequence; difference > 0 && (s.Status != fairness.Violated || s.Lo > difference || s.Hi < difference) {
			t.Errorf("a difference of %v: at equal time it is %+v", difference, s)
		}
		for _, e := range m.Events(0) {
			if difference == 0 && e.To == fairness.Violated {
				t.Errorf("an event without a difference: %+v", e)
			}
		}
		restored, err := Restore(config(), m.State())
		if err != nil {
			t.Fatal(err)
		}
		if got := restored.Report().Comparisons[0]; got.Sequence != r.Sequence || got.Totals != r.Totals {
			t.Errorf("restored: %+v and %+v, want %+v and %+v", got.Sequence, got.Totals, r.Sequence, r.Totals)
		}
	}
}
