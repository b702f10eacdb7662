package kafka

import (
	"context"
	"fmt"
	"io"

	"github.com/segmentio/kafka-go/protocol"
)

// A leader that is elected although it misses records (unclean.leader.election.enable) goes on at an earlier offset, and
// after a while its log is as long as the old one was: the offsets fit, and the records are others. The leader epoch of
// what was read tells them apart (KIP-320): whenever a partition has another leader, it is asked where that epoch ends
// in its log.

// doubt marks a ready partition that has another leader than its position was checked with. The mutex is held.
func (p *partition) doubt() {
	if p.epoch < 0 || p.leader.epoch < 0 {
		p.checked = p.leader.epoch // nothing was read, or the broker knows no epochs
		return
	}
	p.state = unchecked // also while taken: what is on its way is thrown away
}

// validate asks the leaders of unchecked partitions whether what was read is still in their logs.
func (f *Fetcher) validate(ctx context.Context) error {
	byBroker := map[int32][]epochQuestion{}
	f.mutex.Lock()
	for _, p := range f.partitions {
		if p.state == unchecked && !p.taken && p.leader.broker >= 0 {
			byBroker[p.leader.broker] = append(byBroker[p.leader.broker], epochQuestion{p, p.leader.epoch, p.epoch, p.next})
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
	highest, err := c.version(ctx, broker, protocol.OffsetForLeaderEpoch)
	if err != nil || highest < epochOldest {
		return ends, err
	}
	version := min(highest, epochFlexible)
	request := epochRequest(version, c.config.ClientID, topic, questions)
	value, err := c.send(ctx, &exchange{api: protocol.OffsetForLeaderEpoch, broker: broker,
		run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
			d, _, err := roundTrip(connection, request, controlLimit, patience{}, nil)
			return d, err
		}})
	if err != nil {
		return nil, err
	}
	d := value.(*decoder)
	d.int32() // throttled
	for range d.array(6) {
		d.string()
		for range d.array(18) {
			code, partition := d.int16(), d.int32()
			d.int32() // the epoch that ends there: ours, or the last one before it
			end := d.int64()
			d.tags()
			if d.err != nil {
				return nil, d.finish("offset for leader epoch")
			}
			if err := codeError(code); err != nil {
				c.forget(topic)
				return nil, c.explain("check the log of", topic, partition, err)
			}
			if i, asked := place[partition]; asked {
				ends[i] = end
			}
		}
		d.tags()
	}
	if err := d.finish("offset for leader epoch"); err != nil {
		return nil, fmt.Errorf("check the log of %s: %w", topic, err)
	}
	return ends, nil
}

func epochRequest(version int16, clientID, topic string, questions []epochQuestion) *encoder {
	e := newRequest(protocol.OffsetForLeaderEpoch, version, version >= epochFlexible, clientID)
	e.int32(-1) // a consumer, not a replica
	e.array(1)
	e.string(topic)
	e.array(len(questions))
	for _, q := range questions {
		e.int32(q.partition.number)
		e.int32(q.current)
		e.int32(q.read)
		e.tags()
	}
	e.tags()
	e.tags()
	return e
}
