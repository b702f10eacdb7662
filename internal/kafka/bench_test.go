package kafka

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// partitionBytes is what a fetch brings of a partition: batches of 100 JSON records of some 240 bytes, 1 MiB together.
func partitionBytes(b *testing.B, codec int16) (bytes []byte, count int) {
	b.Helper()
	for size := 0; size < 1<<20; {
		f := forge{base: int64(count), codec: codec, producer: -1}
		for i := range 100 {
			value := jsonRecord(count + i)
			size += len(value)
			f.messages = append(f.messages, Message{Timestamp: 1700000000000 + int64(i), Value: value})
		}
		bytes = append(bytes, f.bytes(b)...)
		count += 100
	}
	return bytes, count
}

func jsonRecord(i int) []byte {
	return fmt.Appendf(nil, `{"age":%d,"workclass":"Private","fnlwgt":%d,"education":"Some-college","education-num":10,"marital-status":"Married-civ-spouse",`+
		`"occupation":"Exec-managerial","relationship":"Husband","race":"White","sex":"Male","capital-gain":0,"income":">50K"}`, 17+i%70, i*37)
}

// BenchmarkDecode is the way of a record from a response to a Record: checksum, decompression, decoding.
func BenchmarkDecode(b *testing.B) {
	for codec := range int16(len(codecNames)) {
		b.Run(codecNames[codec], func(b *testing.B) {
			bytes, count := partitionBytes(b, codec)
			buffer := new(bufferPool).get()
			budget := newBudget(1 << 30)
			fetched := &fetchedPartition{batches: bytes}
			sum := 0
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			for b.Loop() {
				all, err := newChunks("topic", TopicID{}, 0, fetched, buffer, budget)
				if err != nil {
					b.Fatal(err)
				}
				for _, chunk := range all {
					records, err := chunk.Records(context.Background())
					if err != nil {
						b.Fatal(err)
					}
					for i := range records {
						sum += len(records[i].Value)
					}
					chunk.Release()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(count), "ns/record")
			if sum == 0 {
				b.Fatal("no values")
			}
		})
	}
}

// BenchmarkEncode is the way of a message into a batch.
func BenchmarkEncode(b *testing.B) {
	message := Message{Timestamp: 1700000000000, Value: make([]byte, 240)}
	for codec := range int16(len(codecNames)) {
		b.Run(codecNames[codec], func(b *testing.B) {
			const count = 2000
			builder := newBatchBuilder()
			var into []byte
			b.ReportAllocs()
			for b.Loop() {
				builder.reset()
				for range count {
					builder.add(&message)
				}
				var err error
				if into, err = builder.appendTo(into[:0], codec); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/record")
		})
	}
}

// BenchmarkFetch reads records of some 240 bytes in 4 partitions from the real broker, which shares the processors, to
// the end: from the socket to a Record.
func BenchmarkFetch(b *testing.B) {
	const partitions, count = 4, 400_000
	for _, codec := range []string{"none", "lz4", "zstd"} {
		b.Run(codec, func(b *testing.B) {
			w := onReal(b)
			w.config.CompressionType = codec
			topic := w.create(partitions)
			p, err := w.NewProducer(w.context(), topic, 0)
			w.must(err)
			for i := range count {
				w.must(p.Send(w.context(), &Message{Value: jsonRecord(i)}))
			}
			w.must(p.Flush(w.context()))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := cpuTime(b)
			b.ResetTimer()
			for range b.N {
				f, err := w.NewFetcher(FetchOptions{Topic: topic})
				w.must(err)
				for read := 0; read < count; {
					chunk, err := f.Next(w.context())
					w.must(err)
					records, err := chunk.Records(context.Background())
					w.must(err)
					read += len(records)
					chunk.Release()
				}
				f.Close()
			}
			b.StopTimer()
			runtime.ReadMemStats(&after)
			all := float64(b.N) * count
			b.ReportMetric(all/b.Elapsed().Seconds()/1e6, "Mrecords/s")
			b.ReportMetric(float64((cpuTime(b)-begin).Nanoseconds())/all, "cpu-ns/record")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/all, "allocs/record")
		})
	}
}

// cpuTime of this process.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
