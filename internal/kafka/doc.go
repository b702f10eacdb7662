// Package kafka is all that fairstream says to Kafka: reading records, writing them, and caring for topics. It is the
// only package that imports kafka-go, which carries our bytes (connections, TLS, SASL, the encoding of requests that
// need no more than that). What decides whether a record is seen once is ours: who leads a partition, which bytes are a
// batch, where reading goes on, what a failure means.
//
// It imports nothing of the project. pkg/stream and cmd/fairstream import it.
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
// Each stands beside its code too; this is the list, as the events that break without it.
//
//   - The next offset is the last batch's base + last offset delta + 1 (scan). Without: the cleaner empties the batch of
//     offsets 10..14 and keeps its header; "last record + 1" stays 10, and the same fetch is repeated for ever. kafka-go's
//     Reader spins or panics there.
//   - A batch before a corrupt one is given, the corrupt one is an error of the next fetch (scan). Without: four good
//     batches are fetched and thrown away with the bad one, and the error names an offset that is not the bad one.
//   - A partition is in at most one request (taken). Without: its leader moves while broker 1 still answers, broker 2 is
//     asked from the same offset, and both answers are handed over.
//   - A request names the topic by its id (Fetch 13), and a chunk whose topic was made again meanwhile is thrown away.
//     Without: the topic is deleted and made again, its new log grows beyond the saved offset, and the fetch by name
//     succeeds with records of the new topic in the middle. (Kafka before 3.1 has no such fetch; the id is then compared
//     whenever the coordinator looks.)
//   - Another topic id, or number of partitions, is believed when a second answer, on a fresh connection, agrees (topic).
//     Without: one flipped bit in an id ends a healthy learner, or makes it learn everything again.
//   - A new leader is asked whether it has what was read (epoch.go). Without: an unclean election loses a thousand records,
//     the new log grows beyond the offset, and its other thousand records are never read, in silence.
//   - The first answer that an offset is beyond the log's end is doubted, the second believed (rangeStrikes). Without: a
//     broker elected a moment ago, not up to date, makes a healthy learner stop.
//   - kafka-go sees no answer whose lengths were not checked (guardedConn, shape). Without: one flipped bit in the count of
//     an array makes it allocate 36 GB, and the process dies.
//   - A connection closed before any useful answer ever came is an error after a few (contact). Without: a plaintext
//     client waits for ever at a TLS listener. Later, a closed connection is a broker that restarts.
//   - A response owns its buffer (fetch). Without: a deadline passes, the caller uses the buffer for the next request,
//     and the connection, still reading the late answer, writes into it.
//   - A response is cut into chunks of a few thousand records (newChunks). Without: 1 MiB that was compressed twentyfold
//     becomes one piece of 20 MiB, which one goroutine decodes while the others wait, and which no pool keeps.
//   - Charging the budget for what was fetched never waits, and the oldest chunk is decoded without waiting (budget).
//     Without: the learner holds chunk 1 and waits for the decoding of chunk 2, which waits for room that only releasing
//     chunk 1 would make.
//   - Room for decompressed records is charged before they are decompressed (inflatedSize). Without: 264 KiB that were
//     compressed to the utmost take 9 GB, and the next start fetches them again.
//   - A connection that fails to open is explained by asking for metadata (unmask). Without: a wrong password reads
//     "topic not found", since kafka-go routes by a layout that it never received.
//   - The broker is told half of our patience with a write (writeBatch). Without: our deadline passes first, we write
//     again, and a replica that comes back a second later acknowledges both.
//   - Own topics are read uncommitted (Read). Without: somebody's transaction on the model topic never ends, an owner does
//     not see what it published behind it, and moves the alias back to what it sees.
//   - A batch of a Transactor keeps its sequence number, however often it is sent (AppendBatch). Without: the answer to a
//     batch is lost, the batch is sent again, and both copies are committed.
//   - One request of a Producer is in flight. Without: batch 1 fails, batch 2 succeeds, batch 1 is tried again and lands
//     behind it.
//   - Close ends calls, then pools, then sockets (Client.Close). Without: a call that began a moment before opens a new
//     pool, whose goroutine stays for ever.
//
// # Limits
//
// Reading begins with Kafka 0.11; telling a topic that was made again needs 2.8, and excluding its records surely 3.1.
// Message formats before 0.11 are refused. A retried write may leave a copy of the messages before the acknowledged
// ones: writers give every attempt a key of its own, or readers ignore copies. SASL is PLAIN and SCRAM; there is no
// Kerberos and no OAUTHBEARER.
package kafka
