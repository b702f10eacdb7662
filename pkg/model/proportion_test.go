package model

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/control"
)

// TestPushesAreInProportionToLabels: to the share of records that have labels, never more than 1, and exactly 1 while all have.
func TestPushesAreInProportionToLabels(t *testing.T) {
	p := proportion{keep: 1 - 1./1000}
	for range 5000 {
		if scale := p.observe(control.Both, 2.5); scale != 1 {
			t.Fatalf("with all labels a push counts %v times", scale)
		}
	}
	if scale := p.observe(control.Itself, 1); scale != leastProportion {
		t.Errorf("without a label so far, a push counts %v times", scale)
	}
	scale := 0.0
	for i := range 20_000 {
		if scale = p.observe(control.Itself, 1); i%4 == 0 {
			scale = p.observe(control.Both, 1)
		}
	}
	if math.Abs(scale-.2) > .01 {
		t.Errorf("of five records one has a label, and a push counts %v times", scale)
	}
	for range 20_000 { // labels that were late
		if scale = p.observe(control.Label, 1); scale > 1 {
			t.Fatalf("a push counts %v times", scale)
		}
	}
	if scale != 1 {
		t.Errorf("with more labels than records, a push counts %v times", scale)
	}
}
