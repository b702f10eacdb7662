// Package scoring decides the records of a topic by the weights of an alias, and writes the decisions to another topic,
// each exactly once.
//
//	input topic ──▶ Fetcher ─▶ workers: decode, decide, encode ─▶ committer ─▶ lanes, one a partition ──▶ output topic
//	                              ▲                                  └──▶ offsets of the group
//	model topic ──▶ pkg/follow ───┘
//
// Decisions and the offsets of the records behind them are committed in one transaction. However a process ends, the
// next one fences it and continues at the committed offsets: a reader of committed records sees one decision for each
// record of the input, in the order of each partition. A reader of uncommitted records removes copies by the source,
// which each decision names.
//
// A record that cannot be decoded yet holds its partition, and no other. The offset of the record is committed, so a process that begins meanwhile
// begins there.
//
// All records that were fetched together are decided by one document, the one that is current when they are decided.
//
// A file uses only those before it:
//
//	options.go  what is scored from which topic to which: group and transactional id, shadow, split, explore; how far it is
//	decide.go   a record's decision by one document, as JSON: score, decision, unread, attributes, shadow; its identifier: record.id, record.key or
//	            the message's key
//	explore.go  --explore: which negative decisions are turned to positive, and the propensity
//	line.go     a decision as a message: its key, timestamp and header fairstream.source
//	task.go     a chunk of the input on its way to the output
//	lanes.go    writing, in order within a partition
//	hold.go     partitions whose next record cannot be decoded yet, as without its schema
//	scoring.go  where scoring begins: committed offsets, earliest or latest; the process before is fenced
//	work.go     reading and deciding, in parallel; waiting for a document
//	commit.go   what is written is committed with its offsets, and how often
//	run.go      a topic decided until it ends or a signal comes; begins again after a transaction that the broker ended
//
// It may import internal/kafka, pkg/document, pkg/follow, pkg/kafka and pkg/record.
package scoring
