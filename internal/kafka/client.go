package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// ErrClosed is what every call gives once Close was called.
var ErrClosed = errors.New("kafka: the client is closed")

// Client speaks with one cluster. It is safe for concurrent use; a process needs one, opened first and closed last.
type Client struct {
	config    Config
	options   Options
	address   net.Addr
	transport *kafkago.Transport
	dialer    *dialer
	bearer    *bearer // nil: another mechanism, or none
	cluster   cluster
	buffers   bufferPool

	context context.Context // ends with Close
	cancel  context.CancelFunc

	mutex  sync.Mutex
	closed bool
	calls  sync.WaitGroup
}

// Options are not configuration: a program sets them.
type Options struct {
	// Notify is told of each failure that will be tried again, and of its end (Err nil). It is called from several
	// goroutines and must return soon. nil: nobody is told.
	Notify func(Outage)
	// Dial opens a connection; nil: package net. Tests inject faults and simulated networks here.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// TransactionTimeout is when a broker aborts a transaction that does not end, because its owner is gone or cut off.
	// Default 60 s.
	TransactionTimeout time.Duration
}

// Outage is an operation that failed and will be tried again after Pause; with Err nil, one that works again.
type Outage struct {
	Operation string
	Err       error
	Attempt   int // the first is 1
	Pause     time.Duration
	Since     time.Time
	// GivenUp: it failed for good, or its caller gave up, and it is not tried again. Err is the last error.
	GivenUp bool
	// Aside: the work of the process does not need it; see Aside.
	Aside bool
}

type asideKey struct{}

// Aside marks what the work of the process does not need, such as reading for a page: Outage.Aside says so of its failures.
func Aside(ctx context.Context) context.Context { return context.WithValue(ctx, asideKey{}, true) }

const (
	dialTimeout = 5 * time.Second
	idleTimeout = time.Minute
	// brokersTTL is how often kafka-go asks for the list of brokers, all that it needs to know: leaders are asked for
	// by us. It is also the time limit of that request, so it is no shorter.
	brokersTTL = 5 * time.Second
)

// Open builds a client; the network is first used by the first call. All that is wrong with the configuration is in
// the error.
func Open(config Config, options Options) (*Client, error) {
	config = config.withDefaults()
	if problems := config.Validate(); len(problems) > 0 {
		lines := make([]string, len(problems))
		for i, problem := range problems {
			lines[i] = "kafka." + problem.String()
		}
		return nil, errors.New(strings.Join(lines, "\n"))
	}
	tlsConfig, err := config.tlsConfig()
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	mechanism, err := config.saslMechanism()
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	if options.TransactionTimeout <= 0 {
		options.TransactionTimeout = time.Minute
	}
	c := &Client{config: config, options: options, address: kafkago.TCP(config.Brokers...), dialer: newDialer(options.Dial, tlsConfig)}
	c.bearer, _ = mechanism.(*bearer)
	c.context, c.cancel = context.WithCancel(context.Background())
	c.transport = &kafkago.Transport{
		Dial:        c.dialer.dial,
		DialTimeout: dialTimeout,
		IdleTimeout: idleTimeout,
		MetadataTTL: brokersTTL,
		// Empty, not nil: brokers only. nil would fetch every topic of the cluster, again and again.
		MetadataTopics: []string{},
		ClientID:       config.ClientID,
		SASL:           mechanism,
		Context:        c.context,
	}
	return c, nil
}

// Ping asks the cluster who it is. Its error is the true cause of a failed connection.
func (c *Client) Ping(ctx context.Context) error {
	_, err := c.refresh(ctx)
	return c.explain("connect", "", -1, err)
}

// begin counts a call, so that Close can wait for it, and bounds it: without a deadline a silent peer would hold a
// connection's goroutine for ever.
func (c *Client) begin(ctx context.Context) (context.Context, func(), error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.closed {
		return nil, nil, ErrClosed
	}
	c.calls.Add(1)
	if c.bearer.stale(time.Now()) {
		c.transport.CloseIdleConnections() // new ones come with new tokens; what is in use is closed when it is answered
	}
	limit := c.config.requestTimeout()
	if end, bounded := ctx.Deadline(); bounded {
		limit = time.Until(end)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	stop := context.AfterFunc(c.context, cancel)
	return ctx, func() { stop(); cancel(); c.calls.Done() }, nil
}

// bounded is ctx with the request timeout.
func (c *Client) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.config.requestTimeout())
}

// Close ends every call and closes every connection; it waits for the calls, not for the network.
//
// The order matters. A call that began a moment before would open a new pool after the old one was closed, and leave
// its goroutine behind: hence the calls end first. Connections still in use are closed by kafka-go only when their
// answer comes, which with a frozen broker is never: hence we close the sockets ourselves.
func (c *Client) Close() error {
	c.mutex.Lock()
	if c.closed {
		c.mutex.Unlock()
		return nil
	}
	c.closed = true
	c.mutex.Unlock()
	c.cancel()
	c.calls.Wait()
	c.transport.CloseIdleConnections()
	c.dialer.close()
	return nil
}

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
		return nil, ErrClosed
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
