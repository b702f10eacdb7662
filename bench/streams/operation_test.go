package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/record"
)

// of returns the records of one operated stream.
func of(t *testing.T, name string) []record.Record {
	t.Helper()
	for _, c := range operation() {
		if strings.HasPrefix(c.name, "operated: "+name) {
			return c.order(pool{}, rand.New(rand.NewPCG(1, 2))).records
		}
	}
	t.Fatalf("no case %q", name)
	return nil
}

func field(r *record.Record, name string) string {
	return written(&synthetic.Person{Record: *r}, name)
}

// TestOperations: before record 24,700 the records are as usual, and from there on as the case says.
func TestOperations(t *testing.T) {
	for at, r := range of(t, "of one group only those") {
		if at >= breaks && population.Is(&r, "a") && strings.HasPrefix(field(&r, "signal1"), "-") {
			t.Fatalf("record %d of the group has signal1 %s", at, field(&r, "signal1"))
		}
	}
	southern := 0
	for at, r := range of(t, "a region that starts") {
		if field(&r, "region") == "south" {
			if southern++; at < breaks {
				t.Fatalf("record %d is of the region that has not started", at)
			}
		}
	}
	if share := float64(southern) / float64(length-breaks); share < .28 || share > .32 {
		t.Errorf("%v of the records are of the region", share)
	}
	copies := of(t, "a sixth of the records are those")
	for at := 12_000; at < 13_000; at++ {
		if same := field(&copies[at], "signal1") == field(&copies[at-10_000], "signal1"); same != (at%6 == 0) {
			t.Fatalf("record %d is a copy: %t", at, same)
		}
	}
}

// TestInstead: a person of another world is of the same group.
func TestInstead(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		p := usual.Draw(random)
		group := p.A
		instead(&p, synthetic.World{Share: .5, BaseA: 1, BaseB: 1}, random)
		if p.A != group || population.Is(&p.Record, "a") != group || !p.Record.Positive {
			t.Fatalf("a person of the group %t became one of %t", group, p.A)
		}
	}
}
