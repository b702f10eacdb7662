package link

import (
	"context"
	"crypto/tls"
	"net"
	"sync"

	"github.com/fairstream/fairstream/internal/kafka/fault"
)

// dialer opens connections, with TLS, and knows the open ones. TLS is not left to kafka-go, so that answers can be
// looked at before it decodes them.
type dialer struct {
	open    func(ctx context.Context, network, address string) (net.Conn, error)
	tls     *tls.Config // nil: none
	contact contact

	mutex       sync.Mutex
	closed      bool
	connections map[*connection]struct{}
}

// connection tells its dialer when it is closed.
type connection struct {
	net.Conn
	dialer *dialer
}

func newDialer(open func(context.Context, string, string) (net.Conn, error), tlsConfig *tls.Config) *dialer {
	if open == nil {
		open = new(net.Dialer).DialContext
	}
	return &dialer{open: open, tls: tlsConfig, connections: map[*connection]struct{}{}}
}

// dial is for kafka-go.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	opened, err := d.connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if d.tls != nil {
		if opened, err = d.encrypt(ctx, opened, address); err != nil {
			return nil, err
		}
	}
	return &guardedConn{Conn: opened, contact: &d.contact}, nil
}

// encrypt shakes hands with the host of an address.
func (d *dialer) encrypt(ctx context.Context, opened net.Conn, address string) (net.Conn, error) {
	config := d.tls.Clone()
	if host, _, err := net.SplitHostPort(address); err == nil && config.ServerName == "" {
		config.ServerName = host
	}
	encrypted := tls.Client(opened, config)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		_ = opened.Close() // the handshake's error is what counts
		return nil, d.contact.closed(err)
	}
	return encrypted, nil
}

func (d *dialer) connect(ctx context.Context, network, address string) (net.Conn, error) {
	opened, err := d.open(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &connection{opened, d}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.closed {
		_ = opened.Close() // nothing was sent on it
		return nil, fault.ErrClosed
	}
	d.connections[c] = struct{}{}
	return c, nil
}

// Close is part of net.Conn.
func (c *connection) Close() error {
	c.dialer.mutex.Lock()
	delete(c.dialer.connections, c)
	c.dialer.mutex.Unlock()
	return c.Conn.Close()
}

func (d *dialer) close() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.closed = true
	for c := range d.connections {
		_ = c.Conn.Close() // its owner is told by the failing read
	}
}
