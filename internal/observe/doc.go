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
//	config.go    the section monitor and its checks (confidence, window, run_length, cluster, decision, score, model); defaults
//	made.go      a decision and what is observed of its record; the person (monitor.cluster), and hashes that show copies
//	decider.go   the interface of who decides, and the learner as one
//	given.go     `fairstream monitor`: decisions of other models read from records; missing_decision, bad_score, missing_model, explored
//	witness.go   monitors of decisions (monitor.enabled), one for each model, at most 20 (condition models_ignored); verdict changes and alarms to
//	             announce
//	panel.go     the frozen versions that decide records, and which records are in their sample
//	batch.go     records on their way: decoded, decided by the panel, learnt, observed
//	pace.go      release.share and release.rate: which share of the records the frozen versions decide, halved when records come fast
//	golden.go    a document tried on 32 made-up records before it may be released: margins equal in every bit
//	releases.go  records, labels and versions passed to the machine of pkg/release; one record of each person; decides again for a new panel
//	steps.go     steps of the releases in a snapshot, as entries of the history, and where aliases are to point; the state of the releases restored
//	command.go   orders of a person about releases (promote, rollback): which version is meant, and why an order is refused
//	observer.go  monitor and releases as two parts that are cut off by themselves; batches in, what a checkpoint saves and tells out
//	models.go    documents read at the start or for an order; steps that are told again after a restart; the document of a publication made and
//	             offered
//	check.go     whether a snapshot of monitor and releases can be restored, for `state verify`; what a monitor counted, for commands
package observe
