package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// answers has the next requests of an API, so many, be answered by a function, and the others by the broker.
func (w *world) answers(api kmsg.Key, times int, answer func(kmsg.Request) (kmsg.Response, error)) {
	for range times {
		w.dev.Cluster.ControlKey(api.Int16(), func(request kmsg.Request) (kmsg.Response, error, bool) {
			response, err := answer(request)
			return response, err, true
		})
	}
}

// hangsUp is a broker that closes the connection.
func hangsUp(kmsg.Request) (kmsg.Response, error) { return nil, io.ErrUnexpectedEOF }

// lacks is an answer in which there is nothing.
func lacks(request kmsg.Request) (kmsg.Response, error) { return request.ResponseKind(), nil }

// TestAnyRequestMayBeLost once: all that writes, commits and asks goes on, and what was written is there once.
func TestAnyRequestMayBeLost(t *testing.T) {
	for _, api := range []kmsg.Key{kmsg.InitProducerID, kmsg.FindCoordinator, kmsg.AddPartitionsToTxn, kmsg.Produce, kmsg.EndTxn, kmsg.AddOffsetsToTxn, kmsg.TxnOffsetCommit, kmsg.OffsetFetch, kmsg.Metadata, kmsg.ListOffsets, kmsg.Fetch, kmsg.DescribeConfigs, kmsg.CreateTopics} {
		t.Run(api.Name(), func(t *testing.T) {
			w := embedded(t, devbroker.Options{})
			w.must(w.Ping(w.context()))
			w.answers(api, 1, hangsUp)
			spec := TopicSpec{Name: "waiting", Kind: WaitingTopic, Partitions: 2}
			for range 2 {
				if results, err := w.CreateTopics(w.context(), spec); err != nil || len(results) != 1 || results[0].Partitions != 2 {
					t.Fatalf("%+v, %v", results, err)
				}
			}
			tx, err := w.NewTransactor(w.context(), "id")
			w.must(err)
			w.must(tx.Append(w.context(), "waiting", 1, Message{Value: []byte("one")}))
			w.must(tx.CommitOffsets(w.context(), "group", "waiting", map[int32]int64{0: 0, 1: 7}))
			w.must(tx.Commit(w.context()))
			var offsets map[int32]int64
			w.waitFor("the offsets", func() bool {
				offsets, err = w.GroupOffsets(w.context(), "group", "waiting")
				return err == nil && maps.Equal(offsets, map[int32]int64{0: 0, 1: 7})
			})
			var found []string
			w.waitFor("the marker", func() bool {
				found = nil
				_, err = w.ReadInput(w.context(), "waiting", 1, Earliest, End, func(r *Record) error {
					found = append(found, string(r.Value))
					return nil
				})
				return err == nil && len(found) > 0
			})
			if !slices.Equal(found, []string{"one"}) {
				t.Errorf("%q", found)
			}
		})
	}
}

// TestAnswersThatLackThePartition are tried again, and so is a broker that does not lead it any more.
func TestAnswersThatLackThePartition(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	tx, err := w.NewTransactor(w.context(), topic)
	w.must(err)
	for i, api := range []kmsg.Key{kmsg.AddPartitionsToTxn, kmsg.Produce, kmsg.Fetch} {
		var said []error
		client := w.Telling(func(o Outage) { said = append(said, o.Err) })
		tx.client = client
		w.answers(api, 1, lacks)
		switch api {
		case kmsg.Fetch:
			w.must(tx.Commit(w.context()))
			_, err = client.Read(w.context(), topic, 0, 0, int64(i), func(*Record) error { return nil })
		default:
			err = tx.Append(w.context(), topic, 0, Message{Value: []byte("x")})
		}
		if err != nil || len(said) < 1 || !strings.Contains(fmt.Sprint(said[0]), "did not answer for the partition") {
			t.Errorf("%s: %v, told %v", api.Name(), err, said)
		}
	}
}

