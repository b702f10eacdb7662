// Package intake takes in the records of an input: decoders turn deliveries into records ahead of the learner, records wait for labels that come
// later, and ledgers account for each record of each partition. It learns nothing and writes nothing.
//
// Rules: docs of pkg/stream. Every record before Ledger.Next is in exactly one tally; a topic is known by its ID, a place in it by its leader
// epoch, and the accounts start again after an accepted loss.
//
// Files, in reading order:
//
//	ledger.go      the account of each partition: learnt, rejected, kept and lost records, next offset, leader epoch; sums that show a doubled record
//	rejects.go     stream.reject_limit: when a job stops because too many of the latest records were rejected; unmatched_label
//	unfit.go       which schemas made dead letters in the last hour (condition schema_unfit)
//	standstill.go  transactions of other producers that hold up reading for a minute
//	goal.go        where a run that ends at the end of the input stops, though records are lost or transactions are open
//	account.go     notes a record as learnt, kept or rejected, and the next offset; the standing that a snapshot saves
//	hold.go        partitions whose next record waits for its schema, told after 10 seconds (condition schema_awaited)
//	decode.go      deliveries cut into parcels and decoded on all processors; reading stops while the learner is behind
//	clock.go       the time by which stream.labels.age is counted: the slowest partition, one that is read to its end; times in the future that do not
//	               move it
//	came.go        how long the oldest record has waited, also if its own time is wrong; record.time or else Kafka's timestamp
//	payload.go     the bytes of a record as it waits, with its decision, and of a label that is held
//	labels.go      stream.labels (dir, records, bytes, age, order): joins a label to its record by key; which of two counts; a full buffer; counts
//	due.go         records that reach stream.labels.age: held labels learnt, others expired; all held labels learnt once no age is configured any more
//	labelstate.go  opens the store of waiting records at a snapshot's mark, and counts those that are lost; what a snapshot holds of counts and clock
package intake
