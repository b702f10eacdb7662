package control

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestADoubtAtItsBound: a comparison that is within tau by just as many standard errors as its turn asks for shares the doubt no more.
func TestADoubtAtItsBound(t *testing.T) {
	for _, c := range []struct {
		slack float64 // beyond the quantile of two
		want  int
	}{{0, 1}, {-1e-9, 2}} {
		r := comparisonsOf(t, 2)
		for k := range r.constraints {
			of := &r.constraints[k]
			of.error, of.difference = 1, 0
			of.tau = r.settings.Aim.quantile(2) + c.slack
		}
		r.constraints[1].tau = 0
		if r.share(); r.family.sharing != c.want {
			t.Errorf("%v beyond the bound: %d share the doubt", c.slack, r.family.sharing)
		}
	}
}

// TestPressedAtTheBounds: a comparison is pressed above a need of 1, and goes on to be down to releaseBelow.
func TestPressedAtTheBounds(t *testing.T) {
	for _, c := range []struct {
		need     float64
		pressing bool
		want     bool
	}{{1, false, false}, {math.Nextafter(1, 2), false, true}, {releaseBelow, true, true}, {math.Nextafter(releaseBelow, 0), true, false}, {releaseBelow, false, false}} {
		of := constraint{tau: 1, difference: c.need, pressing: c.pressing, model: 1}
		if of.borne() != 1 {
			t.Fatalf("a difference of %v is borne", of.borne())
		}
		of.press(&Settings{}, 77)
		if of.pressing != c.want || (of.needed == 77) != c.want {
			t.Errorf("a need of %v, pressed before %t: %t", c.need, c.pressing, of.pressing)
		}
	}
	for half, want := range map[float64]bool{mostHalf: true, math.Nextafter(mostHalf, 9): false} {
		if of := (constraint{tau: 1, half: half}); of.shows() != want {
			t.Errorf("an interval of ±%v taus has a say: %t", half, !want)
		}
	}
	for theta, want := range map[float64]bool{.8: true, math.Nextafter(.8, 0): false} {
		if atFloor(1, theta) != want {
			t.Errorf("an allowance of %v taus leaves the least target: %t", theta, !want)
		}
	}
}

// TestWhatCountsInAWindow: records with a weight that single precision holds, those that are decided positively, and the newest so many.
func TestWhatCountsInAWindow(t *testing.T) {
	_, r := learnt(t)
	for weight, want := range map[float64]int{0: 0, 1e-60: 0, -1: 0, 1e-30: 1, 2: 1} {
		r.places = r.places[:0]
		if r.place(r.everyone, weight); len(r.places) != want {
			t.Errorf("a weight of %v is placed in %d windows", weight, len(r.places))
		}
	}
	w := newWindow(10, newMemory())
	for i := range 7 {
		keep(w, recordOf([]float64{float64(i - 3)}, 2, true), []float64{0})
	}
	w.memory.decide(nil, 0)
	if n := countDecided(w); n.Positives != 3 || n.Records != 7 || n.Weight != 14 {
		t.Errorf("%d of %d are decided positively", n.Positives, n.Records)
	}
	w.memory.decide(nil, 1)
	if n := countDecided(w); n.Positives != 4 {
		t.Errorf("with a shift, %d", n.Positives)
	}
	for length, want := range map[int]float64{5: 5, -5: -5} {
		if bounded(float64(length), 5) != want || bounded(2*float64(length), 5) != want {
			t.Errorf("%d is not bounded to itself", length)
		}
	}
}

// TestRecordsAreFoundByTheirNumber: those that came without their label, among others, also once the window is full.
func TestRecordsAreFoundByTheirNumber(t *testing.T) {
	w := newWindow(8, newMemory())
	w.memory.part()
	slots := map[int64]int32{}
	for i := range int64(30) {
		r := recordOf([]float64{1}, 1, true)
		if r.Brings = Both; i%3 > 0 {
			r.Brings, r.Number = Itself, i
		}
		w.yield()
		slot := w.memory.add(r, []float64{.5}, float64(i+1))
		w.push(slot, 1)
		if r.Brings == Itself {
			slots[i] = slot
		}
		for number := range i + 3 {
			found, ok := w.find(number)
			if held := number%3 > 0 && number <= i && number > i-8; ok != held || ok && found != slots[number] {
				t.Fatalf("after record %d, number %d is found: %t in slot %d, want %t in %d", i, number, ok, found, held, slots[number])
			}
		}
	}
	slot, _ := w.find(29)
	before := w.memory.learntAt(int(slot))
	w.memory.complete(slot, recordOf([]float64{1}, 1, false), []float64{.25}, 40)
	if after := w.memory.learntAt(int(slot)); before != 30 || after != 40 || w.memory.positive[slot] || w.memory.gradients[slot] != .75 || w.memory.came[slot] != 30 {
		t.Errorf("a label came: learnt at %v, then at %v, by a gradient of %v", before, after, w.memory.gradients[slot])
	}
	if plain := newMemory(); plain.learntAt(int(plain.add(recordOf([]float64{1}, 1, true), []float64{0}, 9))) != 9 {
		t.Error("where all come with their label, a record is learnt when it comes")
	}
}

