package kafka

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/link"
)

// lossOf reads until the fetcher fails, and gives the loss.
func (w *world) lossOf(f *Fetcher) *DataLoss {
	w.t.Helper()
	ctx := w.context()
	for {
		chunk, err := f.Next(ctx)
		if err == nil {
			chunk.Release()
			continue
		}
		var loss *DataLoss
		if !errors.As(err, &loss) {
			w.t.Fatalf("error %v; want a DataLoss; outages:\n%s", err, w.outages)
		}
		if _, again := f.Next(ctx); again == nil || again.Error() != err.Error() {
			w.t.Errorf("the error is not final: then came %v", again)
		}
		return loss
	}
}

func TestRetentionOvertakes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(2)
		for i := range 10 {
			w.write(topic, 0, i, 1)
			w.write(topic, 1, i, 1)
		}
		w.deleteRecords(topic, 0, 6)
		loss := w.lossOf(w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 2, 1: 0}}))
		if loss.Kind != LossBelowStart || loss.Partition != 0 || loss.Offset != 2 || loss.Bounds != (Bounds{Start: 6, End: 10}) || loss.Lost != 4 || loss.Resume != -1 {
			t.Errorf("loss %+v", loss)
		}
		if ClassOf(loss) != Fatal || !strings.Contains(loss.Error(), "4 offsets are gone") {
			t.Errorf("class %v of %q", ClassOf(loss), loss)
		}

		s := w.fetchUntil(w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 2, 1: 0}, OnLoss: LossEarliest}),
			func(s *seen) bool { return s.count() == 14 })
		if len(s.losses) != 1 || s.losses[0].Resume != 6 || s.losses[0].Lost != 4 || !slices.Equal(s.values[0], values(6, 4)) || !slices.Equal(s.values[1], values(0, 10)) {
			t.Errorf("losses %+v, values %v", s.losses, s.values)
		}

		f := w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 2, 1: 10}, OnLoss: LossLatest})
		s = w.fetchUntil(f, func(s *seen) bool { return len(s.losses) == 1 })
		if s.losses[0].Resume != 10 || s.losses[0].Lost != 8 {
			t.Errorf("loss %+v", s.losses[0])
		}
		w.write(topic, 0, 50, 1)
		if s = w.fetchUntil(f, func(s *seen) bool { return s.count() == 1 }); !slices.Equal(s.values[0], values(50, 1)) {
			t.Errorf("then %v", s.values)
		}
		// A log that is read alone and whole cannot skip.
		_, err := w.Read(w.context(), topic, 0, 2, End, func(*Record) error { return nil })
		if !errors.As(err, &loss) || loss.Kind != LossBelowStart {
			t.Errorf("read: %v", err)
		}
	})
}

func TestRetentionOvertakesWhileReading(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		value := make([]byte, 1000)
		for range 200 {
			_, err := w.Produce(w.context(), topic, 0, Message{Value: value})
			w.must(err)
		}
		// A budget of one chunk: the fetcher stands still while it is held.
		f := w.fetcher(FetchOptions{Topic: topic, Budget: 1, MaxPartitionBytes: 5000})
		first, err := f.Next(w.context())
		w.must(err)
		w.deleteRecords(topic, 0, 150)
		first.Release()
		if loss := w.lossOf(f); loss.Kind != LossBelowStart || loss.Bounds.Start != 150 || loss.Lost != 150-loss.Offset {
			t.Errorf("loss %+v", loss)
		}
	})
}

func TestOffsetAboveTheEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		w.write(topic, 0, 0, 5)
		loss := w.lossOf(w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 9}}))
		if loss.Kind != LossAboveEnd || loss.Offset != 9 || loss.Bounds != (Bounds{Start: 0, End: 5}) || loss.Lost != 4 {
			t.Errorf("loss %+v", loss)
		}
		f := w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 9}, OnLoss: LossLatest})
		s := w.fetchUntil(f, func(s *seen) bool { return len(s.losses) == 1 })
		if s.next[0] != 5 {
			t.Errorf("goes on at %d", s.next[0])
		}
		if _, err := w.Read(w.context(), topic, 0, 9, Forever, func(*Record) error { return nil }); !errors.As(err, &loss) || loss.Kind != LossAboveEnd {
			t.Errorf("read: %v", err)
		}
	})
}

