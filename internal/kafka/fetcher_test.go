package kafka

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// A topic is made again while a fetch is under way: what comes may be of either, and is thrown away. So is what comes of a partition that was held
// meanwhile, even if the hold has ended: records or an error.
func TestForeignRecordsAreThrownAway(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	for name, test := range map[string]struct {
		state state
		turn  int
		code  int16
	}{"made again": {state: recreated}, "held": {state: held, turn: 1}, "was held": {state: ready, turn: 1}, "was held, and refused": {state: ready, turn: 1, code: 1}} {
		f := &Fetcher{client: w.Client, options: FetchOptions{Topic: "topic"}, budget: batches.NewBudget(1 << 20), out: make(chan *Chunk, 1),
			look: make(chan struct{}, 1), context: w.context(), changed: make(chan struct{})}
		f.extend(1)
		p := f.partitions[0]
		p.next, p.taken, p.state, p.turn = 5, true, test.state, test.turn
		buffer := new(batches.Buffers).Get(0)
		response := &fetched{wire.Fetched{Partitions: []wire.FetchedPartition{{Code: test.code, Batches: plainBatch(t, 5, 10)}}}, buffer}
		f.settle(&wire.Fetch{}, []*partition{p}, response)
		if len(f.out) != 0 || p.next != 5 || p.taken || p.state != test.state || p.problem != nil {
			t.Errorf("%s: %d chunks, partition %+v", name, len(f.out), p)
		}
		if used, _, _ := f.budget.Held(); used != 0 {
			t.Errorf("%s: %d bytes are charged", name, used)
		}
		if len(f.look) != 1 {
			t.Errorf("%s: the coordinator is not told", name)
		}
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
	if used, _, _ := f.budget.Held(); used != 0 {
		t.Errorf("%d bytes are still charged", used)
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
	w.link.CloseIdle() // kafka-go asks again
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
	opened, err := link.Open(Config{Brokers: []string{"127.0.0.1:1"}}, link.Options{}) // which uses no network
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}()
	f := &Fetcher{client: &Client{link: opened}, options: FetchOptions{}.withDefaults(), loops: map[int32]bool{1: true}, changed: make(chan struct{})}
	f.extend(3)
	for _, p := range f.partitions {
		p.state, p.leader, p.next = ready, wire.Leader{Broker: 1, Epoch: 0}, 0
	}
	first := map[int32]int{}
	for range 9 {
		request, taken, _ := f.take(1)
		if len(taken) != 3 {
			t.Fatalf("%d partitions are taken", len(taken))
		}
		first[request.Partitions[0].Partition]++
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

// TestWhatIsNotHandedOverIsReleased: of chunks that are cut short by a hold, or by Close, none stays charged.
func TestWhatIsNotHandedOverIsReleased(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		turn   int // of the partition by now
		closed bool
		handed int
	}{"all are taken": {handed: 3}, "held meanwhile": {turn: 1}, "closed meanwhile": {closed: true}} {
		ctx, cancel := context.WithCancel(t.Context())
		f := &Fetcher{options: FetchOptions{Topic: "topic"}, budget: batches.NewBudget(1 << 20), out: make(chan *Chunk, 3), context: ctx}
		if test.closed {
			f.out = make(chan *Chunk) // nobody takes it
			cancel()
		}
		var all []*Chunk
		for i := range 3 {
			buffer := new(batches.Buffers).Get(0)
			first := int64(10 * i)
			chunks, err := batches.NewChunks("topic", TopicID{}, first, &wire.FetchedPartition{HighWatermark: 100, LastStable: 100, Batches: plainBatch(t, first, 10)}, buffer, f.budget)
			if err != nil || len(chunks) != 1 {
				t.Fatalf("%d chunks, %v", len(chunks), err)
			}
			all = append(all, chunks...)
			buffer.Release()
		}
		p := &partition{turn: test.turn}
		f.handAll(p, 0, all)
		handed := len(f.out)
		if handed != test.handed || test.handed > 0 && p.next != 30 {
			t.Errorf("%s: %d chunks, next offset %d", name, handed, p.next)
		}
		for range handed {
			(<-f.out).Release()
		}
		if used, _, _ := f.budget.Held(); used != 0 {
			t.Errorf("%s: %d bytes stay charged", name, used)
		}
		cancel()
	}
}
