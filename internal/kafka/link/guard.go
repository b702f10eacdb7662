package link

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"

	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

const (
	// decodedLimit bounds an answer that kafka-go decodes; the largest, of a topic with ten thousand partitions, has
	// some hundred kB.
	decodedLimit = 4 << 20
	// closedStrikes: so many connections, closed in a row by the other side before the first useful answer ever, mean
	// that the listener speaks something else. A broker that is just restarting closes fewer.
	closedStrikes = 5

	requestHead = 8 // size, API key, version
)

// errNotAsked: bytes behind the end of an answer.
var errNotAsked = errors.New("the broker sent a response without a request")

// contact is what a client remembers of its connections: whether any was of use, and how many were closed before.
type contact struct {
	useful atomic.Bool
	closes atomic.Int64
}

// closed is the error of a connection that the other side closed.
func (c *contact) closed(err error) error {
	if c.useful.Load() || !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return &fault.ClosedError{Final: c.closes.Add(1) >= closedStrikes}
}

// guardedConn stands between kafka-go and the network: no answer that kafka-go decodes reaches it before its lengths are
// checked. A client has one request at a time on a connection; kafka-go writes from one goroutine and reads from one.
type guardedConn struct {
	net.Conn
	contact *contact

	unsent   int  // bytes of the request at hand that are not written yet
	asked    bool // an answer is due
	api      protocol.ApiKey
	shape    *wire.Shape // nil: the answer is not for kafka-go to decode
	bareSASL bool        // before Kafka 1.0
	opaque   bool        // the request is a message of SASL

	checked []byte // of the answer at hand, not given yet
	passing int    // bytes of the answer at hand that are given unchecked
}

// Write is part of net.Conn.
func (c *guardedConn) Write(bytes []byte) (int, error) {
	if c.unsent == 0 && len(bytes) >= requestHead {
		c.asked, c.unsent = true, 4+int(binary.BigEndian.Uint32(bytes))
		c.begin(protocol.ApiKey(binary.BigEndian.Uint16(bytes[4:])), int16(binary.BigEndian.Uint16(bytes[6:])))
	}
	n, err := c.Conn.Write(bytes)
	c.unsent = max(0, c.unsent-n)
	return n, err
}

// begin notes what is asked. After SaslHandshake 0 come sized messages of the mechanism: their text is no version of any API.
func (c *guardedConn) begin(api protocol.ApiKey, version int16) {
	const highestVersion = 31
	if c.opaque = c.bareSASL && (version < 0 || version > highestVersion); c.opaque {
		c.shape = nil
		return
	}
	c.bareSASL = c.bareSASL || api == protocol.SaslHandshake && version == 0
	c.api, c.shape = api, wire.ShapeOf(api, version)
}

// Read is part of net.Conn.
func (c *guardedConn) Read(into []byte) (int, error) {
	if len(into) == 0 {
		return 0, nil
	}
	if len(c.checked) == 0 && c.passing == 0 {
		if err := c.answer(); err != nil {
			return 0, err
		}
	}
	if len(c.checked) > 0 {
		n := copy(into, c.checked)
		c.checked = c.checked[n:]
		return n, nil
	}
	n, err := c.Conn.Read(into[:min(len(into), c.passing)])
	c.passing -= n
	return n, err
}

// answer reads the head of an answer, and all of it if kafka-go is to decode it.
func (c *guardedConn) answer() error {
	if !c.asked {
		return errNotAsked
	}
	head := make([]byte, wire.AnswerHead)
	if _, err := io.ReadFull(c.Conn, head); err != nil {
		return c.contact.closed(err)
	}
	c.asked = false
	size := int(int32(binary.BigEndian.Uint32(head)))
	switch {
	case head[0] == 0x15 && head[1] == 0x03 && !c.opaque:
		return fault.ErrSpeaksTLS
	case size < 0, (c.shape != nil || c.opaque) && size > decodedLimit:
		return fmt.Errorf("the response has a length of %d bytes, and the limit is %d: is this a Kafka listener?", size, decodedLimit)
	case c.shape == nil:
		c.checked, c.passing = head, size
	default:
		answer, err := readSized(c.Conn, head, size)
		if err != nil {
			return wire.Unexpected(err)
		}
		if err := c.shape.Check(answer[wire.AnswerHead:]); err != nil {
			return err
		}
		c.checked = answer
	}
	if c.api != protocol.ApiVersions { // which a listener answers before it asks for a password
		c.contact.useful.Store(true)
	}
	return nil
}

// readSized appends so many bytes, and makes room only as they come.
func readSized(from io.Reader, into []byte, size int) ([]byte, error) {
	const step = 64 << 10
	for size > 0 {
		n := min(size, max(step, len(into)))
		into = wire.Grow(into, n)
		read, err := io.ReadFull(from, into[len(into):len(into)+n])
		into, size = into[:len(into)+read], size-read
		if err != nil {
			return into, err
		}
	}
	return into, nil
}
