package kafka

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

// TopicID is the identity that a broker gives to a topic when it is created. A topic deleted and made again under the
// same name has another: offsets belong to the id, not to the name. Zero means unknown (Kafka before 2.8).
type TopicID [16]byte

var errNoTopicID = errors.New("a topic id is 22 characters of URL-safe base64")

// String is Kafka's own form of an id, as kafka-topics.sh --describe prints it.
func (id TopicID) String() string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// MarshalText is part of encoding.TextMarshaler.
func (id TopicID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText is part of encoding.TextUnmarshaler.
func (id *TopicID) UnmarshalText(text []byte) error {
	bytes, err := base64.RawURLEncoding.DecodeString(string(text))
	if err != nil || len(bytes) != len(id) {
		return errNoTopicID
	}
	copy(id[:], bytes)
	return nil
}

// TopicInfo is what the cluster says of a topic. Partitions are numbered from 0.
type TopicInfo struct {
	Name       string
	ID         TopicID
	Partitions int
}

// Topic asks the cluster for a topic, afresh.
func (c *Client) Topic(ctx context.Context, name string) (TopicInfo, error) {
	topic, err := c.topic(ctx, name, true)
	if err != nil {
		return TopicInfo{}, c.explain("describe", name, -1, err)
	}
	return TopicInfo{name, topic.id, len(topic.leaders)}, nil
}

// cluster is what is known of it. Knowledge is replaced as a whole, and dropped when a broker contradicts it.
type cluster struct {
	mutex      sync.Mutex
	controller int32
	brokers    []int32
	topics     map[string]*topicLayout
	identities map[string]identity                 // that two answers agreed on
	versions   map[int32]map[protocol.ApiKey]int16 // the highest that a broker speaks
}

// topicLayout is immutable.
type topicLayout struct {
	id      TopicID
	leaders []leader // by partition
}

// leader of a partition; broker -1 while there is none.
type leader struct {
	broker, epoch int32
}

// metadata is one answer of the cluster.
type metadata struct {
	controller int32
	brokers    []int32
	topics     map[string]*topicLayout
	errors     map[string]error
}

// topic gives a topic's layout, cached unless fresh is wanted.
func (c *Client) topic(ctx context.Context, name string, fresh bool) (*topicLayout, error) {
	if !fresh {
		c.cluster.mutex.Lock()
		known := c.cluster.topics[name]
		c.cluster.mutex.Unlock()
		if known != nil {
			return known, nil
		}
	}
	layout, known, err := c.askTopic(ctx, name)
	if err != nil || known {
		return layout, err
	}
	c.transport.CloseIdleConnections() // one that bends bits may bend them again
	again, _, err := c.askTopic(ctx, name)
	if err != nil {
		return nil, err
	}
	if again.identity() != layout.identity() {
		return nil, &Error{"describe", name, -1, Retry, "", errors.New("two answers in a row name different ids or numbers of partitions")}
	}
	c.cluster.mutex.Lock()
	defer c.cluster.mutex.Unlock()
	c.cluster.identities[name], c.cluster.topics[name] = again.identity(), again
	return again, nil
}

// askTopic asks for a topic, and tells whether its identity is that which is known.
func (c *Client) askTopic(ctx context.Context, name string) (_ *topicLayout, known bool, err error) {
	answer, err := c.refresh(ctx, name)
	if err != nil {
		return nil, false, err
	}
	if err := answer.errors[name]; err != nil {
		return nil, false, err
	}
	layout := answer.topics[name]
	if layout == nil {
		return nil, false, kafkago.UnknownTopicOrPartition
	}
	c.cluster.mutex.Lock()
	defer c.cluster.mutex.Unlock()
	return layout, c.cluster.topics[name] == layout, nil
}

// identity is what follows from a metadata answer for good: that a topic was made again, and that it has a partition. Answers
// have no checksum, so two have to agree before another identity is believed.
type identity struct {
	id         TopicID
	partitions int
}

func (t *topicLayout) identity() identity { return identity{t.id, len(t.leaders)} }

// leader gives the leader of a partition.
func (c *Client) leader(ctx context.Context, name string, partition int32) (leader, TopicID, error) {
	topic, err := c.topic(ctx, name, false)
	if err != nil {
		return leader{}, TopicID{}, err
	}
	if partition < 0 || int(partition) >= len(topic.leaders) {
		c.forget(name)
		return leader{}, TopicID{}, fmt.Errorf("%w: the topic has %d partitions", kafkago.UnknownTopicOrPartition, len(topic.leaders))
	}
	found := topic.leaders[partition]
	if found.broker < 0 {
		c.forget(name)
		return leader{}, TopicID{}, kafkago.LeaderNotAvailable
	}
	return found, topic.id, nil
}

// forget drops what is known of a topic: the next use asks.
func (c *Client) forget(name string) {
	c.cluster.mutex.Lock()
	defer c.cluster.mutex.Unlock()
	delete(c.cluster.topics, name)
}

// refresh asks for the brokers and the named topics: a bootstrap server first, and if none answers, every broker that
// was seen before, since a process outlives its bootstrap servers.
func (c *Client) refresh(ctx context.Context, topics ...string) (*metadata, error) {
	c.cluster.mutex.Lock()
	others := c.cluster.brokers
	c.cluster.mutex.Unlock()
	answer, err := c.metadata(ctx, anyBroker, topics)
	for _, broker := range others {
		if err == nil || ctx.Err() != nil {
			break
		}
		if another, failed := c.metadata(ctx, broker, topics); failed == nil {
			answer, err = another, nil
		}
	}
	if err != nil {
		return nil, err
	}
	c.cluster.mutex.Lock()
	defer c.cluster.mutex.Unlock()
	c.cluster.controller, c.cluster.brokers = answer.controller, answer.brokers
	if c.cluster.topics == nil {
		c.cluster.topics, c.cluster.identities = map[string]*topicLayout{}, map[string]identity{}
	}
	for _, name := range topics {
		delete(c.cluster.topics, name)
		if layout := answer.topics[name]; layout != nil && c.cluster.identities[name] == layout.identity() {
			c.cluster.topics[name] = layout
		}
	}
	return answer, nil
}

// metadata asks one broker, in version 10, which has topic ids (Kafka 2.8), or else in 4 (Kafka 0.11). kafka-go stops
// at 8, so the broker is first asked what it speaks, on the same connection: behind a bootstrap address there may be
// another broker each time.
func (c *Client) metadata(ctx context.Context, broker int32, topics []string) (*metadata, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	value, err := c.send(ctx, &exchange{api: protocol.Metadata, broker: broker,
		run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
			versions, err := askVersions(connection, c.config.ClientID)
			if err != nil {
				return nil, err
			}
			version := int16(4)
			if versions[protocol.Metadata] >= 10 {
				version = 10
			}
			request := metadataRequest(version, c.config.ClientID, topics)
			d, _, err := roundTrip(connection, request, controlLimit, patience{}, nil)
			if err != nil {
				return nil, err
			}
			return readMetadata(d, version)
		}})
	if err != nil {
		return nil, err
	}
	return value.(*metadata), nil
}

