package kafka

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

func TestEveryCodec(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for _, codec := range wire.CodecNames {
			w.link.Config.CompressionType = codec
			topic := w.create(2)
			for i := range 10 {
				w.write(topic, int32(i%2), i*100, 100)
			}
			f := w.fetcher(FetchOptions{Topic: topic})
			s := w.fetchUntil(f, func(s *seen) bool { return s.count() == 1000 })
			f.Close()
			for partition := range 2 {
				var want []string
				for i := partition; i < 10; i += 2 {
					want = append(want, values(i*100, 100)...)
				}
				if !slices.Equal(s.values[int32(partition)], want) {
					t.Errorf("%s, partition %d: other records than were written", codec, partition)
				}
			}
		}
	})
}

// The broker compresses again, by Java's libraries: xerial's frames, zstd without a size, and so on.
func TestCodecsOfJava(t *testing.T) {
	w := onReal(t)
	for _, codec := range wire.CodecNames[1:] {
		topic := w.create(1, "compression.type="+codec)
		w.write(topic, 0, 0, 500)
		f := w.fetcher(FetchOptions{Topic: topic})
		s := w.fetchUntil(f, func(s *seen) bool { return s.count() == 500 })
		if !slices.Equal(s.values[0], values(0, 500)) {
			t.Errorf("%s: other records than were written", codec)
		}
	}
}

func TestTransactions(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		one, two := w.writer(topic, topic+"-1"), w.writer(topic, topic+"-2")
		message := func(value string) Message { return Message{Key: []byte("k"), Value: []byte(value)} }
		one.write(message("aborted 1")) // 0
		two.write(message("kept 1"))    // 1
		one.end(false)                  // 2
		w.write(topic, 0, 0, 1)         // 3
		two.end(true)                   // 4
		one.write(message("kept 2"))    // 5
		one.end(true)                   // 6
		two.write(message("aborted 2")) // 7
		two.write(message("aborted 3")) // 8
		two.end(false)                  // 9
		one.write(message("open"))      // 10
		want := []string{"kept 1", "v0", "kept 2"}
		f := w.fetcher(FetchOptions{Topic: topic})
		s := w.fetchUntil(f, func(s *seen) bool { return s.next[0] == 10 })
		f.Close()
		if !slices.Equal(s.values[0], want) {
			t.Errorf("fetched %q, want %q", s.values[0], want)
		}
		// From every offset on: also from within an aborted run.
		for from := range int64(10) {
			var got []string
			next, err := w.ReadInput(w.context(), topic, 0, from, End, func(r *Record) error {
				got = append(got, string(r.Value))
				return nil
			})
			var rest []string
			for i, offset := range []int64{1, 3, 5} {
				if offset >= from {
					rest = append(rest, want[i])
				}
			}
			if err != nil || next != 10 || !slices.Equal(got, rest) {
				t.Errorf("read %q from %d, next %d, %v; want %q, 10", got, from, next, err, rest)
			}
		}

		w.link.Config.IsolationLevel = "read_uncommitted"
		f = w.fetcher(FetchOptions{Topic: topic})
		s = w.fetchUntil(f, func(s *seen) bool { return s.next[0] == 11 })
		if positions := f.Positions(); positions[0].LastStable != 11 || positions[0].HighWatermark != 11 {
			t.Errorf("positions %+v", positions)
		}
		if all := []string{"aborted 1", "kept 1", "v0", "kept 2", "aborted 2", "aborted 3", "open"}; !slices.Equal(s.values[0], all) {
			t.Errorf("read uncommitted gave %q, want %q", s.values[0], all)
		}
		one.end(true)
	})
}

// The real cleaner leaves the header of each idempotent producer's last batch, with no record in it.
func TestCleanedByKafka(t *testing.T) {
	w := onReal(t)
	topic := w.create(1, "cleanup.policy=compact", "segment.bytes=1048576", "segment.ms=100", "min.cleanable.dirty.ratio=0.001", "max.compaction.lag.ms=100")
	for i := range 3 {
		p := w.writer(topic, "")
		p.write(Message{Key: []byte("a"), Value: fmt.Appendf(nil, "a%d", i)}, Message{Key: []byte("b"), Value: fmt.Appendf(nil, "b%d", i)})
	}
	w.write(topic, 0, 0, 3)
	last := w.writer(topic, "")
	last.write(Message{Key: []byte("a"), Value: []byte("a")}, Message{Key: []byte("b"), Value: []byte("b")},
		Message{Key: []byte("k0"), Value: []byte("k0")}, Message{Key: []byte("k1"), Value: []byte("k1")}, Message{Key: []byte("k2")})
	// The segment at hand is never cleaned: a record later begins another.
	time.Sleep(150 * time.Millisecond)
	w.write(topic, 0, 9, 1)

	var got []string
	w.waitFor("the cleaner", func() bool {
		got = nil
		next, err := w.Read(w.context(), topic, 0, Earliest, End, func(r *Record) error {
			got = append(got, fmt.Sprintf("%s=%s", r.Key, r.Value))
			return nil
		})
		w.must(err)
		bounds, err := w.Bounds(w.context(), topic)
		w.must(err)
		if next != bounds[0].End || next != 15 {
			t.Fatalf("read to %d of %v", next, bounds)
		}
		return len(got) <= 6
	})
	if want := []string{"a=a", "b=b", "k0=k0", "k1=k1", "k2=", "k9=v9"}; !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	if empty := w.emptyBatches(topic); empty == 0 {
		t.Error("the cleaner left no empty batch: this test has lost its point")
	}
	// From every offset, and by the Fetcher: never a standstill.
	for from := range int64(15) {
		next, err := w.Read(w.context(), topic, 0, from, End, func(*Record) error { return nil })
		if err != nil || next != 15 {
			t.Errorf("from %d read to %d, %v", from, next, err)
		}
	}
	s := w.fetchUntil(w.fetcher(FetchOptions{Topic: topic}), func(s *seen) bool { return s.next[0] == 15 })
	if s.count() != 6 {
		t.Errorf("fetched %q", s.values[0])
	}
}

