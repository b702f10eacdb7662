// Package batches turns the bytes of a partition into records, and messages into batches. It does no input or output.
//
//	bytes of an answer ──scan──▶ batches, checked ──NewChunks──▶ Chunks ──Records, on any goroutine──▶ Records
//	                                                               │                                      │
//	                                                               └────────── charged to ──▶ Budget ◀────┘
//	Messages ──Builder──▶ a batch
//
// A file uses only those before it:
//
//	record.go   records with keys, values and headers; messages; varints
//	batch.go    the layout of a batch; checksum, offsets and counts that are checked; the format before Kafka 0.11 is refused
//	decode.go   bytes of a batch to records, and what makes a record corrupt
//	aborted.go  which batches belong to aborted transactions
//	sizes.go    how many bytes a payload becomes at most, before it is decompressed; the bound of 64 MiB; records in a chunk
//	scan.go     the batches of an answer, and the next offset, also behind batches that the cleaner emptied
//	deflate.go  compression of what is written
//	builder.go  messages to a batch; the producer's stamp of a transaction
//	inflate.go  decompression of what is read, within its bound
//	buffer.go   the bytes of an answer, shared by its chunks
//	budget.go   the bound for all memory that chunks hold; who waits for room
//	decoded.go  the memory of decoded records, used again
//	chunk.go    an answer cut into chunks, and what each tells: next offset, epoch, loss
//	records.go  the records of a chunk, decompressed and decoded on any goroutine
//
// # Rules that are not obvious
//
// Each is the event that breaks without it.
//
//   - The next offset is the last batch's base + last offset delta + 1 (scan). Without: the cleaner empties the batch of
//     offsets 10..14 and keeps its header; "last record + 1" stays 10, and the same fetch is repeated for ever. kafka-go's
//     Reader spins or panics there.
//   - A batch before a corrupt one is given, the corrupt one is an error of the next fetch (scan). Without: four good
//     batches are fetched and thrown away with the bad one, and the error names an offset that is not the bad one.
//   - An answer is cut into chunks of a few thousand records (NewChunks). Without: 1 MiB that was compressed twentyfold
//     becomes one piece of 20 MiB, which one goroutine decodes while the others wait, and which no pool keeps.
//   - Charging the budget for what was fetched never waits, and the oldest chunk is decoded without waiting (Budget).
//     Without: the learner holds chunk 1 and waits for the decoding of chunk 2, which waits for room that only releasing
//     chunk 1 would make.
//   - Room for decompressed records is charged before they are decompressed (inflatedSize). Without: 264 KiB that were
//     compressed to the utmost take 9 GB, and the next start fetches them again.
package batches
