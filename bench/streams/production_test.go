package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestReplay: after each 10 records the last 3 come again, twice.
func TestReplay(t *testing.T) {
	records := make([]record.Record, 0, 40)
	for i := range 40 {
		records = append(records, record.Record{Label: float64(i)})
		replay(10, 3, 2)(records, i)
	}
	for i, want := range []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 8, 9, 7, 8, 9, 16, 17, 18, 19, 17, 18, 19, 17, 18, 19, 26} {
		if got := records[i].Label; got != want {
			t.Errorf("record %d is that of %v, want %v", i, got, want)
		}
	}
}

// TestThePeopleOfAPlant: records come in batches of one group, and bent from a place on; the truth is that of new people of the moment, whose weights
// add up to the shares of the groups.
func TestThePeopleOfAPlant(t *testing.T) {
	p := plant{batch: 100, world: func(at int) synthetic.World {
		w := usual
		if w.Share = .2; at >= 1000 {
			w.Share = .4
		}
		return w
	}, bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= 1000 {
			lose(p, "proxy")
		}
	}}
	s := p.order(pool{}, rand.New(rand.NewPCG(1, 2)))
	for from := 0; from < 2000; from += 100 {
		for i := from; i < from+100; i++ {
			if population.Is(&s.records[i], "a") != population.Is(&s.records[from], "a") {
				t.Fatalf("record %d is not of the group of record %d", i, from)
			}
			if bent := len(s.records[i].Features) == 4; bent != (i >= 1000) {
				t.Fatalf("record %d has %d fields", i, len(s.records[i].Features))
			}
		}
	}
	for at, share := range map[int]float64{500: .2, 1500: .4} {
		people, group, all := s.truth(at), 0.0, 0.0
		for i := range people {
			if all += people[i].Weight; population.Is(&people[i], "a") {
				group += people[i].Weight
			}
		}
		if math.Abs(group/all-share) > 1e-9 || math.Abs(all-truthRecords) > 1e-6 {
			t.Errorf("after %d records the group has %v of a weight of %v", at, group/all, all)
		}
	}
}

// TestMorePeopleAreMeasuredWhereALookMayBeSilent: until the truth is known to be within tau or beyond it.
func TestMorePeopleAreMeasuredWhereALookMayBeSilent(t *testing.T) {
	for _, test := range []struct {
		truth, deviation float64
		conditions       int
		want             bool
	}{{.01, .01, 0, false}, {.021, .01, 0, true}, {-.07, .01, 0, true}, {-.07, .01, 1, false}, {.04, .003, 0, false}} {
		l := look{truth: test.truth, deviation: test.deviation}
		l.claim.Tau, l.claim.Status = .05, "met"
		for range test.conditions {
			l.conditions = append(l.conditions, "unsteady")
		}
		if got := l.unclear(); got != test.want {
			t.Errorf("%+v: unclear %t", test, got)
		}
	}
}
