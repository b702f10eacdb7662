package batches

import (
	"context"
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/wire"
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
	for codec := range int16(len(wire.CodecNames)) {
		b.Run(wire.CodecNames[codec], func(b *testing.B) {
			bytes, count := partitionBytes(b, codec)
			buffer := new(Buffers).Get(0)
			budget := NewBudget(1 << 30)
			fetched := &wire.FetchedPartition{Batches: bytes}
			sum := 0
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			for b.Loop() {
				all, err := NewChunks("topic", wire.TopicID{}, 0, fetched, buffer, budget)
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
	for codec := range int16(len(wire.CodecNames)) {
		b.Run(wire.CodecNames[codec], func(b *testing.B) {
			const count = 2000
			builder := NewBuilder()
			var into []byte
			b.ReportAllocs()
			for b.Loop() {
				builder.Reset()
				for range count {
					builder.Add(&message)
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
