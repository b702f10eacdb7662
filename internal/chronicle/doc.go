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
//	seal.go           keys and signatures of entries of the history
//	configuration.go  what is configured, what changed since the last snapshot, and whether records are read otherwise
//	recorder.go       the history up to its end: entries that are missing, or that others wrote in the owner's name
//	append.go         one entry, written and read back until it counts; another owner ahead
//	record.go         entries in order, those that disown others, and the entry of a publication
//	follow.go         entries as they come, for the page
//	announcement.go   a changed verdict, an alarm or a step of the releases, as a snapshot holds it until it is told
//	announcer.go      what is written to the topic of events (types io.fairstream.decisions.*, io.fairstream.release.*), once, after the snapshot
//	audit.go          the whole history held against snapshot, claims and documents, for `audit`
package chronicle