// TestABatchThatIsThere already was written by an attempt whose answer was lost; an error of a coordinator passes, or names what it is about.
func TestABatchThatIsThere(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	tx, err := w.NewTransactor(w.context(), topic)
	w.must(err)
	produced := func(code int16) func(kmsg.Request) (kmsg.Response, error) {
		return func(request kmsg.Request) (kmsg.Response, error) {
			response := request.ResponseKind().(*kmsg.ProduceResponse)
			of, partition := kmsg.NewProduceResponseTopic(), kmsg.NewProduceResponseTopicPartition()
			of.Topic, partition.ErrorCode = topic, code
			of.Partitions = append(of.Partitions, partition)
			response.Topics = append(response.Topics, of)
			return response, nil
		}
	}
	w.answers(kmsg.Produce, 1, produced(int16(kafkago.DuplicateSequenceNumber)))
	w.must(tx.Append(w.context(), topic, 0, Message{Value: []byte("a")}, Message{Value: []byte("b")}))
	if next := tx.sequences[target{topic, 0}]; next != 2 {
		t.Errorf("the next message has the number %d", next)
	}
	w.answers(kmsg.Produce, 1, produced(int16(kafkago.InvalidRecord)))
	if err := tx.Append(w.context(), topic, 0, Message{Value: []byte("c")}); !errors.Is(err, kafkago.InvalidRecord) || tx.sequences[target{topic, 0}] != 2 {
		t.Errorf("%v, the next message has the number %d", err, tx.sequences[target{topic, 0}])
	}
	b := NewBatch()
	w.must(tx.AppendBatch(w.context(), topic, 0, b))
	b.Add(&Message{Value: []byte("d")})
	tx.sequences[target{topic, 0}] = 0
	w.must(w.Encode(b))
	w.answers(kmsg.Produce, 2, produced(int16(kafkago.NotLeaderForPartition)))
	if err := tx.AppendBatch(w.context(), topic, 0, b); err != nil || b.framed != nil {
		t.Errorf("%v, and a batch that was sent more than once is used again: %v", err, b.framed != nil)
	}
	for began, timedOut := range map[time.Time]bool{{}: false, time.Now(): false, time.Now().Add(-time.Hour): true} {
		tx.began = began
		var fenced *Fenced
		if err := tx.fenced(kafkago.ProducerFenced); !errors.As(err, &fenced) || (fenced.TimedOut > 0) != timedOut || fenced.ID != topic {
			t.Errorf("begun %v: %v", began, err)
		}
	}
	if err := tx.fenced(kafkago.InvalidRecord); err != kafkago.InvalidRecord {
		t.Errorf("%v", err)
	}
	offsets := func(group, partition int16) func(kmsg.Request) (kmsg.Response, error) {
		return func(request kmsg.Request) (kmsg.Response, error) {
			response := request.ResponseKind().(*kmsg.OffsetFetchResponse)
			of, one := kmsg.NewOffsetFetchResponseTopic(), kmsg.NewOffsetFetchResponseTopicPartition()
			of.Topic, one.ErrorCode, one.Offset = topic, partition, -1
			of.Partitions = append(of.Partitions, one)
			response.Topics, response.ErrorCode = append(response.Topics, of), group
			return response, nil
		}
	}
	for name, c := range map[string]struct {
		group, partition kafkago.Error
		want             error
	}{"none": {0, 0, nil}, "no group": {kafkago.GroupIdNotFound, 0, nil}, "a group": {kafkago.GroupAuthorizationFailed, 0, kafkago.GroupAuthorizationFailed}, "a partition": {0, kafkago.TopicAuthorizationFailed, kafkago.TopicAuthorizationFailed}} {
		w.answers(kmsg.OffsetFetch, 1, offsets(int16(c.group), int16(c.partition)))
		if got, err := w.GroupOffsets(w.context(), "group", topic); !errors.Is(err, c.want) || len(got) != 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	w.must(tx.CommitOffsets(w.context(), "group", topic, nil))
	if _, err := w.GroupOffsets(w.context(), "group", "unseen"); err == nil {
		t.Error("a topic that is not there has offsets")
	}
}

// TestTopicsAreWhatTheirKindNeeds: what they are created with is what is asked of those that exist.
func TestTopicsAreWhatTheirKindNeeds(t *testing.T) {
	const half = shortestHistory
	for _, kind := range []TopicKind{InputTopic, DeadLetterTopic, ModelTopic, HistoryTopic, WaitingTopic, StateTopic, EventTopic} {
		spec := TopicSpec{Name: "t", Kind: kind, MaxMessageBytes: 1 << 20}
		if err := spec.problems(spec.settings()); err != nil {
			t.Errorf("%v as it is created: %v", kind, err)
		}
		compacted := spec.settings()["cleanup.policy"] == "compact"
		if want := slices.Contains([]TopicKind{ModelTopic, StateTopic, WaitingTopic}, kind); compacted != want {
			t.Errorf("%v is compacted: %v", kind, compacted)
		}
	}
	for kind, want := range map[TopicKind]int{WaitingTopic: deadLetterBytes, DeadLetterTopic: deadLetterBytes, ModelTopic: modelBytes} {
		if got := (TopicSpec{Kind: kind}).settings()["max.message.bytes"]; got != strconv.Itoa(want) {
			t.Errorf("%v takes %s bytes", kind, got)
		}
	}
	if s := (TopicSpec{Kind: HistoryTopic}).settings(); s["retention.ms"] != "-1" || s["retention.bytes"] != "-1" {
		t.Errorf("a history ends: %v", s)
	}
	for _, c := range []struct {
		kind     TopicKind
		settings map[string]string
		says     []string
	}{
		{ModelTopic, map[string]string{"cleanup.policy": "compact,delete"}, []string{"must be compacted only"}}, {StateTopic, map[string]string{"cleanup.policy": "delete"}, []string{"must be compacted only"}},
		{DeadLetterTopic, map[string]string{"cleanup.policy": "compact"}, []string{"records without a key are refused"}}, {EventTopic, map[string]string{"cleanup.policy": "delete,compact"}, []string{"only the last event"}},
		{HistoryTopic, map[string]string{"cleanup.policy": "compact"}, []string{"evidence is deleted"}}, {HistoryTopic, map[string]string{"cleanup.policy": "compact", "retention.ms": "5"}, []string{"evidence is deleted", "retention.ms is 5"}},
		{HistoryTopic, map[string]string{"retention.ms": fmt.Sprint(half)}, nil}, {HistoryTopic, map[string]string{"retention.ms": fmt.Sprint(half - 1)}, []string{"kept for half a year"}}, {HistoryTopic, map[string]string{"retention.ms": "0"}, []string{"retention.ms is 0"}},
		{HistoryTopic, map[string]string{"retention.ms": "-1"}, nil}, {HistoryTopic, map[string]string{"retention.ms": "99999999999999999999"}, nil},
		{InputTopic, map[string]string{"max.message.bytes": "999"}, []string{"max.message.bytes is 999, and 1000 are needed"}}, {InputTopic, map[string]string{"max.message.bytes": "1000"}, nil},
	} {
		err := TopicSpec{Name: "t", Kind: c.kind, MaxMessageBytes: 1000}.problems(c.settings)
		said := fmt.Sprint(err)
		if (err == nil) != (len(c.says) == 0) {
			t.Errorf("%v with %v: %v", c.kind, c.settings, err)
		}
		if of := (*Error)(nil); err != nil && (!errors.As(err, &of) || of.Topic != "t" || of.Partition != -1 || of.Class != Fatal) {
			t.Errorf("%v with %v is of the topic as a whole, for good: %+v", c.kind, c.settings, of)
		}
		for _, words := range c.says {
			if !strings.Contains(said, words) {
				t.Errorf("%v with %v lacks %q: %v", c.kind, c.settings, words, err)
			}
		}
	}
}

// TestTopicsThatAreRefused: another process may be first, a broker may say why, and what is deleted may be gone.
func TestTopicsThatAreRefused(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	created := func(code kafkago.Error, message *string) func(kmsg.Request) (kmsg.Response, error) {
		return func(request kmsg.Request) (kmsg.Response, error) {
			response := request.ResponseKind().(*kmsg.CreateTopicsResponse)
			of := kmsg.NewCreateTopicsResponseTopic()
			of.Topic, of.ErrorCode, of.ErrorMessage = "t", int16(code), message
			response.Topics = append(response.Topics, of)
			return response, nil
		}
	}
	for name, c := range map[string]struct {
		code    kafkago.Error
		message *string
		made    bool
		want    error
		says    string
	}{
		"another was first": {kafkago.TopicAlreadyExists, nil, false, nil, ""}, "made": {0, kmsg.StringPtr("all is well"), true, nil, ""},
		"why": {kafkago.InvalidTopic, kmsg.StringPtr("it is too long"), false, kafkago.InvalidTopic, "it is too long"}, "no reason": {kafkago.InvalidTopic, nil, false, kafkago.InvalidTopic, ""},
	} {
		w.answers(kmsg.CreateTopics, 1, created(c.code, c.message))
		made, err := w.Client.create(w.context(), TopicSpec{Name: "t"})
		if made != c.made || !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", name, made, err)
		}
	}
	settings := func(code kafkago.Error) func(kmsg.Request) (kmsg.Response, error) {
		return func(request kmsg.Request) (kmsg.Response, error) {
			response := request.ResponseKind().(*kmsg.DescribeConfigsResponse)
			of := kmsg.NewDescribeConfigsResponseResource()
			of.ErrorCode = int16(code)
			response.Resources = append(response.Resources, of)
			return response, nil
		}
	}
	for code, advice := range map[kafkago.Error]string{kafkago.TopicAuthorizationFailed: "grant DescribeConfigs", kafkago.InvalidTopic: ""} {
		w.answers(kmsg.DescribeConfigs, 1, settings(code))
		if _, err := w.settingsOf(w.context(), "t"); !errors.Is(err, code) || !strings.Contains(err.Error(), advice) || advice == "" && strings.Contains(err.Error(), "DescribeConfigs") {
			t.Errorf("%v", err)
		}
	}
	topic := w.create(1)
	deleted := func(code kafkago.Error) func(kmsg.Request) (kmsg.Response, error) {
		return func(request kmsg.Request) (kmsg.Response, error) {
			response := request.ResponseKind().(*kmsg.DeleteTopicsResponse)
			of := kmsg.NewDeleteTopicsResponseTopic()
			of.Topic, of.ErrorCode = &topic, int16(code)
			response.Topics = append(response.Topics, of)
			return response, nil
		}
	}
	for code, want := range map[kafkago.Error]error{kafkago.UnknownTopicOrPartition: nil, kafkago.TopicAuthorizationFailed: kafkago.TopicAuthorizationFailed, 0: nil} {
		w.answers(kmsg.DeleteTopics, 1, deleted(code))
		if err := w.DeleteTopic(w.context(), topic); !errors.Is(err, want) {
			t.Errorf("%v: %v", code, err)
		}
	}
	w.answers(kmsg.DeleteTopics, 1, hangsUp)
	if err := w.DeleteTopic(w.context(), topic); err == nil {
		t.Error("a broker that hangs up deleted a topic")
	}
	w.must(w.DeleteTopic(w.context(), topic))
	created1 := w.Client.missing(TopicSpec{Name: "t"}, true, io.EOF)
	if input, other := w.Client.missing(TopicSpec{Name: "t", Kind: InputTopic}, false, io.EOF).Error(), w.Client.missing(TopicSpec{Name: "t", Kind: StateTopic}, false, io.EOF).Error(); created1 != io.EOF || strings.Contains(input, "topics.management") || !strings.Contains(other, "topics.management") {
		t.Errorf("%v, %s, %s", created1, input, other)
	}
}

