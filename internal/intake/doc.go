// Package intake takes in the records of an input: decoders turn deliveries into records ahead of the learner, records wait for labels that come
// later, and ledgers account for each record of each partition. It learns nothing and writes nothing.
//
// Rules: docs of pkg/stream. Every record before Ledger.Next is in exactly one tally; a topic is known by its ID, a place in it by its leader
// epoch, and the accounts start again after an accepted loss.
//
// Files, in reading order:
//
//	ledger.go      the account of each partition
//	rejects.go     which of the latest records were rejected, and when these are too many
//	unfit.go       schemas whose records become dead letters
//	standstill.go  transactions of others that hold up reading
//	goal.go        where to stop, if the end of the input is an end
//	account.go     what becomes of each record of the input, with its topic
//	hold.go        partitions that wait for a schema
//	decode.go      deliveries to decoded records, on all processors
//	clock.go       the time of the records, as far as it is certain
//	came.go        when the records that wait came
//	payload.go     a record as it waits
//	labels.go      records that wait for their label
//	due.go         records that have waited long enough, with their label or without
//	labelstate.go  what a snapshot holds of records that wait
package intake
