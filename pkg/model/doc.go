// Package model is the learner: a linear classifier of encoded records, or an
// additive model of a number, that is trained in one pass, under constraints on how differently it treats groups.
//
// One record travels through the files in this order:
//
//	record.Record ── encoder.go ─▶ Row (indices and values of the non-zeros)
//	                 column.go, bins.go, vocabulary.go: how a column becomes non-zeros
//	Row ── learner.go ─▶ measured with the current model (prequential.go), then learnt:
//	                 adaptive.go, pressure.go   mode adaptive (and unconstrained, which is adaptive without constraints)
//	                 regression*.go             task regression, measurements included
//	                 paper.go                   mode paper: Algorithm 1 of the paper to the letter
//	Learner ── document.go ─▶ Document, what is published: encoder, weights, threshold, measurements
//	Document ── scorer.go ─▶ decisions, with nothing else needed
//	Learner ── codec.go ─▶ bytes, and back: a snapshot
//
// # Rules
//
//   - The state of a Learner is a pure function of its configuration and the sequence of records it
//     was given: no clock, no randomness, no map order. Asking for a Document or a snapshot changes
//     nothing. A Learner restored from a snapshot goes on bit for bit as if it had never stopped.
//   - The version of a model is the number of records learnt.
//   - A record is measured before it is learnt, so every measurement is of an unseen record.
//   - A learning step costs O(non-zeros) and allocates nothing; nothing that happens per record, or at
//     a fixed interval of records, is proportional to the number of weights.
//   - Products that are then added are rounded first (float64(a*b) + c) where they enter the state, so
//     that fused multiply-add changes nothing.
//
// Imports of the project: pkg/csspa (step sizes), pkg/surrogate, pkg/fairness, pkg/record.
package model
