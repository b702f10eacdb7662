package surrogate

import "github.com/fairstream/fairstream/internal/logistic"

// Logistic is σ(x) = 1/(1+exp(−x)), with the same bits on every machine: see internal/logistic. The error is below 2
// units in the last place. x may be any number; beyond ±708 the result is exactly 0 or 1, and NaN gives NaN.
func Logistic(x float64) float64 { return logistic.Probability(x) }

// LogisticDerivative is σ(x)(1−σ(x)), to the same precision: it does not lose
// its digits where σ is next to 1.
func LogisticDerivative(x float64) float64 { return logistic.Derivative(x) }
