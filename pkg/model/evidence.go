package model

import "github.com/fairstream/fairstream/pkg/features"

// How strongly weights are drawn to 0.
//
// A bin that a thousand records share can be trusted, a value that came twice can not; and a column that says
// nothing about the label had best keep all its weights at 0. So the weights come in groups (the fine bins of
// a column, its coarse bins, its levels, a cross), those of a group are taken for draws from N(0,
// 1/precision), and the precision is the one that makes the group's weights most likely, by the fixed point of
// MacKay (Bayesian Interpolation, Neural Computation 4, 1992, eq. 4.9; with a group for each input, Neal's
// automatic relevance determination):
//
//	precision = Σ_j known_j / Σ_j w_j²,  known_j = information_j / (information_j + precision)
//
// The information on weight j is AdaGrad's sum of squared gradients, an estimate of the Fisher information of
// the records that forgetting has left. A step spreads the prior's pull over the weight's records: see
// descend.

const (
	// startPrecision is that of a group before it is judged, and of the weights that levels beyond the
	// vocabulary share.
	startPrecision = 5.0
	leastPrecision = .3
	mostPrecision  = 300.0
	// judgeRecords is the least number of records between two judgements. With many weights it is
	// judgePerWeight of theirs, so that the cost per record has a bound.
	judgeRecords   = 2048
	judgePerWeight = .25
)

// evidence keeps the precisions of all groups.
type evidence struct {
	precisions []float64 // by group
	records    int64     // since the last judgement

	known, squared []float64 // scratch, by group
}

// judge sets the precisions anew, when it is time to.
func (a *adaptive) judge(e *features.Frozen) {
	v := &a.evidence
	v.records++
	if !v.due(e) {
		return
	}
	v.judge(e, startPrecision, leastPrecision, mostPrecision, func(j int) (information, weight float64) {
		return a.values[j*a.stride+curvatureAt] - startCurvature, a.averageWeight(j, nil)
	})
	v.hand(e, a.values, a.stride)
}

// due says whether there have been enough records since the last judgement.
func (v *evidence) due(e *features.Frozen) bool {
	return v.records >= max(judgeRecords, int64(judgePerWeight*float64(e.Size())))
}

// judge takes one step of the fixed point. know returns the information on a weight, and the weight.
func (v *evidence) judge(e *features.Frozen, start, least, most float64, know func(j int) (information, weight float64)) {
	v.records = 0
	groups := e.GroupCount()
	for len(v.precisions) < groups {
		v.precisions = append(v.precisions, start)
	}
	v.known, v.squared = zeros(v.known, groups), zeros(v.squared, groups)
	e.Groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			information, w := know(int(j))
			v.known[group] += information / (information + v.precisions[group])
			v.squared[group] += float64(w * w)
		}
	})
	for group, known := range v.known {
		if v.squared[group] > 0 {
			v.precisions[group] = min(most, max(least, known/v.squared[group]))
		}
	}
}

// hand gives every weight the precision of its group.
func (v *evidence) hand(e *features.Frozen, values []float64, stride int) {
	e.Groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			values[int(j)*stride+precisionAt] = v.precisions[group]
		}
	})
}

// zeros returns count zeros, in the memory of old where that is enough.
func zeros(old []float64, count int) []float64 {
	if cap(old) < count {
		return make([]float64, count)
	}
	old = old[:count]
	clear(old)
	return old
}