// TestAReadBeyondTheEndEnds: an offset that was in the log, and is not in the one that was made again, is waited for no longer.
func TestAReadBeyondTheEndEnds(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		w.write(topic, 0, 0, 5)
		ctx, cancel := context.WithTimeout(w.context(), 30*time.Second)
		defer cancel()
		var loss *DataLoss
		if next, err := w.Read(ctx, topic, 0, 5, 6, func(*Record) error { return nil }); !errors.As(err, &loss) || next != 5 ||
			loss.Kind != LossAboveEnd || loss.Offset != 5 || loss.Bounds != (Bounds{Start: 0, End: 5}) {
			t.Errorf("next %d, error %v", next, err)
		}
		n := 0
		if next, err := w.Read(ctx, topic, 0, 3, 7, func(*Record) error { n++; return nil }); !errors.As(err, &loss) || next != 5 || n != 2 {
			t.Errorf("next %d after %d records, error %v", next, n, err)
		}
		// A record that comes while it waits is found.
		go func() {
			time.Sleep(200 * time.Millisecond)
			_, _ = w.Produce(ctx, topic, 0, Message{Value: []byte("late")})
		}()
		if next, err := w.Read(ctx, topic, 0, 5, 6, func(*Record) error { return nil }); err != nil || next != 6 {
			t.Errorf("next %d, error %v", next, err)
		}
	})
}

// A broker that was elected a moment ago, and is not up to date, refuses an offset and tells an old end. That answer is
// doubted: the next one finds the records, and nothing is reported as lost.
func TestFirstOutOfRangeIsDoubted(t *testing.T) {
	outdated := func(w *world) {
		var refused, ends atomic.Int64
		control := w.dev.Cluster.ControlKey
		control(int16(kmsg.Fetch), func(request kmsg.Request) (kmsg.Response, error, bool) {
			w.dev.Cluster.KeepControl()
			if refused.Add(1) > 1 {
				return nil, nil, false
			}
			asked := request.(*kmsg.FetchRequest).Topics[0]
			response := request.ResponseKind().(*kmsg.FetchResponse)
			partition := kmsg.NewFetchResponseTopicPartition()
			partition.ErrorCode = int16(kafkago.OffsetOutOfRange)
			topic := kmsg.NewFetchResponseTopic()
			topic.Topic, topic.TopicID, topic.Partitions = asked.Topic, asked.TopicID, []kmsg.FetchResponseTopicPartition{partition}
			response.Topics = append(response.Topics, topic)
			return response, nil, true
		})
		control(int16(kmsg.ListOffsets), func(request kmsg.Request) (kmsg.Response, error, bool) {
			w.dev.Cluster.KeepControl()
			asked := request.(*kmsg.ListOffsetsRequest)
			if asked.Topics[0].Partitions[0].Timestamp != link.LatestTime || ends.Add(1) > 1 {
				return nil, nil, false
			}
			response := request.ResponseKind().(*kmsg.ListOffsetsResponse)
			partition := kmsg.NewListOffsetsResponseTopicPartition()
			partition.Offset = 5
			topic := kmsg.NewListOffsetsResponseTopic()
			topic.Topic, topic.Partitions = asked.Topics[0].Topic, []kmsg.ListOffsetsResponseTopicPartition{partition}
			response.Topics = append(response.Topics, topic)
			return response, nil, true
		})
	}
	t.Run("fetch", func(t *testing.T) {
		w := embedded(t, devbroker.Options{})
		topic := w.create(1)
		w.write(topic, 0, 0, 10)
		outdated(w)
		s := w.fetchUntil(w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 8}}), func(s *seen) bool { return s.count() == 2 })
		if len(s.losses) > 0 || !slices.Equal(s.values[0], values(8, 2)) {
			t.Errorf("losses %+v, values %q", s.losses, s.values[0])
		}
	})
	t.Run("read", func(t *testing.T) {
		w := embedded(t, devbroker.Options{})
		topic := w.create(1)
		w.write(topic, 0, 0, 10)
		outdated(w)
		count := 0
		next, err := w.Read(w.context(), topic, 0, 8, 10, func(*Record) error { count++; return nil })
		if err != nil || next != 10 || count != 2 {
			t.Errorf("%d records to %d, %v", count, next, err)
		}
	})
}

