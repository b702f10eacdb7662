package kafka

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
)

func TestTopicsAreCreatedThenVerified(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		prefix := fmt.Sprintf("t%d", time.Now().UnixNano())
		specs := []TopicSpec{
			{Name: prefix + "-in", Kind: InputTopic, Partitions: 4},
			{Name: prefix + "-dlq", Kind: DeadLetterTopic},
			{Name: prefix + "-model", Kind: ModelTopic},
			{Name: prefix + "-state", Kind: StateTopic, ReplicationFactor: 1, MaxMessageBytes: 3 << 20},
			{Name: prefix + "-events", Kind: EventTopic},
		}
		results, err := w.VerifyTopics(w.context(), specs...)
		if err == nil || len(results) != len(specs) {
			t.Fatalf("verified topics that are not there: %+v, %v", results, err)
		}
		for _, spec := range specs { // all problems at once, each by name
			if !strings.Contains(err.Error(), spec.Name+": the topic does not exist") {
				t.Errorf("%q does not name %s", err, spec.Name)
			}
		}
		for round := range 2 {
			results, err = w.CreateTopics(w.context(), specs...)
			w.must(err)
			for i, result := range results {
				if result.Created != (round == 0) || result.Name != specs[i].Name || result.ID == (TopicID{}) || result.Partitions != max(1, specs[i].Partitions) {
					t.Errorf("round %d: %+v", round, result)
				}
			}
		}
		if _, err := w.VerifyTopics(w.context(), specs...); err != nil {
			t.Error(err)
		}
		for _, spec := range specs {
			got, err := w.settingsOf(w.context(), spec.Name)
			w.must(err)
			for name, want := range spec.settings() {
				// The embedded broker forgets the settings that it does not act on.
				if got[name] != want && (w.real != nil || got[name] != "") {
					t.Errorf("%s: %s is %q, want %q", spec.Name, name, got[name], want)
				}
			}
		}
	})
}

func TestTopicsWithWrongSettings(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		deleted, both, compacted := w.create(1, "cleanup.policy=delete"), w.create(1, "cleanup.policy=compact,delete"), w.create(1, "cleanup.policy=compact")
		for _, test := range []struct {
			spec TopicSpec
			want string // empty: it is right
		}{
			{TopicSpec{Name: compacted, Kind: StateTopic}, ""},
			{TopicSpec{Name: compacted, Kind: ModelTopic}, ""},
			{TopicSpec{Name: deleted, Kind: DeadLetterTopic}, ""},
			{TopicSpec{Name: both, Kind: InputTopic}, ""},
			{TopicSpec{Name: deleted, Kind: StateTopic}, `cleanup.policy is "delete", and a state topic must be compacted only`},
			{TopicSpec{Name: both, Kind: ModelTopic}, "must be compacted only"},
			{TopicSpec{Name: compacted, Kind: DeadLetterTopic}, "must not be compacted"},
			{TopicSpec{Name: deleted, Kind: EventTopic}, ""},
			{TopicSpec{Name: compacted, Kind: EventTopic}, "an event topic must not be compacted"},
			{TopicSpec{Name: compacted, Kind: StateTopic, MaxMessageBytes: 2 << 20}, "2097152 are needed"},
		} {
			for how, check := range map[string]func() error{
				"verify": func() error { _, err := w.VerifyTopics(w.context(), test.spec); return err },
				"create": func() error { _, err := w.CreateTopics(w.context(), test.spec); return err },
			} {
				err := check()
				if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s %+v: %v, want %q", how, test.spec, err, test.want)
				}
				if err != nil && ClassOf(err) != Fatal {
					t.Errorf("%s %+v: class %v", how, test.spec, ClassOf(err))
				}
			}
		}
	})
}

func TestReplicationFactorBeyondTheBrokers(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		_, err := w.CreateTopics(w.context(), TopicSpec{Name: fmt.Sprintf("t%d", time.Now().UnixNano()), Kind: InputTopic, ReplicationFactor: 3})
		if !errors.Is(err, kafkago.InvalidReplicationFactor) || ClassOf(err) != Fatal || !strings.Contains(err.Error(), "fewer brokers") {
			t.Errorf("%v", err)
		}
	})
}

