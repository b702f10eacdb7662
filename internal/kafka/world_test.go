package kafka

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/addpartitionstotxn"
	"github.com/segmentio/kafka-go/protocol/createpartitions"
	"github.com/segmentio/kafka-go/protocol/createtopics"
	"github.com/segmentio/kafka-go/protocol/endtxn"
	"github.com/segmentio/kafka-go/protocol/findcoordinator"
	"github.com/segmentio/kafka-go/protocol/initproducerid"
	"github.com/segmentio/kafka-go/protocol/produce"
	"github.com/segmentio/kafka-go/protocol/rawproduce"
	"go.uber.org/goleak"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
	"github.com/fairstream/fairstream/test/broker"
)

func TestMain(m *testing.M) { os.Exit(broker.Main(m)) }

// world is a broker and a client of it, with what tests do to both.
type world struct {
	*Client
	t         testing.TB
	addresses []string
	dev       *devbroker.Broker // nil on the real broker
	real      *broker.Broker    // nil on the embedded one
	outages   *outages
}

// onBoth runs a test on the embedded broker and on the real one.
func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("embedded", func(t *testing.T) { test(t, embedded(t, devbroker.Options{})) })
	t.Run("real", func(t *testing.T) { test(t, onReal(t)) })
}

func embedded(t testing.TB, options devbroker.Options) *world {
	t.Helper()
	dev, err := devbroker.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Close)
	w := newWorld(t, dev.Addresses()...)
	w.dev = dev
	return w
}

func onReal(t testing.TB) *world {
	t.Helper()
	b := broker.Shared(t)
	w := newWorld(t, b.Address)
	w.real = b
	return w
}

// newWorld opens a client and checks at the test's end that it leaves no goroutine.
func newWorld(t testing.TB, addresses ...string) *world {
	t.Helper()
	w := &world{t: t, addresses: addresses, outages: &outages{}}
	existing := goleak.IgnoreCurrent()
	client, err := Open(Config{Brokers: addresses}, Options{Notify: w.outages.add})
	if err != nil {
		t.Fatal(err)
	}
	w.Client = client
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		// The embedded broker's own goroutines, begun for our connections, end when it closes.
		ignore := []goleak.Option{existing, goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*clientConn).read"),
			goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*clientConn).write"),
			goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*broker).listen"),
			goleak.IgnoreAnyFunction("github.com/fairstream/fairstream/internal/devbroker.(*guardedConn).Read")}
		if err := goleak.Find(ignore...); err != nil {
			t.Error(err)
		}
	})
	return w
}

// outages collects what Options.Notify is told.
type outages struct {
	mutex sync.Mutex
	all   []Outage
}

func (o *outages) add(outage Outage) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.all = append(o.all, outage)
}

// has tells whether a failure with these words was reported, and recovery if ended.
func (o *outages) has(words string) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, outage := range o.all {
		if outage.Err != nil && strings.Contains(outage.Err.Error(), words) {
			return true
		}
	}
	return false
}

// open gives the operations that fail now.
func (o *outages) open() (operations []string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	failing := map[string]bool{}
	for _, outage := range o.all {
		failing[outage.Operation] = outage.Err != nil
	}
	for operation, now := range failing {
		if now {
			operations = append(operations, operation)
		}
	}
	return operations
}

func (o *outages) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	var lines []string
	for _, outage := range o.all {
		lines = append(lines, fmt.Sprintf("%s, attempt %d: %v", outage.Operation, outage.Attempt, outage.Err))
	}
	return strings.Join(lines, "\n")
}

func (w *world) context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	w.t.Cleanup(cancel)
	return ctx
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// create makes a topic of the test's own; settings are name=value.
func (w *world) create(partitions int, settings ...string) string {
	w.t.Helper()
	name := fmt.Sprintf("t%d", time.Now().UnixNano())
	w.createAs(name, partitions, settings...)
	return name
}

