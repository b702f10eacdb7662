package surrogate

import "github.com/fairstream/fairstream/pkg/fairness"

// The inner functions and their derivatives in the margin. With m = z in the
// first half of u and m = −z in the second, the hinge relaxations share
//
//	U(m) = max(0, 1+m)   U′(m) = 1 if m > −1, else 0
//	L(m) = min(1, m)     L′(m) = 1 if m < 1, else 0
//
// At the kinks m = −1 and m = 1 the derivative is that of the flat piece, 0.

// Inner writes h of one record into dst. A record on neither side gives zeros.
func (r *Relaxation) Inner(dst []float64, side fairness.Side, z float64) {
	dst = dst[:2*r.half]
	clear(dst)
	base, sign := r.halfOf(side)
	if sign == 0 {
		return
	}
	dst[base] = 1
	switch r.kind {
	case meanMargin:
		dst[base+1] = z
	case sigmoidGap:
		dst[base+1] = Logistic(r.settings.Slope * z)
	default:
		m := float64(sign * z)
		dst[base+1] = max(0, 1+m)
		if r.half == 3 {
			dst[base+2] = min(1, m)
		}
	}
}

// InnerDerivative writes dh/dz of one record into dst. The derivative of h in
// the weights is the outer product of dst with the record's features.
func (r *Relaxation) InnerDerivative(dst []float64, side fairness.Side, z float64) {
	dst = dst[:2*r.half]
	clear(dst)
	base, sign := r.halfOf(side)
	if sign == 0 {
		return
	}
	switch r.kind {
	case meanMargin:
		dst[base+1] = 1
	case sigmoidGap:
		dst[base+1] = r.settings.Slope * LogisticDerivative(r.settings.Slope*z)
	default:
		m := sign * z
		if m > -1 {
			dst[base+1] = sign
		}
		if r.half == 3 && m < 1 {
			dst[base+2] = sign
		}
	}
}

// Track moves u towards h of one record: u ← (1−beta) u + beta h (Algorithm 1,
// the tracking step of the constraint's inner function), 0 ≤ beta ≤ 1.
func (r *Relaxation) Track(u []float64, beta float64, side fairness.Side, z float64) {
	r.TrackWeighted(u, beta, 1, side, z)
}

// TrackWeighted is Track with weight times h, for a record that counts that much.
func (r *Relaxation) TrackWeighted(u []float64, beta, weight float64, side fairness.Side, z float64) {
	u = u[:2*r.half]
	keep := 1 - beta
	for i := range u {
		u[i] = float64(u[i] * keep)
	}
	base, sign := r.halfOf(side)
	if sign == 0 {
		return
	}
	beta = float64(beta * weight)
	u[base] += beta
	switch r.kind {
	case meanMargin:
		u[base+1] += float64(beta * z)
	case sigmoidGap:
		u[base+1] += float64(beta * Logistic(r.settings.Slope*z))
	default:
		m := float64(sign * z)
		u[base+1] += float64(beta * max(0, 1+m))
		if r.half == 3 {
			u[base+2] += float64(beta * min(1, m))
		}
	}
}

// halfOf returns where a side's half of u begins, and +1 for the first half, −1
// for the second, 0 for a record that is in neither.
func (r *Relaxation) halfOf(side fairness.Side) (base int, sign float64) {
	switch side {
	case r.first:
		return 0, 1
	case r.second:
		return r.half, -1
	}
	return 0, 0
}
