package model

// How strongly the weights of a regression are drawn to 0: the evidence of evidence.go, in which noise of
// variance σ² stands in the place of the logistic one. With weights in units of the labels' spread, drawn
// from N(0, 1/precision) within a group, the prior adds σ² precision |w|²/2 to the sum of ½ r² over the
// records, and MacKay's fixed point is
//
//	precision = Σ_j known_j / Σ_j w_j²,  known_j = information_j / (information_j + precision),
//	information_j = Σ x_j² / σ² = G²_j / σ⁴
//
// since AdaGrad's G² sums (r x)². σ² is the mean squared error of the free iterate, a little large.

const (
	// startLabelPrecision is that of a group before it is judged, and of the weights that levels beyond the
	// vocabulary share.
	startLabelPrecision = 10.0
	leastLabelPrecision = .3
	mostLabelPrecision  = 10000.0
)

// regressionEvidence keeps the precisions of all groups.
type regressionEvidence struct {
	precisions []float64 // by group
	records    int64     // since the last judgement

	known, squared []float64 // scratch, by group
}

// noise is σ², in units of the labels' variance.
func (m *regressionModel) noise() float64 { return max(m.squaredError, 1e-6) }

// judge sets the precisions anew, when it is time to.
func (m *regressionModel) judge(e *encoder) {
	v := &m.evidence
	v.records++
	spread := m.label.spread()
	if v.records < max(judgeRecords, int64(judgePerWeight*float64(e.size))) || !(spread > 0) {
		return
	}
	v.records = 0
	groups := e.groupCount()
	for len(v.precisions) < groups {
		v.precisions = append(v.precisions, startLabelPrecision)
	}
	v.known, v.squared = zeros(v.known, groups), zeros(v.squared, groups)
	noise := m.noise()
	e.groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			numbers := m.values[int(j)*m.stride : (int(j)+1)*m.stride]
			information := (numbers[curvatureAt] - startCurvature) / float64(noise*noise)
			v.known[group] += information / (information + v.precisions[group])
			w := (numbers[modelsAt] - float64(m.decay*numbers[modelsAt+1])) / spread
			v.squared[group] += float64(w * w)
		}
	})
	for group, known := range v.known {
		if v.squared[group] > 0 {
			v.precisions[group] = min(mostLabelPrecision, max(leastLabelPrecision, known/v.squared[group]))
		}
	}
	e.groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			m.values[int(j)*m.stride+precisionAt] = v.precisions[group]
		}
	})
}