func (w *world) createAs(name string, partitions int, settings ...string) {
	w.t.Helper()
	topic := createtopics.RequestTopic{Name: name, NumPartitions: int32(partitions), ReplicationFactor: 1}
	for _, setting := range settings {
		key, value, _ := strings.Cut(setting, "=")
		topic.Configs = append(topic.Configs, createtopics.RequestConfig{Name: key, Value: value})
	}
	create := func() error {
		return w.Retry(w.context(), "create", func(ctx context.Context) error {
			response, err := link.Ask[*createtopics.Response](ctx, w.link, w.controller(ctx), &createtopics.Request{Topics: []createtopics.RequestTopic{topic}, TimeoutMs: 5000})
			if err != nil {
				return err
			}
			if code := wire.Code(response.Topics[0].ErrorCode); code != nil {
				return fmt.Errorf("%w: %s", code, response.Topics[0].ErrorMessage)
			}
			return nil
		})
	}
	// With ZooKeeper the metadata forgets a topic before its name can be taken again.
	w.waitFor("the name to be free", func() bool {
		err := create()
		if errors.Is(err, kafkago.TopicAlreadyExists) {
			return false
		}
		w.must(err)
		return true
	})
	w.waitFor("the topic", func() bool {
		info, err := w.Topic(w.context(), name)
		return err == nil && info.Partitions == partitions
	})
}

func (w *world) controller(ctx context.Context) int32 {
	controller, err := w.link.Controller(ctx)
	w.must(err)
	return controller
}

// remake deletes a topic and makes it again.
func (w *world) remake(name string, partitions int) {
	w.t.Helper()
	old, err := w.Topic(w.context(), name)
	w.must(err)
	w.must(w.DeleteTopic(w.context(), name))
	w.waitFor("the topic to go", func() bool {
		_, err := w.Topic(w.context(), name)
		return errors.Is(err, kafkago.UnknownTopicOrPartition)
	})
	w.createAs(name, partitions)
	if info, err := w.Topic(w.context(), name); err != nil || info.ID == old.ID {
		w.t.Fatalf("the topic has the same id, or %v", err)
	}
}

func (w *world) waitFor(what string, done func() bool) {
	w.t.Helper()
	for begin := time.Now(); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > 40*time.Second {
			w.t.Fatalf("waited 40 s for %s; outages:\n%s", what, w.outages)
		}
	}
}

// write appends values v<from>, ... to a partition, one batch of them.
func (w *world) write(topic string, partition int32, from, count int) {
	w.t.Helper()
	var messages []Message
	for i := range count {
		messages = append(messages, Message{Key: fmt.Appendf(nil, "k%d", from+i), Value: fmt.Appendf(nil, "v%d", from+i)})
	}
	_, err := w.Produce(w.context(), topic, partition, messages...)
	w.must(err)
}

func (w *world) addPartitions(topic string, count int) {
	w.t.Helper()
	response, err := link.Ask[*createpartitions.Response](w.context(), w.link, w.controller(w.context()), &createpartitions.Request{
		Topics: []createpartitions.RequestTopic{{Name: topic, Count: int32(count)}}, TimeoutMs: 5000})
	w.must(err)
	w.must(wire.Code(response.Results[0].ErrorCode))
}

// deleteRecords moves the beginning of a partition's log.
func (w *world) deleteRecords(topic string, partition int32, before int64) {
	w.t.Helper()
	w.must(w.Retry(w.context(), "delete records", func(ctx context.Context) error {
		leader, _, err := w.link.Leader(ctx, topic, partition)
		if err != nil {
			return err
		}
		value, err := w.link.Send(ctx, &link.Exchange{API: protocol.DeleteRecords, To: leader.Broker,
			Run: func(connection io.ReadWriter, _ map[protocol.ApiKey]int16) (any, error) {
				e := wire.NewRequest(protocol.DeleteRecords, 1, false, "test")
				e.Array(1)
				e.Text(topic)
				e.Array(1)
				e.Int32(partition)
				e.Int64(before)
				e.Int32(5000)
				d, _, err := wire.RoundTrip(connection, e, wire.ControlLimit, wire.Patience{}, nil)
				return d, err
			}})
		if err != nil {
			return err
		}
		d := value.(*wire.Decoder)
		d.Int32()
		d.Array(1)
		d.Text()
		d.Array(1)
		d.Int32()
		d.Int64()
		if err := wire.Code(d.Int16()); err != nil {
			return err
		}
		return d.Finish("delete records")
	}))
}

