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
//	format.go      keys on the state topic (claim, beat, state, request, answer, replay), and envelopes
//	claim.go       claims, terms and beats as JSON; the highest term believed; "was taken over by another process" (Superseded); how
//	               long an owner may be silent
//	snapshot.go    a snapshot's format version, cut into parts of 768 KiB
//	request.go     what a person may ask (promote, rollback, pin, ...), checks of reason and actor, bounds, expiry
//	requestlog.go  which requests wait for an answer, 100 at most; old answers
//	journal.go     what counts on the state topic: which claim is in force, which snapshot is the last, what is garbage
//	settings.go    settings of an owner; the interfaces Spread and Listener
//	garbage.go     records that cannot be read: passed over, or refused as another version's; a start refused when the only snapshot is
//	               damaged; state prune
//	follower.go    the state topic read to its end or followed; silence of an owner; "the state topic was deleted, made again or cut"
//	job.go         the job claimed with a higher term; all its records deleted (state reset)
//	standby.go     stream.standby: when a process takes a job over (silent for as long as claim.go says, leaving, its share)
//	watch.go       what an owner notices: a new owner, own snapshots that count, requests; snapshots in its name by others
//	write.go       an owner saves, answers, cleans up, beats and leaves
//	ask.go         models promote and the like ask the owner: waiting, withdrawn, "no process answers", claimed if nobody owns the job
//	verify.go      state verify: the problems on the state topic
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
