package link

import (
	"context"
	"errors"
	"fmt"
	"io"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// AnyBroker sends a request to whichever bootstrap server answers.
const AnyBroker int32 = -1

// Exchange is one request and its answer on a connection of kafka-go's pool, by its hook protocol.RawExchanger. It is
// routed to the broker we name: who leads what is our own knowledge (cluster.go), because kafka-go's is up to a second
// old, and while it is empty every connection error reads "topic not found".
//
// Everything that Run touches belongs to this exchange alone. After a deadline the caller has gone, yet the connection
// may still be writing the request or filling the answer's buffer: both must be garbage then, never reused.
type Exchange struct {
	API protocol.ApiKey
	To  int32
	Run func(connection io.ReadWriter, versions map[protocol.ApiKey]int16) (any, error)

	versions map[protocol.ApiKey]int16
}

var (
	_ protocol.RawExchanger  = (*Exchange)(nil)
	_ protocol.BrokerMessage = (*Exchange)(nil)
)

// answer carries the result of an exchange through kafka-go; being a type of its own, no special case there knows it.
type answer struct {
	api   protocol.ApiKey
	value any
}

func (a *answer) ApiKey() protocol.ApiKey { return a.api }

// ApiKey is part of protocol.Message.
func (x *Exchange) ApiKey() protocol.ApiKey { return x.API }

// Broker is part of protocol.BrokerMessage; of the broker, kafka-go uses the id.
func (x *Exchange) Broker(protocol.Cluster) (protocol.Broker, error) {
	return protocol.Broker{ID: x.To}, nil
}

// Required is part of protocol.RawExchanger; it brings the versions that kafka-go negotiated on the connection.
func (x *Exchange) Required(versions map[protocol.ApiKey]int16) bool {
	x.versions = versions
	return true
}

// RawExchange is part of protocol.RawExchanger. An error closes the connection.
func (x *Exchange) RawExchange(connection io.ReadWriter) (protocol.Message, error) {
	value, err := x.Run(connection, x.versions)
	if err != nil {
		return nil, err
	}
	return &answer{x.API, value}, nil
}

// Send runs one exchange, within the client's request timeout unless ctx ends earlier.
func (l *Link) Send(ctx context.Context, x *Exchange) (any, error) {
	ctx, done, err := l.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	message, err := l.transport.RoundTrip(ctx, l.address, x)
	if err != nil && x.To != AnyBroker {
		return nil, l.unmask(ctx, x.To, err)
	}
	if err != nil {
		return nil, err
	}
	return message.(*answer).value, nil
}

// unmask finds the true cause when kafka-go does not know a broker: it never reached the cluster, or a broker joined
// since it last asked. Dropping its pool makes it ask at once; but only when a bootstrap server answers, or the new pool
// would know nobody at all.
func (l *Link) unmask(ctx context.Context, broker int32, err error) error {
	l.forgetVersions(broker)
	if !errors.Is(err, kafkago.BrokerNotAvailable) {
		return err
	}
	if _, cause := l.metadata(ctx, AnyBroker, nil); cause != nil {
		return cause
	}
	l.CloseIdle()
	return err
}

const (
	metadataWithIDs int16 = 10 // Kafka 2.8
	metadataOldest  int16 = 4  // Kafka 0.11
)

// metadata asks one broker, in the version that has topic ids, or else in the oldest. kafka-go stops
// at 8, so the broker is first asked what it speaks, on the same connection: behind a bootstrap address there may be
// another broker each time.
func (l *Link) metadata(ctx context.Context, broker int32, topics []string) (*wire.Metadata, error) {
	ctx, cancel := l.Bounded(ctx)
	defer cancel()
	value, err := l.Send(ctx, &Exchange{API: protocol.Metadata, To: broker,
		Run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
			versions, err := wire.AskVersions(connection, l.Config.ClientID)
			if err != nil {
				return nil, err
			}
			version := metadataOldest
			if versions[protocol.Metadata] >= metadataWithIDs {
				version = metadataWithIDs
			}
			request := wire.MetadataRequest(version, l.Config.ClientID, topics)
			d, _, err := wire.RoundTrip(connection, request, wire.ControlLimit, wire.Patience{}, nil)
			if err != nil {
				return nil, err
			}
			return wire.ReadMetadata(d, version)
		}})
	if err != nil {
		return nil, err
	}
	return value.(*wire.Metadata), nil
}

func (l *Link) forgetVersions(broker int32) {
	l.cluster.mutex.Lock()
	defer l.cluster.mutex.Unlock()
	delete(l.cluster.versions, broker)
}

// Ask sends a typed message of kafka-go to a broker, in the highest version that both speak.
func Ask[Answer protocol.Message](ctx context.Context, l *Link, broker int32, request protocol.Message) (Answer, error) {
	const correlation = 1 // one request at a time on a connection
	var none Answer
	api := request.ApiKey()
	value, err := l.Send(ctx, &Exchange{API: api, To: broker,
		Run: func(connection io.ReadWriter, versions map[protocol.ApiKey]int16) (any, error) {
			return protocol.RoundTrip(connection, versions[api], correlation, l.Config.ClientID, request)
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
