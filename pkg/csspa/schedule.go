package csspa

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

// Schedule gives the step sizes of step t = 1, 2, ... and says what the paper
// proves about them.
type Schedule interface {
	At(t int) StepSizes
	Guarantee() Guarantee
	Check() error
}

var (
	_ Schedule = PowerLaw{}
	_ Schedule = Constant{}
)

// PowerLaw is the family of step sizes of both theorems, with τ = t, or τ = T
// for every t when Horizon is set:
//
//	α_t = Alpha0 τ^-A    β_t = Beta0 τ^-B    δ_t = Regularization (1 + 1/β_t + 1/β_{t+1})
//
// Theorem1, Theorem2 and Theorem2Horizon build the ones that the theorems speak of.
type PowerLaw struct {
	Alpha0, Beta0  float64 // > 0; Beta0 at most 1
	A, B           float64 // >= 0
	Regularization float64 // >= 0; 4K in Theorem 2, 2K in Theorem 1
	Horizon        int     // T, the number of steps that will be taken; 0 for powers of t
}

// At returns the step sizes of step t >= 1.
func (s PowerLaw) At(t int) StepSizes {
	now, next := float64(t), float64(t+1)
	if s.Horizon > 0 {
		now = float64(s.Horizon)
		next = now
	}
	beta := s.Beta0 * math.Pow(now, -s.B)
	nextBeta := s.Beta0 * math.Pow(next, -s.B)
	return StepSizes{
		Alpha: s.Alpha0 * math.Pow(now, -s.A),
		Beta:  beta,
		Delta: s.Regularization * (1 + 1/beta + 1/nextBeta),
	}
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

// Constant uses the same step sizes for ever: for streams without end, where the
// answer must follow a drifting optimum. No theorem covers it.
type Constant StepSizes

// At returns the constants.
func (s Constant) At(int) StepSizes { return StepSizes(s) }

// Guarantee says that there is none.
func (s Constant) Guarantee() Guarantee {
	return Guarantee{Reason: "constant step sizes do not depend on the number of steps: no theorem of the paper holds (Theorem2Horizon gives constants for a known number)"}
}

// Check reports the first field that is out of range.
func (s Constant) Check() error {
	switch {
	case !(s.Alpha > 0) || math.IsInf(s.Alpha, 1):
		return fmt.Errorf("csspa: Constant.Alpha is %v: it must be positive and finite", s.Alpha)
	case !(s.Beta > 0 && s.Beta <= 1):
		return fmt.Errorf("csspa: Constant.Beta is %v: it must be in (0, 1]", s.Beta)
	case !(s.Delta >= 0) || math.IsInf(s.Delta, 1):
		return fmt.Errorf("csspa: Constant.Delta is %v: it must be finite and not negative", s.Delta)
	}
	return nil
}
