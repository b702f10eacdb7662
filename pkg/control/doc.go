// Package control keeps the differences between groups within tau. Its input is margins, weights of records and the
// groups of comparisons. It has no access to features and takes no gradient steps.
//
// The models are learnt side by side (pkg/linear): one without constraints, and for each enforced comparison that needs it a
// constrained one, which a Push drives towards equal treatment at a fixed multiplier. Published is
//
//	w = w_free + Σ_k interpolation_k (w_constrained_k − w_free)
//
// the secant of the path that the solution of the saddle point takes as the multipliers grow: the multiplier of the
// published model is interpolation_k × multiplier_k. The multipliers ascend on the tracked difference of the decisions that
// the published model makes (Algorithm 1 of the paper), and are set exactly to what the windows show at each choice.
//
// Rates bounds differences of rates of decisions, and Means differences of mean predictions. Both use one Aim: the target is
// tau minus an allowance for sampling error and, for Means, minus another one for the generalisation gap, the amount by which
// differences on unseen records exceeded the predicted ones.
//
// A file uses only those before it:
//
//	aim.go         how far below tau the target is: learner.confidence, learner.holdout_records; by how much intervals are widened (Inflation)
//	record.go      what control is told of a record, asks of the models and reports about a constraint
//	memory.go      the rows of recent records, and their margins under the present models, without what each record owes to itself (leave-one-out)
//	window.go      the recent records of one side; how many standard errors are a change or a moving difference; two or three changes, by direction,
//	               are unsteady
//	constraint.go  the state of one comparison of rates: difference or impact ratio, its multiplier; from which difference on it is pressed
//	               and needs a constrained model (what is left to chance, less where labels are missing); when its interval is too wide (3 tau)
//	               to decide for others
//	push.go        the gradient of a relaxation, which drives a constrained model; its largest size; what holds its margins
//	balance.go     remembered records of a side that stays away are pushed; for how long a side is away (one_side_away)
//	curve.go       the difference at each interpolation weight; drops older records where newer ones are unlike them; by how much a difference is
//	               moving
//	choice.go      which interpolation weight is chosen for a comparison; a bias that has turned
//	threshold.go   a shift of the threshold, where no interpolation weight is enough, and when only constant decisions remain
//	active.go      how often weights are chosen; which comparisons get a constrained model or lose it; how they share the doubt (Holm); margins
//	               computed again
//	remember.go    how a record, and later its label, gets into the windows
//	rates.go       constraints on rates of decisions: each record, each choice (in a burst of one group all margins are computed again), counts that
//	               verdicts rest on, unsteady and moved
//	means.go       constraints on mean predictions: each record, each choice, its generalisation gap
//	state.go       what a snapshot saves
//
// Imports of the project: internal/codec, internal/halves, internal/logistic, internal/refine, internal/turns, pkg/fairness, pkg/features (rows, unread, weights that have come), pkg/linear (margins), pkg/surrogate.
package control