// writer is an idempotent or transactional producer.
type writer struct {
	w             *world
	id            string // transactional; empty: idempotent
	topic         string
	producer      int64
	epoch         int16
	sequence      int32
	inTransaction bool
}

func (w *world) writer(topic, id string) *writer {
	w.t.Helper()
	var response *initproducerid.Response
	w.must(w.Retry(w.context(), "init producer id", func(ctx context.Context) (err error) {
		if id != "" { // asking for the coordinator makes its topic
			found, err := link.Ask[*findcoordinator.Response](ctx, w.link, link.AnyBroker, &findcoordinator.Request{Key: id, KeyType: 1})
			if err != nil || found.ErrorCode != 0 {
				return kafkago.LeaderNotAvailable
			}
		}
		response, err = link.Ask[*initproducerid.Response](ctx, w.link, link.AnyBroker, &initproducerid.Request{
			TransactionalID: id, TransactionTimeoutMs: 60000, ProducerID: -1, ProducerEpoch: -1})
		if err == nil {
			err = wire.Code(response.ErrorCode)
		}
		if errors.Is(err, kafkago.GroupCoordinatorNotAvailable) || errors.Is(err, kafkago.NotCoordinatorForGroup) || errors.Is(err, kafkago.GroupLoadInProgress) {
			err = kafkago.LeaderNotAvailable // the coordinator's topic is being made
		}
		return err
	}))
	return &writer{w: w, id: id, topic: topic, producer: response.ProducerID, epoch: response.ProducerEpoch}
}

// write appends one batch with these messages to partition 0.
func (p *writer) write(messages ...Message) {
	p.w.t.Helper()
	if p.id != "" && !p.inTransaction {
		p.join()
	}
	b := batches.NewBuilder()
	for i := range messages {
		b.Add(&messages[i])
	}
	framed, err := b.Framed(nil, wire.None)
	p.w.must(err)
	batches.Stamp(framed[4:], p.producer, p.epoch, p.sequence)
	if p.id == "" {
		framed = append(framed[:4:4], bentAt(framed[4:], 22, 0)...) // not transactional
	}
	binary.BigEndian.PutUint32(framed, uint32(len(framed)-4))
	leader, _, err := p.w.link.Leader(p.w.context(), p.topic, 0)
	p.w.must(err)
	response, err := link.Ask[*produce.Response](p.w.context(), p.w.link, leader.Broker, &rawproduce.Request{TransactionalID: p.id, Acks: -1, Timeout: 5000,
		Topics: []rawproduce.RequestTopic{{Topic: p.topic, Partitions: []rawproduce.RequestPartition{{RecordSet: protocol.RawRecordSet{Reader: bytes.NewReader(framed)}}}}}})
	p.w.must(err)
	p.w.must(wire.Code(response.Topics[0].Partitions[0].ErrorCode))
	p.sequence += int32(len(messages))
}

// join adds the partition to the transaction; until an earlier one has ended, that is to be tried again.
func (p *writer) join() {
	p.w.t.Helper()
	p.w.waitFor("the earlier transaction", func() bool {
		response, err := link.Ask[*addpartitionstotxn.Response](p.w.context(), p.w.link, link.AnyBroker, &addpartitionstotxn.Request{
			TransactionalID: p.id, ProducerID: p.producer, ProducerEpoch: p.epoch,
			Topics: []addpartitionstotxn.RequestTopic{{Name: p.topic, Partitions: []int32{0}}}})
		p.w.must(err)
		err = wire.Code(response.Results[0].Results[0].ErrorCode)
		if errors.Is(err, kafkago.ConcurrentTransactions) {
			return false
		}
		p.w.must(err)
		return true
	})
	p.inTransaction = true
}

