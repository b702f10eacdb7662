// Package heldout compares records that are held out with those that were learnt.
//
// Its files, in the order in which they are read:
//
//	held.go  what differs between held-out records and those that were learnt
package heldout
