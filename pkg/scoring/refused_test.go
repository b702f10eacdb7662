package scoring

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestARefusedRequestEndsScoring: whichever request a broker refuses for good, scoring ends with an error, and the next run decides each record once.
func TestARefusedRequestEndsScoring(t *testing.T) {
	t.Parallel()
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	const each = 30
	const noTopic, noGroup, noTransaction int16 = 29, 30, 53 // the codes of refused authorization in Kafka's protocol
	refuse := map[string]func(kmsg.Request) kmsg.Response{
		"the transactional id": func(r kmsg.Request) kmsg.Response {
			answer := r.ResponseKind().(*kmsg.InitProducerIDResponse)
			answer.ErrorCode = noTransaction
			return answer
		},
		"the offsets of the group": func(r kmsg.Request) kmsg.Response {
			answer := r.ResponseKind().(*kmsg.OffsetFetchResponse)
			answer.ErrorCode = noGroup
			for _, of := range r.(*kmsg.OffsetFetchRequest).Groups {
				answer.Groups = append(answer.Groups, kmsg.OffsetFetchResponseGroup{Group: of.Group, ErrorCode: noGroup})
			}
			return answer
		},
		"the bounds of the topic": func(r kmsg.Request) kmsg.Response {
			answer := r.ResponseKind().(*kmsg.ListOffsetsResponse)
			for _, of := range r.(*kmsg.ListOffsetsRequest).Topics {
				topic := kmsg.ListOffsetsResponseTopic{Topic: of.Topic}
				for _, p := range of.Partitions {
					topic.Partitions = append(topic.Partitions, kmsg.ListOffsetsResponseTopicPartition{Partition: p.Partition, ErrorCode: noTopic})
				}
				answer.Topics = append(answer.Topics, topic)
			}
			return answer
		},
		"the offsets of the transaction": func(r kmsg.Request) kmsg.Response {
			answer := r.ResponseKind().(*kmsg.AddOffsetsToTxnResponse)
			answer.ErrorCode = noGroup
			return answer
		},
		"the end of the transaction": func(r kmsg.Request) kmsg.Response {
			answer := r.ResponseKind().(*kmsg.EndTxnResponse)
			answer.ErrorCode = noTransaction
			return answer
		},
	}
	keys := map[string]int16{"the transactional id": int16(kmsg.InitProducerID), "the offsets of the group": int16(kmsg.OffsetFetch), "the bounds of the topic": int16(kmsg.ListOffsets),
		"the offsets of the transaction": int16(kmsg.AddOffsetsToTxn), "the end of the transaction": int16(kmsg.EndTxn)}
	w := newWorld(t, b.Addresses()[0], each*len(refuse))
	options := w.options()
	_, err = options.Models.Wait(t.Context())
	must(t, err)
	records := 0
	for what, answer := range refuse {
		w.put(records, records+each)
		records += each
		refused := 0
		b.Cluster.ControlKey(keys[what], func(r kmsg.Request) (kmsg.Response, error, bool) {
			refused++
			return answer(r), nil, true
		})
		s, err := prepare(w.client, options)
		must(t, err)
		if err := s.Run(t.Context()); err == nil || refused != 1 {
			t.Errorf("%s: %v, and %d requests were refused", what, err, refused)
		}
		s, err = prepare(w.client, options)
		must(t, err)
		if err := s.Run(t.Context()); err != nil {
			t.Errorf("the run after %s: %v", what, err)
		}
		if n := s.Status().Scored + s.Status().Rejected; n != each {
			t.Errorf("after %s, %d records are decided, want %d", what, n, each)
		}
	}
	w.check(records, nil)
}

// TestARejectionIsTold: one record for each reason, however many there are.
func TestARejectionIsTold(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	w := newWorld(t, b.Addresses()[0], 1)
	for range 3 {
		for _, value := range []string{"\x00\x00\x00\x00\x07\x02a", "{"} {
			_, err := w.client.Produce(t.Context(), w.base+".unlabelled", 1, kafka.Message{Value: []byte(value)})
			must(t, err)
		}
	}
	var told []record.Reason
	options := w.options()
	options.CommitEvery = time.Millisecond
	options.Rejected = func(partition int32, rejection *record.Rejection) {
		if partition != 1 {
			t.Errorf("partition %d", partition)
		}
		told = append(told, rejection.Reason)
	}
	s, err := prepare(w.client, options)
	must(t, err)
	must(t, s.Run(t.Context()))
	first := len(told)
	_, err = w.client.Produce(t.Context(), w.base+".unlabelled", 1, kafka.Message{Value: []byte("\x00\x00\x00\x00\x07\x02a")})
	must(t, err)
	s.ends = nil // so that it goes on
	must(t, s.Run(t.Context()))
	if len(told) != first {
		t.Errorf("told again, of %v", told)
	}
	if len(told) == 0 || told[0] != record.RegistryHeader || len(told) > 2 || s.Status().Rejected != 7 {
		t.Errorf("told of %v; %d rejected", told, s.Status().Rejected)
	}
}
