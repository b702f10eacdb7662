// Package follow keeps a program that decides supplied with the current weights of an alias. It follows the model topic,
// verifies each document, and swaps documents atomically.
//
//	follower, err := follow.Open(follow.Options{Kafka: follow.Kafka{Brokers: brokers}, Topic: "people.models", Job: "adult"})
//	model, err := follower.Wait(ctx)     // the first document
//	model = follower.Current()           // the one to use now; any goroutine, no lock
//	scorer, err := model.Document.Classifier()
//
// A file uses only those before it:
//
//	events.go    a document that was verified, and what a follower reports: swapped, refused, waiting, withheld, unwatched, outage
//	options.go   which job, alias and keys are followed
//	contents.go  what the topic holds of the job
//	choose.go    which document is to be used: latest (the highest, never a lower one, also after the topic was made again), stable, or stable once it
//	             appears; a document verified and refused
//	reader.go    the topic, record by record; one that was deleted and made again is read from its beginning
//	follow.go    what any goroutine may ask: the current model, wait for one, close
//	memory.go    a model topic in memory, for the tests of programs
//
// It links no learner. It may import internal/kafka, internal/kafka/kafkatest, internal/modeltopic, pkg/document, pkg/kafka and pkg/signature.
//
// # Which document
//
//   - The alias latest: the document with the highest term and, within that term, the highest version. The alias record itself is
//     ignored, because a process that lost the job may move it late.
//   - Any other alias: the document that it points to. A move counts if its owner has at least the term of the owner who
//     moved it before. So a stable version can be withdrawn, and an earlier owner cannot withdraw it late.
//   - No alias named: stable, and latest until stable appears for the first time. While the only known record of stable is one that is refused
//     or, where signatures are required, a deletion, no document is used, because there may be a stable version.
//
// modeltopic.Rule defines which records count; commands and the owner of the job read the topic by the same rule.
//
// # What is refused
//
// A document is used only if its hash is right, its job, version and term agree with its key, its model can be loaded
// and, if public keys are given, its signature and the alias's signature are good. Otherwise the last good document stays in
// use, and an event reports it. While Kafka cannot be reached, or if documents or the whole topic are deleted, the last good
// document stays in use too.
package follow
