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
//	term.go        which terms of owners can be believed
//	modeltopic.go  keys, names of aliases, headers (fairstream.version, .term, .weights_sha256) and messages of the model topic; signatures checked
//	rule.go        which records and moves of an alias count: damaged, unsigned or late ones do not
//	shelf.go       what the topic holds, record by record: documents, aliases, records that do not count, keys that others overwrote
//	event.go       what is told of the topic: published, alias repaired, document restored, topic made again
//	reader.go      a topic that is read on, and may be made again or cut; one document read
//	models.go      a topic that is read once, for commands: versions by number or alias; what `models prune` deletes
//	publisher.go   writes of the owner; what a topic that was made again gets back
//	assign.go      aliases follow what the state of the job says; records of terms that no owner can have are deleted
//	protect.go     documents that readers need are written again if somebody deleted or overwrote them
//	publish.go     a publication as one batch: document, alias latest, deletion of old documents (stream.keep_versions); a document that is too large
//	repair.go      the alias latest and those of releases are put right, at the start and every ten seconds; an alias moved in the name of a later
//	               owner (outranked)
package modeltopic
