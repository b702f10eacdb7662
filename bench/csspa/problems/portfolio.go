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
//	maximise E r·x   subject to   E_I [ (E r·x - I)^p ]_+ - Tau^p <= 0
//
// over the simplex, where I is the index's return. The outer function is random.
// The print takes the positive part of the power. For odd p that is (E r·x - I)_+^p,
// the mean above the index. For even p the positive part does nothing: the
// deviation |E r·x - I|^p is bounded on both sides. Set OneSided to bound only the
// mean above the index for even p too, which the print does not say.
//
// The constraint depends on x through the mean E r·x alone, so every portfolio with
// the right mean is optimal. The outer gradients must be Lipschitz (aoutersm),
// hence p >= 2. For returns that are small numbers, see Problem.ScaleConstraints in
// package csspa.
type Portfolio struct {
	Securities int     // n, at least 1
	Power      int     // p, at least 2
	Tau        float64 // in units of return, > 0
	OneSided   bool    // (E r·x - I)_+^p for even p as well
}

// Check reports the first field that is out of range.
func (p Portfolio) Check() error {
	switch {
	case p.Securities < 1:
		return fmt.Errorf("problems: Portfolio.Securities is %d: it must be at least 1", p.Securities)
	case p.Power < 2:
		return fmt.Errorf("problems: Portfolio.Power is %d: it must be at least 2", p.Power)
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
	budget := math.Pow(p.Tau, float64(p.Power))
	return csspa.Problem[Market]{
		N: p.Securities,
		G: csspa.Func[Market]{
			In: p.Securities, Len: 1,
			Value:    func(dst, x []float64, m Market) { dst[0] = -dot(x, m.Returns) },
			Gradient: func(dst, _, weights []float64, m Market) { addScaled(dst, -weights[0], m.Returns) },
		},
		F: csspa.Identity[Market](1),
		H: csspa.Func[Market]{
			In: p.Securities, Len: 1,
			Value:    func(dst, x []float64, m Market) { dst[0] = dot(x, m.Returns) },
			Gradient: func(dst, _, weights []float64, m Market) { addScaled(dst, weights[0], m.Returns) },
		},
		L: csspa.Func[Market]{
			In: 1, Len: 1,
			Value: func(dst, u []float64, m Market) {
				dst[0] = power(p.deviation(u[0]-m.Index), p.Power) - budget
			},
			Gradient: func(dst, u, weights []float64, m Market) {
				dst[0] += weights[0] * float64(p.Power) * power(p.deviation(u[0]-m.Index), p.Power-1)
			},
		},
		X: csspa.Simplex{Total: 1},
	}, nil
}

// deviation is the base of the power: the part of v that counts.
func (p Portfolio) deviation(v float64) float64 {
	if p.OneSided || p.Power%2 == 1 {
		return max(0, v)
	}
	return v
}

// power is v^n for n >= 1.
func power(v float64, n int) float64 {
	result := v
	for range n - 1 {
		result *= v
	}
	return result
}
