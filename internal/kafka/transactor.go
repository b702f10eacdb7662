package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/addpartitionstotxn"
	"github.com/segmentio/kafka-go/protocol/endtxn"
	"github.com/segmentio/kafka-go/protocol/findcoordinator"
	"github.com/segmentio/kafka-go/protocol/initproducerid"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// Transactor writes batches to several topics, and offsets of a consumer group, in transactions (KIP-98): readers that
// read committed records see all of a transaction or nothing. It belongs to one goroutine, and AppendBatch may be called
// from several at a time, each for partitions of its own.
//
// A batch has a sequence number, so the broker keeps a batch once, however often it is sent and however late a copy
// arrives. Opening a transactor ends what an earlier one of the same id left open, and fences that one.
type Transactor struct {
	client      *Client
	id          string
	coordinator int32 // AnyBroker: not known
	producer    int64
	epoch       int16
	mutex       sync.Mutex // of sequences and joined
	sequences   map[target]int32
	joined      map[target]bool // of the transaction at hand
	groups      map[string]bool // that joined it
	began       time.Time       // the transaction at hand; zero without one
	keepers     map[string]int32
}

type target struct {
	topic     string
	partition int32
}

// markerPause is between two questions whether the transaction before has ended.
const markerPause = 5 * time.Millisecond

// NewTransactor opens the transactional id. It waits for brokers that are away.
func (c *Client) NewTransactor(ctx context.Context, id string) (*Transactor, error) {
	t := &Transactor{client: c, id: id, coordinator: link.AnyBroker, sequences: map[target]int32{}, joined: map[target]bool{}, groups: map[string]bool{}, keepers: map[string]int32{}}
	err := t.retry(ctx, "open the transactional id "+id, func(ctx context.Context) (int16, error) {
		answer, err := link.Ask[*initproducerid.Response](ctx, c.link, t.coordinator, &initproducerid.Request{
			TransactionalID: id, TransactionTimeoutMs: int32(c.link.Options.TransactionTimeout.Milliseconds()), ProducerID: -1, ProducerEpoch: -1})
		if err != nil {
			return 0, err
		}
		t.producer, t.epoch = answer.ProducerID, answer.ProducerEpoch
		return answer.ErrorCode, nil
	})
	return t, err
}

// Append writes messages to a partition as one batch of the transaction at hand, and begins one if there is none.
func (t *Transactor) Append(ctx context.Context, topic string, partition int32, messages ...Message) error {
	b := NewBatch()
	for i := range messages {
		b.Add(&messages[i])
	}
	return t.AppendBatch(ctx, topic, partition, b)
}

// AppendBatch is Append for a batch that was filled before, on any goroutine. An empty one is nothing.
func (t *Transactor) AppendBatch(ctx context.Context, topic string, partition int32, b *Batch) error {
	if b.builder.Len() == 0 {
		return nil
	}
	to := target{topic, partition}
	sequence, err := t.join(ctx, to)
	if err == nil && len(b.framed) == 0 {
		err = t.client.Encode(b)
	}
	if err != nil {
		return err
	}
	batches.Stamp(b.framed[4:], t.producer, t.epoch, sequence)
	attempts := 0
	err = t.client.link.Retry(ctx, fmt.Sprintf("write to %s/%d", topic, partition), func(ctx context.Context) error {
		ctx, cancel := t.client.link.Bounded(ctx)
		defer cancel()
		attempts++
		_, err := t.client.sendBatch(ctx, topic, partition, t.id, b.framed)
		if errors.Is(err, kafkago.DuplicateSequenceNumber) {
			return nil // an attempt whose answer was lost had succeeded
		}
		if err != nil {
			t.client.link.Forget(topic) // its leader may have moved
		}
		return fault.Explain("write to", topic, partition, t.fenced(err))
	})
	if attempts > 1 {
		b.framed = nil // an attempt that was given up may still read it
	}
	if err == nil {
		t.mutex.Lock()
		defer t.mutex.Unlock()
		t.sequences[to] += b.builder.Len()
	}
	return err
}

