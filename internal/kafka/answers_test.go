package kafka

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// bending flips a bit of a topic's id in so many metadata answers.
type bending struct {
	net.Conn
	id    TopicID
	name  string
	flips *atomic.Int64
}

func (b *bending) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if at := bytes.Index(p[:n], b.id[:]); at >= 0 && bytes.Contains(p[:n], []byte(b.name)) && b.flips.Add(-1) >= 0 {
		p[at] ^= 1
	}
	return n, err
}

// TestAFlippedTopicID: one wrong answer is no topic that was made again, whether it is the first answer or a later one.
func TestAFlippedTopicID(t *testing.T) {
	w := embedded(t, devbrokerOptions)
	topic := w.create(1)
	w.write(topic, 0, 0, 10)
	info, err := w.Topic(w.context(), topic)
	w.must(err)
	for _, first := range []bool{true, false} {
		var flips atomic.Int64
		bent, err := Open(Config(w.link.Config), Options{Notify: w.outages.add, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			connection, err := new(net.Dialer).DialContext(ctx, network, address)
			return &bending{connection, info.ID, topic, &flips}, err
		}})
		w.must(err)
		flip := func() { flips.Store(1) }
		if first {
			flip()
		}
		if _, err := bent.Read(w.context(), topic, 0, Earliest, 10, func(*Record) error { return nil }); err != nil {
			t.Errorf("first %t: read: %v", first, err)
		}
		f, err := bent.NewFetcher(FetchOptions{Topic: topic, ID: info.ID, OnLoss: LossFails, RefreshEvery: 20 * time.Millisecond})
		w.must(err)
		s := w.fetchUntil(f, func(s *seen) bool { return s.count() >= 10 })
		flip()
		w.waitFor("the flip", func() bool { return flips.Load() < 0 })
		w.write(topic, 0, 10, 1)
		s2 := w.fetchUntil(f, func(s *seen) bool { return s.count() >= 1 })
		if len(s.losses)+len(s2.losses) > 0 {
			t.Errorf("losses %v %v", s.losses, s2.losses)
		}
		f.Close()
		w.must(bent.Close())
	}
}

// TestCorruptAnswersInARow: only answers in a row end reading; one that is right makes the next wrong one the first.
func TestCorruptAnswersInARow(t *testing.T) {
	w := embedded(t, devbrokerOptions)
	topic := w.create(1)
	info, err := w.Topic(w.context(), topic)
	w.must(err)
	var answered atomic.Int64
	const rounds = 3 * corruptStrikes
	w.dev.Cluster.ControlKey(int16(kmsg.Fetch), func(request kmsg.Request) (kmsg.Response, error, bool) {
		w.dev.Cluster.KeepControl()
		asked := request.(*kmsg.FetchRequest).Topics[0].Partitions[0].FetchOffset
		n := answered.Add(1)
		batch := plainBatch(t, asked, 1)
		if n%2 == 1 {
			batch[len(batch)-1] ^= 1
		}
		response := request.ResponseKind().(*kmsg.FetchResponse)
		partition := kmsg.NewFetchResponseTopicPartition()
		partition.HighWatermark, partition.LastStableOffset, partition.RecordBatches = asked+1, asked+1, batch
		topics := kmsg.NewFetchResponseTopic()
		topics.Topic, topics.TopicID, topics.Partitions = topic, info.ID, []kmsg.FetchResponseTopicPartition{partition}
		response.Topics = append(response.Topics, topics)
		return response, nil, true
	})
	s := w.fetchUntil(w.fetcher(FetchOptions{Topic: topic, RefreshEvery: 10 * time.Millisecond}), func(s *seen) bool { return s.count() >= rounds })
	if s.count() < rounds {
		t.Errorf("%d records", s.count())
	}
}

// TestAQuotaIsKept: after an answer that asks for a pause, the next request comes after it.
func TestAQuotaIsKept(t *testing.T) {
	w := embedded(t, devbrokerOptions)
	topic := w.create(1)
	w.write(topic, 0, 0, 10)
	info, err := w.Topic(w.context(), topic)
	w.must(err)
	const pause = 300 * time.Millisecond
	times := make(chan time.Time, 100)
	w.dev.Cluster.ControlKey(int16(kmsg.Fetch), func(request kmsg.Request) (kmsg.Response, error, bool) {
		w.dev.Cluster.KeepControl()
		select {
		case times <- time.Now():
		default:
		}
		response := request.ResponseKind().(*kmsg.FetchResponse)
		response.ThrottleMillis = int32(pause.Milliseconds())
		partition := kmsg.NewFetchResponseTopicPartition()
		partition.HighWatermark, partition.LastStableOffset = 0, 0
		topics := kmsg.NewFetchResponseTopic()
		topics.Topic, topics.TopicID, topics.Partitions = topic, info.ID, []kmsg.FetchResponseTopicPartition{partition}
		response.Topics = append(response.Topics, topics)
		return response, nil, true
	})
	w.fetcher(FetchOptions{Topic: topic})
	for before, i := <-times, 0; i < 3; i++ {
		now := <-times
		if now.Sub(before) < pause {
			t.Errorf("asked again after %v; the broker wanted %v", now.Sub(before), pause)
		}
		before = now
	}
}

// TestReadsOfCorruptAnswers: a bit that is lost on the way heals, and a batch that is corrupt each time ends the read.
func TestReadsOfCorruptAnswers(t *testing.T) {
	for corrupt, fails := range map[int64]bool{corruptStrikes - 1: false, corruptStrikes: true} {
		w := embedded(t, devbrokerOptions)
		topic := w.create(1)
		info, err := w.Topic(w.context(), topic)
		w.must(err)
		var answered atomic.Int64
		w.dev.Cluster.ControlKey(int16(kmsg.Fetch), func(request kmsg.Request) (kmsg.Response, error, bool) {
			w.dev.Cluster.KeepControl()
			batch := plainBatch(t, 0, 1)
			if answered.Add(1) <= corrupt {
				batch[len(batch)-1] ^= 1
			}
			return fetchedFrom(request, info, 1, batch), nil, true
		})
		next, err := w.Read(w.context(), topic, 0, 0, 1, func(*Record) error { return nil })
		if (err != nil) != fails || fails != (next == 0) || answered.Load() != corruptStrikes {
			t.Errorf("%d of %d answers are corrupt: at %d, %v", corrupt, answered.Load(), next, err)
		}
	}
}
