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
//	config.go       the sections record, learner, constraints and evaluation
//	validate.go     what is wrong with a configuration, and settings that a mode does not read
//	fingerprint.go  what differs between two configurations
//	method.go       the first records, which wait for the types of columns, and which of their columns are no features; examples, their weight within strata, and what every method does with them
//	constrained.go  how the modes adaptive and unconstrained learn
//	paper.go        the method of mode paper
//	evaluation.go   test, then train: counts over the whole stream and over its recent part, and what every evaluation does
//	conditions.go   when each condition of the learner holds
//	decisions.go    the evaluation of a classifier
//	predictions.go  the evaluation of a regression
//	unlabelled.go   records whose label is not known, or not yet
//	learner.go      one step: measure, then learn
//	document.go     what is published, decided and reported now, and a draft of what is published
//	snapshot.go     the state as bytes, and back
//	inherit.go      the start of a learner from sums over records that it did not learn one by one
//
// Imports of the project: internal/codec, internal/logistic, internal/propensity, internal/reserve, internal/rolling, pkg/control, pkg/csspa (step sizes), pkg/document,
// pkg/fairness, pkg/features, pkg/linear, pkg/record, pkg/surrogate.
package model