// end waits for the marker too: the coordinator answers before it is written.
func (p *writer) end(commit bool) {
	p.w.t.Helper()
	before, err := p.w.link.Readable(p.w.context(), p.topic, wire.Uncommitted)
	p.w.must(err)
	response, err := link.Ask[*endtxn.Response](p.w.context(), p.w.link, link.AnyBroker, &endtxn.Request{
		TransactionalID: p.id, ProducerID: p.producer, ProducerEpoch: p.epoch, Committed: commit})
	p.w.must(err)
	p.w.must(wire.Code(response.ErrorCode))
	p.inTransaction = false
	p.w.waitFor("the marker", func() bool {
		after, err := p.w.link.Readable(p.w.context(), p.topic, wire.Uncommitted)
		return err == nil && after[0].End > before[0].End
	})
}

// seen is what a fetcher gave: the values by partition, and the losses.
type seen struct {
	values map[int32][]string
	next   map[int32]int64
	losses []*DataLoss
}

// fetchUntil reads until done, checking that chunks of a partition follow each other without gap.
func (w *world) fetchUntil(f *Fetcher, done func(*seen) bool) *seen {
	w.t.Helper()
	s := &seen{values: map[int32][]string{}, next: map[int32]int64{}}
	ctx := w.context()
	for !done(s) {
		chunk, err := f.Next(ctx)
		if err != nil {
			w.t.Fatalf("%v after %v; outages:\n%s", err, s.next, w.outages)
		}
		s.take(w.t, chunk)
	}
	return s
}

func (s *seen) take(t testing.TB, chunk *Chunk) {
	t.Helper()
	defer chunk.Release()
	if next, known := s.next[chunk.Partition]; known && chunk.First != next {
		t.Fatalf("partition %d: a chunk from %d after one to %d", chunk.Partition, chunk.First, next)
	}
	s.next[chunk.Partition] = chunk.Next
	if chunk.Loss != nil {
		s.losses = append(s.losses, chunk.Loss)
		return
	}
	var records []Record
	for more := true; more; {
		part, err := chunk.Records(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		records, more = append(records, part...), len(part) > 0
	}
	for i := range records {
		if records[i].Offset < chunk.First || records[i].Offset >= chunk.Next {
			t.Fatalf("offset %d in a chunk from %d to %d", records[i].Offset, chunk.First, chunk.Next)
		}
		s.values[chunk.Partition] = append(s.values[chunk.Partition], string(records[i].Value))
	}
}

func (s *seen) count() (n int) {
	for _, values := range s.values {
		n += len(values)
	}
	return n
}

// fetcher begins to read; it is closed before its client.
func (w *world) fetcher(options FetchOptions) *Fetcher {
	w.t.Helper()
	if options.RefreshEvery == 0 {
		options.RefreshEvery = 200 * time.Millisecond
	}
	f, err := w.NewFetcher(options)
	w.must(err)
	w.t.Cleanup(f.Close)
	return f
}

// values v<from>, ..., as write writes them.
func values(from, count int) (all []string) {
	for i := range count {
		all = append(all, fmt.Sprintf("v%d", from+i))
	}
	return all
}

var devbrokerOptions = devbroker.Options{}

// plainBatch is a batch of n records from base on, as a broker would keep it.
func plainBatch(t testing.TB, base int64, n int) []byte {
	t.Helper()
	b := batches.NewBuilder()
	for i := range n {
		b.Add(&Message{Timestamp: 1000 + int64(i), Key: []byte("k"), Value: fmt.Appendf(nil, "%d", base+int64(i))})
	}
	framed, err := b.Framed(nil, wire.None)
	if err != nil {
		t.Fatal(err)
	}
	batch := framed[4:]
	binary.BigEndian.PutUint64(batch, uint64(base))
	return batch
}

// bentAt changes bytes of a batch whose checksum matches nevertheless.
func bentAt(batch []byte, at int, value ...byte) []byte {
	bent := slices.Clone(batch)
	copy(bent[at:], value)
	batches.Seal(bent)
	return bent
}
