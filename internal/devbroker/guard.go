package devbroker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A frame is a length (int32, counting from byte 4), an API key (int16), a version (int16), a correlation id (int32),
// and the rest.
const (
	lengthSize    = 4
	guardedHeader = lengthSize + 2
	smallestFrame = 8
	largestFrame  = 100 << 20 // socket.request.max.bytes of Apache Kafka
)

var errRefused = errors.New("devbroker: not a Kafka request")

// listen is net.Listen on the loopback interface, with every connection guarded.
func listen(network, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%s is not a loopback address", address)
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	return guardedListener{listener}, nil
}

type guardedListener struct{ net.Listener }

// Accept is part of net.Listener.
func (l guardedListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &guardedConn{Conn: connection}, nil
}

// guardedConn looks at the head of every frame before it lets the broker see a byte of it. One goroutine reads it.
type guardedConn struct {
	net.Conn
	head    [guardedHeader]byte
	pending []byte // of head, checked, not given yet
	body    int    // bytes of the frame after head, not given yet
}

// Read is part of net.Conn.
func (c *guardedConn) Read(into []byte) (int, error) {
	if len(into) == 0 {
		return 0, nil
	}
	if len(c.pending) == 0 && c.body == 0 {
		if _, err := io.ReadFull(c.Conn, c.head[:]); err != nil {
			return 0, err
		}
		length := int32(binary.BigEndian.Uint32(c.head[:]))
		key := int16(binary.BigEndian.Uint16(c.head[lengthSize:]))
		if length < smallestFrame || length > largestFrame || kmsg.RequestForKey(key) == nil {
			return 0, errRefused
		}
		c.pending, c.body = c.head[:], lengthSize+int(length)-guardedHeader
	}
	if len(c.pending) > 0 {
		n := copy(into, c.pending)
		c.pending = c.pending[n:]
		return n, nil
	}
	n, err := c.Conn.Read(into[:min(len(into), c.body)])
	c.body -= n
	return n, err
}
