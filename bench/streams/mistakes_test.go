package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestCopies: each record but the last ones comes twice, as far apart as it is said.
func TestCopies(t *testing.T) {
	for before, want := range map[int]string{1: "[0 0 2 2 4 4 6 6 8 8]", 3: "[0 1 2 0 4 2 6 4 8 6]"} {
		var records []record.Record
		for i := range 10 {
			records = append(records, record.Record{Label: float64(i)})
			copies(before)(records, i)
		}
		var got []float64
		for _, r := range records {
			got = append(got, r.Label)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("copies of %d before: %v, want %s", before, got, want)
		}
	}
}

// TestMistakesBegin: the records of each stream with a change are written otherwise from record 24,700 on, and people to come are, too.
func TestMistakesBegin(t *testing.T) {
	written := func(r *record.Record) (shape string) {
		for _, f := range r.Features {
			kind := "number"
			if strings.Contains(string(f.Text), ",") {
				kind = "comma"
			}
			shape += f.Name + " " + kind + " "
		}
		return shape
	}
	for _, c := range mistakes() {
		for _, part := range []struct{ name, in string }{{"other names", "signal_1 number"}, {"capitals", "PROXY number"}, {"commas in proxy", "proxy comma"}} {
			if !strings.Contains(c.name, part.name) {
				continue
			}
			s := c.order(pool{}, rand.New(rand.NewPCG(1, 5)))
			before, after, people := written(&s.records[breaks-1]), written(&s.records[breaks]), s.truth(breaks)
			if strings.Contains(before, part.in) || !strings.Contains(after, part.in) || !strings.Contains(written(&people[0]), part.in) {
				t.Errorf("%s: %q, then %q", c.name, before, after)
			}
		}
	}
}
