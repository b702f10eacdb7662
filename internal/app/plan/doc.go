// Package plan says how many records a verdict and an alarm need.
//
// Its files, in the order in which they are read:
//
//	plan.go  the question and its answer
//
// It may import app/english and pkg/fairness.
package plan
