package broker

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"sync"
)

// ErrInjected is what a client sees of a fault.
var ErrInjected = errors.New("injected fault")

// Fault is how a request fails.
type Fault int

const (
	// NotSent: the broker never sees the request.
	NotSent Fault = iota
	// AnswerLost: the broker does what it is asked, and the client never learns it.
	AnswerLost
)

// Faults makes the n-th request of a client fail, and closes its connection. Its Dial goes where a client opens its
// connections (without TLS). It counts requests of the chosen APIs only: others, as a client's own look for brokers, are
// sent by timers, and would make "the n-th" another one each time.
type Faults struct {
	// N is the request that fails, the first being 1; 0: none does, and all are counted.
	N    int
	Kind Fault
	// Keys of the APIs that count (https://kafka.apache.org/protocol#protocol_api_keys: 0 Produce, 1 Fetch, ...).
	Keys []int16

	mutex sync.Mutex
	count int
}

// Count is the number of requests so far.
func (f *Faults) Count() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.count
}

// Dial opens a connection that may fail.
func (f *Faults) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &faultyConn{Conn: connection, faults: f}, nil
}

// due counts a request, and tells whether it is the one.
func (f *Faults) due(key int16) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, known := range f.Keys {
		if key == known {
			f.count++
			return f.count == f.N
		}
	}
	return false
}

// faultyConn looks at the head of every request. A client has one request at a time on a connection, and writes it from
// one goroutine.
type faultyConn struct {
	net.Conn
	faults *Faults
	rest   int // bytes of the request at hand that are not written yet

	mutex sync.Mutex
	lose  bool
}

const requestHead = 4 + 2 // length, API key

// Write is part of net.Conn.
func (c *faultyConn) Write(bytes []byte) (int, error) {
	if c.rest == 0 && len(bytes) >= requestHead {
		c.rest = 4 + int(binary.BigEndian.Uint32(bytes))
		if c.faults.due(int16(binary.BigEndian.Uint16(bytes[4:]))) {
			if c.faults.Kind == NotSent {
				_ = c.Close() // the injected error is what counts
				return 0, ErrInjected
			}
			c.mutex.Lock()
			c.lose = true
			c.mutex.Unlock()
		}
	}
	n, err := c.Conn.Write(bytes)
	c.rest -= n
	return n, err
}

// Read is part of net.Conn. An answer is lost once its first byte is there: the broker has then done its work.
func (c *faultyConn) Read(into []byte) (int, error) {
	n, err := c.Conn.Read(into)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.lose && n > 0 {
		_ = c.Close()
		return 0, ErrInjected
	}
	return n, err
}
