package problems

import (
	"fmt"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// Measurement is a record of the fair regression.
type Measurement struct {
	X []float64 // features, length d
	Y float64   // what is predicted
	S float64   // sensitive attribute, a number
}

// FairSpAM is the sparse additive model with a covariance constraint
// (fairspamcoeff): with q powers per feature as basis, h_j(x) = Σ_k w_jk x^k,
//
//	min_{‖w‖ <= Radius} E (y - Σ_j h_j(x_j))² + Mu Σ_j √( E h_j(x_j)² )
//	s.t. -Tau <= Cov(s, Σ_j h_j(x_j)) <= Tau
//
// The weights are w_11, ..., w_1q, w_21, ..., so n = Features · Powers. The root's
// vertical tangent at 0 is tilted: √(v + ε²) - ε with ε = Smoothing.
type FairSpAM struct {
	Features  int     // d, at least 1
	Powers    int     // q, at least 1
	Mu        float64 // weight of the group penalty, >= 0
	Tau       float64 // bound of the covariance, in units of s times y, > 0
	Radius    float64 // of the ball X, > 0
	Smoothing float64 // ε > 0, in units of y
}

// Check reports the first field that is out of range.
func (m FairSpAM) Check() error {
	switch {
	case m.Features < 1 || m.Powers < 1:
		return fmt.Errorf("problems: FairSpAM has %d features and %d powers: both must be at least 1", m.Features, m.Powers)
	case !(m.Mu >= 0):
		return fmt.Errorf("problems: FairSpAM.Mu is %v: it must not be negative", m.Mu)
	case !(m.Tau > 0):
		return fmt.Errorf("problems: FairSpAM.Tau is %v: it must be positive, or no point is strictly feasible", m.Tau)
	case !(m.Radius > 0):
		return fmt.Errorf("problems: FairSpAM.Radius is %v: it must be positive", m.Radius)
	case !(m.Smoothing > 0):
		return fmt.Errorf("problems: FairSpAM.Smoothing is %v: it must be positive", m.Smoothing)
	}
	return nil
}

// Problem states the model as problem (P), with g = [(y - p)², h_1², ..., h_d²],
// f(z) = z_1 + Mu Σ_j √z_{j+1}, h = [s p, s, p] and l = ±(u_1 - u_2 u_3) - Tau,
// where p is the prediction.
func (m FairSpAM) Problem() (csspa.Problem[Measurement], error) {
	if err := m.Check(); err != nil {
		return csspa.Problem[Measurement]{}, err
	}
	return csspa.Problem[Measurement]{
		N: m.Features * m.Powers,
		G: spamSquares{m},
		F: groupPenalty(m),
		H: spamMoments{m},
		L: csspa.Func[Measurement]{
			In: 3, Len: 2,
			Value: func(dst, u []float64, _ Measurement) {
				covariance := u[0] - u[1]*u[2]
				dst[0], dst[1] = covariance-m.Tau, -covariance-m.Tau
			},
			Gradient: func(dst, u, weights []float64, _ Measurement) {
				d := weights[0] - weights[1]
				dst[0] += d
				dst[1] -= d * u[2]
				dst[2] -= d * u[1]
			},
		},
		X:          csspa.Ball{Radius: m.Radius},
		FixedOuter: true,
	}, nil
}

// Predict returns Σ_j h_j(x_j).
func (m FairSpAM) Predict(w, x []float64) float64 {
	sum := 0.0
	for j := range m.Features {
		sum += m.feature(w, x, j)
	}
	return sum
}

// feature returns h_j(x_j), by Horner's rule.
func (m FairSpAM) feature(w, x []float64, j int) float64 {
	value := 0.0
	for k := m.Powers - 1; k >= 0; k-- {
		value = float64((value + w[j*m.Powers+k]) * x[j])
	}
	return value
}

// addFeature adds scale times the gradient of h_j(x_j) in w.
func (m FairSpAM) addFeature(dst []float64, scale float64, x []float64, j int) {
	for k := range m.Powers {
		scale *= x[j]
		dst[j*m.Powers+k] += scale
	}
}

// spamSquares is g.
type spamSquares struct{ FairSpAM }

func (g spamSquares) Outputs() int { return g.Features + 1 }

func (g spamSquares) Evaluate(dst, w []float64, r Measurement) {
	prediction := 0.0
	for j := range g.Features {
		h := g.feature(w, r.X, j)
		dst[j+1] = h * h
		prediction += h
	}
	dst[0] = (r.Y - prediction) * (r.Y - prediction)
}

func (g spamSquares) AddGradient(dst, w, weights []float64, r Measurement) {
	residual := g.Predict(w, r.X) - r.Y
	for j := range g.Features {
		h := g.feature(w, r.X, j)
		g.addFeature(dst, 2*(weights[0]*residual+weights[j+1]*h), r.X, j)
	}
}

// groupPenalty is f.
func groupPenalty(m FairSpAM) csspa.Function[Measurement] {
	return csspa.Func[Measurement]{
		In: m.Features + 1, Len: 1,
		Value: func(dst, z []float64, _ Measurement) {
			dst[0] = z[0]
			for _, v := range z[1:] {
				r, _ := csspa.Root(v, m.Smoothing)
				dst[0] += m.Mu * r
			}
		},
		Gradient: func(dst, z, weights []float64, _ Measurement) {
			dst[0] += weights[0]
			for j, v := range z[1:] {
				_, slope := csspa.Root(v, m.Smoothing)
				dst[j+1] += weights[0] * m.Mu * slope
			}
		},
	}
}

// spamMoments is h.
type spamMoments struct{ FairSpAM }

func (spamMoments) Outputs() int { return 3 }

func (h spamMoments) Evaluate(dst, w []float64, r Measurement) {
	prediction := h.Predict(w, r.X)
	dst[0], dst[1], dst[2] = r.S*prediction, r.S, prediction
}

func (h spamMoments) AddGradient(dst, _, weights []float64, r Measurement) {
	scale := weights[0]*r.S + weights[2]
	for j := range h.Features {
		h.addFeature(dst, scale, r.X, j)
	}
}

// SpAMData draws the paper's synthetic data: features uniform on [0, 1], y =
// r_1 x_1^4 + r_2 x_2^3 + r_3 x_3^2 + r_4 x_4 + noise of variance 0.1, s = a x_1 + b,
// with r_1, ..., r_4, a, b drawn once, uniform on [0, 1]. features is at least 4
// (30 in the paper), records 20,000 there.
func SpAMData(rng *rand.Rand, records, features int) []Measurement {
	if features < 4 {
		panic("problems: SpAMData needs at least 4 features")
	}
	const noise = 0.31622776601683794 // √0.1
	var r [4]float64
	for i := range r {
		r[i] = rng.Float64()
	}
	a, b := rng.Float64(), rng.Float64()
	data := make([]Measurement, records)
	for i := range data {
		x := make([]float64, features)
		for j := range x {
			x[j] = rng.Float64()
		}
		y := r[0]*x[0]*x[0]*x[0]*x[0] + r[1]*x[1]*x[1]*x[1] + r[2]*x[2]*x[2] + r[3]*x[3]
		data[i] = Measurement{X: x, Y: y + noise*rng.NormFloat64(), S: a*x[0] + b}
	}
	return data
}
