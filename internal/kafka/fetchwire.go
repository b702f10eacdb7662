package kafka

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// The versions of Fetch that are spoken, the newest that the broker knows. With 13 a partition is named by its topic's
// id, so that the records of a topic made again under the same name cannot come as an answer.
const (
	fetchByID   int16 = 13 // Kafka 3.1
	fetchByName int16 = 11 // Kafka 2.3
	fetchOldest int16 = 4  // Kafka 0.11
)

// fetchRequest asks one broker for several partitions of one topic. A fetch ends when minBytes are there or maxWait is
// over; the first batch of the answer comes whole whatever the limits say.
type fetchRequest struct {
	topic             string
	id                TopicID
	partitions        []fetchPartition
	isolation         int8
	maxWait           time.Duration
	minBytes          int
	maxBytes          int
	maxPartitionBytes int
	patience          time.Duration // beyond maxWait, to the first byte
}

type fetchPartition struct {
	partition, epoch int32
	offset           int64
}

// fetchResponse owns the buffer that its partitions point into.
type fetchResponse struct {
	buffer     *buffer
	throttle   time.Duration
	partitions []fetchedPartition
}

type fetchedPartition struct {
	partition     int32
	code          int16
	highWatermark int64
	lastStable    int64
	logStart      int64 // -1: unknown
	aborted       []abortedTransaction
	batches       []byte
}

const (
	silence = 10 * time.Second // within an answer
	// fetchDeadline only bounds what a connection that trickles can take; see patience.
	fetchDeadline = 5 * time.Minute
)

// fetch is one request. The response must be released, which gives its buffer back; a response that nobody waits for
// any more keeps its buffer, for the connection may still be filling it.
func (c *Client) fetch(ctx context.Context, broker int32, request *fetchRequest) (*fetchResponse, error) {
	highest, err := c.version(ctx, broker, protocol.Fetch)
	if err != nil {
		return nil, err
	}
	version := fetchOldest
	switch {
	case highest >= fetchByID && request.id != (TopicID{}):
		version = fetchByID
	case highest >= fetchByName:
		version = fetchByName
	}
	encoded := request.encode(version, c.config.ClientID)
	wait := patience{request.maxWait + request.patience, silence}
	limit := request.maxBytes + maxInflated
	ctx, cancel := context.WithTimeout(ctx, fetchDeadline)
	defer cancel()
	value, err := c.send(ctx, &exchange{api: protocol.Fetch, broker: broker,
		run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
			buffer := c.buffers.get()
			d, bytes, err := roundTrip(connection, encoded, limit, wait, buffer.bytes)
			buffer.bytes = bytes
			if err != nil {
				return nil, err
			}
			response := &fetchResponse{buffer: buffer}
			if err := response.read(d, version, request); err != nil {
				return nil, err
			}
			return response, nil
		}})
	if err != nil {
		return nil, err
	}
	return value.(*fetchResponse), nil
}

func (r *fetchRequest) encode(version int16, clientID string) *encoder {
	e := newRequest(protocol.Fetch, version, version >= 12, clientID)
	e.int32(-1) // a consumer, not a replica
	e.int32(int32(r.maxWait / time.Millisecond))
	e.int32(int32(r.minBytes))
	e.int32(int32(r.maxBytes))
	e.int8(r.isolation)
	if version >= 7 {
		e.int32(0)  // session id
		e.int32(-1) // session epoch: no session, every request names its partitions
	}
	e.array(1)
	if version >= fetchByID {
		e.uuid(r.id)
	} else {
		e.string(r.topic)
	}
	e.array(len(r.partitions))
	for _, p := range r.partitions {
		e.int32(p.partition)
		if version >= 9 {
			e.int32(p.epoch) // a leader that was deposed, and does not know it yet, refuses
		}
		e.int64(p.offset)
		if version >= 12 {
			e.int32(-1) // last fetched epoch: for replicas
		}
		if version >= 5 {
			e.int64(-1) // log start: for replicas
		}
		e.int32(int32(r.maxPartitionBytes))
		e.tags()
	}
	e.tags()
	if version >= 7 {
		e.array(0) // forgotten partitions of a session
	}
	if version >= 11 {
		e.string("") // rack: always the leader, whose high watermark is the newest
	}
	e.tags()
	return e
}

func (r *fetchResponse) read(d *decoder, version int16, request *fetchRequest) error {
	r.throttle = time.Duration(d.int32()) * time.Millisecond
	if version >= 7 {
		if err := codeError(d.int16()); d.err == nil && err != nil {
			return err
		}
		d.int32() // session id
	}
	for range d.array(6) {
		ours := false
		if version >= fetchByID {
			ours = d.uuid() == request.id
		} else {
			ours = d.string() == request.topic
		}
		if d.err == nil && !ours {
			return fmt.Errorf("fetch: the response is for another topic than %s", request.topic)
		}
		for range d.array(22) {
			r.partitions = append(r.partitions, readFetched(d, version, request.isolation))
			if d.err != nil {
				return d.finish("fetch")
			}
		}
		d.tags()
	}
	return d.finish("fetch")
}

func readFetched(d *decoder, version int16, isolation int8) fetchedPartition {
	p := fetchedPartition{partition: d.int32(), code: d.int16(), highWatermark: d.int64(), lastStable: d.int64(), logStart: -1}
	if version >= 5 {
		p.logStart = d.int64()
	}
	if isolation == uncommitted {
		p.lastStable = p.highWatermark // what can be read ends there
	}
	if n := d.array(16); n > 0 {
		p.aborted = make([]abortedTransaction, n)
		for i := range p.aborted {
			p.aborted[i] = abortedTransaction{d.int64(), d.int64()}
			d.tags()
		}
	}
	if version >= 11 {
		d.int32() // preferred read replica: none, without a rack
	}
	p.batches = d.blob()
	d.tags()
	return p
}
