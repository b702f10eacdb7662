// Package heldout compares records that are held out with those that were learnt.
//
// Its files, in the order in which they are read:
//
//	held.go  warnings of replay about the holdout's columns: missing, new texts, swapped, other distribution, codes; label share; copies
//	         (decided in internal/table/compare)
package heldout
