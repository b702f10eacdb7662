package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// FuzzMetadata: the same for metadata.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Fuzz(func(t *testing.T, bytes []byte, flexible bool) {
		version := int16(4)
		if flexible {
			version = 10
		}
		m, err := ReadMetadata(&Decoder{bytes: bytes, flexible: flexible}, version)
		if err == nil && len(m.Topics)+len(m.Errors) > len(bytes) {
			t.Fatalf("%d topics in %d bytes", len(m.Topics), len(bytes))
		}
	})
}

// theirMetadata is an answer as another implementation of the protocol writes it: a topic with partitions out of order, and one that is refused.
func theirMetadata(version int16) *kmsg.MetadataResponse {
	answer := kmsg.NewPtrMetadataResponse()
	answer.Version, answer.ControllerID, answer.ThrottleMillis = version, 2, 70
	answer.ClusterID = kmsg.StringPtr("cluster")
	for i := range int32(2) {
		b := kmsg.NewMetadataResponseBroker()
		b.NodeID, b.Host, b.Port, b.Rack = 1+i, "host", 9092, kmsg.StringPtr("rack")
		answer.Brokers = append(answer.Brokers, b)
	}
	of := kmsg.NewMetadataResponseTopic()
	of.Topic, of.TopicID, of.IsInternal = kmsg.StringPtr("topic"), [16]byte{1, 2}, true
	for _, index := range []int32{2, 0, 1} {
		p := kmsg.NewMetadataResponseTopicPartition()
		p.Partition, p.Leader, p.LeaderEpoch, p.Replicas, p.ISR, p.OfflineReplicas = index, 1+index%2, 7+index, []int32{1, 2, 3}, []int32{1}, []int32{4, 5}
		if index == 2 {
			p.ErrorCode, p.Leader, p.LeaderEpoch = 5, -1, -1
		}
		of.Partitions = append(of.Partitions, p)
	}
	refused := kmsg.NewMetadataResponseTopic()
	refused.Topic, refused.ErrorCode = kmsg.StringPtr("refused"), 29
	answer.Topics = append(answer.Topics, refused, of)
	return answer
}

// TestTheMetadataOfAnotherImplementation: every field is where we read it, in each version, and what is cut off is refused.
func TestTheMetadataOfAnotherImplementation(t *testing.T) {
	for _, version := range []int16{4, 5, 7, 8, 9, 10} {
		text := theirMetadata(version).AppendTo(nil)
		read := func(text []byte) (*Metadata, error) {
			return ReadMetadata(&Decoder{bytes: text, flexible: version >= 9}, version)
		}
		got, err := read(text)
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		want := &Topic{Leaders: []Leader{{1, 7}, {2, 8}, NoLeader}}
		if version < 7 {
			want.Leaders[0].Epoch, want.Leaders[1].Epoch = -1, -1
		}
		if version >= 10 {
			want.ID = TopicID{1, 2}
		}
		if got.Controller != 2 || !reflect.DeepEqual(got.Brokers, []int32{1, 2}) || len(got.Topics) != 1 || !reflect.DeepEqual(got.Topics["topic"], want) ||
			len(got.Errors) != 1 || got.Errors["refused"] != Code(29) {
			t.Errorf("version %d: %+v, %+v", version, got, got.Topics["topic"])
		}
		if id := want.Identity(); id != (Identity{want.ID, 3}) {
			t.Errorf("%+v", id)
		}
		after := map[bool]int{version == 8: 4, version >= 9: 5}[true] // operations of the cluster and tagged fields, behind all that is asked for
		for n := range len(text) - after {
			if _, err := read(text[:n]); err == nil {
				t.Errorf("version %d: %d of %d bytes are an answer", version, n, len(text))
			}
		}
		for _, index := range []int32{-1, 3} {
			beyond := theirMetadata(version)
			beyond.Topics[1].Partitions[0].Partition = index
			if _, err := read(beyond.AppendTo(nil)); err == nil || !strings.Contains(err.Error(), "of a topic with 3 partitions") {
				t.Errorf("version %d: partition %d of three: %v", version, index, err)
			}
		}
	}
}

// TestAnotherImplementationReadsOurMetadataRequest: topics are asked for by their names, and none is made by asking.
func TestAnotherImplementationReadsOurMetadataRequest(t *testing.T) {
	for _, version := range []int16{4, 7, 8, 9, 10} {
		body := MetadataRequest(version, "me", []string{"a", "bc"}).frame()
		if size := int(binary.BigEndian.Uint32(body)); size != len(body)-4 || binary.BigEndian.Uint16(body[4:]) != 3 || binary.BigEndian.Uint16(body[6:]) != uint16(version) || binary.BigEndian.Uint32(body[8:]) != 0 || string(body[14:16]) != "me" {
			t.Errorf("version %d: %x", version, body)
		}
		header := 4 + 2 + 2 + 4 + 2 + len("me")
		if version >= 9 {
			header++ // no tag
		}
		request := kmsg.NewPtrMetadataRequest()
		request.Version = version
		if err := request.ReadFrom(body[header:]); err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		if got := request.AppendTo(nil); !bytes.Equal(got, body[header:]) {
			t.Errorf("version %d: read and written again it is %x, was %x", version, got, body[header:])
		}
		if request.AllowAutoTopicCreation || request.IncludeTopicAuthorizedOperations || len(request.Topics) != 2 || *request.Topics[0].Topic != "a" || *request.Topics[1].Topic != "bc" || request.Topics[0].TopicID != [16]byte{} {
			t.Errorf("version %d: %+v", version, request)
		}
	}
}

// TestVersionsOfABroker are the highest ones of each API; a broker that refuses is an error.
func TestVersionsOfABroker(t *testing.T) {
	ask := func(code int16, cut int) (map[protocol.ApiKey]int16, error) {
		answer := kmsg.NewPtrApiVersionsResponse()
		answer.ErrorCode = code
		for i := range int16(2) {
			k := kmsg.NewApiVersionsResponseApiKey()
			k.ApiKey, k.MinVersion, k.MaxVersion = 1+i, 4, 11+i
			answer.ApiKeys = append(answer.ApiKeys, k)
		}
		body := answer.AppendTo(nil)
		body = body[:len(body)-cut]
		head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4)), 0)
		return AskVersions(&pipe{answer: bytes.NewReader(append(head, body...))}, "me")
	}
	if got, err := ask(0, 0); err != nil || !reflect.DeepEqual(got, map[protocol.ApiKey]int16{1: 11, 2: 12}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ask(35, 0); !errors.Is(err, Code(35)) {
		t.Error(err)
	}
	if _, err := ask(0, 1); err == nil {
		t.Error("an answer that is cut off passes")
	}
	if _, err := AskVersions(&pipe{answer: bytes.NewReader(nil)}, "me"); err == nil {
		t.Error("silence is an answer")
	}
}

// TestCodecs are known by their names.
func TestCodecs(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown codec passed")
		}
	}()
	CodecOf("unknown")
}
