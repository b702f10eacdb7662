// Package plan says how many records a verdict and an alarm need.
//
// Its files, in the order in which they are read:
//
//	plan.go  plan: its flags checked, the verdict, records to verdict and alarm, the table of half-widths; JSON
//
// It may import app/english and pkg/fairness.
package plan
