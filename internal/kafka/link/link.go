package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
	public "github.com/fairstream/fairstream/pkg/kafka"
)

// Link sends requests to the brokers of one cluster, and knows which broker leads what. It is safe for concurrent use.
type Link struct {
	*shared
	notify func(Outage) // nil: nobody is told
}

// shared is what the links of one cluster have together.
type shared struct {
	Config    settings
	Options   Options
	address   net.Addr
	transport *kafkago.Transport
	dialer    *dialer
	bearer    *bearer // nil: another mechanism, or none
	cluster   cluster

	Context context.Context // ends with Close
	cancel  context.CancelFunc

	mutex  sync.Mutex
	closed bool
	calls  sync.WaitGroup
}

// cluster is what is known of it. Knowledge is replaced as a whole, and dropped when a broker contradicts it.
type cluster struct {
	mutex      sync.Mutex
	brokers    []int32
	topics     map[string]*wire.Topic
	identities map[string]wire.Identity            // that two answers agreed on
	versions   map[int32]map[protocol.ApiKey]int16 // the highest that a broker speaks
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

// Outage is public, as Config is.
type Outage = public.Outage

type asideKey struct{}

// Aside marks what the work of the process does not need, such as reading for a page: its outages have Aside set.
func Aside(ctx context.Context) context.Context { return context.WithValue(ctx, asideKey{}, true) }

// Open uses no network: the first call does. All that is wrong with the configuration is in the error.
func Open(config Config, options Options) (*Link, error) {
	if problems := Problems(config); len(problems) > 0 {
		lines := make([]string, len(problems))
		for i, problem := range problems {
			lines[i] = "kafka." + problem.String()
		}
		return nil, errors.New(strings.Join(lines, "\n"))
	}
	used := settings(config).withDefaults()
	tlsConfig, err := used.tlsConfig()
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	mechanism, err := used.saslMechanism()
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	if options.TransactionTimeout <= 0 {
		options.TransactionTimeout = time.Minute
	}
	l := &Link{notify: options.Notify, shared: &shared{Config: used, Options: options, address: kafkago.TCP(used.Brokers...), dialer: newDialer(options.Dial, tlsConfig)}}
	l.bearer, _ = mechanism.(*bearer)
	l.Context, l.cancel = context.WithCancel(context.Background())
	l.transport = &kafkago.Transport{
		Dial:        l.dialer.dial,
		DialTimeout: dialTimeout,
		IdleTimeout: idleTimeout,
		MetadataTTL: brokersTTL,
		// Empty, not nil: brokers only. nil would fetch every topic of the cluster, again and again.
		MetadataTopics: []string{},
		ClientID:       config.ClientID,
		SASL:           mechanism,
		Context:        l.Context,
	}
	return l, nil
}

// Telling is the same link, whose failures somebody else is told of.
func (l *Link) Telling(notify func(Outage)) *Link { return &Link{shared: l.shared, notify: notify} }

// begin counts a call, so that Close can wait for it, and bounds it: without a deadline a silent peer would hold a
// connection's goroutine for ever.
func (l *Link) begin(ctx context.Context) (context.Context, func(), error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return nil, nil, fault.ErrClosed
	}
	l.calls.Add(1)
	if l.bearer.stale(time.Now()) {
		l.CloseIdle() // new ones come with new tokens; what is in use is closed when it is answered
	}
	limit := l.Config.requestTimeout()
	if end, bounded := ctx.Deadline(); bounded {
		limit = time.Until(end)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	stop := context.AfterFunc(l.Context, cancel)
	return ctx, func() { stop(); cancel(); l.calls.Done() }, nil
}

// CloseIdle closes the connections that no request uses: the next one opens another.
func (l *Link) CloseIdle() { l.transport.CloseIdleConnections() }

// Bounded is ctx with the request timeout.
func (l *Link) Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, l.Config.requestTimeout())
}

// Close ends every call and closes every connection; it waits for the calls, not for the network.
//
// The order matters. A call that began a moment before would open a new pool after the old one was closed, and leave
// its goroutine behind: hence the calls end first. Connections still in use are closed by kafka-go only when their
// answer comes, which with a frozen broker is never: hence we close the sockets ourselves.
func (l *Link) Close() error {
	l.mutex.Lock()
	if l.closed {
		l.mutex.Unlock()
		return nil
	}
	l.closed = true
	l.mutex.Unlock()
	l.cancel()
	l.calls.Wait()
	l.CloseIdle()
	l.dialer.close()
	return nil
}
