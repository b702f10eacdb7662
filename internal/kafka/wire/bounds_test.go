package wire

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestLengthsAtTheirBounds: a text, bytes and an array may take all that is left, and not one byte more. What is refused is read as nothing.
func TestLengthsAtTheirBounds(t *testing.T) {
	const body = "abcdef"
	fixed16 := func(n int) []byte { return append(binary.BigEndian.AppendUint16(nil, uint16(n)), body...) }
	fixed32 := func(n int) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(n)), body...) }
	compact := func(n int) []byte { return append(binary.AppendUvarint(nil, uint64(n+1)), body...) }
	for kind, c := range map[string]struct {
		flexible bool
		of       func(n int) []byte
		read     func(d *Decoder) int // the length that is read
	}{
		"text":          {false, fixed16, func(d *Decoder) int { return len(d.Text()) }},
		"bytes":         {false, fixed32, func(d *Decoder) int { return len(d.blob()) }},
		"array":         {false, fixed32, func(d *Decoder) int { return d.Array(1) }},
		"compact text":  {true, compact, func(d *Decoder) int { return len(d.Text()) }},
		"compact bytes": {true, compact, func(d *Decoder) int { return len(d.blob()) }},
		"compact array": {true, compact, func(d *Decoder) int { return d.Array(1) }},
	} {
		for n := -1; n <= len(body)+2; n++ {
			d := &Decoder{bytes: c.of(n), flexible: c.flexible}
			fits := n <= len(body)
			want := max(0, n)
			if !fits {
				want = 0
			}
			if got := c.read(d); got != want || (d.Err == nil) != fits {
				t.Errorf("%s of %d of %d bytes: %d, %v", kind, n, len(body), got, d.Err)
			}
		}
	}
	for _, n := range []uint64{1 << 63, math.MaxUint64} { // which an int would take for less than nothing
		d := &Decoder{bytes: append(binary.AppendUvarint(nil, n), body...), flexible: true}
		if text := d.Text(); text != "" || d.Err == nil {
			t.Errorf("a text of %d bytes is %q", n, text)
		}
	}
	for name, read := range map[string]func(d *Decoder) int64{
		"int8": func(d *Decoder) int64 { return int64(d.int8()) }, "int16": func(d *Decoder) int64 { return int64(d.Int16()) }, "int32": func(d *Decoder) int64 { return int64(d.Int32()) },
		"int64": func(d *Decoder) int64 { return d.Int64() }, "uvarint": func(d *Decoder) int64 { return int64(d.uvarint()) },
	} {
		if d := (&Decoder{}); read(d) != 0 || d.Err == nil {
			t.Errorf("%s of nothing: %v", name, d.Err)
		}
		if d := (&Decoder{bytes: []byte(body + body), Err: errShort}); read(d) != 0 {
			t.Errorf("%s after an error", name)
		}
	}
}