// join adds a partition to the transaction at hand, and gives the number of its next message.
func (t *Transactor) join(ctx context.Context, to target) (sequence int32, err error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.joined[to] {
		return t.sequences[to], nil
	}
	t.begin()
	err = t.retry(ctx, "begin a transaction on "+to.topic, func(ctx context.Context) (int16, error) {
		answer, err := link.Ask[*addpartitionstotxn.Response](ctx, t.client.link, t.coordinator, &addpartitionstotxn.Request{
			TransactionalID: t.id, ProducerID: t.producer, ProducerEpoch: t.epoch,
			Topics: []addpartitionstotxn.RequestTopic{{Name: to.topic, Partitions: []int32{to.partition}}}})
		if err != nil {
			return 0, err
		}
		if len(answer.Results) != 1 || len(answer.Results[0].Results) != 1 {
			return 0, errors.New("the broker did not answer for the partition")
		}
		return answer.Results[0].Results[0].ErrorCode, nil
	})
	if err == nil {
		t.joined[to] = true
	}
	return t.sequences[to], err
}

// begin notes the time before the coordinator does.
func (t *Transactor) begin() {
	if t.began.IsZero() {
		t.began = time.Now()
	}
}

// Commit ends the transaction at hand, if there is one: readers see all of it.
func (t *Transactor) Commit(ctx context.Context) error { return t.end(ctx, true) }

// Abort ends it, and readers see nothing of it.
func (t *Transactor) Abort(ctx context.Context) error { return t.end(ctx, false) }

func (t *Transactor) end(ctx context.Context, commit bool) error {
	if len(t.joined) == 0 && len(t.groups) == 0 {
		return nil
	}
	err := t.retry(ctx, "end a transaction of "+t.id, func(ctx context.Context) (int16, error) {
		answer, err := link.Ask[*endtxn.Response](ctx, t.client.link, t.coordinator, &endtxn.Request{
			TransactionalID: t.id, ProducerID: t.producer, ProducerEpoch: t.epoch, Committed: commit})
		if err != nil {
			return 0, err
		}
		return answer.ErrorCode, nil
	})
	if err == nil {
		clear(t.joined)
		clear(t.groups)
		t.began = time.Time{}
	}
	return err
}

// retry asks the coordinator until it answers, and looks for it before.
func (t *Transactor) retry(ctx context.Context, operation string, attempt func(context.Context) (int16, error)) error {
	return t.client.link.Retry(ctx, operation, func(ctx context.Context) (err error) {
		ctx, cancel := t.client.link.Bounded(ctx)
		defer cancel()
		if t.coordinator == link.AnyBroker {
			if t.coordinator, err = t.client.findCoordinator(ctx, t.id, transactionCoordinator); err != nil {
				return fault.Explain(operation, "", fault.NoPartition, err)
			}
		}
		code, err := attempt(ctx)
		// The coordinator answers before the transaction before has ended everywhere: no failure, and soon over.
		for err == nil && errors.Is(wire.Code(code), kafkago.ConcurrentTransactions) && link.Sleep(ctx, markerPause) {
			code, err = attempt(ctx)
		}
		if err == nil {
			err = wire.Code(code)
		}
		if err != nil {
			t.coordinator = link.AnyBroker
		}
		return fault.Explain(operation, "", -1, t.fenced(err))
	})
}

// fenced recognizes the errors by which a broker refuses an earlier owner of the id.
func (t *Transactor) fenced(err error) error {
	var code kafkago.Error
	if errors.As(err, &code) && slices.Contains([]kafkago.Error{kafkago.ProducerFenced, kafkago.InvalidProducerEpoch, kafkago.InvalidProducerIDMapping,
		kafkago.InvalidTransactionState, kafkago.OutOfOrderSequenceNumber}, code) {
		refused := &Fenced{ID: t.id}
		if open := time.Since(t.began); !t.began.IsZero() && open >= t.client.link.Options.TransactionTimeout {
			refused.TimedOut = open
		}
		return &Error{Operation: "write with", Topic: t.id, Partition: fault.NoPartition, Class: Fatal, Advice: "", Err: fmt.Errorf("%w (%w)", refused, err)}
	}
	return err
}

// Kinds of coordinators.
const (
	groupCoordinator       int8 = 0
	transactionCoordinator int8 = 1
)

// findCoordinator gives the broker that keeps a group's offsets, or the state of a transactional id.
func (c *Client) findCoordinator(ctx context.Context, key string, kind int8) (int32, error) {
	answer, err := link.Ask[*findcoordinator.Response](ctx, c.link, link.AnyBroker, &findcoordinator.Request{Key: key, KeyType: kind})
	if err == nil {
		err = wire.Code(answer.ErrorCode)
	}
	if err != nil {
		return link.AnyBroker, err
	}
	return answer.NodeID, nil
}
