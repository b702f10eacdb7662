package wire

import (
	"reflect"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// theirs is a fetch as another implementation of the protocol writes it, with tagged fields that we do not know.
func theirs(version int16, topic string, id TopicID) []byte {
	answer := kmsg.NewPtrFetchResponse()
	answer.Version, answer.ThrottleMillis, answer.SessionID = version, 1500, 77
	unknown := func() (tags kmsg.Tags) {
		tags.Set(90, []byte("later"))
		tags.Set(91, nil)
		return tags
	}
	of := kmsg.NewFetchResponseTopic()
	of.Topic, of.TopicID, of.UnknownTags = topic, [16]byte(id), unknown()
	for i := range int32(3) {
		p := kmsg.NewFetchResponseTopicPartition()
		p.Partition, p.HighWatermark, p.LastStableOffset, p.LogStartOffset = i, 100+int64(i), 90+int64(i), 10+int64(i)
		p.ErrorCode, p.PreferredReadReplica, p.UnknownTags = int16(i/2*6), 4, unknown()
		for k := range int64(i) {
			aborted := kmsg.NewFetchResponseTopicPartitionAbortedTransaction()
			aborted.ProducerID, aborted.FirstOffset, aborted.UnknownTags = 7+k, 20+k, unknown()
			p.AbortedTransactions = append(p.AbortedTransactions, aborted)
		}
		p.RecordBatches = []byte("batches of a partition")[:10+i]
		of.Partitions = append(of.Partitions, p)
	}
	answer.Topics, answer.UnknownTags = append(answer.Topics, of), unknown()
	return answer.AppendTo(nil)
}

// TestTheFetchOfAnotherImplementation: every field of an answer that franz-go writes is where we read it, in each version, and what is cut
// off is refused.
func TestTheFetchOfAnotherImplementation(t *testing.T) {
	id := TopicID{1, 2, 3}
	for version := FetchOldest; version <= FetchByID; version++ {
		for _, isolation := range []int8{Uncommitted, Committed} {
			request := &Fetch{Topic: "topic", ID: id, Isolation: isolation}
			text := theirs(version, "topic", id)
			read := func(text []byte) (*Fetched, error) {
				answer := new(Fetched)
				return answer, answer.Read(&Decoder{bytes: text, flexible: version >= 12}, version, request)
			}
			got, err := read(text)
			if err != nil || got.Throttle != 1500*time.Millisecond || len(got.Partitions) != 3 {
				t.Fatalf("version %d: %+v, %v", version, got, err)
			}
			for i, p := range got.Partitions {
				want := FetchedPartition{Partition: int32(i), Code: int16(i / 2 * 6), HighWatermark: 100 + int64(i), LastStable: 90 + int64(i), LogStart: -1,
					Batches: []byte("batches of a partition")[:10+i]}
				if version >= 5 {
					want.LogStart = 10 + int64(i)
				}
				if isolation == Uncommitted {
					want.LastStable = want.HighWatermark
				}
				for k := range int64(i) {
					want.Aborted = append(want.Aborted, Aborted{7 + k, 20 + k})
				}
				if !reflect.DeepEqual(p, want) {
					t.Errorf("version %d: %+v, want %+v", version, p, want)
				}
			}
			after := 0
			if version >= 12 {
				after = len("\x02\x5a\x05later\x5b\x00") // tagged fields behind all that is asked for
			}
			for n := range len(text) - after {
				if _, err := read(text[:n]); err == nil {
					t.Errorf("version %d: %d of %d bytes are an answer", version, n, len(text))
				}
			}
			if _, err := read(theirs(version, "other", TopicID{9})); err == nil {
				t.Errorf("version %d: the answer for another topic passes", version)
			}
		}
	}
}

// TestAnotherImplementationReadsOurFetch: franz-go reads of our request what we mean, and nothing is left over.
func TestAnotherImplementationReadsOurFetch(t *testing.T) {
	ours := &Fetch{Topic: "topic", ID: TopicID{5, 6}, Isolation: Committed, MaxWait: 1234 * time.Millisecond, MinBytes: 11, MaxBytes: 12, MaxPartitionBytes: 13,
		Partitions: []FetchPartition{{3, 31, 301}, {4, 41, 401}}}
	for version := FetchOldest; version <= FetchByID; version++ {
		body := ours.Encode(version, "").bytes[4:] // behind the length
		header := 2 + 2 + 4 + 2                    // key, version, correlation, an empty client
		if version >= 12 {
			header++ // no tag
		}
		request := kmsg.NewPtrFetchRequest()
		request.Version = version
		if err := request.ReadFrom(body[header:]); err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		if got := request.AppendTo(nil); string(got) != string(body[header:]) {
			t.Errorf("version %d: read and written again it is %x, was %x", version, got, body[header:])
		}
		if request.ReplicaID != -1 || request.MaxWaitMillis != 1234 || request.MinBytes != 11 || request.MaxBytes != 12 || request.IsolationLevel != Committed || len(request.Topics) != 1 {
			t.Fatalf("version %d: %+v", version, request)
		}
		of := request.Topics[0]
		if byID := version >= FetchByID; byID && of.TopicID != [16]byte(ours.ID) || !byID && of.Topic != "topic" || len(of.Partitions) != 2 {
			t.Errorf("version %d: %+v", version, of)
		}
		if version >= 7 && (request.SessionID != 0 || request.SessionEpoch != -1 || len(request.ForgottenTopics) != 0) {
			t.Errorf("version %d: session %d, %d", version, request.SessionID, request.SessionEpoch)
		}
		for i, p := range of.Partitions {
			want := ours.Partitions[i]
			if p.Partition != want.Partition || p.FetchOffset != want.Offset || p.PartitionMaxBytes != 13 || p.LogStartOffset != -1 || p.LastFetchedEpoch != -1 ||
				version >= 9 && p.CurrentLeaderEpoch != want.Epoch {
				t.Errorf("version %d: %+v, want %+v", version, p, want)
			}
		}
	}
}