// emptyBatches counts the batches without records that the broker sends.
func (w *world) emptyBatches(topic string) (n int) {
	leader, id, err := w.link.Leader(w.context(), topic, 0)
	w.must(err)
	response, err := w.fetch(w.context(), leader.Broker, &wire.Fetch{Topic: topic, ID: id, Isolation: wire.Committed,
		Partitions: []wire.FetchPartition{{Partition: 0, Epoch: leader.Epoch, Offset: 0}}, MaxWait: 100 * time.Millisecond, MinBytes: 1, MaxBytes: 1 << 20, MaxPartitionBytes: 1 << 20, Patience: time.Second})
	w.must(err)
	for bytes := response.Partitions[0].Batches; len(bytes) >= 61; {
		size := 12 + int(binary.BigEndian.Uint32(bytes[8:]))
		if size > len(bytes) {
			break
		}
		if binary.BigEndian.Uint32(bytes[57:]) == 0 { // its records
			n++
		}
		bytes = bytes[size:]
	}
	return n
}

func TestNewPartitionsArePickedUp(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		w.write(topic, 0, 0, 10)
		f := w.fetcher(FetchOptions{Topic: topic, Offsets: map[int32]int64{0: 4}})
		w.fetchUntil(f, func(s *seen) bool { return s.count() == 6 })
		w.addPartitions(topic, 3)
		w.waitFor("partition 2", func() bool {
			info, err := w.Topic(w.context(), topic)
			return err == nil && info.Partitions == 3
		})
		w.write(topic, 2, 100, 10)
		s := w.fetchUntil(f, func(s *seen) bool { return s.count() == 10 })
		if !slices.Equal(s.values[2], values(100, 10)) {
			t.Errorf("of partition 2 came %q", s.values[2])
		}
		if positions := f.Positions(); len(positions) != 3 || positions[2].Next != 10 || positions[2].HighWatermark != 10 {
			t.Errorf("positions %+v", positions)
		}
	})
}

func TestOffsetsAndTimes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(2)
		begin := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
		for i := range 5 {
			_, err := w.Produce(w.context(), topic, 0, Message{Timestamp: begin.Add(time.Duration(i) * time.Minute).UnixMilli(), Value: []byte("v")})
			w.must(err)
		}
		w.deleteRecords(topic, 0, 1)
		bounds, err := w.Bounds(w.context(), topic)
		if want := []Bounds{{Start: 1, End: 5}, {}}; err != nil || !slices.Equal(bounds, want) {
			t.Errorf("bounds %v, %v; want %v", bounds, err, want)
		}
		for _, test := range []struct {
			after time.Duration
			want  []int64
		}{{0, []int64{1, 0}}, {2 * time.Minute, []int64{2, 0}}, {2*time.Minute + time.Millisecond, []int64{3, 0}}, {time.Hour / 2, []int64{5, 0}}} {
			if got, err := w.OffsetsAt(w.context(), topic, begin.Add(test.after)); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("offsets %v after %v, %v; want %v", got, test.after, err, test.want)
			}
		}
	})
}

// Follow is how a holder of the state topic watches it: Read without an end waits for what others write.
func TestReadForever(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(1)
		w.write(topic, 0, 0, 3)
		ctx, cancel := context.WithCancel(w.context())
		written := make(chan struct{})
		var got []string
		next, err := w.Read(ctx, topic, 0, Earliest, Forever, func(r *Record) error {
			got = append(got, string(r.Value))
			if len(got) == 3 {
				go func() {
					defer close(written)
					_, err := w.Produce(w.context(), topic, 0, Message{Value: []byte("v3")}, Message{Value: []byte("v4")})
					if err != nil {
						t.Error(err)
					}
				}()
			}
			if len(got) == 5 {
				cancel()
			}
			return nil
		})
		<-written
		if ctx.Err() == nil || err == nil || next != 5 || !slices.Equal(got, values(0, 5)) {
			t.Errorf("read %q to %d, %v", got, next, err)
		}
	})
}

// Unreleased chunks stop fetching near the budget; releasing them lets it go on.
func TestBudget(t *testing.T) {
	w := embedded(t, devbrokerOptions)
	topic := w.create(2)
	value := make([]byte, 10_000)
	for i := range 400 {
		_, err := w.Produce(w.context(), topic, int32(i%2), Message{Value: value})
		w.must(err)
	}
	const budget = 1 << 20
	f := w.fetcher(FetchOptions{Topic: topic, Budget: budget, MaxPartitionBytes: 100_000})
	var held []*Chunk
	for {
		ctx, cancel := context.WithTimeout(w.context(), 300*time.Millisecond)
		chunk, err := f.Next(ctx)
		cancel()
		if err != nil {
			break // it has stopped
		}
		held = append(held, chunk)
	}
	// One fetch more than fits may come: half the budget, and a batch a partition.
	if n, _, _ := f.budget.Held(); n < budget || n > budget*3/2+2*100_000 {
		t.Errorf("%d bytes are held, of a budget of %d", n, budget)
	}
	count := 0
	for _, chunk := range held {
		count += chunk.Size()
		chunk.Release()
	}
	s := w.fetchUntil(f, func(s *seen) bool { return count+s.count() >= 400 })
	if count+s.count() != 400 {
		t.Errorf("%d records of 400", count+s.count())
	}
}