// controlLimit bounds every answer that carries no records.
const controlLimit = 64 << 20

func metadataRequest(version int16, clientID string, topics []string) *encoder {
	e := newRequest(protocol.Metadata, version, version >= 9, clientID)
	e.array(len(topics))
	for _, name := range topics {
		if version >= 10 {
			e.uuid(TopicID{})
		}
		e.string(name)
		e.tags()
	}
	e.bool(false) // never create a topic by asking for it
	if version >= 8 {
		e.bool(false) // authorized operations of the cluster
		e.bool(false) // and of the topics
	}
	e.tags()
	return e
}

func readMetadata(d *decoder, version int16) (*metadata, error) {
	m := &metadata{topics: map[string]*topicLayout{}, errors: map[string]error{}}
	d.int32() // throttled: nothing to pace here
	for range d.array(11) {
		m.brokers = append(m.brokers, d.int32())
		_, _, _ = d.string(), d.int32(), d.string() // host, port, rack: kafka-go's business
		d.tags()
	}
	d.string() // cluster id
	m.controller = d.int32()
	for range d.array(8) {
		code, name := d.int16(), d.string()
		layout := &topicLayout{}
		if version >= 10 {
			layout.id = d.uuid()
		}
		d.int8() // internal
		if err := layout.readPartitions(d, version); err != nil {
			return nil, err
		}
		if version >= 8 {
			d.int32() // authorized operations
		}
		d.tags()
		if code != 0 {
			m.errors[name] = codeError(code)
		} else {
			m.topics[name] = layout
		}
	}
	return m, d.finish("metadata")
}

// readPartitions reads them in whatever order they come; they are numbered 0 to n-1.
func (t *topicLayout) readPartitions(d *decoder, version int16) error {
	n := d.array(10)
	t.leaders = make([]leader, n)
	for i := range t.leaders {
		t.leaders[i] = leader{-1, -1}
	}
	for range n {
		d.int16() // its error is told by the missing leader
		index := d.int32()
		found := leader{d.int32(), -1}
		if version >= 7 {
			found.epoch = d.int32()
		}
		d.skipInt32s() // replicas
		d.skipInt32s() // in-sync replicas
		if version >= 5 {
			d.skipInt32s() // offline replicas
		}
		d.tags()
		if d.err != nil {
			return d.finish("metadata")
		}
		if index < 0 || int(index) >= n {
			return fmt.Errorf("metadata: partition %d of a topic with %d partitions", index, n)
		}
		t.leaders[index] = found
	}
	return nil
}

// version is the highest version of an API that a broker speaks. It is asked once; a connection error forgets it, since
// a broker changes its version only by a restart.
func (c *Client) version(ctx context.Context, broker int32, api protocol.ApiKey) (int16, error) {
	c.cluster.mutex.Lock()
	known := c.cluster.versions[broker]
	c.cluster.mutex.Unlock()
	if known == nil {
		ctx, cancel := c.bounded(ctx)
		defer cancel()
		value, err := c.send(ctx, &exchange{api: protocol.ApiVersions, broker: broker,
			run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
				return askVersions(connection, c.config.ClientID)
			}})
		if err != nil {
			return 0, err
		}
		known = value.(map[protocol.ApiKey]int16)
		c.cluster.mutex.Lock()
		if c.cluster.versions == nil {
			c.cluster.versions = map[int32]map[protocol.ApiKey]int16{}
		}
		c.cluster.versions[broker] = known
		c.cluster.mutex.Unlock()
	}
	return known[api], nil
}

func (c *Client) forgetVersions(broker int32) {
	c.cluster.mutex.Lock()
	defer c.cluster.mutex.Unlock()
	delete(c.cluster.versions, broker)
}

func askVersions(connection io.ReadWriter, clientID string) (map[protocol.ApiKey]int16, error) {
	d, _, err := roundTrip(connection, newRequest(protocol.ApiVersions, 0, false, clientID), controlLimit, patience{}, nil)
	if err != nil {
		return nil, err
	}
	if err := codeError(d.int16()); err != nil {
		return nil, err
	}
	versions := map[protocol.ApiKey]int16{}
	for range d.array(6) {
		api := protocol.ApiKey(d.int16())
		d.int16() // the lowest
		versions[api] = d.int16()
	}
	return versions, d.finish("api versions")
}
