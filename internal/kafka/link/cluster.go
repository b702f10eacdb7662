package link

import (
	"context"
	"errors"
	"fmt"
	"io"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// Ping asks the cluster who it is. Its error is the true cause of a failed connection.
func (l *Link) Ping(ctx context.Context) error {
	_, err := l.refresh(ctx)
	return fault.Explain("connect", "", fault.NoPartition, err)
}

// TopicInfo is what the cluster says of a topic. Partitions are numbered from 0.
type TopicInfo struct {
	Name       string
	ID         wire.TopicID
	Partitions int
}

// Topic asks the cluster for a topic, afresh.
func (l *Link) Topic(ctx context.Context, name string) (TopicInfo, error) {
	topic, err := l.Layout(ctx, name, true)
	if err != nil {
		return TopicInfo{}, fault.Explain("describe", name, fault.NoPartition, err)
	}
	return TopicInfo{name, topic.ID, len(topic.Leaders)}, nil
}

// Layout gives a topic's layout, cached unless fresh is wanted.
func (l *Link) Layout(ctx context.Context, name string, fresh bool) (*wire.Topic, error) {
	if !fresh {
		l.cluster.mutex.Lock()
		known := l.cluster.topics[name]
		l.cluster.mutex.Unlock()
		if known != nil {
			return known, nil
		}
	}
	layout, known, err := l.askTopic(ctx, name)
	if err != nil || known {
		return layout, err
	}
	l.CloseIdle() // one that bends bits may bend them again
	again, _, err := l.askTopic(ctx, name)
	if err != nil {
		return nil, err
	}
	if again.Identity() != layout.Identity() {
		return nil, &fault.Error{Operation: "describe", Topic: name, Partition: fault.NoPartition, Class: fault.Retry, Advice: "", Err: errors.New("two answers in a row name different ids or numbers of partitions")}
	}
	l.cluster.mutex.Lock()
	defer l.cluster.mutex.Unlock()
	l.cluster.identities[name], l.cluster.topics[name] = again.Identity(), again
	return again, nil
}

// askTopic asks for a topic, and tells whether its identity is that which is known.
func (l *Link) askTopic(ctx context.Context, name string) (_ *wire.Topic, known bool, err error) {
	answer, err := l.refresh(ctx, name)
	if err != nil {
		return nil, false, err
	}
	if err := answer.Errors[name]; err != nil {
		return nil, false, err
	}
	layout := answer.Topics[name]
	if layout == nil {
		return nil, false, kafkago.UnknownTopicOrPartition
	}
	l.cluster.mutex.Lock()
	defer l.cluster.mutex.Unlock()
	return layout, l.cluster.topics[name] == layout, nil
}

// Leader gives the leader of a partition.
func (l *Link) Leader(ctx context.Context, name string, partition int32) (wire.Leader, wire.TopicID, error) {
	topic, err := l.Layout(ctx, name, false)
	if err != nil {
		return wire.Leader{}, wire.TopicID{}, err
	}
	if partition < 0 || int(partition) >= len(topic.Leaders) {
		l.Forget(name)
		return wire.Leader{}, wire.TopicID{}, fmt.Errorf("%w: the topic has %d partitions", kafkago.UnknownTopicOrPartition, len(topic.Leaders))
	}
	found := topic.Leaders[partition]
	if found.Broker < 0 {
		l.Forget(name)
		return wire.Leader{}, wire.TopicID{}, kafkago.LeaderNotAvailable
	}
	return found, topic.ID, nil
}

// Forget drops what is known of a topic: the next use asks.
func (l *Link) Forget(name string) {
	l.cluster.mutex.Lock()
	defer l.cluster.mutex.Unlock()
	delete(l.cluster.topics, name)
}

// refresh asks for the brokers and the named topics: a bootstrap server first, and if none answers, every broker that
// was seen before, since a process outlives its bootstrap servers.
func (l *Link) refresh(ctx context.Context, topics ...string) (*wire.Metadata, error) {
	l.cluster.mutex.Lock()
	others := l.cluster.brokers
	l.cluster.mutex.Unlock()
	answer, err := l.metadata(ctx, AnyBroker, topics)
	for _, broker := range others {
		if err == nil || ctx.Err() != nil {
			break
		}
		if another, failed := l.metadata(ctx, broker, topics); failed == nil {
			answer, err = another, nil
		}
	}
	if err != nil {
		return nil, err
	}
	l.cluster.mutex.Lock()
	defer l.cluster.mutex.Unlock()
	l.cluster.brokers = answer.Brokers
	if l.cluster.topics == nil {
		l.cluster.topics, l.cluster.identities = map[string]*wire.Topic{}, map[string]wire.Identity{}
	}
	for _, name := range topics {
		delete(l.cluster.topics, name)
		if layout := answer.Topics[name]; layout != nil && l.cluster.identities[name] == layout.Identity() {
			l.cluster.topics[name] = layout
		}
	}
	return answer, nil
}

// Controller asks for the broker that makes and deletes topics.
func (l *Link) Controller(ctx context.Context) (int32, error) {
	answer, err := l.refresh(ctx)
	if err != nil {
		return AnyBroker, err
	}
	return answer.Controller, nil
}

// Version is the highest version of an API that a broker speaks. It is asked once; a connection error forgets it, since
// a broker changes its version only by a restart.
func (l *Link) Version(ctx context.Context, broker int32, api protocol.ApiKey) (int16, error) {
	l.cluster.mutex.Lock()
	known := l.cluster.versions[broker]
	l.cluster.mutex.Unlock()
	if known == nil {
		ctx, cancel := l.Bounded(ctx)
		defer cancel()
		value, err := l.Send(ctx, &Exchange{API: protocol.ApiVersions, To: broker,
			Run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
				return wire.AskVersions(connection, l.Config.ClientID)
			}})
		if err != nil {
			return 0, err
		}
		known = value.(map[protocol.ApiKey]int16)
		l.cluster.mutex.Lock()
		if l.cluster.versions == nil {
			l.cluster.versions = map[int32]map[protocol.ApiKey]int16{}
		}
		l.cluster.versions[broker] = known
		l.cluster.mutex.Unlock()
	}
	return known[api], nil
}
