// Package stream learns from a Kafka topic: records in, weights out, every record learnt exactly once
// however often the process ends, and however it ends.
//
//	input topic ──▶ Stream ──▶ model topic         weight documents and their aliases (internal/modeltopic)
//	                  │   └──▶ dead-letter topic   rejected records (internal/deadletter)
//	                  ▼
//	             state topic                       claims, snapshots and requests (internal/owner)
//	             history topic                     what an auditor asks for (internal/chronicle, pkg/history)
//	             topic of events                   changed verdicts, alarms and steps of releases, as CloudEvents (internal/chronicle)
//
// The command fairstream runs it. Its signatures have types of internal/, so another module cannot call it, and nothing exported here is a
// promise: pkg/follow and pkg/scoring are for those who read what a stream writes.
//
// # Goroutines
//
//	                 ┌───────── work ────────▶ decoders (one a processor) ────┐
//	Source ─▶ reader ┤                                                        │ parcels: decoded records
//	                 └── order: deliveries as they were fetched ─▶ learner ◀──┘
//	                                                              │  │  ▲
//	                               rejected records, flush marks  │  │  │ document made, saved
//	             dead-letter topic ◀── letters ◀──────────────────┘  ▼  │
//	                                        └── flushed ──────────▶ keeper ──▶ state topic, model topic
//	                                                                 ▲
//	             state topic ──▶ Follow ─── our snapshot counts ─────┘
//	                                └── a claim of another process: the end
//
// The learner goroutine owns the learner and everything that a snapshot saves; all others get copies. The monitor and the releases are
// exceptions: each is a part, and one goroutine has both observe the parcels that were learnt (internal/observe); then
// it gives a parcel back to the decoders. For a snapshot, a report or a request, the learner asks them, behind the parcels that it has passed on.
// A part with a defect is cut off (internal/isolate), and nobody waits for it.
// Deliveries are learnt in the order in which they were fetched, those of a partition in the order of
// its offsets. A record whose schema is not there yet ends its delivery: its partition is fetched again from there once the schema
// is known, and what was fetched behind it is passed over. A snapshot is copied on the learner's goroutine; it is coded, compressed and written on the keeper's. So is
// what a document needs: the keeper makes it, and the checkpoint that publishes it may be of a later version. Memory is
// bounded by the bytes that may be fetched and not released, by the number of parcels, and by the number
// of dead letters that may wait; whoever is ahead waits.
//
// # What becomes of a record
//
//   - Learnt: it has a label. Without an attribute it is learnt too, and enters no comparison.
//   - Kept: it has no label, and record.key is set. It is scored, and learnt when a record with the same
//     key brings its label (internal/intake).
//   - Rejected: it goes to the dead-letter topic, unchanged, with headers that say where it came from and
//     why. A tombstone (a record without a value) is rejected too, since what was learnt cannot be
//     unlearnt; it does not count for the limit of rejected records. After a crash a dead letter may be
//     there twice; its source offset tells.
//
// # Rules that are not obvious
//
// Each stands beside its code; this is the list, as the events that break without it. The rules of claims, snapshots and standby are
// in internal/owner, those of replays in internal/deadletter, of announcements in internal/chronicle, of releases and of parts that are cut off in internal/observe.
//
//   - State and offsets in one snapshot (snapshot.go). Without: the offsets are committed, the process is
//     killed before the weights are saved, and the records in between are never learnt.
//   - Dead letters first: a snapshot waits until the dead letters of all records it covers are
//     acknowledged (keeper.keep). Without: the snapshot is saved, the process is killed with the letter in
//     its memory, and the next one begins behind the record. It is then neither learnt nor anywhere else.
//   - Save before publishing (keeper.keep): a snapshot of the document's version or a later one. Without: version 5,000 is published, the process is killed, the
//     next one goes on from version 4,000, reads the partitions in another order, and publishes another
//     version 5,000.
//   - History first (keeper.keep): the owner, its configuration and losses stand in the history before the
//     snapshot that covers them, and a publication before its document. Without: the snapshot is saved, the
//     process is killed, the next one finds nothing changed, and the history never tells of it.
//   - A request is answered when its effect is saved and visible, and is known by its ID in the snapshot (checkpoint.go).
//     Without: the owner answers, is killed before the snapshot, and the next one knows nothing of a promotion that a
//     person was told of; or it saves, is killed before the answer, and the next one carries it out again.
//   - The first snapshot before the first record (learning.run). Without: a job that begins at the latest
//     record resolves what that is, learns, sends dead letters, is killed before anything is saved, and
//     begins at another latest record.
//   - A snapshot when there are too many rejected records, and the window in it (TooManyRejected,
//     intake.Rejects). Without: a job that is restarted whenever it stops sends the same records to the
//     dead-letter topic each time.
//   - Offered before it is saved (learning.checkpoint). Without: a document is published, the process is killed, and no
//     snapshot knows that the version is the candidate to which the alias points.
//   - Nothing is published twice (learning.isUnchanged). Without: every restart replaces a document by one with the same
//     weights, and old versions are deleted for it. Under another tau there is a new document: its verdicts are others.
//   - Terms above those published (Stream.outrank). Without: the state topic is another one, terms begin at 1
//     again, and readers stay with the weights of term 7 for ever.
//   - The clock decides when something is saved, never what is learnt. Weights depend on the records and
//     their order alone: other sizes of fetches, other cadences and any number of restarts give the same. Of several
//     partitions that order is free, and with stream.labels.age, how long records wait depends on it and on which partitions
//     are read to their end (intake/clock.go).
//
// Files, in reading order:
//
//	names.go       names of other packages that callers need
//	snapshot.go    what a snapshot holds, and its format version; --start-from and --start-offsets, and when a job that has a state refuses them
//	event.go       every event that a stream tells, for log and metrics; their words are in internal/server/log.go
//	options.go     the section stream: keys, defaults, checks; all options of a stream; which topics a job writes
//	status.go      how the stream stands, for metrics, page and /readyz: phases, lag of a partition
//	keep.go        the keeper: the order of all writes of a checkpoint (dead letters, history, snapshot, weights, aliases, events, answers)
//	tell.go        entries of the history about owner and loss; how often the learner measures itself for the status; requests not answered yet
//	due.go         when a snapshot or a publication is due; why weights are withheld: no label, useless, a constraint cannot be measured yet
//	checkpoint.go  what the learner hands to the keeper: state, document with its lineage; orders of a person carried out; a restart
//	               without new records publishes nothing, unless record, learner or constraints changed
//	learn.go       the loop: parcels in, one record after the other; the end of the input; a job that is halted (too many rejected, diverged): saved
//	               first, orders still carried out
//	stream.go      a stream, and what owner, parts and history tell of it
//	start.go       the job is claimed; snapshot restored or refused (topics.input, record.key changed), or begun at stream.start; --begin-again; a
//	               higher term
//	run.go         the goroutines of a stream; stream.shutdown_timeout; saving_stuck and /readyz 503 after three intervals and a minute without a save
//	ask.go         orders of a person, to the owner or carried out here; functions behind `state prune` and `deadletters replay`
//	inspect.go     `state show`, `state reset`, `state verify` (each thing that it checks), audit, and what a monitor counted
package stream
