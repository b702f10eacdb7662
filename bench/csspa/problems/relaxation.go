package problems

import "github.com/fairstream/fairstream/pkg/csspa"

// relaxation is l of the chosen approximation, with A = U+/p+, A' = L+/p+,
// B = U-/p-, B' = L-/p- as Huber-smoothed ratios.
type relaxation struct{ FairClassifier }

// ratios are A, A', B, B'.
type ratios struct{ a, aLow, b, bLow float64 }

func (l relaxation) ratios(u []float64) ratios {
	plus, _ := csspa.Reciprocal(u[0], l.Floor)
	minus, _ := csspa.Reciprocal(u[3], l.Floor)
	return ratios{a: u[1] * plus, aLow: u[2] * plus, b: u[4] * minus, bLow: u[5] * minus}
}

// Inputs is the number of means in u; approximation 2 looks at four of them.
func (relaxation) Inputs() int { return 6 }

func (l relaxation) Outputs() int {
	if l.Approximation == Approximation1 {
		return 2
	}
	return 1
}

func (l relaxation) Evaluate(dst, u []float64, _ Record) {
	r, c := l.ratios(u), l.Threshold
	sum := r.a + r.b - 1
	switch l.Approximation {
	case Approximation1:
		dst[0] = sum - c
		dst[1] = 1 - r.aLow - r.bLow - c
	case Approximation2:
		dst[0] = sum*sum - c*c
	case DefinitionSquared:
		difference := r.a + r.bLow - 1
		dst[0] = difference*difference - c*c
	case Approximation3:
		dst[0] = r.a*r.a + r.b*r.b + 1 - 2*r.aLow - 2*r.bLow + 2*r.a*r.b - c*c
	}
}

func (l relaxation) AddGradient(dst, u, weights []float64, _ Record) {
	r := l.ratios(u)
	var d ratios // derivatives in A, A', B, B'
	switch l.Approximation {
	case Approximation1:
		d = ratios{a: weights[0], b: weights[0], aLow: -weights[1], bLow: -weights[1]}
	case Approximation2:
		slope := weights[0] * 2 * (r.a + r.b - 1)
		d = ratios{a: slope, b: slope}
	case DefinitionSquared:
		slope := weights[0] * 2 * (r.a + r.bLow - 1)
		d = ratios{a: slope, bLow: slope}
	case Approximation3:
		slope := weights[0] * 2 * (r.a + r.b)
		d = ratios{a: slope, b: slope, aLow: -2 * weights[0], bLow: -2 * weights[0]}
	}
	plus, plusSlope := csspa.Reciprocal(u[0], l.Floor)
	minus, minusSlope := csspa.Reciprocal(u[3], l.Floor)
	dst[0] += plusSlope * (d.a*u[1] + d.aLow*u[2])
	dst[1] += plus * d.a
	dst[2] += plus * d.aLow
	dst[3] += minusSlope * (d.b*u[4] + d.bLow*u[5])
	dst[4] += minus * d.b
	dst[5] += minus * d.bLow
}

// RiskDifference returns P(w·x > 0 | s+) - P(w·x > 0 | s-) over records and the
// number of records in each group; it is NaN if a group is empty.
func RiskDifference(w []float64, records []Record) (difference float64, plus, minus int) {
	var positives [2]int
	for _, r := range records {
		positive := 0
		if dot(w, r.X) > 0 {
			positive = 1
		}
		switch {
		case r.Group > 0:
			plus++
			positives[0] += positive
		case r.Group < 0:
			minus++
			positives[1] += positive
		}
	}
	return float64(positives[0])/float64(plus) - float64(positives[1])/float64(minus), plus, minus
}
