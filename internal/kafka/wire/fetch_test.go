package wire

import (
	"testing"
)

// FuzzFetchResponse: no answer, in any version, panics or is taken for another topic's.
func FuzzFetchResponse(f *testing.F) {
	for _, version := range []int16{FetchOldest, FetchByName, FetchByID} {
		f.Add(fetchAnswer(version, TopicID{1}, "topic", []byte("batches")), version)
	}
	f.Fuzz(func(t *testing.T, bytes []byte, version int16) {
		if version != FetchOldest && version != FetchByName && version != FetchByID {
			return
		}
		response := &Fetched{}
		request := &Fetch{Topic: "topic", ID: TopicID{1}}
		if err := response.Read(&Decoder{bytes: bytes, flexible: version >= 12}, version, request); err != nil {
			return
		}
		total := 0
		for _, p := range response.Partitions {
			total += len(p.Batches) + 16*len(p.Aborted)
		}
		if total > len(bytes) {
			t.Fatalf("%d bytes out of %d", total, len(bytes))
		}
	})
}

// fetchAnswer encodes an answer with one partition, as a broker would.
func fetchAnswer(version int16, id TopicID, topic string, batches []byte) []byte {
	e := &Encoder{flexible: version >= 12}
	e.Int32(0)
	if version >= 7 {
		e.int16(0)
		e.Int32(0)
	}
	e.Array(1)
	if version >= FetchByID {
		e.uuid(id)
	} else {
		e.Text(topic)
	}
	e.Array(1)
	e.Int32(3)
	e.int16(0)
	e.Int64(9)
	e.Int64(8)
	if version >= 5 {
		e.Int64(1)
	}
	e.Array(1)
	e.Int64(7)
	e.Int64(2)
	e.Tags()
	if version >= 11 {
		e.Int32(-1)
	}
	e.Array(len(batches))
	e.bytes = append(e.bytes, batches...)
	e.Tags()
	e.Tags()
	e.Tags()
	return e.bytes
}
