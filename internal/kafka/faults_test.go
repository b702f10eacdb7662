package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/test/broker"
)

// Leaders move ten times a second while records are written and read: all are read, once and in order.
func TestLeadersMove(t *testing.T) {
	w := embedded(t, devbroker.Options{Brokers: 3})
	topic := w.create(4)
	const each = 300
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Add(2)
	go func() {
		defer group.Done()
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				w.dev.Cluster.ShufflePartitionLeaders()
			}
		}
	}()
	go func() {
		defer group.Done()
		for i := range each {
			for partition := range int32(4) {
				if _, err := w.Produce(w.context(), topic, partition, Message{Value: fmt.Appendf(nil, "v%d", i)}); err != nil {
					t.Error(err)
					return
				}
			}
		}
	}()
	s := w.fetchUntil(w.fetcher(FetchOptions{Topic: topic, MaxWait: 50 * time.Millisecond}), func(s *seen) bool { return s.count() >= 4*each })
	close(stop)
	group.Wait()
	for partition := range int32(4) {
		if !slices.Equal(s.values[partition], values(0, each)) {
			t.Errorf("partition %d: %d values, not as written", partition, len(s.values[partition]))
		}
	}
}

// A broker joins and leads, which kafka-go has not heard of.
func TestBrokerJoins(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	w.write(topic, 0, 0, 1)
	node, _, err := w.dev.Cluster.AddNode(-1, 0)
	w.must(err)
	w.must(w.dev.Cluster.MoveTopicPartition(topic, 0, node))
	w.write(topic, 0, 1, 1)
	s := w.fetchUntil(w.fetcher(FetchOptions{Topic: topic}), func(s *seen) bool { return s.count() == 2 })
	if !slices.Equal(s.values[0], values(0, 2)) {
		t.Errorf("values %q", s.values[0])
	}
}

// The only bootstrap server leaves: a client that knows other brokers goes on.
func TestBootstrapServerLeaves(t *testing.T) {
	dev, err := devbroker.Start(devbroker.Options{Brokers: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Close)
	w := newWorld(t, dev.Addresses()[0])
	w.dev = dev
	topic := w.create(2)
	w.must(dev.Cluster.MoveTopicPartition(topic, 0, 0))
	w.must(dev.Cluster.MoveTopicPartition(topic, 1, 1))
	w.write(topic, 0, 0, 1)
	w.write(topic, 1, 0, 1)
	f := w.fetcher(FetchOptions{Topic: topic})
	w.fetchUntil(f, func(s *seen) bool { return s.count() == 2 })
	w.must(dev.Cluster.RemoveNode(0))
	w.write(topic, 0, 1, 1)
	w.write(topic, 1, 1, 1)
	w.fetchUntil(f, func(s *seen) bool { return s.count() == 2 })
}

// A broker leaves for good and others lead what it led: its outage ends, or a healthy process would never be ready again.
func TestOutageEndsWhenOthersLead(t *testing.T) {
	w := embedded(t, devbroker.Options{Brokers: 3})
	topic := w.create(3)
	for partition := range int32(3) {
		w.must(w.dev.Cluster.MoveTopicPartition(topic, partition, partition))
		w.write(topic, partition, 0, 1)
	}
	f := w.fetcher(FetchOptions{Topic: topic})
	w.fetchUntil(f, func(s *seen) bool { return s.count() == 3 })
	w.must(w.dev.Cluster.RemoveNode(2))
	w.write(topic, 2, 1, 1)
	w.fetchUntil(f, func(s *seen) bool { return s.count() == 1 })
	if !w.outages.has("") {
		t.Error("the broker left unnoticed")
	}
	w.waitFor("the outages to end", func() bool { return len(w.outages.open()) == 0 })
}

// With answers that come late, the patience stays where it is enough; with quick ones it shrinks.
func TestPatienceWithSlowAnswers(t *testing.T) {
	var b firstByte
	for range 9 {
		b.failed()
	}
	if b.patience() != 32*time.Second {
		t.Errorf("at most %v", b.patience())
	}
	b = firstByte{doublings: 1}
	for range 9 {
		b.answered(2500*time.Millisecond, 500*time.Millisecond)
	}
	if b.patience() != 4*time.Second {
		t.Errorf("answers after 2 s leave %v", b.patience())
	}
	for range 9 {
		b.answered(1400*time.Millisecond, 500*time.Millisecond)
	}
	if b.patience() != shortestFirstByte {
		t.Errorf("quick answers leave %v", b.patience())
	}
}

// A broker of its own, for what the others must not feel.
func TestBrokerFails(t *testing.T) {
	b := broker.Start(t)
	for name, test := range map[string]func(*testing.T, *world){"killed": testKilled, "frozen": testFrozen} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, b.Address)
			w.real = b
			test(t, w)
		})
	}
}