// TestManySmallElements: the shortest elements that there can be fit, however many there are and though nothing follows them; the same bytes with
// one element more do not.
func TestManySmallElements(t *testing.T) {
	const many = 500
	for _, version := range []int16{4, 9, 10} {
		brokers, topics, partitions := kmsg.NewPtrMetadataResponse(), kmsg.NewPtrMetadataResponse(), kmsg.NewPtrMetadataResponse()
		of := kmsg.NewMetadataResponseTopic()
		of.Topic = kmsg.StringPtr("a")
		for i := range int32(many) {
			b := kmsg.NewMetadataResponseBroker()
			b.NodeID = i
			brokers.Brokers = append(brokers.Brokers, b)
			p := kmsg.NewMetadataResponseTopicPartition()
			p.Partition = i
			of.Partitions = append(of.Partitions, p)
			refused := kmsg.NewMetadataResponseTopic()
			refused.Topic, refused.ErrorCode = kmsg.StringPtr(""), 3
			topics.Topics = append(topics.Topics, refused)
		}
		partitions.Topics = append(partitions.Topics, of)
		for name, answer := range map[string]*kmsg.MetadataResponse{"brokers": brokers, "topics": topics, "partitions": partitions} {
			answer.Version = version
			m, err := ReadMetadata(&Decoder{bytes: answer.AppendTo(nil), flexible: version >= 9}, version)
			if err != nil {
				t.Errorf("%d %s, version %d: %v", many, name, version, err)
				continue
			}
			if name == "brokers" && len(m.Brokers) != many || name == "topics" && len(m.Errors) != 1 || name == "partitions" && len(m.Topics["a"].Leaders) != many {
				t.Errorf("%d %s, version %d: %d, %d, %v", many, name, version, len(m.Brokers), len(m.Errors), m.Topics)
			}
		}
	}
	for _, version := range []int16{FetchOldest, FetchByName, FetchByID} {
		topics, partitions, aborted := kmsg.NewPtrFetchResponse(), kmsg.NewPtrFetchResponse(), kmsg.NewPtrFetchResponse()
		partitions.Topics = []kmsg.FetchResponseTopic{kmsg.NewFetchResponseTopic()}
		partition := kmsg.NewFetchResponseTopicPartition()
		aborted.Topics = []kmsg.FetchResponseTopic{kmsg.NewFetchResponseTopic()}
		aborted.Topics[0].Partitions = []kmsg.FetchResponseTopicPartition{partition}
		for range many {
			topics.Topics = append(topics.Topics, kmsg.NewFetchResponseTopic())
			partitions.Topics[0].Partitions = append(partitions.Topics[0].Partitions, partition)
			aborted.Topics[0].Partitions[0].AbortedTransactions = append(aborted.Topics[0].Partitions[0].AbortedTransactions, kmsg.NewFetchResponseTopicPartitionAbortedTransaction())
		}
		for name, answer := range map[string]*kmsg.FetchResponse{"topics": topics, "partitions": partitions, "aborted transactions": aborted} {
			answer.Version = version
			var got Fetched
			if err := got.Read(&Decoder{bytes: answer.AppendTo(nil), flexible: version >= 12}, version, &Fetch{}); err != nil {
				t.Errorf("%d %s, version %d: %v", many, name, version, err)
			} else if name == "partitions" && len(got.Partitions) != many || name == "aborted transactions" && len(got.Partitions[0].Aborted) != many {
				t.Errorf("%d %s, version %d: %d partitions", many, name, version, len(got.Partitions))
			}
		}
	}
}

// TestGoodAnswersFit in each version, with empty texts and arrays, with many elements, and whole alone.
func TestGoodAnswersFit(t *testing.T) {
	everyAnswer(t, func(api protocol.ApiKey, version int16, answer []byte) {
		s := ShapeOf(api, version)
		if err := s.Check(answer[AnswerHead:]); err != nil {
			t.Errorf("%v %d: %v", api, version, err)
		}
		if err := s.Check(answer[AnswerHead : len(answer)-1]); err == nil {
			t.Errorf("%v %d: without its last byte it fits", api, version)
		}
		value := reflect.New(answersOfKafkaGo[api])
		for i := range value.Elem().NumField() {
			if field := value.Elem().Field(i); field.Kind() == reflect.Slice && field.CanSet() && field.Type().Elem().Kind() != reflect.Uint8 {
				field.Set(reflect.MakeSlice(field.Type(), 500, 500))
			}
		}
		for _, empty := range []reflect.Value{reflect.New(answersOfKafkaGo[api]), value} {
			if err := s.Check(written(t, version, empty)[AnswerHead:]); err != nil {
				t.Errorf("%v %d with empty fields: %v", api, version, err)
			}
		}
	})
	if err := ShapeOf(protocol.Metadata, 1).Check(nil); err == nil || err.Error() != "an answer of kind metadata: "+errShort.Error() {
		t.Error(err)
	}
}