// TestPushesOfMeans: only records of the two sides push, those that are uncounted are not even among the records of which sides have a share, and weights are
// chosen once in so many records.
func TestPushesOfMeans(t *testing.T) {
	m := NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 1000, Minimum: 30, Forgetting: 20000}, []fairness.Comparison{{Tau: .1, Enforce: true}}, fixedSums{[2][2]float64{{2, 1}, {0, 0}}})
	record := func(side fairness.Side) *Record {
		return &Record{Row: &features.Row{}, Relative: 1, Weight: 1, Sides: []fairness.Side{side}, Margins: &linear.Margins{Average: []float64{0, 0}, Iterate: []float64{0, 0}}}
	}
	var pushed []float64
	for _, side := range []fairness.Side{fairness.Group, fairness.Versus, fairness.Neither, fairness.Versus, fairness.Uncounted} {
		before := m.constraints[0].shares
		pushed = append(pushed, m.Push(record(side))[1])
		if m.constraints[0].shares == before != (side == fairness.Uncounted) {
			t.Errorf("a record on the side %v moves the shares from %v to %v", side, before, m.constraints[0].shares)
		}
	}
	if pushed[0] != 0 || !(pushed[1] < 0) || pushed[2] != 0 || !(pushed[3] < 0) || pushed[4] != 0 || !(m.Push(record(fairness.Group))[1] > 0) {
		t.Errorf("pushes %v", pushed)
	}
	for i := range 3 * meanInterval {
		m.interpolation[0] = 7
		m.Observe(nil, nil)
		if chose := m.interpolation[0] != 7; chose != ((i+1)%meanInterval == 0) {
			t.Fatalf("after %d records a weight is chosen: %t", i+1, chose)
		}
	}
	m.interpolation[0] = .5
	if means, ok := m.Predicted(0); !ok || means != [2]float64{1.5, 0} {
		t.Errorf("half of the way from 2 to 1 the means are %v", means)
	}
	if group, versus, inflation, ok := m.Counts(0); ok || inflation != 0 || group != versus || group.Records != 0 {
		t.Errorf("of predictions, %+v and %+v are counted", group, versus)
	}
	unknown := fairness.Comparison{Name: "each", Each: true, Criterion: fairness.MeanDifference, Tau: .1, Enforce: true, Group: []fairness.Term{{Attribute: "x"}}}
	if reports := m.Reports([]fairness.Comparison{unknown}); len(reports) != 0 {
		t.Errorf("of a group that nobody is in: %+v", reports)
	}
	_, r := learnt(t)
	if reports := r.Reports([]fairness.Comparison{unknown, unknown, unknown}); len(reports) != 0 {
		t.Errorf("of a group that nobody is in: %+v", reports)
	}
}

// TestAPushWithoutAMultiplier has no gradient, and says nothing of what holds margins.
func TestAPushWithoutAMultiplier(t *testing.T) {
	p, err := newPush(surrogate.Approximation1)
	if err != nil {
		t.Fatal(err)
	}
	c := constraint{shares: shares{.3, .7}, sign: 1}
	if g := p.learn(&c, fairness.Group, .3); g != 0 || p.firmness.records != 0 {
		t.Errorf("a gradient of %v, %v records", g, p.firmness.records)
	}
	c.multiplier = .5
	if g := p.learn(&c, fairness.Group, .3); g == 0 || p.firmness.records != 1 || math.IsNaN(p.firmness.push) {
		t.Errorf("a gradient of %v, %+v", g, p.firmness)
	}
}

// TestDueAtTheBound: a side is due when it has stayed away for absence times its mean distance, and not before; the other side's records bring it in its proportion.
func TestDueAtTheBound(t *testing.T) {
	var b balance
	half := shares{.5, .5}
	first := 0
	for i := 1; first == 0; i++ {
		if due := b.observe(fairness.Versus, half); due[0] > 0 {
			first = i
		}
	}
	if first != int(absence/.5) {
		t.Errorf("the first is due after %d records", first)
	}
	if b.observe(fairness.Group, half); b.away[0] != 0 || b.away[1] != 1 {
		t.Errorf("away for %v", b.away)
	}
}
