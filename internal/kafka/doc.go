// Package kafka is all that fairstream says to Kafka: reading records, writing them, and caring for topics. The packages
// below it are its parts: wire (the protocol), fault (what failures mean), batches (bytes to records and back) and link
// (connections, security, who leads what). Callers import this package alone: names.go has the names of the parts that they
// need. Only these five packages import kafka-go, which carries our bytes. What decides whether a record is seen once is
// ours: who leads a partition, which bytes are a batch, where reading goes on, what a failure means.
//
// A file uses only those before it:
//
//	names.go         names of the parts' types and constants, for callers
//	client.go        a client of one cluster: open, close, ping, bounds, offsets at a time
//	fetch.go         one fetch: versions of the protocol, and how long its first byte may take (2 s, doubled by failures)
//	fetching.go      FetchOptions and their defaults; states of a partition; after how many answers in a row an offset, a corrupt batch or an end is
//	                 believed
//	loop.go          the goroutine that fetches from one broker: which partitions a request names, how long it waits (50 ms beside a held one), what
//	                 the broker's errors mean
//	epoch.go         a new leader is asked whether it has what was read (unclean election, KIP-320)
//	coordinate.go    the goroutine that follows the cluster: new partitions and leaders, a topic made again, and whether records are lost
//	                 (stream.data_loss)
//	hold.go          a partition that is not read until its schema is there
//	fetcher.go       reading a topic from the callers' side: begin, next chunk, positions, close
//	read.go          one partition read from offset to offset, to its end or for ever, for state, model and history topics; losses there
//	produce.go       one batch written, once or until it succeeds; a batch that is too large for max.message.bytes, with advice
//	producer.go      many messages in batches, to partitions by murmur2 of the key, one request in flight
//	transactor.go    transactions: sequence numbers, commit, abort, and being fenced by another process with the same id
//	groupoffsets.go  offsets of consumer groups, committed in transactions and asked for
//	topics.go        settings of topics that are created, and which settings of existing ones are refused (compaction, retention.ms,
//	                 max.message.bytes); deletion
//
// # Use
//
//	client, err := kafka.Open(config, kafka.Options{Notify: report})  // one a process; Close it last
//	results, err := client.CreateTopics(ctx, specs...)                // or VerifyTopics
//	bounds, err := client.Bounds(ctx, topic)                          // also OffsetsAt(ctx, topic, time)
//
//	fetcher, err := client.NewFetcher(kafka.FetchOptions{Topic: topic, ID: saved.ID, Offsets: saved.Offsets})
//	chunk, err := fetcher.Next(ctx)       // of one partition, in its order; chunk.Next is the offset to save
//	records, err := chunk.Records(ctx)    // decompress and decode, on any goroutine; again until there are none
//	chunk.Release()                       // when no byte of it is used any more
//
//	next, err := client.Read(ctx, topic, 0, kafka.Earliest, kafka.End, use)  // a state or model topic, to its end
//	offset, err := client.Append(ctx, topic, 0, messages...)                 // one attempt; Produce tries until it is done
//	producer, err := client.NewProducer(ctx, topic, 0)                       // many messages, in batches
//	transactor, err := client.NewTransactor(ctx, id)                         // batches and offsets, all or nothing
//
// # Goroutines of a Fetcher
//
//	              metadata, ListOffsets
//	cluster <------------------------------ coordinator ----- a chunk with its Loss ---+
//	                                         |       ^                                 |
//	                 leader, offset: "ready" |       | "unsure", "out of range"        |
//	                                         v       |                                 v
//	                                      partitions (mutex)                        out chan ---> Next ---> caller
//	                                         |       ^                                 ^         |
//	                           take: "taken" |       | next offset                     |         | Records on any
//	                                         v       |                                 |         | goroutine, then
//	broker 1 <--------- one request ------- loop 1 --+---------------- chunks ---------+         | Release
//	broker 2 <--------- at a time ----------loop 2 --+---------------- chunks ---------+         v
//	                                           ^                                              budget
//	                                           +------------------ room -------------------------+
//
// # Rules that are not obvious
//
// Each is the event that breaks without it. The parts have their own, in their doc.go.
//
//   - A partition is in at most one request (taken). Without: its leader moves while broker 1 still answers, broker 2 is
//     asked from the same offset, and both answers are handed over.
//   - An answer to a request from before a Hold is thrown away (turn). Without: the partition goes on from the held offset, the answer from
//     behind it comes in, and what lies between is skipped.
//   - A chunk whose topic was made again since its request is thrown away (settleOne). Without: the topic is deleted and
//     made again, its new log grows beyond the saved offset, and the fetch by name succeeds with records of the new topic in
//     the middle.
//   - A new leader is asked whether it has what was read (epoch.go). Without: an unclean election loses a thousand records,
//     the new log grows beyond the offset, and its other thousand records are never read, in silence.
//   - The first answer that an offset is beyond the log's end is doubted, the second believed (rangeStrikes). Without: a
//     broker elected a moment ago, not up to date, makes a healthy learner stop.
//   - The broker is told half of our patience with a write (writeBatch). Without: our deadline passes first, we write
//     again, and a replica that comes back a second later acknowledges both.
//   - Own topics are read uncommitted (Read). Without: somebody's transaction on the model topic never ends, an owner does
//     not see what it published behind it, and moves the alias back to what it sees.
//   - A batch of a Transactor keeps its sequence number, however often it is sent (AppendBatch). Without: the answer to a
//     batch is lost, the batch is sent again, and both copies are committed.
//   - One request of a Producer is in flight. Without: batch 1 fails, batch 2 succeeds, batch 1 is tried again and lands
//     behind it.
//
// # Limits
//
// Reading begins with Kafka 0.11; telling a topic that was made again needs 2.8, and excluding its records surely 3.1.
// Message formats before 0.11 are refused. A retried write may leave a copy of the messages before the acknowledged
// ones: writers give every attempt a key of its own, or readers ignore copies.
package kafka
