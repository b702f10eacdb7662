// Package deadletter makes rejected records letters, sends them to the dead-letter topic of a job, and writes them to the input topic again once
// their cause is gone. It knows no learner.
//
// # Rules that are not obvious
//
// As the events that break without them.
//
//   - A replay fences the one before (Cluster.Transact). Without: a call is paused, the next one finds nothing of its batch
//     in the input and writes it, and the batch of the first one arrives as well.
//   - What is about to be replayed is noted first (replay.write). Without: `deadletters replay` is killed
//     halfway, and the next call writes the first half twice.
//   - A letter is known by the ID of its topic, its partition and its offset (Origin). Without: the input is deleted and made
//     again, and letters of its records count as replayed because the former topic had letters at the same offsets.
//   - Each note of a replay has a key of its own (notes). Without: a call that was fenced wakes up, and its late note
//     replaces the account of the next call.
//
// Files, in reading order:
//
//	spans.go    a set of offsets
//	account.go  a set of letters, by topic ID, partition and offset where they came from
//	letter.go   the headers of a dead letter on topics.dead_letter (__connect.errors.*, fairstream.error.*), and who sends letters
//	notes.go    notes on the state topic of which letters are in the input again
//	waiting.go  letters whose schema is not there yet
//	replay.go   `deadletters replay`: which letters go to the input again, each once, in transactions; the header fairstream.replay
package deadletter
