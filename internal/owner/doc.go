// Package owner keeps a job with one owner at a time, and its state where the next owner finds it. It knows no learner: what a snapshot holds is
// opaque to it. A job lives on the state topic, a compacted topic of one partition:
//
//	<job>/claim/<term>/<owner>/<attempt>                  a Claim, JSON
//	<job>/beat/<owner>                                    the owner lives, or leaves, JSON
//	<job>/state/<owner>/<sequence>/<part>/<attempt>       a part of a snapshot
//	<job>/request/<id>                                    a Request, JSON: a person asks the owner for something
//	<job>/answer/<id>                                     an Answer, JSON: what the owner did, or why it did nothing
//
// Take claims a job. Its owner then runs Follow and Beat, and calls Next, Save, Reply and Clean as it goes on, until Leave:
//
//	        ┌── Follow ◀── a claim of another process: the end
//	topic ◀─┤── Beat ───▶ signs of life
//	        └── Save ───▶ parts ──▶ seen by Follow to count
//
// A file uses only those before it:
//
//	format.go      keys, and values with a header and a body in an envelope
//	claim.go       claims and beats
//	snapshot.go    a snapshot, cut into parts where it is larger than a message
//	request.go     what a person asks of the owner, and its answer
//	requestlog.go  which requests wait
//	journal.go     what counts, record by record
//	settings.go    which job, and who is told
//	garbage.go     what cannot be read
//	follower.go    reading the topic, to its end or for ever
//	job.go         the claim of a job, and the deletion of all its records
//	standby.go     when a process takes over a job
//	watch.go       what an owner learns from the topic
//	write.go       what an owner writes
//	ask.go         a command that asks the owner and waits for the answer
//	verify.go      whether everything on the state topic fits together
//
// It may import internal/cluster, internal/envelope, internal/kafka and internal/modeltopic.
//
// # Rules that are not obvious
//
// Each stands beside its code; this is the list, as the events that break without it.
//
//   - A term is claimed by the first who claims it (journal.claim). Without: two processes read term 4 and
//     both claim 5; each reads its own claim last and believes that it won.
//   - Refuse before claiming (Take). Without: a second job with the same name and other columns
//     claims the state, stops the first job, and only then finds that it cannot use it.
//   - Keys: every attempt to write a claim or a part has a key of its own. Without: a first attempt times out, a
//     second one succeeds, the job goes on and saves more, and the first one arrives at last: compaction
//     then keeps it in place of what came after.
//   - Seen to count (Job.await): an acknowledged snapshot is not enough. Without: a paused owner wakes
//     up, its snapshot is acknowledged behind a newer claim, where it does not count, and it publishes
//     weights that no later state descends from.
//   - A permission to claim holds for a while (Spread). Without: two processes that share jobs count the job of a claim that is under way as free, and
//     both go beyond their shares.
//   - Silence is what a read to the log's end confirms (follower.until). Without: the standby itself is paused for a
//     minute, wakes, and takes the job from a healthy owner before it reads a minute of its beats.
//   - A request is no sign of the owner's life (journal.apply). Without: the owner is dead, somebody asks it again and
//     again, and no standby ever takes over.
//   - Clean-up only behind an own snapshot that counts (journal.garbage). Without: an owner deletes the
//     snapshot that it began from, and is killed before its first own one counts. Nothing is left to begin
//     from.
package owner
