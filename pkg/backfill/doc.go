// Package backfill learns a history by sums: the weights that one learner would find record by record, from passes over many files at the
// same time.
//
// A backfill goes over all records again and again:
//
//	survey   counts them, and finds the sample and the newest
//	sample   an ordinary learner learns the records with the lowest hashes, and so fixes columns, levels and priors
//	rounds   each pass sums gradient and curvature of the loss and of the constraints' relaxations; a step of Newton's method follows
//	newest   a learner begins with the weights of the sums, and learns the newest records one after the other
//
// The objective is the learner's, with the expectation in place of the sample: the loss, the priors, and for each constrained model the
// relaxation of its comparison at a multiplier. Multipliers are chosen so that decisions about records that are held out keep the
// target of the comparison; the last rounds are over these records, too. Where records are few for their weights, the same records choose how
// strongly the priors hold.
//
// # Rules
//
//   - Sums are of integers, so the state is a function of configuration and records: the number of shards, the order in which they end and the
//     processor change no bit. Everything that is computed from sums is computed by one goroutine, with products rounded before they are added.
//   - Whether a step was too long is seen in the gradient, which is exact, and not in the loss. A step is shortened, and never given up.
//   - The newest records are in no sum, and measurements from sums are not published: the learner measures only records that the weights had
//     not seen.
//   - The package knows neither files nor engines: a Source hands on records, by file and position. With Elsewhere, workers in other processes take
//     them in; their parts are sums and lists whose union does not depend on how the records were dealt out.
//
// A file uses only those before it:
//
//	fixed.go     sums of integers, so that no order changes a bit
//	source.go    files, places and hashes; all records of a source; a defect names its file
//	pass.go      a pass over all of them, here or by workers elsewhere
//	shelf.go     records packed in little memory
//	survey.go    the first pass: which records are the sample (--sample), and which newest ones are left to an ordinary learner
//	sums.go      what a pass sums of each record
//	climb.go     one model on the way to its optimum: steps and how they are shortened
//	newton.go    gradient and direction from sums
//	press.go     the multiplier of each constraint: how it grows, and when the difference is near enough to its target
//	strength.go  stronger priors where records are few for their weights
//	rounds.go    phases and rounds from the first to the last; records held out to choose multipliers; when it ends unfinished
//	worker.go    a worker of a pass, in another process
//	backfill.go  the backfill from its start to its end; records that are too few, or lack label or time
//	state.go     the file that a backfill writes for `run --start-from`
//
// Imports of the project: internal/codec, internal/envelope, internal/logistic, pkg/control, pkg/fairness, pkg/features, pkg/linear, pkg/model, pkg/record,
// pkg/surrogate.
package backfill
