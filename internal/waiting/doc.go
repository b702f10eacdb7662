// Package waiting keeps what waits for something that comes later, such as records for their labels: as many as a disk holds, in a
// database that is embedded in the process. It knows no record and no label; what waits is bytes under a key.
//
// The database is no source of truth. Each entry is on a compacted topic, the changelog, before a snapshot counts it, and stays there
// until a snapshot counts that it was taken out:
//
//	Put, Hold, Remove ▶ database (memory or a folder)          the owner's goroutine
//	      │
//	      └─▶ mail ─▶ Deliver ─▶ changelog, in transactions   a goroutine of its own
//	                     ▲
//	Seal (before a snapshot), Counted (once it counts)        marks among the mail
//
// A snapshot holds a Mark, whose size does not depend on how many entries wait. Open makes the database what it was at the mark: from
// the folder if the process of the mark's term used it, otherwise from the changelog.
//
// # Rules that are not obvious
//
// As the events that break without them.
//
//   - An entry has a number, and its key on the changelog is this number and the term of its owner, not the key of its record. Without:
//     a second record replaces the first of its key, the process is killed before the snapshot, the changelog is compacted, and the
//     next owner joins the label of the first record with the second.
//   - What is taken out stays on the changelog until a snapshot counts it, and a list of it is there before this snapshot (Seal). Without:
//     the process is killed between the snapshot and the deletions, and the next owner finds an entry waiting that was learnt.
//   - A mark says which term wrote which numbers (Stretch). Without: an owner writes the numbers 101 to 150, is killed before a snapshot
//     counts them, the next owner writes other entries under these numbers, and the third one cannot tell them apart.
//   - Deletions follow the list in transactions of one transactional id. Without: a copy of a batch that timed out arrives behind its
//     deletion, and the entry waits for ever; or a process that was paused goes on writing after another one has taken over.
//   - What is held in the place of an entry is an entry of its own, with a number of its own. Without: the process is killed after a label was written into
//     its entry and before the snapshot, and the next owner learns a label that has not come yet.
//   - The list of what was taken out is deleted in the transaction that deletes the entries it names (tidy). Without: the process is killed
//     in between, and the entries wait again.
//   - A folder says up to which epoch it has all, and up to which one what was taken out is deleted (covers). Without: a folder is copied back from the
//     day before, and what was learnt since waits again, while what came since is not found.
//   - A changelog that was made again, or has lost its end, is known as such until all entries are on it (again). Without: the process is killed half-way, and
//     the next one on another machine finds the first half.
//
// Files, in reading order:
//
//	mark.go       what a snapshot holds of the waiting records (Mark), whose size does not depend on how many wait; which entries count
//	              at it; what a folder says of itself
//	keys.go       keys and bytes of an entry, in the database and on the changelog (the topic of waiting records)
//	database.go   the embedded database (Pebble): bytes in memory before a write waits, changes in several batches, a full or slow disk,
//	              the message about a damaged folder, stream.labels.dir in use
//	mail.go       how much may wait for the goroutine that writes the changelog: 2,000 messages, 512 KiB
//	filter.go     a Bloom filter of the keys that surely do not wait, which spares a look into the database
//	store.go      a waiting record put, found by its key, removed, replaced by a second one of its key; how many records and bytes wait
//	oldest.go     the oldest waiting record, taken when its time is up or the buffer is full; labels that are held until
//	              stream.labels.age
//	changelog.go  when entries are handed to the goroutine that writes them, what a snapshot waits for (Seal), what counts after it
//	              (Counted)
//	writer.go     batches to the topic of waiting records, in transactions; the lists of what was taken out
//	again.go      the topic of waiting records was deleted and made again, or has lost its end: all entries are written once more
//	deliver.go    the goroutine that writes the changelog: what goes there and when, deletions once a snapshot counts; a topic it cannot
//	              look up (Unseen)
//	refill.go     the database filled from the topic of waiting records at a start without its folder, and made what it was at the mark
//	open.go       whether a folder (stream.labels.dir) has all that the snapshot counts, or is older and is filled again from the topic;
//	              how many waiting records are lost
package waiting
