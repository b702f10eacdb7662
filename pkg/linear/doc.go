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
//	labels.go     where the labels of a regression lie; outlying labels are bounded
//	loss.go       the logistic and the squared loss, and constants that are tuned for each
//	margins.go    what the models make of a row
//	sum.go        running sums of rows, and their products with the models; bins that a column earns late, which older rows lack
//	shared.go     how well the columns with few levels tell labels, from which their prior is chosen; not of fewer than 32 weights
//	prior.go      how strongly groups of weights are drawn to 0: one precision a group, from the records
//	models.go     what is kept of each weight: iterate, average, curvature; learner.step, regularization and forgetting; the largest weight of a
//	              record
//	join.go       models that join, leave, settle or are mirrored
//	adapt.go      new weights of the encoder; when precisions are chosen again; weights in use
//	sparse.go     learner.sparsity: the penalty that shrinks whole columns
//	step.go       one step of all models, and how far it may move a record's own margin
//	press.go      a step from constraints alone, for a record without a label or a remembered one
//	influence.go  how far learning a record moved its own margin (leave-one-out)
//	given.go      models that a backfill found by sums
//	state.go      what a snapshot saves
//
// Imports of the project: internal/adagrad, internal/codec, internal/logistic, internal/sums, pkg/features, pkg/record.
package linear
