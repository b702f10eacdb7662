package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

// anyBroker sends a request to whichever bootstrap server answers.
const anyBroker int32 = -1

// exchange is one request and its answer on a connection of kafka-go's pool, by its hook protocol.RawExchanger. It is
// routed to the broker we name: who leads what is our own knowledge (cluster.go), because kafka-go's is up to a second
// old, and while it is empty every connection error reads "topic not found".
//
// Everything that run touches belongs to this exchange alone. After a deadline the caller has gone, yet the connection
// may still be writing the request or filling the answer's buffer: both must be garbage then, never reused.
type exchange struct {
	api    protocol.ApiKey
	broker int32
	run    func(connection io.ReadWriter, versions map[protocol.ApiKey]int16) (any, error)

	versions map[protocol.ApiKey]int16
}

var (
	_ protocol.RawExchanger  = (*exchange)(nil)
	_ protocol.BrokerMessage = (*exchange)(nil)
)

// answer carries the result of an exchange through kafka-go; being a type of its own, no special case there knows it.
type answer struct {
	api   protocol.ApiKey
	value any
}

func (a *answer) ApiKey() protocol.ApiKey { return a.api }

// ApiKey is part of protocol.Message.
func (x *exchange) ApiKey() protocol.ApiKey { return x.api }

// Broker is part of protocol.BrokerMessage; of the broker, kafka-go uses the id.
func (x *exchange) Broker(protocol.Cluster) (protocol.Broker, error) {
	return protocol.Broker{ID: x.broker}, nil
}

// Required is part of protocol.RawExchanger; it brings the versions that kafka-go negotiated on the connection.
func (x *exchange) Required(versions map[protocol.ApiKey]int16) bool {
	x.versions = versions
	return true
}

// RawExchange is part of protocol.RawExchanger. An error closes the connection.
func (x *exchange) RawExchange(connection io.ReadWriter) (protocol.Message, error) {
	value, err := x.run(connection, x.versions)
	if err != nil {
		return nil, err
	}
	return &answer{x.api, value}, nil
}

// send runs one exchange, within the client's request timeout unless ctx ends earlier.
func (c *Client) send(ctx context.Context, x *exchange) (any, error) {
	ctx, done, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	message, err := c.transport.RoundTrip(ctx, c.address, x)
	if err != nil && x.broker != anyBroker {
		return nil, c.unmask(ctx, x.broker, err)
	}
	if err != nil {
		return nil, err
	}
	return message.(*answer).value, nil
}

// unmask finds the true cause when kafka-go does not know a broker: it never reached the cluster, or a broker joined
// since it last asked. Dropping its pool makes it ask at once; but only when a bootstrap server answers, or the new pool
// would know nobody at all.
func (c *Client) unmask(ctx context.Context, broker int32, err error) error {
	c.forgetVersions(broker)
	if !errors.Is(err, kafkago.BrokerNotAvailable) {
		return err
	}
	if _, cause := c.metadata(ctx, anyBroker, nil); cause != nil {
		return cause
	}
	c.transport.CloseIdleConnections()
	return err
}

// ask sends a typed message of kafka-go to a broker, in the highest version that both speak.
func ask[Answer protocol.Message](ctx context.Context, c *Client, broker int32, request protocol.Message) (Answer, error) {
	const correlation = 1 // one request at a time on a connection
	var none Answer
	api := request.ApiKey()
	value, err := c.send(ctx, &exchange{api: api, broker: broker,
		run: func(connection io.ReadWriter, versions map[protocol.ApiKey]int16) (any, error) {
			return protocol.RoundTrip(connection, versions[api], correlation, c.config.ClientID, request)
		}})
	if err != nil {
		return none, err
	}
	response, ok := value.(Answer)
	if !ok {
		return none, fmt.Errorf("%v: the answer is a %T", api, value)
	}
	return response, nil
}

// newRequest begins a request of our own: room for its size, then the header (v2, flexible, or v1).
func newRequest(api protocol.ApiKey, version int16, flexible bool, clientID string) *encoder {
	e := &encoder{bytes: make([]byte, 4, 256), flexible: flexible}
	e.int16(int16(api))
	e.int16(version)
	e.int32(0)                    // correlation id: one request at a time on a connection
	e.int16(int16(len(clientID))) // this string is never compact
	e.bytes = append(e.bytes, clientID...)
	e.tags()
	return e
}

// frame is the finished request.
func (e *encoder) frame() []byte {
	binary.BigEndian.PutUint32(e.bytes, uint32(len(e.bytes)-4))
	return e.bytes
}

// patience is how long the connection may stay silent: before the first byte of an answer, and later within it. One
// deadline for the whole would either wait long for a frozen broker or never let a large answer over a slow link end.
type patience struct {
	first, later time.Duration
}

const readStep = 1 << 20

// roundTrip writes a request and reads the answer into buffer, which grows as bytes arrive: a forged length costs
// nothing. It gives what follows the header.
func roundTrip(connection io.ReadWriter, request *encoder, limit int, wait patience, buffer []byte) (*decoder, []byte, error) {
	deadline := func(time.Duration) {}
	if conn, ok := connection.(interface{ SetReadDeadline(time.Time) error }); ok && wait.first > 0 {
		deadline = func(d time.Duration) { _ = conn.SetReadDeadline(time.Now().Add(d)) } // a closed connection fails the read
	}
	if _, err := connection.Write(request.frame()); err != nil {
		return nil, buffer, err
	}
	deadline(wait.first)
	var head [8]byte
	if _, err := io.ReadFull(connection, head[:]); err != nil {
		return nil, buffer, unexpected(err)
	}
	size := int(int32(binary.BigEndian.Uint32(head[:]))) - 4
	if size < 0 || size > limit {
		return nil, buffer, fmt.Errorf("the response has a length of %d bytes, and the limit is %d: is this a Kafka listener?", size, limit)
	}
	if id := binary.BigEndian.Uint32(head[4:]); id != 0 {
		return nil, buffer, fmt.Errorf("the response belongs to request %d, not to this one", id)
	}
	buffer = buffer[:0]
	for len(buffer) < size {
		step := min(size-len(buffer), max(readStep, len(buffer)))
		if cap(buffer) >= size {
			step = min(size-len(buffer), readStep)
		}
		buffer = grow(buffer, step)
		deadline(wait.later)
		n, err := io.ReadFull(connection, buffer[len(buffer):len(buffer)+step])
		buffer = buffer[:len(buffer)+n]
		if err != nil {
			return nil, buffer, unexpected(err)
		}
	}
	d := &decoder{bytes: buffer, flexible: request.flexible}
	d.tags()
	return d, buffer, nil
}

// grow makes room for n more bytes.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	larger := make([]byte, len(b), len(b)+n)
	copy(larger, b)
	return larger
}

// unexpected turns the end of a stream within an answer into an error that says so.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
