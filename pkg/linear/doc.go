// Package linear learns several linear models side by side over the same sparse rows: one without constraints, and one
// for each constraint that needs one. It knows rows, labels and gradients; it knows no groups of people.
//
// One record goes through Models like this:
//
//	weight := m.Count(weight)               // relative to the mean weight
//	m.Margins(&margins, &row)               // of every model
//	m.Add(sum, &row, &margins, weight)      // if its row belongs to a running sum
//	gradients := m.Step(&row, &margins, push, label, weight)
//	m.Adapt(encoder)                        // priors, now and then
//
// Every model takes steps of AdaGrad (Duchi, Hazan and Singer, JMLR 12, 2011) and is averaged exponentially (Polyak and
// Juditsky, SIAM J. Control Optim. 30, 1992). Only the averages are published. A step costs O(non-zeros · models) and
// allocates nothing.
//
// A file uses only those before it:
//
//	labels.go    where the labels of a regression lie
//	loss.go      what a margin costs: the logistic and the squared loss
//	margins.go   what the models make of a row
//	sum.go       running sums of rows, and their products with the models
//	prior.go     how strongly groups of weights are drawn to 0
//	models.go    the numbers of each weight, margins, averages
//	join.go      models that join and leave
//	adapt.go     what follows the encoder: new weights, owners, precisions
//	sparse.go    the penalty that shrinks whole columns
//	step.go      one step
//	press.go     a step from constraints alone, for a record without a label
//	influence.go how far learning a row moved its own margin
//	given.go     models that were found by other means than steps
//	state.go     what a snapshot saves
//
// Imports of the project: internal/adagrad, internal/codec, internal/logistic, internal/sums, pkg/features, pkg/record.
package linear
