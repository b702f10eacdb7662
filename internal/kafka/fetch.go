package kafka

import (
	"context"
	"io"
	"time"

	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// firstByte says how long the first byte of an answer may take: two seconds, doubled by each failure. A cold disk may
// need five seconds, and a limit of two would fail for ever. The time shrinks only when answers come in half of the shorter
// time: on a slow network every other request would fail otherwise.
type firstByte struct{ doublings int }

const shortestFirstByte = 2 * time.Second

func (b *firstByte) patience() time.Duration { return shortestFirstByte << b.doublings }

func (b *firstByte) failed() { b.doublings = min(b.doublings+1, 4) }

// answered takes note of an answer that came after a time, during which the broker may have waited for records.
func (b *firstByte) answered(after, waited time.Duration) {
	if b.doublings > 0 && after-waited < b.patience()/4 {
		b.doublings--
	}
}

// fetched is an answer with the buffer that its partitions point into.
type fetched struct {
	wire.Fetched
	buffer *batches.Buffer
}

const (
	silence = 10 * time.Second // within an answer
	// fetchDeadline only bounds what a connection that trickles can take; see patience.
	fetchDeadline = 5 * time.Minute
)

// fetch is one request. The response must be released, which gives its buffer back; a response that nobody waits for
// any more keeps its buffer, for the connection may still be filling it.
func (c *Client) fetch(ctx context.Context, broker int32, request *wire.Fetch) (*fetched, error) {
	highest, err := c.link.Version(ctx, broker, protocol.Fetch)
	if err != nil {
		return nil, err
	}
	version := wire.FetchOldest
	switch {
	case highest >= wire.FetchByID && request.ID != (TopicID{}):
		version = wire.FetchByID
	case highest >= wire.FetchByName:
		version = wire.FetchByName
	}
	encoded := request.Encode(version, c.link.Config.ClientID)
	wait := wire.Patience{First: request.MaxWait + request.Patience, Later: silence}
	limit := request.MaxBytes + batches.MaxInflated
	ctx, cancel := context.WithTimeout(ctx, fetchDeadline)
	defer cancel()
	value, err := c.link.Send(ctx, &link.Exchange{API: protocol.Fetch, To: broker,
		Run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
			var buffer *batches.Buffer
			room := func(size int) []byte {
				buffer = c.buffers.Get(min(size, request.MaxBytes))
				return buffer.Bytes
			}
			d, bytes, err := wire.RoundTrip(connection, encoded, limit, wait, room)
			if err != nil {
				return nil, err
			}
			buffer.Bytes = bytes
			response := &fetched{buffer: buffer}
			if err := response.Read(d, version, request); err != nil {
				return nil, err
			}
			return response, nil
		}})
	if err != nil {
		return nil, err
	}
	return value.(*fetched), nil
}
