package model

import "github.com/fairstream/fairstream/pkg/features"

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

// noise is σ², in units of the labels' variance.
func (m *regressionModel) noise() float64 { return max(m.squaredError, 1e-6) }

// judge sets the precisions anew, when it is time to.
func (m *regressionModel) judge(e *features.Frozen) {
	v := &m.evidence
	v.records++
	spread := m.label.spread()
	if !v.due(e) || !(spread > 0) {
		return
	}
	noise := m.noise()
	v.judge(e, startLabelPrecision, leastLabelPrecision, mostLabelPrecision, func(j int) (information, weight float64) {
		numbers := m.values[j*m.stride : (j+1)*m.stride]
		information = (numbers[curvatureAt] - startCurvature) / float64(noise*noise)
		return information, (numbers[modelsAt] - float64(m.decay*numbers[modelsAt+1])) / spread
	})
	v.hand(e, m.values, m.stride)
}