// kill -9 of the real broker, again and again, while records are written and read.
func testKilled(t *testing.T, w *world) {
	topic := w.create(1)
	var acknowledged atomic.Int64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := w.Produce(context.Background(), topic, 0, Message{Value: fmt.Appendf(nil, "v%d", i)}); err != nil {
				t.Error(err)
				return
			}
			acknowledged.Store(int64(i + 1))
		}
	}()
	f := w.fetcher(FetchOptions{Topic: topic})
	s := &seen{values: map[int32][]string{}, next: map[int32]int64{}}
	read := func(until int64) {
		for !slices.Contains(s.values[0], fmt.Sprintf("v%d", until-1)) {
			chunk, err := f.Next(w.context())
			if err != nil {
				t.Fatalf("%v; outages:\n%s", err, w.outages)
			}
			s.take(t, chunk)
		}
	}
	for range 2 {
		w.waitFor("writes", func() bool { return acknowledged.Load() > 50 })
		read(50)
		w.must(w.real.Kill())
		w.must(w.real.Restart())
		ready := time.Now()
		before := acknowledged.Load()
		w.waitFor("a write after the restart", func() bool { return acknowledged.Load() > before })
		read(acknowledged.Load())
		t.Logf("writing and reading again %v after the broker was ready", time.Since(ready).Round(time.Millisecond))
	}
	close(stop)
	<-done
	read(acknowledged.Load())
	// A write that was tried again may be there twice, next to itself; none is missing, and none is out of order.
	if got := slices.Compact(slices.Clone(s.values[0])); !slices.Equal(got, values(0, len(got))) || int64(len(got)) < acknowledged.Load() {
		t.Errorf("%d values of %d acknowledged, or not in order", len(got), acknowledged.Load())
	}
}

// A broker that is frozen answers nothing and closes nothing.
func testFrozen(t *testing.T, w *world) {
	topic := w.create(1)
	w.write(topic, 0, 0, 10)
	f := w.fetcher(FetchOptions{Topic: topic})
	w.fetchUntil(f, func(s *seen) bool { return s.count() == 10 })
	w.must(w.real.Freeze())
	w.waitFor("the report", func() bool { return w.outages.has("no answer in time") })
	w.must(w.real.Thaw())
	w.write(topic, 0, 10, 10)
	s := w.fetchUntil(f, func(s *seen) bool { return s.count() == 10 })
	if !slices.Equal(s.values[0], values(10, 10)) {
		t.Errorf("then came %q", s.values[0])
	}
}

// answering makes the embedded broker answer fetches with bytes of our own, so many times.
func (w *world) answering(topic string, times int, batches []byte) *atomic.Int64 {
	info, err := w.Topic(w.context(), topic)
	w.must(err)
	var served atomic.Int64
	w.dev.Cluster.ControlKey(int16(kmsg.Fetch), func(request kmsg.Request) (kmsg.Response, error, bool) {
		w.dev.Cluster.KeepControl()
		if served.Load() >= int64(times) {
			return nil, nil, false
		}
		served.Add(1)
		return fetchedFrom(request, info, 10, batches), nil, true
	})
	return &served
}

// fetchedFrom is the answer to a fetch of a topic's only partition, which ends there.
func fetchedFrom(request kmsg.Request, topic TopicInfo, end int64, batches []byte) kmsg.Response {
	response := request.ResponseKind().(*kmsg.FetchResponse)
	partition := kmsg.NewFetchResponseTopicPartition()
	partition.HighWatermark, partition.LastStableOffset, partition.RecordBatches = end, end, batches
	t := kmsg.NewFetchResponseTopic()
	t.Topic, t.TopicID, t.Partitions = topic.Name, topic.ID, []kmsg.FetchResponseTopicPartition{partition}
	response.Topics = append(response.Topics, t)
	return response
}