// TestReadsAtTheEndsOfALog: at its end there is nothing yet, beyond it there is a loss once that was answered often enough, and below its start at once.
func TestReadsAtTheEndsOfALog(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	w.write(topic, 0, 0, 5)
	w.deleteRecords(topic, 0, 2)
	r := &rangeReader{client: w.Client, topic: topic, isolation: wire.Committed}
	for from, want := range map[int64]LossKind{1: LossBelowStart, 2: "", 5: "", 6: LossAboveEnd} {
		var loss *DataLoss
		for r.refused = 0; r.refused < rangeStrikes; {
			err := r.outOfRange(w.context(), from)
			if early := r.refused < rangeStrikes && want != LossBelowStart; early && !errors.Is(err, kafkago.OffsetOutOfRange) {
				t.Errorf("from %d, answer %d: %v", from, r.refused, err)
			} else if !early && (want != "") != (errors.As(err, &loss) && loss.Kind == want) {
				t.Errorf("from %d, answer %d: %v", from, r.refused, err)
			}
		}
	}
	r.partition = 1
	if err := r.outOfRange(w.context(), 0); !errors.Is(err, kafkago.UnknownTopicOrPartition) {
		t.Errorf("a partition that is not there: %v", err)
	}
	ctx, cancel := context.WithTimeout(w.context(), 200*time.Millisecond)
	defer cancel()
	for _, end := range []int64{End, 5} {
		if _, _, err := r.resolve(ctx, Earliest, end); err == nil {
			t.Error("a partition that is not there has an end")
		}
	}
	if from, to, err := r.resolve(ctx, 0, 0); from != 0 || to != 0 || err != nil {
		t.Errorf("from 0 to 0 is from %d to %d, %v", from, to, err)
	}
	for _, c := range []struct {
		to, high int64
		ends     bool
	}{{Forever, 5, false}, {5, 5, false}, {4, 5, false}, {6, 5, true}} {
		r := &rangeReader{topic: topic, to: c.to, short: endStrikes - 2}
		first, second := r.ended(&wire.FetchedPartition{HighWatermark: c.high}), r.ended(&wire.FetchedPartition{HighWatermark: c.high})
		var loss *DataLoss
		if first != nil || (second != nil) != c.ends || c.ends && (!errors.As(second, &loss) || loss.Kind != LossAboveEnd || loss.Offset != c.to-1) || !c.ends && r.short != 0 {
			t.Errorf("%+v: %v, %v, %d short answers", c, first, second, r.short)
		}
	}
	failed := errors.New("it cannot be used")
	if next, err := w.Read(w.context(), topic, 0, Earliest, End, func(r *Record) error {
		if r.Offset == 3 {
			return failed
		}
		return nil
	}); next != 3 || !errors.Is(err, failed) {
		t.Errorf("%d, %v", next, err)
	}
	if next, err := w.Read(w.context(), topic, 0, 2, 4, func(*Record) error { return nil }); next != 4 || err != nil {
		t.Errorf("%d, %v", next, err)
	}
	if _, err := w.Read(ctx, "unseen", 0, Earliest, End, func(*Record) error { return nil }); err == nil {
		t.Error("a topic that is not there was read")
	}
	if _, err := w.NewProducer(ctx, "unseen", 0); err == nil {
		t.Error("a topic that is not there has a producer")
	}
	if _, err := Open(Config{}, Options{}); err == nil {
		t.Error("a client without a broker")
	}
}

