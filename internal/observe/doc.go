// Package observe says what becomes of the decisions of a stream: decisions and labels come in, steps of the releases and announcements go out.
// It monitors the decisions as they were made, and tests the frozen versions that decide the same records, so that a version becomes stable or is
// withdrawn. It reads no input and writes no topic: an Observer belongs to the loop of pkg/stream, which saves what it takes from it.
//
// # Rules that are not obvious
//
// As the events that break without them.
//
//   - Decided by whoever has the panel (panel.go): decoders decide by the versions that were wanted a moment ago, and the
//     releases decide again what they decided for another panel. Without: the evidence depends on how far decoders
//     were ahead.
//   - Released from the snapshot (steps.go): a snapshot that counts holds the step of the releases that it is the
//     first to cover; then the history tells it, then the aliases move, with the document if there is one, and then an event
//     tells it. The next owner first tells what the history or the topic of events lacks. Without: the history tells of a
//     promotion, the process is killed, the next one reads the partitions in another order, and rejects the version.
//   - A part is saved whole or as it was (observer.go). A part that panics, hangs or cannot be restored is cut off until the process starts
//     again (internal/isolate): it does nothing any more, and what it held up goes on without it; snapshots hold it as the last one before did;
//     steps that are in a snapshot take effect, and later ones never happened; aliases stay, and say that nobody watches them. Without: the
//     releases panic halfway through a promotion, the next snapshot holds half of it, and no restart gets rid of it.
//   - Labels of records that came while the releases were cut off do not count for them (releases.blind). Without: the releases are cut off
//     after record 900, the next process goes on from there, and the label of record 950 counts, whose decision did not.
//
// Files, in reading order:
//
//	config.go    what is configured: the section monitor, and where records hold the decisions of other models
//	made.go      a decision, and the record that it is about
//	decider.go   who makes decisions or reads them, and a learner as one
//	given.go     the decisions of other models as another, and which of the two a job has
//	witness.go   the monitors of the decisions, and what they announce
//	panel.go     the frozen versions that decide records
//	batch.go     records on their way: decoded, decided by the panel, learnt, observed
//	pace.go      the share of the records that frozen versions decide
//	golden.go    a document tried on made-up records before it may be released
//	releases.go  the evidence for the machine of pkg/release, and versions that it is offered
//	steps.go     steps of the machine, the aliases they move, and both in a snapshot
//	command.go   orders of a person about releases
//	observer.go  monitor and releases as two parts: batches in, what a checkpoint saves and tells out
//	models.go    versions of the model topic and new ones: at the start, for a command, before a publication, whose document is drafted and made here
//	check.go     whether a snapshot of monitor and releases can be read, without a stream
package observe