func TestCorruptBatches(t *testing.T) {
	bent := plainBatch(t, 0, 10)
	bent[len(bent)-1] ^= 1
	read := func(w *world, topic string) error {
		_, err := w.Read(w.context(), topic, 0, 0, 10, func(*Record) error { return nil })
		return err
	}
	fetch := func(w *world, topic string) error {
		chunk, err := w.fetcher(FetchOptions{Topic: topic}).Next(w.context())
		if err == nil {
			chunk.Release()
		}
		return err
	}
	for name, call := range map[string]func(*world, string) error{"read": read, "fetch": fetch} {
		t.Run(name+", healed", func(t *testing.T) {
			w := embedded(t, devbroker.Options{})
			topic := w.create(1)
			w.write(topic, 0, 0, 10)
			w.answering(topic, corruptStrikes-1, bent)
			if err := call(w, topic); err != nil {
				t.Error(err)
			}
			if !w.outages.has("checksum") {
				t.Errorf("nobody was told:\n%s", w.outages)
			}
		})
		t.Run(name+", for good", func(t *testing.T) {
			w := embedded(t, devbroker.Options{})
			topic := w.create(1)
			w.write(topic, 0, 0, 10)
			w.answering(topic, 1000, bent)
			err := call(w, topic)
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || corrupt.Offset != 0 || !strings.Contains(err.Error(), "checksum") {
				t.Errorf("%v", err)
			}
		})
		t.Run(name+", an old format", func(t *testing.T) {
			w := embedded(t, devbroker.Options{})
			topic := w.create(1)
			w.answering(topic, 1000, bentAt(bent, 16, 1))
			if err := call(w, topic); err == nil || !strings.Contains(err.Error(), "before 0.11") {
				t.Errorf("%v", err)
			}
		})
		// The decoding, later and elsewhere, fails where the checksum is right and the records lie.
		t.Run(name+", lying records", func(t *testing.T) {
			w := embedded(t, devbroker.Options{})
			topic := w.create(1)
			w.answering(topic, 1000, bentAt(plainBatch(t, 0, 10), 61, 0xff))
			var corrupt *CorruptError
			if name == "read" {
				if err := read(w, topic); !errors.As(err, &corrupt) {
					t.Errorf("%v", err)
				}
				return
			}
			chunk, err := w.fetcher(FetchOptions{Topic: topic}).Next(w.context())
			w.must(err)
			defer chunk.Release()
			if _, err := chunk.Records(context.Background()); !errors.As(err, &corrupt) || corrupt.Topic != topic {
				t.Errorf("%v", err)
			}
		})
	}
}

// Whichever request fails, sent or not: reading and writing go on, nothing is lost, and only a lost answer to a write
// leaves a copy.
func TestTheNthRequestFails(t *testing.T) {
	dev, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Close)
	run := func(t *testing.T, faults *broker.Faults) {
		w := newWorld(t, dev.Addresses()...)
		topic := w.create(2)
		faulty, err := Open(Config{Brokers: dev.Addresses()}, Options{Dial: faults.Dial, Notify: w.outages.add})
		w.must(err)
		defer func() {
			if err := faulty.Close(); err != nil {
				t.Error(err)
			}
		}()
		for i := range 10 {
			_, err := faulty.Produce(w.context(), topic, 0, Message{Value: fmt.Appendf(nil, "v%d", i)})
			w.must(err)
		}
		f, err := faulty.NewFetcher(FetchOptions{Topic: topic, MaxWait: 10 * time.Millisecond})
		w.must(err)
		defer f.Close()
		s := w.fetchUntil(f, func(s *seen) bool { n := s.values[0]; return len(n) > 0 && n[len(n)-1] == "v9" })
		if got := slices.Compact(slices.Clone(s.values[0])); !slices.Equal(got, values(0, 10)) {
			t.Errorf("fetched %q", s.values[0])
		}
		if copies := len(s.values[0]) - 10; copies > 1 || copies == 1 && faults.Kind != broker.AnswerLost {
			t.Errorf("%d copies", copies)
		}
	}
	keys := []int16{0, 1, 2} // Produce, Fetch, ListOffsets
	counting := &broker.Faults{Keys: keys}
	run(t, counting)
	if counting.Count() < 12 {
		t.Fatalf("%d requests were counted", counting.Count())
	}
	for n := 1; n <= counting.Count(); n++ {
		for kind, name := range map[broker.Fault]string{broker.NotSent: "not sent", broker.AnswerLost: "answer lost"} {
			t.Run(fmt.Sprintf("%d %s", n, name), func(t *testing.T) { run(t, &broker.Faults{N: n, Kind: kind, Keys: keys}) })
		}
	}
}

// Close ends what is under way, with a peer that never answers too.
func TestCloseDoesNotWaitForTheNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	w := newWorld(t, listener.Addr().String())
	failed := make(chan error, 1)
	go func() { failed <- w.Ping(context.Background()) }()
	connection, err := listener.Accept() // and say nothing
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	w.must(w.Close())
	if err := <-failed; err == nil {
		t.Error("the call succeeded")
	}
	if _, err := w.Append(context.Background(), "t", 0, Message{}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}
