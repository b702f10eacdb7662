package kafka

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
)

// cutting makes leaders say that the log of every earlier epoch ends at an offset, and counts the questions.
func (w *world) cutting(end int64) *atomic.Int64 {
	var asked atomic.Int64
	w.dev.Cluster.ControlKey(int16(kmsg.OffsetForLeaderEpoch), func(request kmsg.Request) (kmsg.Response, error, bool) {
		w.dev.Cluster.KeepControl()
		asked.Add(1)
		question := request.(*kmsg.OffsetForLeaderEpochRequest)
		response := request.ResponseKind().(*kmsg.OffsetForLeaderEpochResponse)
		partition := kmsg.NewOffsetForLeaderEpochResponseTopicPartition()
		partition.LeaderEpoch, partition.EndOffset = question.Topics[0].Partitions[0].LeaderEpoch, end
		topic := kmsg.NewOffsetForLeaderEpochResponseTopic()
		topic.Topic, topic.Partitions = question.Topics[0].Topic, []kmsg.OffsetForLeaderEpochResponseTopicPartition{partition}
		response.Topics = append(response.Topics, topic)
		return response, nil, true
	})
	return &asked
}

// Records that were read are replaced by others, and the log is as long as before: only the leader epoch tells.
func TestReplacedRecords(t *testing.T) {
	setUp := func(t *testing.T) (w *world, topic string, epoch int32) {
		w = embedded(t, devbroker.Options{Brokers: 2})
		topic = w.create(1)
		w.must(w.dev.Cluster.MoveTopicPartition(topic, 0, 0))
		w.write(topic, 0, 0, 10)
		chunk, err := w.fetcher(FetchOptions{Topic: topic}).Next(w.context())
		w.must(err)
		defer chunk.Release()
		if chunk.Epoch < 0 || chunk.Next != 10 {
			t.Fatalf("epoch %d at %d", chunk.Epoch, chunk.Next)
		}
		return w, topic, chunk.Epoch
	}
	check := func(t *testing.T, loss *DataLoss) {
		t.Helper()
		if loss.Kind != LossReplaced || loss.Offset != 10 || loss.Lost != 4 || loss.Kept != 6 {
			t.Errorf("%+v", loss)
		}
	}
	t.Run("while away", func(t *testing.T) {
		w, topic, epoch := setUp(t)
		w.cutting(6)
		saved := FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 10}, Epochs: map[int32]int32{0: epoch}}
		check(t, w.lossOf(w.fetcher(saved)))
		saved.OnLoss = LossEarliest
		s := w.fetchUntil(w.fetcher(saved), func(s *seen) bool { return s.count() == 4 })
		check(t, s.losses[0])
		if !slices.Equal(s.values[0], values(6, 4)) {
			t.Errorf("goes on with %q", s.values[0])
		}
		saved.OnLoss = LossLatest
		if s = w.fetchUntil(w.fetcher(saved), func(s *seen) bool { return len(s.losses) == 1 }); s.next[0] != 10 {
			t.Errorf("goes on at %d", s.next[0])
		}
	})
	t.Run("while reading", func(t *testing.T) {
		w, topic, _ := setUp(t)
		f := w.fetcher(FetchOptions{Topic: topic})
		w.fetchUntil(f, func(s *seen) bool { return s.count() == 10 })
		w.cutting(6)
		w.must(w.dev.Cluster.MoveTopicPartition(topic, 0, 1))
		check(t, w.lossOf(f))
	})
	t.Run("from the first on", func(t *testing.T) {
		w, topic, epoch := setUp(t)
		w.cutting(0)
		loss := w.lossOf(w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 10}, Epochs: map[int32]int32{0: epoch}}))
		if loss.Kind != LossReplaced || loss.Offset != 10 || loss.Lost != 10 || loss.Kept != 0 {
			t.Errorf("%+v", loss)
		}
	})
	t.Run("nothing is replaced", func(t *testing.T) {
		w, topic, epoch := setUp(t)
		w.must(w.dev.Cluster.MoveTopicPartition(topic, 0, 1))
		w.write(topic, 0, 10, 5)
		f := w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 10}, Epochs: map[int32]int32{0: epoch}})
		if s := w.fetchUntil(f, func(s *seen) bool { return s.count() == 5 }); len(s.losses) > 0 {
			t.Errorf("%+v", s.losses[0])
		}
	})
	t.Run("asked once a leader", func(t *testing.T) {
		w, topic, epoch := setUp(t)
		asked := w.cutting(10)
		f := w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 10}, Epochs: map[int32]int32{0: epoch}})
		for i := range 3 {
			w.write(topic, 0, 10+i, 1)
			w.fetchUntil(f, func(s *seen) bool { return s.count() == 1 })
		}
		if asked.Load() != 1 {
			t.Errorf("asked %d times", asked.Load())
		}
	})
}

