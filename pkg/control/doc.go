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
//	aim.go         how far below tau the target is
//	record.go      what is known about a record, asked of the models and reported about a constraint
//	memory.go      the rows of recent records, and their margins under the present models
//	window.go      the recent records of one side, and what changes between newer and older ones say
//	constraint.go  one enforced comparison of rates: its state, and whether it needs a constrained model; multipliers
//	push.go        the gradient of a relaxation, which drives a constrained model; what holds its margins
//	balance.go     remembered records of a side that stays away
//	curve.go       the difference at each interpolation weight, over the windows, on two processors; whether it is moving
//	choice.go      which interpolation weights are chosen
//	threshold.go   a shift of the threshold, where no interpolation weight is enough
//	active.go      the comparisons that have a constrained model, and those that share the doubt
//	remember.go    how a record, and later its label, gets into the windows
//	rates.go       constraints on rates of decisions
//	means.go       constraints on mean predictions
//	state.go       what a snapshot saves
//
// Imports of the project: internal/codec, internal/halves, internal/logistic, internal/refine, internal/turns, pkg/fairness, pkg/features (rows, unread), pkg/linear (margins), pkg/surrogate.
package control
