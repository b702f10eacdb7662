package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestArrived: records come when their delays are over, some twice, and there are as many as before.
func TestArrived(t *testing.T) {
	var records []record.Record
	for i := range 6 {
		records = append(records, record.Record{Label: float64(i)})
	}
	var got []float64
	for _, r := range arrived(records, func(r *record.Record) (first, second float64) {
		switch r.Label {
		case 1:
			return 2.5, -1
		case 2:
			return 0, 1.5
		}
		return 0, -1
	}) {
		got = append(got, r.Label)
	}
	if fmt.Sprint(got) != "[0 2 3 1 2 4]" {
		t.Errorf("records come as %v", got)
	}
}

// TestPositiveLabelsComeLate: they are rare among the first records, and hardly rarer later.
func TestPositiveLabelsComeLate(t *testing.T) {
	s := plant{world: steadily(usual), arrange: late(1000), length: 20_000}.order(pool{}, rand.New(rand.NewPCG(3, 4)))
	share := func(records []record.Record) float64 {
		positive := 0
		for i := range records {
			if records[i].Positive {
				positive++
			}
		}
		return float64(positive) / float64(len(records))
	}
	if len(s.records) != 20_000 {
		t.Fatalf("%d records", len(s.records))
	}
	// .4 · .5 + .6 · .25 of all are positive; e⁻¹ of those of the first thousand, and more of the earlier ones, come after it.
	if first, last := share(s.records[:1000]), share(s.records[8000:]); !(first < .25) || !(last > .33 && last < .37) {
		t.Errorf("%v of the first records are positive, and %v of the last ones", first, last)
	}
}

// TestFiftyComparisons are those of the group and of all towns but the last.
func TestFiftyComparisons(t *testing.T) {
	c := fifty(tau)
	if _, err := model.New(c); err != nil || len(c.Constraints) != 50 {
		t.Errorf("%d constraints: %v", len(c.Constraints), err)
	}
}

// TestRedefined: a half of the labels are of the other definition, which favours the other group.
func TestRedefined(t *testing.T) {
	p := deliveries()[0].order(pool{}, rand.New(rand.NewPCG(5, 6)))
	var positive, all [2]float64
	for i := range p.records {
		side := 0
		if population.Is(&p.records[i], "a") {
			side = 1
		}
		if all[side]++; p.records[i].Positive {
			positive[side]++
		}
	}
	want := (usual.BaseA + usual.BaseB) / 2
	for side := range all {
		if rate := positive[side] / all[side]; rate < want-.02 || rate > want+.02 {
			t.Errorf("side %d has %v positive labels, want %v", side, rate, want)
		}
	}
}
