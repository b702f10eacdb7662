package main

import (
	"testing"
)

// TestParityIsOfEveryone: where labels are known by education, the interval of parity contains the true difference on all records. If only
// labelled records count, it does in no stream.
func TestParityIsOfEveryone(t *testing.T) {
	p := plan{streams: 4, records: 12_000, seed: 7}
	if err := p.begin(.05, true, false); err != nil {
		t.Fatal(err)
	}
	for _, s := range selections {
		if s.name != "by education" && s.name != "late, 1,000 records" {
			continue
		}
		outcomes, err := p.all(&s)
		if err != nil {
			t.Fatal(err)
		}
		covered := 0
		for _, o := range outcomes {
			if claim, truth := o.claims[0], o.truths[0].Value; claim.Lo <= truth && truth <= claim.Hi {
				covered++
			}
		}
		if covered < 3 {
			t.Errorf("%s: %d of 4 intervals contain the truth", s.name, covered)
		}
	}
}

// TestWorseVersionsAreNotReleased: a version that is worse on all records, and better on those that have a label, becomes stable in none of 3
// streams. If records with a label count as they are, it does in all.
func TestWorseVersionsAreNotReleased(t *testing.T) {
	p := plan{records: 20_000, seed: 7}
	if err := p.begin(.05, true, false); err != nil {
		t.Fatal(err)
	}
	for _, s := range selections {
		if s.name != "by education" && s.name != "by own decision" {
			continue
		}
		for seed := range uint64(3) {
			tried, err := p.try(&s, seed)
			if err != nil {
				t.Fatal(err)
			}
			if tried.all < .01 || tried.labelled > -.005 {
				t.Fatalf("%s: the version errs more on all records by %.4f, and on labelled ones by %.4f", s.name, tried.all, tried.labelled)
			}
			if tried.promoted || !tried.promotedBare {
				t.Errorf("%s: the version became stable: %v, without weights %v", s.name, tried.promoted, tried.promotedBare)
			}
		}
	}
}