func TestWriteErrors(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic, compacted := w.create(1), w.create(1, "cleanup.policy=compact")
		_, err := w.Produce(w.context(), topic, 0, Message{Value: make([]byte, 2<<20)})
		if !errors.Is(err, kafkago.MessageSizeTooLarge) || !strings.Contains(err.Error(), "the batch has 20972") || !strings.Contains(err.Error(), "max.message.bytes=2228224") || !strings.Contains(err.Error(), topic+"/0") {
			t.Errorf("too large: %v", err)
		}
		if w.real != nil { // the embedded broker takes a record without a key
			_, err = w.Produce(w.context(), compacted, 0, Message{Value: []byte("v")})
			if !errors.Is(err, kafkago.InvalidRecord) || !strings.Contains(err.Error(), "needs a key") {
				t.Errorf("no key: %v", err)
			}
		}
		if offset, err := w.Produce(w.context(), compacted, 0, Message{Key: []byte{}, Value: []byte("v")}); err != nil || offset != 0 {
			t.Errorf("empty key: %d, %v", offset, err)
		}
		if _, err = w.Append(w.context(), topic, 0); !errors.Is(err, errNothing) {
			t.Errorf("no message: %v", err)
		}
		for name, write := range map[string]func() error{
			"missing partition": func() error { _, err := w.Append(w.context(), topic, 7, Message{}); return err },
			"missing topic":     func() error { _, err := w.Append(w.context(), "missing", 0, Message{}); return err },
		} {
			if err := write(); !errors.Is(err, kafkago.UnknownTopicOrPartition) || ClassOf(err) != Retry {
				t.Errorf("%s: class %v, %v", name, ClassOf(err), err)
			}
		}
	})
}

func TestProducer(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(3)
		p, err := w.NewProducer(w.context(), topic, 2000)
		w.must(err)
		const keyed, plain = 300, 300
		for i := range keyed {
			m := Message{Timestamp: int64(1000 + i), Key: fmt.Appendf(nil, "key %d", i%10), Value: fmt.Appendf(nil, "keyed %d", i), Headers: []Header{{Key: "n", Value: fmt.Appendf(nil, "%d", i)}}}
			w.must(p.Send(w.context(), &m))
			m.Value[0], m.Key[0] = '!', '!' // it was copied
		}
		for i := range plain {
			w.must(p.Send(w.context(), &Message{Value: fmt.Appendf(nil, "plain %d", i)}))
		}
		w.must(p.Send(w.context(), &Message{Key: []byte("key 0"), Value: make([]byte, 5000)})) // larger than a batch
		w.must(p.Flush(w.context()))
		w.must(p.Flush(w.context())) // nothing is pending

		byKey := map[string][]string{}
		partitionOf := map[string]int32{}
		used := map[int32]bool{}
		for partition := range int32(3) {
			_, err := w.Read(w.context(), topic, partition, Earliest, End, func(r *Record) error {
				if r.Key == nil {
					used[partition] = true
					return nil
				}
				if known, seen := partitionOf[string(r.Key)]; seen && known != partition {
					t.Errorf("%s is on partitions %d and %d", r.Key, known, partition)
				}
				partitionOf[string(r.Key)] = partition
				byKey[string(r.Key)] = append(byKey[string(r.Key)], string(r.Value))
				if len(r.Value) < 5000 && (len(r.Headers()) != 1 || string(r.Headers()[0].Value) != fmt.Sprint(r.Timestamp-1000)) {
					t.Errorf("headers %v at %d", r.Headers(), r.Timestamp)
				}
				return nil
			})
			w.must(err)
		}
		if len(used) != 3 {
			t.Errorf("messages without a key are on partitions %v", used)
		}
		for k := range 10 {
			var want []string
			for i := k; i < keyed; i += 10 {
				want = append(want, fmt.Sprintf("keyed %d", i))
			}
			if k == 0 {
				want = append(want, string(make([]byte, 5000)))
			}
			if got := byKey[fmt.Sprintf("key %d", k)]; !slices.Equal(got, want) {
				t.Errorf("key %d: %d records, want %d in their order", k, len(got), len(want))
			}
		}
	})
}

// A batch whose write fails for good stays in the producer: whoever calls Flush again, after the cause is gone, loses no
// message.
func TestFailedBatchIsKept(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	p, err := w.NewProducer(w.context(), topic, 0)
	w.must(err)
	var refused atomic.Int64
	w.dev.Cluster.ControlKey(int16(kmsg.Produce), func(request kmsg.Request) (kmsg.Response, error, bool) {
		w.dev.Cluster.KeepControl()
		if refused.Add(1) > 1 {
			return nil, nil, false
		}
		response := request.ResponseKind().(*kmsg.ProduceResponse)
		partition := kmsg.NewProduceResponseTopicPartition()
		partition.ErrorCode = int16(kafkago.TopicAuthorizationFailed)
		answered := kmsg.NewProduceResponseTopic()
		answered.Topic, answered.Partitions = topic, []kmsg.ProduceResponseTopicPartition{partition}
		response.Topics = append(response.Topics, answered)
		return response, nil, true
	})
	for i := range 3 {
		w.must(p.Send(w.context(), &Message{Value: fmt.Appendf(nil, "v%d", i)}))
	}
	if err := p.Flush(w.context()); !errors.Is(err, kafkago.TopicAuthorizationFailed) || !strings.Contains(err.Error(), "3 messages") {
		t.Fatalf("the write that is refused: %v", err)
	}
	w.must(p.Flush(w.context()))
	var got []string
	_, err = w.Read(w.context(), topic, 0, Earliest, End, func(r *Record) error { got = append(got, string(r.Value)); return nil })
	w.must(err)
	if !slices.Equal(got, values(0, 3)) {
		t.Errorf("the topic holds %q", got)
	}
}
