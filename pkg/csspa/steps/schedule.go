package steps

import (
	"fmt"
	"math"
)

// StepSizes are the numbers that one step uses.
type StepSizes struct {
	Alpha float64 // α_t, step of x and λ
	Beta  float64 // β_t, weight of the newest inner value, in (0, 1]
	Delta float64 // δ_t, pull of λ towards 0
}

// PowerLaw is the family of step sizes of both theorems, with τ = t, or τ = T
// for every t when Horizon is set:
//
//	α_t = Alpha0 τ^-A    β_t = Beta0 τ^-B    δ_t = Regularization (1 + 1/β_t + 1/β_{t+1})
//
// Theorem1, Theorem2 and Theorem2Horizon build the schedules of the theorems.
// With A = B = 0 the steps are constant: for streams without end, whose optimum
// drifts. No theorem covers constant steps.
type PowerLaw struct {
	Alpha0, Beta0  float64 // > 0; Beta0 at most 1
	A, B           float64 // >= 0
	Regularization float64 // >= 0; 4K in Theorem 2, 2K in Theorem 1
	Horizon        int     // T, the number of steps that will be taken; 0 for powers of t
}

// At returns the step sizes of step t >= 1.
func (s PowerLaw) At(t int) StepSizes {
	p := Pace{Law: s}
	return p.At(t)
}

// decay is v^-exponent. The exponents 1/2 and 3/4 of the paper need no logarithm,
// which is a third of a small problem's step where every step has its own size.
func (s *PowerLaw) decay(v, exponent float64) float64 {
	if s.Horizon == 0 {
		switch exponent {
		case 0.5:
			return 1 / math.Sqrt(v)
		case 0.75:
			root := math.Sqrt(v)
			return 1 / (root * math.Sqrt(root))
		}
	}
	return math.Pow(v, -exponent)
}

// Check reports the first field that is out of range.
func (s PowerLaw) Check() error {
	switch {
	case !(s.Alpha0 > 0) || math.IsInf(s.Alpha0, 1):
		return fmt.Errorf("csspa: PowerLaw.Alpha0 is %v: it must be positive and finite", s.Alpha0)
	case !(s.Beta0 > 0 && s.Beta0 <= 1):
		return fmt.Errorf("csspa: PowerLaw.Beta0 is %v: it must be in (0, 1]", s.Beta0)
	case !(s.A >= 0) || !(s.B >= 0) || math.IsInf(s.A, 1) || math.IsInf(s.B, 1):
		return fmt.Errorf("csspa: PowerLaw exponents are a = %v, b = %v: they must be finite and not negative", s.A, s.B)
	case !(s.Regularization >= 0) || math.IsInf(s.Regularization, 1):
		return fmt.Errorf("csspa: PowerLaw.Regularization is %v: it must be finite and not negative", s.Regularization)
	case s.Horizon < 0:
		return fmt.Errorf("csspa: PowerLaw.Horizon is %d: it must be the number of steps, or 0 for powers of t", s.Horizon)
	}
	return nil
}

// CheckSaddle reports why the saddle point method cannot use s: Algorithm 1 asks
// for α_t < 1, and a multiplier that is multiplied by 1 - α_t² δ_t must not change
// its sign. Both are largest at t = 1 unless 2A < B. With Theorem 2's constants and
// powers of t at (3/4, 1/2) they need K >= 0.28. With powers of T a small K will do.
func (s PowerLaw) CheckSaddle() error {
	if err := s.Check(); err != nil {
		return err
	}
	first := s.At(1)
	pull := first.Alpha * first.Alpha * first.Delta
	switch {
	case !(first.Alpha < 1):
		return fmt.Errorf("csspa: the first step size α_1 is %.3g: Algorithm 1 needs α_t < 1 (use a larger K)", first.Alpha)
	case !(pull <= 1):
		return fmt.Errorf("csspa: α_1² δ_1 is %.3g: it must be at most 1, or a step turns the sign of a multiplier (use a larger K)", pull)
	case s.Horizon == 0 && s.Regularization > 0 && 2*s.A < s.B:
		return fmt.Errorf("csspa: α_t² δ_t grows without bound for a = %v, b = %v: it needs 2a >= b", s.A, s.B)
	}
	return nil
}

// Pace hands out the step sizes of one step after the other, and computes each power once.
type Pace struct {
	Law PowerLaw

	known int // the step that size belongs to; 0 for none
	size  StepSizes

	next, inverse float64 // β of the step after it, and its inverse
}

// At returns the step sizes of step t >= 1.
func (p *Pace) At(t int) StepSizes {
	law := &p.Law
	if law.Horizon > 0 {
		if p.known == 0 {
			p.fill(float64(law.Horizon), float64(law.Horizon), false)
		}
	} else {
		p.fill(float64(t), float64(t+1), t == p.known+1 && p.known > 0)
	}
	p.known = t
	return p.size
}

// fill computes the sizes at τ = now. following says that next is β there.
func (p *Pace) fill(now, after float64, following bool) {
	law := &p.Law
	if !following {
		p.next = law.Beta0 * law.decay(now, law.B)
		p.inverse = 1 / p.next
	}
	beta, inverse := p.next, p.inverse
	p.next = law.Beta0 * law.decay(after, law.B)
	p.inverse = 1 / p.next
	p.size = StepSizes{
		Alpha: law.Alpha0 * law.decay(now, law.A),
		Beta:  beta,
		Delta: law.Regularization * (1 + inverse + p.inverse),
	}
}
