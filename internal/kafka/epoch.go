package kafka

import (
	"context"
	"fmt"
	"io"

	"github.com/segmentio/kafka-go/protocol"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// A leader that is elected although it misses records (unclean.leader.election.enable) goes on at an earlier offset, and
// after a while its log is as long as the old one was: the offsets fit, and the records are others. The leader epoch of
// what was read tells them apart (KIP-320): whenever a partition has another leader, it is asked where that epoch ends
// in its log.

// validate asks the leaders of unchecked partitions whether what was read is still in their logs.
func (f *Fetcher) validate(ctx context.Context) error {
	byBroker := map[int32][]epochQuestion{}
	f.mutex.Lock()
	for _, p := range f.partitions {
		if p.state == unchecked && !p.taken && p.leader.Broker >= 0 {
			byBroker[p.leader.Broker] = append(byBroker[p.leader.Broker], epochQuestion{p, p.leader.Epoch, p.epoch, p.next})
		}
	}
	f.mutex.Unlock()
	for broker, questions := range byBroker {
		ends, err := f.client.epochEnds(ctx, broker, f.options.Topic, questions)
		if err != nil {
			return err
		}
		f.mutex.Lock()
		for i, q := range questions {
			switch end := ends[i]; {
			case q.partition.state != unchecked:
			case end >= 0 && end < q.next:
				q.partition.state, q.partition.kept = diverged, end
			default: // the log is as it was, or the leader does not know the epoch any more
				q.partition.state, q.partition.checked = ready, q.current
			}
		}
		f.announce()
		f.mutex.Unlock()
	}
	return nil
}

// epochQuestion asks where an epoch ends in the log of the leader of another.
type epochQuestion struct {
	partition     *partition
	current, read int32
	next          int64
}

const (
	epochFlexible int16 = 4
	epochOldest   int16 = 3 // Kafka 2.3; before it only brokers may ask
)

// epochEnds gives, for each question, the offset behind the last record of the epoch; -1 if the broker cannot tell.
func (c *Client) epochEnds(ctx context.Context, broker int32, topic string, questions []epochQuestion) ([]int64, error) {
	ends := make([]int64, len(questions))
	place := map[int32]int{}
	for i, q := range questions {
		ends[i], place[q.partition.number] = -1, i
	}
	highest, err := c.link.Version(ctx, broker, protocol.OffsetForLeaderEpoch)
	if err != nil || highest < epochOldest {
		return ends, err
	}
	version := min(highest, epochFlexible)
	request := epochRequest(version, c.link.Config.ClientID, topic, questions)
	value, err := c.link.Send(ctx, &link.Exchange{API: protocol.OffsetForLeaderEpoch, To: broker,
		Run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
			d, _, err := wire.RoundTrip(connection, request, wire.ControlLimit, wire.Patience{}, nil)
			return d, err
		}})
	if err != nil {
		return nil, err
	}
	d := value.(*wire.Decoder)
	d.Int32() // throttled
	for range d.Array(6) {
		d.Text()
		for range d.Array(18) {
			code, partition := d.Int16(), d.Int32()
			d.Int32() // the epoch that ends there: ours, or the last one before it
			end := d.Int64()
			d.Tags()
			if d.Err != nil {
				return nil, d.Finish("offset for leader epoch")
			}
			if err := wire.Code(code); err != nil {
				c.link.Forget(topic)
				return nil, fault.Explain("check the log of", topic, partition, err)
			}
			if i, asked := place[partition]; asked {
				ends[i] = end
			}
		}
		d.Tags()
	}
	if err := d.Finish("offset for leader epoch"); err != nil {
		return nil, fmt.Errorf("check the log of %s: %w", topic, err)
	}
	return ends, nil
}

func epochRequest(version int16, clientID, topic string, questions []epochQuestion) *wire.Encoder {
	e := wire.NewRequest(protocol.OffsetForLeaderEpoch, version, version >= epochFlexible, clientID)
	e.Int32(-1) // a consumer, not a replica
	e.Array(1)
	e.Text(topic)
	e.Array(len(questions))
	for _, q := range questions {
		e.Int32(q.partition.number)
		e.Int32(q.current)
		e.Int32(q.read)
		e.Tags()
	}
	e.Tags()
	e.Tags()
	return e
}