// TestALogIsCheckedOnceMore where the leader does not answer: nothing is read until it has said whether what was read is still there.
func TestALogIsCheckedOnceMore(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	w.write(topic, 0, 0, 10)
	w.answers(kmsg.OffsetForLeaderEpoch, 2, hangsUp)
	asked := w.cutting(6)
	loss := w.lossOf(w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 10}, Epochs: map[int32]int32{0: 0}}))
	if loss.Kind != LossReplaced || loss.Offset != 10 || loss.Kept != 6 || asked.Load() != 1 {
		t.Errorf("%+v, after %d answers", loss, asked.Load())
	}
}

// TestEndsOfEpochs: what a broker says, what one too old to be asked does not, and what is wrong in an answer.
func TestEndsOfEpochs(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	questions := []epochQuestion{{partition: &partition{}, next: 10}}
	var highest atomic.Int32
	w.dev.Cluster.ControlKey(int16(kmsg.ApiVersions), func(request kmsg.Request) (kmsg.Response, error, bool) {
		w.dev.Cluster.KeepControl()
		response := request.ResponseKind().(*kmsg.ApiVersionsResponse)
		for key, version := range map[kmsg.Key]int16{kmsg.ApiVersions: 3, kmsg.Metadata: 12, kmsg.OffsetForLeaderEpoch: int16(highest.Load())} {
			response.ApiKeys = append(response.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: int16(key), MaxVersion: version})
		}
		return response, nil, true
	})
	ask := func(version int16) ([]int64, error) {
		t.Helper()
		highest.Store(int32(version))
		client, err := Open(Config{Brokers: w.addresses[:1]}, Options{})
		w.must(err)
		defer func() { w.must(client.Close()) }()
		return client.epochEnds(w.context(), 0, topic, questions)
	}
	answer := func(partition int32, code int16, end int64) {
		w.answers(kmsg.OffsetForLeaderEpoch, 1, func(request kmsg.Request) (kmsg.Response, error) {
			response := request.ResponseKind().(*kmsg.OffsetForLeaderEpochResponse)
			response.Topics = []kmsg.OffsetForLeaderEpochResponseTopic{{Topic: topic, Partitions: []kmsg.OffsetForLeaderEpochResponseTopicPartition{
				{ErrorCode: code, Partition: partition, EndOffset: end}}}}
			return response, nil
		})
	}
	if ends, err := ask(epochOldest - 1); err != nil || !slices.Equal(ends, []int64{-1}) {
		t.Errorf("an old broker: %v, %v", ends, err)
	}
	for _, version := range []int16{epochOldest, epochFlexible} {
		answer(0, 0, 6)
		if ends, err := ask(version); err != nil || !slices.Equal(ends, []int64{6}) {
			t.Errorf("version %d: %v, %v", version, ends, err)
		}
		answer(1, 0, 6)
		if ends, err := ask(version); err != nil || !slices.Equal(ends, []int64{-1}) {
			t.Errorf("version %d, of another partition: %v, %v", version, ends, err)
		}
		answer(0, fencedLeaderEpoch, 6)
		if ends, err := ask(version); err == nil || ClassOf(err) != Retry {
			t.Errorf("version %d, refused: %v, %v", version, ends, err)
		}
		w.answers(kmsg.OffsetForLeaderEpoch, 1, hangsUp)
		if ends, err := ask(version); err == nil {
			t.Errorf("version %d, without an answer: %v", version, ends)
		}
	}
}

const fencedLeaderEpoch = 74
