package onnx

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// What a missing value contributes to crosses, and the first bin of a number (docs/document.md).
const (
	missingToken  = 1
	firstBinToken = 2
)

// tokens are those that a column can contribute to crosses, and the place of each row's token in them: that of every other one is their number.
func (e *exporter) tokens(c *column, texts []string) (all []uint64, place value) {
	if !c.Numeric() {
		known := slices.Concat(c.known, texts)
		slices.Sort(known)
		known = slices.Compact(known)
		for _, text := range known {
			token := record.Hash([]byte(text))
			if slices.Contains(c.missing, text) {
				token = missingToken
			}
			all = append(all, token)
		}
		if len(known) == 0 {
			all = append(all, 0)
		}
		return all, e.codes(e.inputs[c.Name], known)
	}
	var bins int
	var bin value
	switch {
	case c.Kind == features.Scaled:
		bins = 2*clip + 1
		z := e.standardized(c)
		half := e.add("Floor", nil, e.add("Add", nil, e.add("Abs", nil, z), e.number(0.5)))
		bin = e.add("Add", nil, e.cast(e.add("Mul", nil, e.add("Sign", nil, z), half), int64Type), e.integers(clip))
	case c.Kind == features.Interpolated && len(c.Knots) == 1:
		bins, bin = 1, e.below(nil, "LessOrEqual", c.x)
	case c.Kind == features.Interpolated:
		bins, bin = len(c.Knots)-1, c.bin
	default:
		coarse := make([]int64, len(c.Binning.Coarse))
		for i, k := range c.Binning.Coarse {
			coarse[i] = int64(k)
		}
		bins, bin = int(c.CoarseBins()), e.mapped(coarse, c.bin)
	}
	for i := range bins {
		all = append(all, firstBinToken+uint64(i))
	}
	all = append(all, missingToken)
	bin = e.add("Where", nil, c.gone, e.integers(int64(bins)), bin)
	return all, e.add("Where", nil, c.other, e.integers(int64(bins+1)), bin)
}
