// Package documents follows the documents of a job for the commands that decide, and logs what becomes of them.
//
// Its files, in the order in which they are read:
//
//	followed.go  which documents score --from and serve follow: alias, logger, who is told
//	told.go      what the log of score and serve says of documents: another version, refused, alias deleted, unwatched; why nothing is
//	             decided yet
//	open.go      waiting for the first document that decides, and the document of --shadow
//
// It may import internal/config and pkg/follow.
package documents
