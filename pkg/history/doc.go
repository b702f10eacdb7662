// Package history is the record of a job for an auditor: who ran it, with which configuration, which
// weights were published with which measured differences, and which input was lost.
//
//	entry 1 ◀── entry 2 ◀── entry 3 ◀── …     each entry holds the SHA-256 of the one before
//
// An [Entry] is one JSON object. A [Chain] follows entries in the order of the log and says which count
// and where the chain is broken. A [Log] collects them, and its Audit answers for a period of time.
//
// # Rules of the chain
//
//  1. An entry counts if its sequence is one above that of the last entry that counts, its previous is
//     the SHA-256 of that entry's bytes, and its term is not lower. The first entry has sequence 1 and no
//     previous.
//  2. The same bytes again are a repetition: a writer that got no answer wrote a second time.
//  3. An entry that continues an earlier entry that counts, and not the last one, is superseded: two
//     processes wrote at the same time, and the first in the log wins. The writer of the other one reads
//     its entry back, sees that it does not count, and writes it again behind the winner, with the same id.
//  4. Everything else is a break: an entry was deleted, altered or moved. The chain goes on behind it.
//
// Signatures do not decide what continues the chain, so those who know the keys and those who do not follow one chain. A [Seal] says whether a
// trusted key signed an entry. Behind the first such entry, the content of an unsigned one does not count. An owner that finds an entry which
// it did not write disowns it in an entry of its own ([Disowning]). Log.Compare finds entries that claim more than the other topics show.
//
// A process that lost the job to another one can therefore never fork the history. An entry is written
// before the event that it describes takes effect, so after a crash an entry may describe a publication that did
// not happen; the next owner of the job publishes that version again.
//
// Without keys, somebody who may write to all topics of a job can write a new history; to exclude that, sign it, and keep the head of the
// chain, which an audit prints, in another place.
//
// The package reads and writes nothing; pkg/stream connects it with Kafka. It imports no other package of
// the project.
//
// The files:
//
//	entry.go     the JSON of an entry of each kind (owner, configuration, publication, data_loss, decisions, reset), its bounds, and what makes it
//	             invalid
//	change.go    which keys of two configurations differ
//	released.go  the JSON of a step of the releases
//	seal.go      which entries trusted keys signed; entries that an owner disowned
//	chain.go     which entries count, and where the chain is broken: missing, altered, moved, added
//	log.go       the whole history of a job; each event once
//	times.go     clocks of those who wrote entries: times that go back
//	compare.go   entries that cannot be true beside claim, snapshot and documents of the job
//	audit.go     the answer for a period: time within tau, versions, gaps in which nothing was measured, losses, takeovers
package history
