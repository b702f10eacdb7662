package monitor

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// With Cluster, a stream of five copies of each decision has the verdict and the evidence of the stream without copies, its estimates count all,
// and a state goes on in the middle of the copies.
func TestOneDecisionOfEachPersonCounts(t *testing.T) {
	for _, criterion := range []fairness.Criterion{fairness.DemographicParity, fairness.EqualOpportunity} {
		config := func(cluster string) Config {
			return Config{Subject: Subject{ID: "x"}, Grouper: grouper(t, group("sex", "f", criterion, 0.05), group("race", "b", criterion, 0.05)), Look: 1, Cluster: cluster}
		}
		once, copied := made(t, config("")), made(t, config("person"))
		w, late := newWorld(3), newWorld(4)
		for person := range 3000 {
			d := w.next(.5, .3)
			once.Observe(&d)
			d.Person = uint64(person + 1)
			for range 5 {
				if late.random.IntN(2) == 0 {
					copied.Observe(&d)
					continue
				}
				first := d
				first.Labelled = false
				copied.Observe(&first)
				copied.Label(&d)
			}
			if person == 1500 {
				restored, err := Restore(config("person"), copied.State())
				if err != nil || !bytes.Equal(restored.State(), copied.State()) {
					t.Fatalf("the state of %d persons: %v", person, err)
				}
				copied = restored
			}
		}
		a, b := once.Report(), copied.Report()
		for i := range a.Comparisons {
			x, y := &a.Comparisons[i], &b.Comparisons[i]
			if x.Sequence != y.Sequence || x.Totals != y.Totals || x.Alarm.Evidence != y.Alarm.Evidence || x.Sequence.Status == fairness.NotEstimable {
				t.Errorf("%s: once %+v and %+v, five times %+v and %+v", criterion, x.Sequence, x.Totals, y.Sequence, y.Totals)
			}
			if 5*x.All.NGroup != y.All.NGroup {
				t.Errorf("%s: estimates of %v and %v records", criterion, x.All.NGroup, y.All.NGroup)
			}
		}
		if b.Apart != (Apart{Repeated: 4 * 3000}) {
			t.Errorf("%+v", b.Apart)
		}
		if _, err := Restore(config("other"), copied.State()); err != ErrOtherSettings {
			t.Errorf("with another key: %v", err)
		}
	}
}

// Decisions without a person count each.
func TestUnknownPersonsCount(t *testing.T) {
	m := made(t, Config{Grouper: bySexAndRace(t), Cluster: "person"})
	w := newWorld(1)
	for range 100 {
		d := w.next(.5, .5)
		m.Observe(&d)
	}
	if r := m.Report(); r.Apart != (Apart{Unknown: 100}) || r.Comparisons[0].Totals.NGroup == 0 {
		t.Errorf("without the key: %+v, %+v", r.Apart, r.Comparisons[0].Totals)
	}
}

// Copies in a row are noticed by either mark, and no longer once the key is set. Independent decisions are not taken for copies,
// whether each value is rare, shared by many, or the same for runs of hundreds.
func TestCopiesAreNoticed(t *testing.T) {
	for _, of := range []struct {
		name           string
		copies, values int
		run            int
		identity       bool
		cluster        string
		found          bool
	}{
		{"copies", 5, 1 << 40, 1, false, "", true},
		{"two records of a person", 2, 1 << 40, 1, true, "", true},
		{"copies of rare values", 3, 1000, 1, false, "", true},
		{"copies with the key", 5, 1 << 40, 1, false, "person", false},
		{"independent", 1, 1 << 40, 1, false, "", false},
		{"of 10,000 values", 1, 10_000, 1, false, "", false},
		{"of 200 values", 1, 200, 1, false, "", false},
		{"of 4 values", 1, 4, 1, false, "", false},
		{"runs of one of 4 values", 1, 4, 300, false, "", false},
	} {
		m := made(t, Config{Subject: Subject{ID: "x"}, Grouper: bySexAndRace(t), Cluster: of.cluster})
		w := newWorld(2)
		random := rand.New(rand.NewPCG(7, 7))
		looks, found, value := 0, 0, uint64(0)
		for person := 1; m.Records() < 30_000; person++ {
			if person%of.run == 0 {
				value = 1 + random.Uint64N(uint64(of.values))
			}
			d := w.next(.5, .5)
			d.Person, d.Content = uint64(person), value
			if of.identity {
				d.Content, d.Identity = 0, value
			}
			for range of.copies {
				m.Observe(&d)
				if m.Records()%64 == 0 && m.Records() >= 5000 {
					if looks++; m.Repeats().Found {
						found++
					}
				}
			}
		}
		got := m.Repeats()
		if want := 1 - 1/float64(of.copies); of.found && (found < looks*99/100 || got.ByIdentity != of.identity || got.Share < want-.1 || got.Share > want+.1) || !of.found && found > looks/100 {
			t.Errorf("%s: found in %d of %d looks, at last %+v", of.name, found, looks, got)
		}
	}
}
