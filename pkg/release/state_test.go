package release

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

var update = flag.Bool("update", false, "write golden files again")

// quick are settings under which everything happens within some thousand records.
var quick = Config{Deadline: 6000, Patience: 9000, CoolDown: 500, RunLength: 1000, AlarmRunLength: 1000, MinimumLabels: 300, Limit: 0.15, Delta: 0.03, Anchors: 3}

// drama is a stream in which versions are promoted, rejected, withdrawn, marked, and commanded, of classifiers or of regressions. It returns
// every step.
type drama struct {
	config   Config
	grouper  func(testing.TB) *fairness.Grouper
	w        *world
	machine  *Machine
	steps    []Step
	offered  int64
	late     []lateLabel
	commands *rand.Rand
	told     func() // after whatever the machine was told; nil: nobody looks
}

type lateLabel struct {
	at     int64
	record Record
}

func newDrama(t testing.TB, seed uint64, regression bool) *drama {
	d := &drama{config: quick, grouper: both, w: newWorld(seed), commands: rand.New(rand.NewPCG(seed, 3))}
	if d.w.means = regression; regression {
		d.config.Regression, d.grouper = true, meanOf
	}
	d.machine = machine(t, d.config, d.grouper(t))
	return d
}

// restore is the machine of a state.
func (d *drama) restore(t testing.TB, state []byte) (*Machine, error) {
	return Restore(d.config, d.grouper(t), state)
}

// both are comparisons of two criteria: one needs labels.
func both(t testing.TB) *fairness.Grouper {
	return sex(t, fairness.Comparison{Name: "errors", Criterion: fairness.PredictiveEquality, Tau: 0.1, Rest: true, Group: []fairness.Term{fairness.Is("sex", "f")}})
}

// next observes a record, and now and then offers a version, brings a label or orders something.
func (d *drama) next() {
	w, m := d.w, d.machine
	if w.number%700 == 0 {
		d.offered++
		v := Version{1, d.offered, fmt.Sprintf("%064x", d.offered)}
		w.by[v] = behaviour{shift: 1.2 * d.commands.Float64() * float64(d.commands.IntN(2)), noise: 0.2 * d.commands.Float64()}
		m.Offer(v, sound)
		d.tell()
	}
	if w.number%5000 == 4000 { // the world changes: the stable version becomes unfair
		if v := m.Aliases().Stable; !v.IsZero() && d.commands.IntN(2) == 0 {
			w.by[v] = behaviour{shift: 2}
		}
	}
	if d.commands.IntN(3000) == 0 {
		_ = m.Command(Command{ID: fmt.Sprint(w.number), Action: Actions()[d.commands.IntN(6)], Actor: "a", Reason: "b"})
		d.tell()
	}
	r := w.next(m.Wanted())
	r.Labelled = w.number%3 != 0
	m.Observe(r)
	d.tell()
	if !r.Labelled {
		late := *r
		late.Labelled, late.Levels = true, append([]fairness.Level(nil), r.Levels...)
		d.late = append(d.late, lateLabel{at: w.number + 100, record: late})
	}
	for len(d.late) > 0 && d.late[0].at <= w.number {
		one := d.late[0].record
		one.Decisions = nil
		for _, v := range m.Wanted() {
			_, known := w.by[v]
			one.Decisions = append(one.Decisions, Decision{Known: known, Positive: w.number%2 == 0, Score: 0.3})
		}
		m.Label(&one)
		d.tell()
		d.late = d.late[1:]
	}
	d.steps = append(d.steps, m.Steps()...)
}

func (d *drama) tell() {
	if d.told != nil {
		d.told()
	}
}

// known is what a caller knows of the versions that a machine wants: it looks again only when WantedChanges has changed.
type known struct {
	of      *Machine
	changes int64
	list    []Version // of the machine
	copy    []Version
	silent  int // changes without a step
	steps   int64
}

