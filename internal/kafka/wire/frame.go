package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// ControlLimit bounds every answer that carries no records.
const ControlLimit = 64 << 20

// NewRequest begins a request of our own: room for its size, then the header (v2, flexible, or v1).
func NewRequest(api protocol.ApiKey, version int16, flexible bool, clientID string) *Encoder {
	e := &Encoder{bytes: make([]byte, 4, 256), flexible: flexible}
	e.int16(int16(api))
	e.int16(version)
	e.Int32(0)                    // correlation id: one request at a time on a connection
	e.int16(int16(len(clientID))) // this string is never compact
	e.bytes = append(e.bytes, clientID...)
	e.Tags()
	return e
}

// frame is the finished request.
func (e *Encoder) frame() []byte {
	binary.BigEndian.PutUint32(e.bytes, uint32(len(e.bytes)-4))
	return e.bytes
}

// Patience is how long the connection may stay silent: before the first byte of an answer, and later within it. One
// deadline for the whole would either wait long for a frozen broker or never let a large answer over a slow link end.
type Patience struct {
	First, Later time.Duration
}

const readStep = 1 << 20

// RoundTrip writes a request and reads the answer into a buffer, which grows as bytes arrive: a forged length costs
// nothing. room gives the buffer, for so many bytes, once an answer has begun, since a request may wait long for it; nil: a new one. RoundTrip gives
// what follows the header, and the buffer.
func RoundTrip(connection io.ReadWriter, request *Encoder, limit int, wait Patience, room func(size int) []byte) (_ *Decoder, buffer []byte, _ error) {
	deadline := func(time.Duration) {}
	if conn, ok := connection.(interface{ SetReadDeadline(time.Time) error }); ok && wait.First > 0 {
		deadline = func(d time.Duration) { _ = conn.SetReadDeadline(time.Now().Add(d)) } // a closed connection fails the read
	}
	if _, err := connection.Write(request.frame()); err != nil {
		return nil, buffer, err
	}
	deadline(wait.First)
	var head [8]byte
	if _, err := io.ReadFull(connection, head[:]); err != nil {
		return nil, buffer, Unexpected(err)
	}
	size := int(int32(binary.BigEndian.Uint32(head[:]))) - 4
	if size < 0 || size > limit {
		return nil, buffer, fmt.Errorf("the response has a length of %d bytes, and the limit is %d: is this a Kafka listener?", size, limit)
	}
	if id := binary.BigEndian.Uint32(head[4:]); id != 0 {
		return nil, buffer, fmt.Errorf("the response belongs to request %d, not to this one", id)
	}
	if room != nil {
		buffer = room(size)[:0]
	}
	for len(buffer) < size {
		step := min(size-len(buffer), max(readStep, len(buffer)))
		if cap(buffer) >= size {
			step = min(size-len(buffer), readStep)
		}
		buffer = Grow(buffer, step)
		deadline(wait.Later)
		n, err := io.ReadFull(connection, buffer[len(buffer):len(buffer)+step])
		buffer = buffer[:len(buffer)+n]
		if err != nil {
			return nil, buffer, Unexpected(err)
		}
	}
	d := &Decoder{bytes: buffer, flexible: request.flexible}
	d.Tags()
	return d, buffer, nil
}

// Grow makes room for n more bytes.
func Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	larger := make([]byte, len(b), len(b)+n)
	copy(larger, b)
	return larger
}

// Unexpected turns the end of a stream within an answer into an error that names it.
func Unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
