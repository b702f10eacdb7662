// Package heldout compares records that are held out with those that were learnt.
//
// Its files, in the order in which they are read:
//
//	held.go  warnings of replay about the holdout: share of labels, missing, new texts, swapped, other distribution, codes, copies
//	         (internal/table/compare decides)
package heldout
