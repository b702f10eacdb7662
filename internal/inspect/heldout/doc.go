// Package heldout compares records that are held out with those that were learnt.
//
// Its files, in the order in which they are read:
//
//	held.go  what differs between the two
package heldout
