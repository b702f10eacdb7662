// Package chronicle writes the history of a job, and reads it: who owned the job, with which configuration, what was lost, which weights were
// published and what became of them. pkg/history has the entries and the chain; here they meet their topic. Some of them are
// announced as CloudEvents, too.
//
// It knows entries, and no learner. A Recorder belongs to the goroutine that keeps snapshots.
//
// # Rules that are not obvious
//
// As the events that break without them.
//
//   - Read back (Recorder.append): an entry of the history counts only behind the last that counts. Without:
//     an owner who lost the job writes late, both continue the same entry, and the history is forked.
//   - Disowned (Recorder.follow): an owner goes on behind an entry that it did not write, and disowns it. Without: somebody appends a promotion that
//     never was, the owner continues it, and the chain makes it look genuine.
//   - Announced from the snapshot (Announcer): changed verdicts and alarms are told after the snapshot that covers them
//     counts, and it holds them until then. Told before: the process is killed, the next one reads the partitions in
//     another order, and two different events have number 7. Told after and not held: the process is killed in
//     between, and an alarm is never told.
//
// Files, in reading order:
//
//	seal.go           keys and signatures of entries
//	configuration.go  what is configured, and what changed in between
//	recorder.go       the history up to its end, and whether its entries are the owner's
//	append.go         one entry, written until it counts
//	record.go         entries in order, and the entry of a publication
//	follow.go         entries as they come, for a reader that writes nothing
//	announcement.go   what is told once a snapshot counts: a changed verdict, an alarm, a step of the releases
//	announcer.go      announcements, to the history and to the topic of events
//	audit.go          the whole history, held against the state topic and the model topic
package chronicle
