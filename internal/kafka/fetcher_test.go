package kafka

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
)

// A response is cut into chunks of whole batches; what holds no record belongs to the chunk before or after it.
func TestChunksAreCut(t *testing.T) {
	var bytes []byte
	next := int64(0)
	var want []int64
	add := func(count int) {
		bytes = append(bytes, batchOf(t, next, count, codecNone)...)
		for range count {
			want = append(want, next)
			next++
		}
	}
	for range 50 {
		add(200)
		bytes = append(bytes, emptied(t, next, 2)...)
		next += 3
	}
	add(3 * chunkRecords) // one batch is one chunk, whatever its size
	add(1)
	bytes = append(bytes, marker(t, next, 7, commitMarker)...)
	next++

	budget := newBudget(1 << 30)
	all, err := newChunks("topic", TopicID{}, 0, &fetchedPartition{batches: bytes}, new(bufferPool).get(), budget)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 4 {
		t.Errorf("%d chunks of %d records", len(all), len(want))
	}
	var got []int64
	at := int64(0)
	for _, chunk := range all {
		if chunk.First != at || chunk.Next <= at || (chunk.Size() > chunkRecords && len(chunk.batches) > 1) {
			t.Errorf("a chunk of %d records from %d to %d, after %d", chunk.Size(), chunk.First, chunk.Next, at)
		}
		records, err := allRecords(chunk)
		if err != nil {
			t.Fatal(err)
		}
		got, at = append(got, offsets(records)...), chunk.Next
		chunk.Release()
	}
	if !slices.Equal(got, want) || at != next {
		t.Errorf("%d records to %d; want %d to %d", len(got), at, len(want), next)
	}
	if budget.used != 0 {
		t.Errorf("%d bytes are charged for what was released", budget.used)
	}
}

// A topic is made again while a fetch is under way: what comes may be of either, and is thrown away.
func TestForeignRecordsAreThrownAway(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	f := &Fetcher{client: w.Client, options: FetchOptions{Topic: "topic"}, budget: newBudget(1 << 20), out: make(chan *Chunk, 1),
		look: make(chan struct{}, 1), context: w.context(), changed: make(chan struct{})}
	f.extend(1)
	p := f.partitions[0]
	p.next, p.taken, p.state = 5, true, recreated
	buffer := new(bufferPool).get()
	response := &fetchResponse{buffer: buffer, partitions: []fetchedPartition{{batches: batchOf(t, 5, 10, codecNone)}}}
	f.settle(&fetchRequest{}, []*partition{p}, response)
	if len(f.out) != 0 || p.next != 5 || p.taken || p.state != recreated {
		t.Errorf("%d chunks, partition %+v", len(f.out), p)
	}
	if f.budget.used != 0 || buffer.users.Load() != 0 {
		t.Errorf("%d bytes are charged, %d users of the buffer", f.budget.used, buffer.users.Load())
	}
	if len(f.look) != 1 {
		t.Error("the coordinator is not told")
	}
}

// Nobody takes the chunks; Close ends all the same, and releases them.
func TestCloseWithChunksWaiting(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	const count = outputChunks + 20
	for i := range count {
		w.write(topic, 0, i, 1)
	}
	f := w.fetcher(FetchOptions{Topic: topic, MaxPartitionBytes: 1})
	w.waitFor("the queue to fill", func() bool { return len(f.out) == outputChunks })
	f.Close()
	if f.budget.used != 0 {
		t.Errorf("%d bytes are still charged", f.budget.used)
	}
	if _, err := f.Next(w.context()); err != ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

// Every topic of a large cluster is a large answer: it is never asked for.
func TestOnlyOurTopicsAreAskedFor(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	var asked, all atomic.Int64
	w.dev.Cluster.ControlKey(int16(kmsg.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
		w.dev.Cluster.KeepControl()
		asked.Add(1)
		if request.(*kmsg.MetadataRequest).Topics == nil {
			all.Add(1)
		}
		return nil, nil, false
	})
	topic := w.create(1)
	w.write(topic, 0, 0, 1)
	w.fetchUntil(w.fetcher(FetchOptions{Topic: topic, RefreshEvery: 10 * time.Millisecond}), func(s *seen) bool { return s.count() == 1 })
	w.transport.CloseIdleConnections() // kafka-go asks again
	w.write(topic, 0, 1, 1)
	if asked.Load() < 3 || all.Load() > 0 {
		t.Errorf("%d of %d requests ask for every topic", all.Load(), asked.Load())
	}
}

func TestFetchOptionsAreChecked(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	for name, options := range map[string]FetchOptions{
		"policy":             {Topic: "t", OnLoss: "skip"},
		"negative offset":    {Topic: "t", Offsets: map[int32]int64{0: -1}},
		"negative partition": {Topic: "t", Offsets: map[int32]int64{-1: 0}},
	} {
		if f, err := w.NewFetcher(options); err == nil {
			f.Close()
			t.Errorf("%s: no error", name)
		}
	}
}

// Partitions of one request take turns at being named first.
func TestPartitionsTakeTurns(t *testing.T) {
	f := &Fetcher{client: &Client{}, options: FetchOptions{}.withDefaults(), loops: map[int32]bool{1: true}, changed: make(chan struct{})}
	f.extend(3)
	for _, p := range f.partitions {
		p.state, p.leader, p.next = ready, leader{1, 0}, 0
	}
	first := map[int32]int{}
	for range 9 {
		request, taken, _ := f.take(1)
		if len(taken) != 3 {
			t.Fatalf("%d partitions are taken", len(taken))
		}
		first[request.partitions[0].partition]++
		if again, _, _ := f.take(1); again != nil {
			t.Fatal("a partition is in two requests")
		}
		for _, p := range taken {
			p.taken = false
		}
	}
	if fmt.Sprint(first) != "map[0:3 1:3 2:3]" {
		t.Errorf("named first: %v", first)
	}
	if request, _, _ := f.take(2); request != nil {
		t.Error("a broker is asked for what it does not lead")
	}
}
