package csspa

import "github.com/fairstream/fairstream/pkg/csspa/steps"

// StepSizes are the numbers that one step uses.
type StepSizes = steps.StepSizes

// PowerLaw is the family of step sizes of both theorems.
type PowerLaw = steps.PowerLaw

// Guarantee is what the paper proves of a schedule.
type Guarantee = steps.Guarantee

// Theorem1 returns the step sizes of Theorem 1: α_t = t^-a / 4K, β_t = t^-b, δ_t = 2K (1 + 1/β_t + 1/β_{t+1}), to be used with θ = 0.
func Theorem1(k, a, b float64) (PowerLaw, error) { return steps.Theorem1(k, a, b) }

// Theorem2 returns the step sizes of Theorem 2 in powers of t: α_t = t^-a / 7K, β_t = t^-b, δ_t = 4K (1 + 1/β_t + 1/β_{t+1}).
func Theorem2(k, a, b float64) (PowerLaw, error) { return steps.Theorem2(k, a, b) }

// Theorem2Horizon returns the step sizes of Theorem 2 for a known number of steps T.
func Theorem2Horizon(k, a, b float64, horizon int) (PowerLaw, error) {
	return steps.Theorem2Horizon(k, a, b, horizon)
}

// Exponents is what the paper proves of powers a and b, of t or, with a horizon, of T.
func Exponents(a, b float64, horizon bool) Guarantee { return steps.Exponents(a, b, horizon) }
