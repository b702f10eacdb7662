package surrogate

import "fmt"

// ThresholdError says that a threshold cτ cannot be met, or only by reversing
// the bias, whatever the records.
type ThresholdError struct {
	Name      Name
	Threshold float64
	// Bound is the least threshold that can be met, or that can be met without
	// reversing the bias.
	Bound float64
	// OnlyReversed is false if nothing meets the threshold, true if some model
	// does, but only one with E[z|versus] > E[z|group]. If the relaxation is
	// imposed in both directions the two then contradict each other.
	OnlyReversed bool
}

func (e *ThresholdError) Error() string {
	if e.OnlyReversed {
		return fmt.Sprintf("threshold c*tau = %.4g of %s can be met only by reversing the bias: use at least %.4g", e.Threshold, e.Name, e.Bound)
	}
	return fmt.Sprintf("threshold c*tau = %.4g of %s cannot be met by any model: use at least %.4g", e.Threshold, e.Name, e.Bound)
}

// CheckThreshold reports, as a *ThresholdError, a threshold that is provably too
// small for one instance of the relaxation. With Δ = E[z|s+] − E[z|s−]:
//
//	approximation-1   V_1 ≥ 1+Δ and V_2 ≥ 1−Δ add up to 2: needs cτ ≥ 1
//	approximation-2   V ≥ (1+Δ)² for Δ ≥ −1: below 1 only with Δ < 0
//	approximation-3   V = V_1² + 2(V_1+V_2) ≥ 4: needs cτ ≥ 2; V ≥ 5 if Δ ≥ 0,
//	                  so below √5 only with Δ < 0
//
// The bounds suppose that both sides are more frequent than epsilon. The mean
// margin and the sigmoid gap are 0 at w = 0 and can meet any threshold.
func CheckThreshold(name Name, threshold float64) error {
	facts := name.Facts()
	switch {
	case threshold < facts.LeastThreshold:
		return &ThresholdError{Name: name, Threshold: threshold, Bound: facts.LeastThreshold}
	case threshold < facts.LeastFairThreshold:
		return &ThresholdError{Name: name, Threshold: threshold, Bound: facts.LeastFairThreshold, OnlyReversed: true}
	}
	return nil
}
