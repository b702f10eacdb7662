package kafka

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// upTo reads until the records before an offset of a partition came. It gives the values of all partitions, leaves out chunks of earlier turns,
// and checks that what is left has no gap from the offsets on.
func upTo(w *world, f *Fetcher, turns []int, next []int64, partition int32, offset int64) [][]string {
	w.t.Helper()
	all := make([][]string, len(next))
	for next[partition] < offset {
		chunk, err := f.Next(w.context())
		w.must(err)
		p := chunk.Partition
		if chunk.Turn == turns[p] {
			if chunk.First != next[p] || chunk.Loss != nil {
				w.t.Fatalf("partition %d: a chunk from %d, want %d; loss %v", p, chunk.First, next[p], chunk.Loss)
			}
			next[p] = chunk.Next
			records, err := chunk.Records(w.context())
			w.must(err)
			for i := range records {
				all[p] = append(all[p], string(records[i].Value))
			}
		}
		chunk.Release()
	}
	return all
}

// TestHold: the other partition goes on, of the held one no byte is kept, its bounds stay known, and it goes on where it was held.
func TestHold(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic := w.create(2)
		for i := range 20 {
			w.write(topic, 0, i*50, 50)
		}
		f := w.fetcher(FetchOptions{Topic: topic, Budget: 64 << 10})
		turns, next := []int{0, 0}, []int64{0, 0}
		upTo(w, f, turns, next, 0, 100)
		info, err := w.Topic(w.context(), topic)
		w.must(err)
		known := make(chan struct{})
		f.Hold(Place{Partition: 0, ID: info.ID, Offset: 30, Epoch: 0}, known)
		turns[0], next[0] = 1, 30
		for i := range 20 {
			w.write(topic, 1, i*50, 50)
		}
		if got := upTo(w, f, turns, next, 1, 1000); !slices.Equal(got[1], values(0, 1000)) || len(got[0]) > 0 {
			t.Errorf("while partition 0 is held: %d of it, %d of partition 1", len(got[0]), len(got[1]))
		}
		w.write(topic, 0, 1000, 50)
		w.waitFor("the end of the held partition", func() bool { return f.Positions()[0].HighWatermark == 1050 })
		if p := f.Positions()[0]; p.Next != 30 || p.LastStable != 1050 || p.LogStart != 0 {
			t.Errorf("position %+v", p)
		}
		if used, _, given := f.budget.Held(); used != 0 || given != 0 {
			t.Errorf("%d bytes in %d chunks are held", used, given)
		}
		f.Hold(Place{Partition: 0, ID: info.ID, Offset: 20, Epoch: 0}, known) // again
		turns[0], next[0] = 2, 20
		close(known)
		if got := upTo(w, f, turns, next, 0, 1050); !slices.Equal(got[0], values(20, 1030)) {
			t.Errorf("after the hold came %d records", len(got[0]))
		}
	})
}

// TestRequestsBesideAHeldPartitionAreShort: else the partition would wait, after its hold, for as long as the others have no records.
func TestRequestsBesideAHeldPartitionAreShort(t *testing.T) {
	t.Parallel()
	at := func(broker int32, s state) *partition {
		return &partition{state: s, leader: wire.Leader{Broker: broker}}
	}
	for name, c := range map[string]struct {
		partitions []*partition
		want       time.Duration
	}{
		"nothing is held":        {[]*partition{at(1, ready), at(1, ready)}, time.Second},
		"one is held":            {[]*partition{at(1, held), at(1, ready)}, besideHeld},
		"of another broker":      {[]*partition{at(1, ready), at(2, held)}, time.Second},
		"the last of the broker": {[]*partition{at(1, ready), at(1, unsure), at(1, held)}, besideHeld},
	} {
		if got := waiting(c.partitions, 1, time.Second); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestHoldInFlight: what a request brings that was sent before is thrown away, however soon the hold ends.
func TestHoldInFlight(t *testing.T) {
	w := embedded(t, devbrokerOptions)
	topic := w.create(1)
	w.write(topic, 0, 0, 100)
	f := w.fetcher(FetchOptions{Topic: topic, MaxWait: 200 * time.Millisecond})
	turns, next := []int{0}, []int64{0}
	upTo(w, f, turns, next, 0, 100)
	ended := make(chan struct{})
	close(ended)
	for i := range 10 {
		f.Hold(Place{Partition: 0, Offset: int64(10 * i), Epoch: -1}, ended)
		turns[0]++
		next[0] = int64(10 * i)
		w.write(topic, 0, 100+i, 1) // answers a request that waits at the end
		if got := upTo(w, f, turns, next, 0, int64(101+i)); !slices.Equal(got[0], values(10*i, 101-9*i)) {
			t.Fatalf("hold %d: %d records", i, len(got[0]))
		}
	}
}

// TestAHoldEndsWithItsTopic: a topic that was made again is no place to go on from.
func TestAHoldEndsWithItsTopic(t *testing.T) {
	w := embedded(t, devbrokerOptions)
	topic := w.create(1)
	w.write(topic, 0, 0, 100)
	f := w.fetcher(FetchOptions{Topic: topic, OnLoss: LossEarliest})
	turns, next := []int{0}, []int64{0}
	upTo(w, f, turns, next, 0, 100)
	info, err := w.Topic(w.context(), topic)
	w.must(err)
	for turn := 1; turn <= 2; turn++ { // it is made again after the hold, and before
		f.Hold(Place{Partition: 0, ID: info.ID, Offset: 30, Epoch: 0}, make(chan struct{}))
		if turn == 1 {
			w.remake(topic, 1)
			w.write(topic, 0, 500, 60)
		}
		for {
			chunk, err := f.Next(w.context())
			w.must(err)
			loss, first, current := chunk.Loss, chunk.First, chunk.Turn == turn
			chunk.Release()
			if !current {
				continue
			}
			if loss == nil || loss.Kind != LossRecreated || loss.Resume != 0 || first != 30 {
				t.Fatalf("turn %d: a chunk from %d, loss %v", turn, first, loss)
			}
			break
		}
		turns[0], next[0] = turn, 0
		if got := upTo(w, f, turns, next, 0, 60); !slices.Equal(got[0], values(500, 60)) {
			t.Errorf("turn %d: of the new topic came %q", turn, got[0])
		}
	}
}

// TestCloseWhileHeld: a hold that nobody ends leaves no goroutine.
func TestCloseWhileHeld(t *testing.T) {
	w := embedded(t, devbrokerOptions)
	topic := w.create(1)
	w.write(topic, 0, 0, 10)
	f := w.fetcher(FetchOptions{Topic: topic})
	upTo(w, f, []int{0}, []int64{0}, 0, 10)
	f.Hold(Place{Partition: 0, Offset: 5, Epoch: -1}, make(chan struct{}))
	f.Close()
	if _, err := f.Next(context.Background()); err != ErrClosed {
		t.Error(err)
	}
}
