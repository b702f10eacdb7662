// Package control keeps the differences between groups within tau. Its input is margins, weights of records and the
// groups of comparisons. It has no access to features and takes no gradient steps.
//
// The models are learnt side by side (pkg/linear): one without constraints, and for each enforced comparison a
// constrained one, which a Push drives towards equal treatment at a fixed multiplier. Published is
//
//	w = w_free + Σ_k interpolation_k (w_constrained_k − w_free)
//
// the secant of the path that the solution of the saddle point takes as the multipliers grow: the multiplier of the
// published model is interpolation_k × multiplier_k. This package therefore chooses only the interpolation weights, from
// recent records and not by gradient ascent. This needs no step size, has no limit cycle, and follows a change as fast as
// the records do.
//
// Rates keeps differences of rates of decisions, Means those of mean predictions. Both keep to one Aim: the target is
// tau minus an allowance for sampling error and minus the generalisation gap, which is how much the differences on unseen
// records exceeded the predicted ones.
//
// A file uses only those before it:
//
//	aim.go         how far below tau the target is
//	record.go      what is told of a record, and what is asked of the models
//	report.go      how a constraint is kept
//	window.go      the recent records of one side
//	refresh.go     margins of old records under today's models
//	constraint.go  the state of one enforced comparison of rates
//	push.go        what drives a constrained model, for rates
//	curve.go       the difference as a function of an interpolation weight
//	change.go      what no longer holds is dropped
//	choice.go      the interpolation weight
//	threshold.go   a shift of every margin, where no interpolation weight does
//	rates.go       constraints on rates of decisions
//	side.go        what the means of one side were predicted to be, and were
//	means.go       constraints on mean predictions
//	state.go       what a snapshot saves
//
// Imports of the project: internal/codec, pkg/fairness, pkg/features (rows, unread), pkg/linear (margins), pkg/surrogate.
package control