// holds checks what is true of every machine at every moment, and of what its caller knows of it.
func holds(t *testing.T, m *Machine, k *known) {
	t.Helper()
	a, wanted, kept := m.Aliases(), m.Wanted(), m.Kept()
	problem := ""
	if changes := m.WantedChanges(); k.of != m || k.changes != changes {
		switch {
		case k.of == m && slices.Equal(k.copy, wanted):
			problem = "the same versions are wanted, and a change is counted"
		case k.of == m && !slices.Equal(k.copy, k.list):
			problem = "the list that was handed out has changed"
		case k.of == m && k.steps == m.number:
			k.silent++
		}
		*k = known{m, changes, wanted, slices.Clone(wanted), k.silent, m.number}
	}
	k.steps = m.number
	if !slices.Equal(k.copy, wanted) {
		problem = fmt.Sprintf("other versions are wanted than %v, and no change is counted", k.copy)
	}
	for i, v := range kept {
		if slices.Contains(kept[:i], v) {
			problem = "a version is kept twice"
		}
	}
	for _, v := range append(slices.Clone(wanted), a.Stable, a.Candidate, a.Previous) {
		if !v.IsZero() && !slices.Contains(kept, v) {
			problem = "a version in use is not kept"
		}
	}
	switch {
	case len(wanted) > 4:
		problem = "more than four versions are wanted"
	case !a.Stable.IsZero() && (slices.Contains(m.banned, a.Stable.SHA256) || slices.Contains(m.banned, a.Previous.SHA256)):
		problem = "a withdrawn version is in use"
	case !a.Candidate.IsZero() && (a.Candidate == a.Stable || !slices.Contains(wanted, a.Candidate)):
		problem = "the candidate is stable, or not wanted"
	case a.Stable.IsZero() != (m.guard == nil) || m.guard != nil && m.guard.version != a.Stable:
		problem = "the guard watches another version"
	case m.waiting != nil && m.trial == nil:
		problem = "a version waits without a candidate"
	}
	if problem != "" {
		t.Fatalf("record %d: %s: %+v, wanted %v, kept %v, barred %v", m.last, problem, a, wanted, kept, m.banned)
	}
}

// follows checks that each step begins where the one before ended.
func follows(t *testing.T, steps []Step) {
	t.Helper()
	var last Aliases
	for i, s := range steps {
		if s.Number != int64(i+1) || s.From != last.Stable || s.To != s.Aliases.Stable || s.Moved != (s.Aliases != last) {
			t.Fatalf("step %d does not follow from %+v: %+v", i+1, last, s)
		}
		last = s.Aliases
	}
}

// A machine that is saved and restored after every record takes the same steps as one that never stops, and ends in the same state.
func TestARestoredMachineContinuesBitForBit(t *testing.T) {
	for seed := range uint64(6) {
		regression := seed > 3
		one, other := newDrama(t, seed, regression), newDrama(t, seed, regression)
		var knownOfOne, knownOfOther known
		one.told = func() { holds(t, one.machine, &knownOfOne) }
		other.told = func() { holds(t, other.machine, &knownOfOther) }
		for range 12_000 {
			one.next()
			other.next()
			if every := seed == 0 && other.w.number < 1000 && !testing.Short(); !every && other.w.number%97 != 0 {
				continue
			}
			state := other.machine.AppendState(nil)
			restored, err := other.restore(t, state)
			if err != nil {
				t.Fatalf("record %d: %v", other.w.number, err)
			}
			if again := restored.AppendState(nil); !bytes.Equal(again, state) {
				t.Fatalf("record %d: the restored state differs", other.w.number)
			}
			if !reflect.DeepEqual(restored.Wanted(), other.machine.Wanted()) {
				t.Fatalf("record %d: wanted %v, not %v", other.w.number, restored.Wanted(), other.machine.Wanted())
			}
			other.machine = restored
			other.tell()
		}
		if a, b := fmt.Sprintf("%+v", one.steps), fmt.Sprintf("%+v", other.steps); a != b {
			t.Fatalf("the steps differ:\n%s\n%s", a, b)
		}
		if !bytes.Equal(one.machine.AppendState(nil), other.machine.AppendState(nil)) {
			t.Fatal("the states differ")
		}
		kinds := map[StepKind]int{}
		for _, s := range one.steps {
			kinds[s.Kind]++
		}
		follows(t, one.steps)
		t.Log(kinds, len(one.machine.AppendState(nil)))
	}
}

// golden is the state after a drama, in a file of each format.
func golden(format int, regression bool) string {
	name := fmt.Sprintf("state-%d.bin", format)
	if regression {
		name = fmt.Sprintf("regression-%d.bin", format)
	}
	return filepath.Join("testdata", name)
}

