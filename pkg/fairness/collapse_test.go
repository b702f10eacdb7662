package fairness

import (
	"math"
	"testing"
)

func TestDetectCollapse(t *testing.T) {
	for _, c := range []struct {
		name           string
		tp, fp, fn, tn float64
		want           CollapseState
	}{
		{"a working classifier", 150, 60, 90, 700, NoCollapse},
		{"always no", 0, 0, 240, 760, ConstantDecision},
		{"always yes", 240, 760, 0, 0, ConstantDecision},
		{"nearly always no", 5, 0, 235, 760, ConstantDecision},
		{"always yes, mostly right", 700, 300, 0, 0, ConstantDecision},
		{"coin flips", 120, 380, 120, 380, NoBetterThanConstant},
		{"selective, no gain", 50, 50, 190, 710, NoBetterThanConstant},
		{"rare label found", 8, 1, 2, 989, NoCollapse},
		{"rare label missed", 0, 0, 10, 990, ConstantDecision},
		{"rare label, nearly as rare decisions", 8, 0, 4, 988, NoCollapse},
		{"very rare label missed", 0, 0, 5, 995, ConstantDecision},
		{"very rare negative label missed", 995, 5, 0, 0, ConstantDecision},
		{"no positive label at all", 0, 0, 0, 1000, ConstantDecision},
		{"rare decisions that save a sixth of the errors", 4, 1, 16, 979, NoCollapse},
		{"no positive label, one decision", 0, 1, 0, 999, NoBetterThanConstant},
		{"too few records", 0, 0, 100, 300, CollapseNotEstimable},
		{"none", 0, 0, 0, 0, CollapseNotEstimable},
	} {
		n := c.tp + c.fp + c.fn + c.tn
		confusion := Confusion{
			Records: int64(n), WeightSquared: n,
			TruePositive: c.tp, FalsePositive: c.fp, FalseNegative: c.fn, TrueNegative: c.tn,
		}
		got := DetectCollapse(confusion, 0.95, DefaultCollapseOptions())
		if got.State != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.State, c.want)
		}
		if got.State.Words() == "" {
			t.Errorf("%s: no words", c.name)
		}
		if n > 0 && math.Abs(got.SelectionRate.Value-(c.tp+c.fp)/n) > 1e-15 {
			t.Errorf("%s: selection rate %v", c.name, got.SelectionRate.Value)
		}
	}
}

// A limit belongs to the better state: a share, skill or number of records exactly at its limit is enough.
func TestDetectCollapseBoundaries(t *testing.T) {
	o := CollapseOptions{Share: 1. / 64, MinimumSkill: 0.125, MinimumRecords: 512}
	for _, c := range []struct {
		name           string
		tp, fp, fn, tn float64
		want           CollapseState
	}{
		{"positive decisions at the share", 16, 0, 52, 956, NoCollapse},
		{"positive decisions below the share", 12, 3, 56, 953, NoCollapse},
		{"positive decisions below the share, without skill", 8, 1, 60, 955, ConstantDecision},
		{"negative decisions at the share", 956, 52, 0, 16, NoCollapse},
		{"negative decisions below the share, without skill", 955, 60, 1, 8, ConstantDecision},
		{"a label at the share", 0, 0, 16, 1008, ConstantDecision},
		{"a label below the share", 0, 0, 15, 1009, ConstantDecision},
		{"a label below the share, decided at random", 1, 14, 14, 995, NoBetterThanConstant},
		{"decisions a quarter as frequent as the label", 5, 3, 27, 989, NoBetterThanConstant},
		{"decisions rarer than a quarter of the label", 5, 3, 28, 988, ConstantDecision},
		{"skill at the limit", 32, 0, 224, 768, NoCollapse},
		{"skill below the limit", 31, 0, 225, 768, NoBetterThanConstant},
		{"as many records as needed", 256, 0, 0, 256, NoCollapse},
		{"one record too few", 256, 0, 0, 255, CollapseNotEstimable},
	} {
		n := c.tp + c.fp + c.fn + c.tn
		confusion := Confusion{
			Records: int64(n), WeightSquared: n,
			TruePositive: c.tp, FalsePositive: c.fp, FalseNegative: c.fn, TrueNegative: c.tn,
		}
		if got := DetectCollapse(confusion, 0.95, o).State; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
