package batches

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// forge builds a batch that only other producers, or the cleaner, would write.
type forge struct {
	base       int64
	codec      int16
	attributes int16
	producer   int64
	lastDelta  int64 // 0: of the last record
	deltas     []int64
	messages   []Message
}

func (f forge) bytes(t testing.TB) []byte {
	t.Helper()
	b := NewBuilder()
	lastDelta := f.lastDelta
	for i := range f.messages {
		delta := int64(i)
		if f.deltas != nil {
			delta = f.deltas[i]
		}
		b.addAt(delta, &f.messages[i])
		lastDelta = max(lastDelta, delta)
	}
	bytes, err := b.appendTo(nil, f.codec)
	if err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint64(bytes, uint64(f.base))
	binary.BigEndian.PutUint32(bytes[batchLastDeltaAt:], uint32(lastDelta))
	binary.BigEndian.PutUint64(bytes[batchProducerAt:], uint64(f.producer))
	binary.BigEndian.PutUint16(bytes[batchProducerAt+8:], 0) // the producer's epoch
	return patch(bytes, batchAttributesAt, byte(uint16(f.attributes)>>8), byte(f.attributes)|byte(f.codec))
}

// batchOf is a batch of n records from base on; the value of each is its offset.
func batchOf(t testing.TB, base int64, n int, codec int16) []byte {
	f := forge{base: base, codec: codec, producer: -1}
	for i := range n {
		f.messages = append(f.messages, Message{Timestamp: 1000 + int64(i), Key: []byte("k"), Value: fmt.Appendf(nil, "%d", base+int64(i))})
	}
	return f.bytes(t)
}

// inTransaction is a batch of one record that belongs to a transaction of the producer.
func inTransaction(t testing.TB, base, producer int64) []byte {
	return forge{base: base, producer: producer, attributes: transactional,
		messages: []Message{{Timestamp: 1, Value: fmt.Appendf(nil, "%d", base)}}}.bytes(t)
}

const (
	abortMarker  = 0
	commitMarker = 1
)

// marker ends a transaction of the producer.
func marker(t testing.TB, base, producer int64, kind uint16) []byte {
	key := binary.BigEndian.AppendUint16([]byte{0, 0}, kind)
	return forge{base: base, producer: producer, attributes: transactional | control,
		messages: []Message{{Timestamp: 1, Key: key, Value: []byte{0, 0, 0, 0, 0, 0}}}}.bytes(t)
}

// emptied is what the cleaner leaves of a batch: its header.
func emptied(t testing.TB, base, lastDelta int64) []byte {
	return forge{base: base, producer: 7, lastDelta: lastDelta}.bytes(t)
}

// patch changes bytes of a batch; with a new checksum, unless it is the checksum that is to be wrong.
func patch(batch []byte, at int, value ...byte) []byte {
	copied := append([]byte(nil), batch...)
	copy(copied[at:], value)
	binary.BigEndian.PutUint32(copied[batchCRCAt:], crc32.Checksum(copied[batchChecked:], castagnoli))
	return copied
}

func int32Bytes(v int32) []byte { return binary.BigEndian.AppendUint32(nil, uint32(v)) }

func join(parts ...[]byte) (all []byte) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

// allRecords of a chunk, part by part.
func allRecords(chunk *Chunk) (all []Record, err error) {
	for {
		records, err := chunk.Records(context.Background())
		if err != nil || len(records) == 0 {
			return all, err
		}
		all = append(all, records...)
	}
}

// decodeAll is what a consumer sees of a partition's bytes.
func decodeAll(bytes []byte, from int64, aborted ...wire.Aborted) (records []Record, next int64, err error) {
	fetched := &wire.FetchedPartition{Batches: bytes, Aborted: aborted}
	all, err := NewChunks("topic", wire.TopicID{}, from, fetched, new(Buffers).Get(0), nil)
	if err != nil {
		return nil, from, err
	}
	next = from
	for _, chunk := range all {
		if chunk.First != next || chunk.Next <= chunk.First {
			panic("a chunk does not follow the one before")
		}
		part, err := allRecords(chunk)
		if err != nil {
			return nil, from, err
		}
		records, next = append(records, part...), chunk.Next
	}
	return records, next, nil
}
