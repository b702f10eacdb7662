// Package documents follows the documents of a job for the commands that decide, and logs what becomes of them.
//
// Its files, in the order in which they are read:
//
//	followed.go  which documents a command follows
//	told.go      what its log says of them
//	open.go      the document that decides, and that of a shadow
//
// It may import internal/config and pkg/follow.
package documents
