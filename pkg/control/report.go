package control

import "github.com/fairstream/fairstream/pkg/fairness"

// Report is how one enforced constraint is kept.
type Report struct {
	Name      string
	Criterion fairness.Criterion
	Tau       float64
	// Multiplier is the Lagrange multiplier; its sign is that of the difference it works against.
	Multiplier float64
	// Target is the absolute difference that is aimed at on recent records: tau less Theta, the allowance for sampling
	// error, and Gap, the allowance for the generalisation gap; at least a fifth of tau.
	Target, Theta, Gap float64
	// EffectiveConstant is the c for which the relaxation at the published weights equals c*tau.
	EffectiveConstant float64
	// Reachable is false while no interpolation weight reaches the target on recent records.
	Reachable bool
	// Changes is how often the records changed so much that older ones were dropped.
	Changes int64
	// AtFloor says that Theta leaves no more than the least target: tau is below what chance makes of a holdout.
	AtFloor bool
}