// TestPatienceGrowsAndShrinks: it doubles four times at most, and halves once an answer came in half of the shorter time.
func TestPatienceGrowsAndShrinks(t *testing.T) {
	var b firstByte
	for range 6 {
		b.failed()
	}
	if b.patience() != 16*shortestFirstByte {
		t.Errorf("at most %v", b.patience())
	}
	for after, shrinks := range map[time.Duration]bool{4*shortestFirstByte - 1: true, 4 * shortestFirstByte: false} {
		b.doublings = 4
		if b.answered(after, 0); (b.doublings == 3) != shrinks {
			t.Errorf("after %v there are %d doublings", after, b.doublings)
		}
	}
	b.doublings = 0
	if b.answered(0, 0); b.doublings != 0 {
		t.Errorf("%d doublings", b.doublings)
	}
	batch := NewBatch()
	for size, kept := range map[int]bool{1000: true, keepBatch + 1: false} {
		*batch = *NewBatch()
		batch.Add(&Message{Value: make([]byte, size)})
		batch.framed = []byte("framed")
		room := batch.builder.Room()
		if batch.Reset(); batch.Size() != 0 || len(batch.framed) != 0 || (batch.builder.Room() == room) != kept || (batch.framed != nil) != kept {
			t.Errorf("a message of %d bytes: room for %d is kept", size, batch.builder.Room())
		}
	}
}

