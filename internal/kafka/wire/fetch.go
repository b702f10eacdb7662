package wire

import (
	"fmt"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// The versions of Fetch that are spoken, the newest that the broker knows. With 13 a partition is named by its topic's
// id, so that the records of a topic made again under the same name cannot come as an answer.
const (
	FetchByID   int16 = 13 // Kafka 3.1
	FetchByName int16 = 11 // Kafka 2.3
	FetchOldest int16 = 4  // Kafka 0.11
)

// The isolation levels of a request: all records, or without those of open and aborted transactions.
const (
	Uncommitted int8 = 0
	Committed   int8 = 1
)

// Fetch asks one broker for several partitions of one topic. A fetch ends when MinBytes are there or MaxWait is
// over; the first batch of the answer comes whole whatever the limits say.
type Fetch struct {
	Topic             string
	ID                TopicID
	Partitions        []FetchPartition
	Isolation         int8
	MaxWait           time.Duration
	MinBytes          int
	MaxBytes          int
	MaxPartitionBytes int
	Patience          time.Duration // beyond MaxWait, to the first byte
}

// FetchPartition is what to read of a partition. Epoch is that of its leader.
type FetchPartition struct {
	Partition, Epoch int32
	Offset           int64
}

// Aborted: the records of producer from offset first up to its next abort marker are not to be seen.
type Aborted struct {
	Producer, First int64
}

// Fetched is an answer; its partitions point into the bytes that it was read from.
type Fetched struct {
	Throttle   time.Duration
	Partitions []FetchedPartition
}

// FetchedPartition is the answer for a partition. Code is its error, and the other fields are set if there is none.
type FetchedPartition struct {
	Partition     int32
	Code          int16
	HighWatermark int64
	LastStable    int64
	LogStart      int64 // -1: unknown
	Aborted       []Aborted
	Batches       []byte
}

// Encode writes the request in a version of the protocol.
func (r *Fetch) Encode(version int16, clientID string) *Encoder {
	e := NewRequest(protocol.Fetch, version, version >= 12, clientID)
	e.Int32(-1) // a consumer, not a replica
	e.Int32(int32(r.MaxWait / time.Millisecond))
	e.Int32(int32(r.MinBytes))
	e.Int32(int32(r.MaxBytes))
	e.int8(r.Isolation)
	if version >= 7 {
		e.Int32(0)  // session id
		e.Int32(-1) // session epoch: no session, every request names its partitions
	}
	e.Array(1)
	if version >= FetchByID {
		e.uuid(r.ID)
	} else {
		e.Text(r.Topic)
	}
	e.Array(len(r.Partitions))
	for _, p := range r.Partitions {
		e.Int32(p.Partition)
		if version >= 9 {
			e.Int32(p.Epoch) // a leader that was deposed, and does not know it yet, refuses
		}
		e.Int64(p.Offset)
		if version >= 12 {
			e.Int32(-1) // last fetched epoch: for replicas
		}
		if version >= 5 {
			e.Int64(-1) // log start: for replicas
		}
		e.Int32(int32(r.MaxPartitionBytes))
		e.Tags()
	}
	e.Tags()
	if version >= 7 {
		e.Array(0) // forgotten partitions of a session
	}
	if version >= 11 {
		e.Text("") // rack: always the leader, whose high watermark is the newest
	}
	e.Tags()
	return e
}

// Read reads the answer to a request.
func (r *Fetched) Read(d *Decoder, version int16, request *Fetch) error {
	r.Throttle = time.Duration(d.Int32()) * time.Millisecond
	if version >= 7 {
		if err := Code(d.Int16()); d.Err == nil && err != nil {
			return err
		}
		d.Int32() // session id
	}
	for range d.Array(6) {
		ours := false
		if version >= FetchByID {
			ours = d.uuid() == request.ID
		} else {
			ours = d.Text() == request.Topic
		}
		if d.Err == nil && !ours {
			return fmt.Errorf("fetch: the response is for another topic than %s", request.Topic)
		}
		for range d.Array(30) {
			r.Partitions = append(r.Partitions, readFetched(d, version, request.Isolation))
			if d.Err != nil {
				return d.Finish("fetch")
			}
		}
		d.Tags()
	}
	return d.Finish("fetch")
}

func readFetched(d *Decoder, version int16, isolation int8) FetchedPartition {
	p := FetchedPartition{Partition: d.Int32(), Code: d.Int16(), HighWatermark: d.Int64(), LastStable: d.Int64(), LogStart: -1}
	if version >= 5 {
		p.LogStart = d.Int64()
	}
	if isolation == Uncommitted {
		p.LastStable = p.HighWatermark // what can be read ends there
	}
	if n := d.Array(16); n > 0 {
		p.Aborted = make([]Aborted, n)
		for i := range p.Aborted {
			p.Aborted[i] = Aborted{d.Int64(), d.Int64()}
			d.Tags()
		}
	}
	if version >= 11 {
		d.Int32() // preferred read replica: none, without a rack
	}
	p.Batches = d.blob()
	d.Tags()
	return p
}
