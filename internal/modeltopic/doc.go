// Package modeltopic is the model topic: its format, the rule that says which records count, its readers and the one who writes it.
//
//	<job>/v/<term>/<version>   a weight document, JSON; never replaced by another
//	<job>/<alias>              an Alias: which document to use for what
//
// It knows documents and aliases, and no learner. pkg/stream publishes, pkg/follow follows an alias, and commands read the topic to its end; all
// of them believe the same records, because Rule decides.
//
// # Rules that are not obvious
//
// As the events that break without them.
//
//   - The parts of a document, its alias and the deletion of old ones are one batch (Publisher.Publish).
//     Without: a reader follows the alias to a document that is not there yet.
//   - Only a higher term and version (Models.Newest). Without: a process that lost its job writes its last
//     document and alias late, and readers go back to older weights.
//   - Documents by term and version (DocumentKey). Without: a job goes on from a snapshot under another tau,
//     publishes the version that it began from again, and the evidence of the first one is gone.
//   - The aliases of releases follow the state (Publisher.align): at the start, after a step and every ten seconds. Without:
//     an earlier owner moves stable back late, and scorers decide by a version that was withdrawn.
//   - A late alias is repaired (Publisher.Repair). Without: a publication of term 1 is held up on its way, term 2
//     publishes and stops, the packet arrives, and compaction leaves its alias alone.
//   - A document of an alias is protected (Publisher.protect). Without: a publication of term 1, which deletes old
//     documents, is held up on its way; term 2 points the alias stable to one of them; the packet arrives, and the
//     document is gone.
//   - What others displaced is written again (shelf.displaced). Without: somebody without the key writes a record under the alias stable, which is
//     refused; the cleaner removes the one that counts, and a reader that starts then uses a version that passed no test.
//
// Files, in reading order:
//
//	term.go        which terms can be believed
//	modeltopic.go  keys, aliases, headers and messages
//	rule.go        which records count
//	shelf.go       what the topic holds, record by record
//	event.go       what is told of the topic
//	reader.go      a topic that is read on, and may be made again
//	models.go      a topic that is read once, for commands
//	publisher.go   who writes it, and what a topic that was made again gets back
//	assign.go      aliases follow what the state of the job says
//	protect.go     documents that readers need stay
//	publish.go     a document, its alias and the deletion of old ones
//	repair.go      what others did to the topic is put right
package modeltopic
