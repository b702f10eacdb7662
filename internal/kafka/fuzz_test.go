package kafka

import (
	"errors"
	"testing"
)

// FuzzRecords: whatever the bytes of a partition are, decoding ends, with a CorruptError or with offsets that rise and
// a next offset beyond them all that is never before the one asked for.
func FuzzRecords(f *testing.F) {
	for codec := range int16(len(codecNames)) {
		f.Add(batchOf(f, 3, 4, codec), int64(3), int64(0), int64(0))
	}
	f.Add(join(inTransaction(f, 0, 7), marker(f, 1, 7, abortMarker), emptied(f, 2, 5)), int64(0), int64(7), int64(0))
	f.Add(forge{base: 1, producer: -1, messages: []Message{{Key: []byte("k"), Headers: []Header{{"a", nil}, {"b", []byte("c")}}}}}.bytes(f), int64(1), int64(0), int64(0))
	f.Add(join(batchOf(f, 3, 4, codecNone), batchOf(f, 7, 4, codecNone)[:70]), int64(5), int64(0), int64(0))
	f.Fuzz(func(t *testing.T, bytes []byte, from, producer, first int64) {
		if from < 0 {
			return // offsets asked for are never negative
		}
		resealed := append([]byte(nil), bytes...)
		if len(resealed) > batchHeader { // or no mutation would pass the checksum
			resealed = patch(resealed, 0)
		}
		for _, bytes := range [][]byte{bytes, resealed} {
			records, next, err := decodeAll(bytes, from, abortedTransaction{producer, first})
			var corrupt *CorruptError
			if err != nil && !errors.As(err, &corrupt) {
				t.Fatalf("error %T: %v", err, err)
			}
			if err != nil {
				continue
			}
			previous := from - 1
			for i := range records {
				if records[i].Offset <= previous {
					t.Fatalf("offset %d after %d", records[i].Offset, previous)
				}
				previous = records[i].Offset
				if n := len(records[i].Headers()); n != int(records[i].HeaderCount) {
					t.Fatalf("%d headers of %d", n, records[i].HeaderCount)
				}
			}
			if next <= previous || next < from {
				t.Fatalf("next %d after %d, from %d", next, previous, from)
			}
		}
	})
}

// FuzzFetchResponse: no answer, in any version, panics or is taken for another topic's.
func FuzzFetchResponse(f *testing.F) {
	for _, version := range []int16{fetchOldest, fetchByName, fetchByID} {
		f.Add(fetchAnswer(version, TopicID{1}, "topic", batchOf(f, 0, 2, codecNone)), version)
	}
	f.Fuzz(func(t *testing.T, bytes []byte, version int16) {
		if version != fetchOldest && version != fetchByName && version != fetchByID {
			return
		}
		response := &fetchResponse{}
		request := &fetchRequest{topic: "topic", id: TopicID{1}}
		if err := response.read(&decoder{bytes: bytes, flexible: version >= 12}, version, request); err != nil {
			return
		}
		total := 0
		for _, p := range response.partitions {
			total += len(p.batches) + 16*len(p.aborted)
		}
		if total > len(bytes) {
			t.Fatalf("%d bytes out of %d", total, len(bytes))
		}
	})
}

// FuzzMetadata: the same for metadata.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Fuzz(func(t *testing.T, bytes []byte, flexible bool) {
		version := int16(4)
		if flexible {
			version = 10
		}
		m, err := readMetadata(&decoder{bytes: bytes, flexible: flexible}, version)
		if err == nil && len(m.topics)+len(m.errors) > len(bytes) {
			t.Fatalf("%d topics in %d bytes", len(m.topics), len(bytes))
		}
	})
}

// fetchAnswer encodes an answer with one partition, as a broker would.
func fetchAnswer(version int16, id TopicID, topic string, batches []byte) []byte {
	e := &encoder{flexible: version >= 12}
	e.int32(0)
	if version >= 7 {
		e.int16(0)
		e.int32(0)
	}
	e.array(1)
	if version >= fetchByID {
		e.uuid(id)
	} else {
		e.string(topic)
	}
	e.array(1)
	e.int32(3)
	e.int16(0)
	e.int64(9)
	e.int64(8)
	if version >= 5 {
		e.int64(1)
	}
	e.array(1)
	e.int64(7)
	e.int64(2)
	e.tags()
	if version >= 11 {
		e.int32(-1)
	}
	e.array(len(batches))
	e.bytes = append(e.bytes, batches...)
	e.tags()
	e.tags()
	e.tags()
	return e.bytes
}
