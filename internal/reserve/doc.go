// Package reserve keeps records that are never learnt.
//
// A share of the records is reserved (evaluation.share): nothing is learnt from them, so what a document decides of them is
// what it decides of new records, without any correction. They are kept as they came, because columns get further weights
// later: each document encodes and decides all of them by itself.
//
// Files, in reading order:
//
//	pack.go     a reserved record as bytes
//	reserve.go  evaluation.share: which records are never learnt, the newest kept, a document measured on them
//
// Imports of the project: internal/codec, pkg/control (what comes with a record), pkg/document, pkg/record.
package reserve