func TestTheStateHasAGoldenFile(t *testing.T) {
	bothTasks(t, func(t *testing.T, regression bool) {
		d := newDrama(t, 1, regression)
		for range 8000 {
			d.next()
		}
		state, file := d.machine.AppendState(nil), golden(stateFormat, regression)
		if *update {
			if err := os.WriteFile(file, state, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		saved, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(saved, state) {
			t.Errorf("the state differs from %s: raise the format, or use -update if it is not released", file)
		}
		if _, err := d.restore(t, saved); err != nil {
			t.Error(err)
		}
	})
}

// States of older formats are read with all their evidence, and a test that they do not have begins.
func TestOlderStatesAreRead(t *testing.T) {
	for format := 1; format < stateFormat; format++ {
		bothTasks(t, func(t *testing.T, regression bool) {
			d := newDrama(t, 1, regression)
			for range 8000 {
				d.next()
			}
			want := d.machine.Report()
			saved, err := os.ReadFile(golden(format, regression))
			if err != nil {
				t.Fatal(err)
			}
			m, err := d.restore(t, saved)
			if err != nil {
				t.Fatal(err)
			}
			if m.HasSteps() {
				t.Errorf("format %d: evidence begins again: %+v", format, m.Steps())
			}
			r, begins := m.Report(), format == 1 && regression
			if r.Records != want.Records || r.Guard == nil || r.Guard.Observed != want.Guard.Observed || r.Trial.Observed != want.Trial.Observed {
				t.Errorf("format %d: %+v, %+v", format, r, r.Guard)
			}
			if got, its := r.Guard.Gates[0], want.Guard.Gates[0]; begins && got.Records > 0 || !begins && (got.Records != its.Records || got.Reason != its.Reason) {
				t.Errorf("format %d: the gate is %+v, want %+v", format, got, its)
			}
			if r.Guard.Evidence == 0 && !begins {
				t.Errorf("format %d: no evidence of the detector is left", format)
			}
			d.machine = m
			for range 3000 {
				d.next()
			}
			if g := d.machine.Report().Guard; g.Evidence == 0 || g.Gates[0].Records == 0 {
				t.Errorf("format %d: %+v", format, g)
			}
		})
	}
}

// Under other settings or comparisons, versions and commands stay, and the evidence begins again.
func TestOtherSettingsKeepTheVersions(t *testing.T) {
	m, w := withStable(t, Config{}, behaviour{})
	m.Offer(version(2), sound)
	m.Offer(version(3), sound)
	m.Steps()
	run(m, w, 3000)
	for name, c := range map[string]struct {
		config      Config
		comparisons []fairness.Comparison
	}{
		"settings":    {config: Config{Delta: 0.01}},
		"comparisons": {comparisons: []fairness.Comparison{{Name: "errors", Criterion: fairness.EqualizedOdds, Tau: 0.1, Rest: true, Group: []fairness.Term{fairness.Is("sex", "f")}}}},
		"the limit":   {config: Config{Limit: 0.2}},
	} {
		other, err := Restore(c.config, sex(t, c.comparisons...), m.AppendState(nil))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wantKinds(t, other.Steps(), Restarted, Frozen)
		if r := other.Report(); r.Aliases != m.Aliases() || r.Waiting != version(3) || r.Trial.Observed != 0 || r.Guard.Observed != 0 || r.Record != 3000 {
			t.Errorf("%s: %+v", name, r)
		}
		if handled, _ := other.Handled("first"); !handled {
			t.Errorf("%s: the command is forgotten", name)
		}
		if steps := run(other, w, 60_000); len(steps) == 0 {
			t.Errorf("%s: nothing happens any more", name)
		}
	}
	same, err := Restore(Config{Deadline: 50_000}, sex(t), m.AppendState(nil))
	if err != nil || same.HasSteps() || same.Report().Trial.Observed != 3000 {
		t.Errorf("the deadline is no reason to begin again: %v", err)
	}
}

// Damaged bytes are an error or a state that goes on; nothing panics, and nothing large is allocated.
func FuzzRestore(f *testing.F) {
	for _, regression := range []bool{false, true} {
		d := newDrama(f, 1, regression)
		for n := range 9000 {
			d.next()
			if n%1500 == 10 {
				f.Add(d.machine.AppendState(nil), regression)
			}
		}
	}
	f.Fuzz(func(t *testing.T, state []byte, regression bool) {
		d := newDrama(t, 1, regression)
		m, err := d.restore(t, state)
		if err != nil {
			return
		}
		w := newWorld(1)
		m.Steps()
		for range 200 {
			r := w.next(m.Wanted())
			for i := range r.Decisions {
				r.Decisions[i] = Decision{Known: true, Positive: i == 0, Score: 0.5}
			}
			m.Observe(r)
		}
		m.Report()
		if _, err := d.restore(t, m.AppendState(nil)); err != nil {
			t.Errorf("what it saved itself: %v", err)
		}
	})
}
