package main

import (
	"testing"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestParityIsOfEveryone: where labels are known by education, the interval of parity contains the true difference on all records. If only
// labelled records count, it does in no stream.
func TestParityIsOfEveryone(t *testing.T) {
	c := population.AdultConfig(.05)
	c.Record.Unlabelled = record.Count
	from, err := population.Adult(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range selections {
		if s.name != "by education" && s.name != "late by the label" {
			continue
		}
		outcomes, err := all(c, from, s, 4, 12_000, 7, true)
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