// TestProducersFillTheirBatches: a message that fills one goes into it, the next one is written after it, and one that is larger goes alone.
func TestProducersFillTheirBatches(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	message := &Message{Value: make([]byte, 100)}
	p, err := w.NewProducer(w.context(), topic, 2*messageSize(message))
	w.must(err)
	for i, want := range []int32{1, 2, 1, 2} {
		w.must(p.Send(w.context(), message))
		if got := p.batches[0].Len(); got != want {
			t.Errorf("after message %d, %d are pending", i+1, got)
		}
	}
	w.answers(kmsg.Produce, 1, func(request kmsg.Request) (kmsg.Response, error) {
		response := request.ResponseKind().(*kmsg.ProduceResponse)
		of, partition := kmsg.NewProduceResponseTopic(), kmsg.NewProduceResponseTopicPartition()
		of.Topic, partition.ErrorCode = topic, int16(kafkago.InvalidRecord)
		of.Partitions = append(of.Partitions, partition)
		response.Topics = append(response.Topics, of)
		return response, nil
	})
	if err := p.Send(w.context(), message); !errors.Is(err, kafkago.InvalidRecord) {
		t.Errorf("a full batch that is refused: %v", err)
	}
}

// TestABatchIsFilledToItsLastByte before it is written.
func TestABatchIsFilledToItsLastByte(t *testing.T) {
	m := &Message{Value: []byte("a value")}
	p := &Producer{partitions: []int{0}, batches: []*batches.Builder{batches.NewBuilder()}}
	p.batches[0].Add(m)
	p.batchBytes = p.batches[0].Size() + messageSize(m)
	if err := p.Send(t.Context(), m); err != nil || p.batches[0].Len() != 2 {
		t.Errorf("%d messages, %v", p.batches[0].Len(), err)
	}
}

// TestSizesOfMessages are those of their parts and of the numbers between them, and no batch takes more for them.
func TestSizesOfMessages(t *testing.T) {
	header := Header{Key: "header", Value: []byte("of it")}
	for _, c := range []struct {
		m    Message
		size int
	}{{Message{}, 30}, {Message{Key: []byte("key"), Value: []byte("value")}, 38}, {Message{Key: []byte("key"), Headers: []Header{header, header}}, 75}} {
		b := batches.NewBuilder()
		if b.Add(&c.m); messageSize(&c.m) != c.size || b.Size() > c.size {
			t.Errorf("%+v: %d bytes, of which a batch takes %d", c.m, messageSize(&c.m), b.Size())
		}
	}
}