// The log of the new topic is longer than the saved offset: its offsets fit, its records are others.
func TestTopicRemadeWhileAway(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(2)
		w.write(topic, 0, 0, 5)
		w.write(topic, 1, 0, 5)
		old, err := w.Topic(w.context(), topic)
		w.must(err)
		w.remake(topic, 1)
		w.write(topic, 0, 100, 50)
		info, err := w.Topic(w.context(), topic)
		w.must(err)

		saved := map[int32]int64{0: 5, 1: 5}
		loss := w.lossOf(w.fetcher(FetchOptions{Topic: topic, ID: old.ID, Offsets: saved}))
		if loss.Kind != LossRecreated && loss.Kind != LossPartitionGone || loss.OldID != old.ID || loss.NewID != info.ID || loss.Lost != -1 {
			t.Errorf("loss %+v", loss)
		}
		if !strings.Contains(loss.Error(), old.ID.String()) || !strings.Contains(loss.Error(), info.ID.String()) {
			t.Errorf("%q names no ids", loss)
		}

		s := w.fetchUntil(w.fetcher(FetchOptions{Topic: topic, ID: old.ID, Offsets: saved, OnLoss: LossEarliest}), func(s *seen) bool { return s.count() == 50 && len(s.losses) == 2 })
		if len(s.losses) != 2 || s.losses[0].Kind != LossRecreated || s.losses[1].Kind != LossPartitionGone || s.losses[1].Resume != -1 || !slices.Equal(s.values[0], values(100, 50)) {
			t.Errorf("losses %+v, values %v", s.losses, s.values)
		}
		// Without the id the offset cannot be known to be foreign: that is what the snapshot keeps it for.
		s = w.fetchUntil(w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 5}}), func(s *seen) bool { return s.count() == 45 })
		if len(s.losses) != 0 {
			t.Errorf("losses %+v", s.losses)
		}
	})
}

func TestTopicRemadeWhileReading(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		w.write(topic, 0, 0, 5)
		failing := w.fetcher(FetchOptions{Topic: topic, RefreshEvery: time.Hour})
		going := w.fetcher(FetchOptions{Topic: topic, RefreshEvery: time.Hour, OnLoss: LossEarliest})
		w.fetchUntil(failing, func(s *seen) bool { return s.count() == 5 })
		w.fetchUntil(going, func(s *seen) bool { return s.count() == 5 })
		w.remake(topic, 1)
		w.write(topic, 0, 100, 20)
		if loss := w.lossOf(failing); loss.Kind != LossRecreated || loss.Offset != 5 {
			t.Errorf("loss %+v", loss)
		}
		s := w.fetchUntil(going, func(s *seen) bool { return s.count() == 20 })
		if len(s.losses) != 1 || s.losses[0].Kind != LossRecreated || !slices.Equal(s.values[0], values(100, 20)) {
			t.Errorf("losses %+v, values %v", s.losses, s.values)
		}
	})
}

// A topic that is gone is waited for, and said to be gone.
func TestTopicDeleted(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		w.write(topic, 0, 0, 1)
		f := w.fetcher(FetchOptions{Topic: topic})
		w.fetchUntil(f, func(s *seen) bool { return s.count() == 1 })
		w.must(w.DeleteTopic(w.context(), topic))
		w.waitFor("the report", func() bool { return w.outages.has("the topic does not exist") })
	})
}
