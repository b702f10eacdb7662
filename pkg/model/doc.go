// Package model is the learner. It trains a linear classifier of encoded records, or an additive model of a number, in one
// pass and under constraints on how differently the model treats groups.
//
// One record goes through a Learner like this, whatever the task and the mode (learner.go, learn):
//
//	fairness.Grouper   which side of each comparison the record is on
//	features.Learning  the fields become a sparse row
//	method             predicts the row: the published model, and the one without constraints
//	evaluation         measures the prediction, before the record is learnt
//	features.Learning  is told how far the prediction was off, and may give levels weights of their own
//	method             takes one step
//
// There are two methods. The constrained one learns models side by side (pkg/linear) and controls which mixture of them is
// published (pkg/control), for decisions or for predictions of a number. The other one follows Algorithm 1 of the paper to
// the letter.
//
// # Rules
//
//   - The state of a Learner is a pure function of its configuration and the sequence of records it
//     was given: no clock, no randomness, no map order. Asking for a Document or a snapshot does not
//     change it. A Learner restored from a snapshot continues bit for bit as if it had never stopped.
//   - The version of a model is the number of records that the learner was given, including records of weight 0, which change no weight, and
//     records that are reserved for evaluation. A label that comes later than its record adds one more.
//   - A record counts when it comes in numbers that need no label, and when its label comes in numbers that do. If every record comes with its
//     label, the weights are the same, bit for bit, as without support for late labels.
//   - A record is measured before it is learnt, so every measurement is about a record that was unseen.
//   - A learning step costs O(non-zeros) and allocates nothing; nothing that happens per record, or at
//     a fixed interval of records, is proportional to the number of weights.
//   - Products that are then added are rounded first (float64(a*b) + c) where they enter the state, so
//     that fused multiply-add changes nothing.
//
// A file uses only those before it:
//
//	config.go       keys and defaults of the sections learner, constraints and evaluation; how constraints become comparisons (enforce); which fields
//	                are features on purpose
//	validate.go     checks of these sections (learner.paper.k that is known to diverge), of keys that do not go with the task, and of keys that a mode
//	                does not read
//	fingerprint.go  which keys may change while a state is kept (constraints[].tau, record.id, …); config_sha256 of a learner
//	method.go       the first records (learner.warmup), attributes that none of them has, columns that are no features; examples and their weight
//	                within strata; the interface of a method
//	constrained.go  how the modes adaptive and unconstrained learn
//	paper.go        mode paper (learner.paper): Algorithm 1 as it is written
//	evaluation.go   test, then train: counts over the whole stream and its recent part; records that lack an attribute
//	conditions.go   when a condition holds: too_few_records, imprecise, tau_below_sampling_error, group_below_smoothing, unsteady, one_side_away,
//	                one_label_recently, constant_decision, no_better_than_constant, missing_with_bias, mostly_missing, groups_ignored,
//	                columns_left_out, vocabulary_full, columns_ignored, fields_moved, one_value, repeated_records, price_jumped, few_records_per_weight
//	decisions.go    the evaluation of a classifier: how each comparison is estimated, on how many independent decisions it rests; unreachable
//	predictions.go  the evaluation of a regression: mean predictions, errors; unreachable, useless; which method a configuration has
//	unlabelled.go   records without a label: by how much less each record pushes where labels are few; how labelled ones are weighed (by 1/record.propensity, or as learnt); no_labels,
//	                labels_open, labels_never, labels_selective
//	learner.go      one step, the same for every task: measure, then learn; a record without a label, a late label, a reserved one; when the warm-up
//	                ends
//	document.go     what is published, decided and reported now; the error of diverged weights; the shares of values that a document has
//	snapshot.go     the format of a learner's state, and why one is refused: learnt with another key, damaged, of another version
//	inherit.go      a learner that begins from the sums of a backfill, and which configurations cannot
//
// Imports of the project: internal/codec, internal/logistic, internal/propensity, internal/reserve, internal/rolling, pkg/control, pkg/csspa (step sizes), pkg/document,
// pkg/fairness, pkg/features, pkg/linear, pkg/record, pkg/surrogate.
package model
