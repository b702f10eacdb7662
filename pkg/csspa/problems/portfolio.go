package problems

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// Market is one draw of a period's returns: the securities' and the index's,
// drawn independently of each other.
type Market struct {
	Returns []float64 // one a security
	Index   float64
}

// Portfolio is the risk-averse portfolio (exPort): shares x of the securities that
//
//	maximise E r·x   subject to   E_I [ (E r·x - I)_+^p ] - Tau^p <= 0
//
// over the simplex, where I is the index's return. The outer function is random.
// As printed, the deviation that is bounded is the portfolio's mean above the
// index, so the constraint keeps the portfolio close to an index that it could
// beat. The outer gradients must be Lipschitz (aoutersm), hence p >= 2. For
// returns that are small numbers, see Problem.ScaleConstraints in package csspa.
type Portfolio struct {
	Securities int     // n, at least 1
	Power      float64 // p, at least 2
	Tau        float64 // in units of return, > 0
}

// Check reports the first field that is out of range.
func (p Portfolio) Check() error {
	switch {
	case p.Securities < 1:
		return fmt.Errorf("problems: Portfolio.Securities is %d: it must be at least 1", p.Securities)
	case !(p.Power >= 2) || math.IsInf(p.Power, 1):
		return fmt.Errorf("problems: Portfolio.Power is %v: it must be at least 2 and finite", p.Power)
	case !(p.Tau > 0):
		return fmt.Errorf("problems: Portfolio.Tau is %v: it must be positive", p.Tau)
	}
	return nil
}

// Problem states the portfolio as problem (P); the objective is -E r·x.
func (p Portfolio) Problem() (csspa.Problem[Market], error) {
	if err := p.Check(); err != nil {
		return csspa.Problem[Market]{}, err
	}
	budget := math.Pow(p.Tau, p.Power)
	return csspa.Problem[Market]{
		N: p.Securities,
		G: csspa.Func[Market]{
			Len:      1,
			Value:    func(dst, x []float64, m Market) { dst[0] = -dot(x, m.Returns) },
			Gradient: func(dst, _, weights []float64, m Market) { addScaled(dst, -weights[0], m.Returns) },
		},
		F: csspa.Identity[Market](1),
		H: csspa.Func[Market]{
			Len:      1,
			Value:    func(dst, x []float64, m Market) { dst[0] = dot(x, m.Returns) },
			Gradient: func(dst, _, weights []float64, m Market) { addScaled(dst, weights[0], m.Returns) },
		},
		L: csspa.Func[Market]{
			Len: 1,
			Value: func(dst, u []float64, m Market) {
				dst[0] = math.Pow(max(0, u[0]-m.Index), p.Power) - budget
			},
			Gradient: func(dst, u, weights []float64, m Market) {
				dst[0] += weights[0] * p.Power * math.Pow(max(0, u[0]-m.Index), p.Power-1)
			},
		},
		X: csspa.Simplex{Total: 1},
	}, nil
}
