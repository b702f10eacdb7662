package kafka

import (
	"context"
	"fmt"
	"strings"
	"testing"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/batches"
)

// TestWhatARefusalMeans for a partition: what is asked for next, what is told as its problem, and which error ends all reading at once, or when it comes again.
func TestWhatARefusalMeans(t *testing.T) {
	corrupt := &CorruptError{Topic: "topic", Offset: 5, Problem: "it is bent"}
	for name, c := range map[string]struct {
		err     error
		before  int // strikes
		state   state
		strikes int
		final   bool
	}{
		"out of range":               {kafkago.OffsetOutOfRange, 0, outOfRange, 1, false},
		"out of range once more":     {kafkago.OffsetOutOfRange, 7, outOfRange, 8, false},
		"another leads":              {kafkago.NotLeaderForPartition, 0, unsure, 0, false},
		"it may not be read":         {kafkago.TopicAuthorizationFailed, 0, unsure, 0, true},
		"corrupt":                    {corrupt, 0, unsure, 1, false},
		"corrupt, the third time":    {corrupt, corruptStrikes - 2, unsure, corruptStrikes - 1, false},
		"corrupt, the fourth time":   {corrupt, corruptStrikes - 1, unsure, corruptStrikes, true},
		"the broker finds it so":     {kafkago.InvalidMessage, 0, unsure, 1, false},
		"the broker, a fourth time":  {kafkago.InvalidMessage, corruptStrikes - 1, unsure, corruptStrikes, true},
		"a format that is not known": {&CorruptError{Topic: "topic", Problem: string(batches.UnsupportedFormat)}, 0, unsure, 1, true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		f := &Fetcher{options: FetchOptions{Topic: "topic"}, context: ctx, cancel: cancel, look: make(chan struct{}, 1), failed: make(chan struct{})}
		f.extend(1)
		p := f.partitions[0]
		p.state, p.taken, p.strikes, p.next = ready, true, c.before, 5
		f.refused(p, 0, c.err)
		if p.state != c.state || p.strikes != c.strikes || p.taken || p.next != 5 || p.problem == nil {
			t.Errorf("%s: %+v", name, p)
		}
		if final := f.failure != nil && ctx.Err() != nil; final != c.final || final == (len(f.look) == 1) {
			t.Errorf("%s: it ends reading: %v (%v); the coordinator is to look: %v", name, final, f.failure, len(f.look) == 1)
		}
		held := *p
		held.taken, held.turn = true, 1
		f.refused(&held, 0, c.err)
		if held.state != p.state || held.strikes != p.strikes || held.problem != p.problem || held.taken {
			t.Errorf("%s, of a partition that was held meanwhile: %+v", name, held)
		}
		cancel()
	}
}

// TestReplicationIsThatOfTheCluster unless a number is given.
func TestReplicationIsThatOfTheCluster(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	for given, want := range map[int]int16{0: -1, 1: 1, 3: 3} {
		var sent int16
		ctx, cancel := context.WithCancel(w.context())
		w.answers(kmsg.CreateTopics, 1, func(request kmsg.Request) (kmsg.Response, error) {
			sent = request.(*kmsg.CreateTopicsRequest).Topics[0].ReplicationFactor
			cancel() // nobody waits for an answer
			return request.ResponseKind(), nil
		})
		_, _ = w.Client.create(ctx, TopicSpec{Name: fmt.Sprint("topic", given), Kind: InputTopic, Partitions: 1, ReplicationFactor: given})
		if sent != want {
			t.Errorf("of %d replicas: %d are asked for", given, sent)
		}
	}
}

// TestFetchesThatFailAreTold with the broker they were sent to, and so is the end of it.
func TestFetchesThatFailAreTold(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	w.write(topic, 0, 0, 10)
	w.answers(kmsg.Fetch, 2, hangsUp)
	w.fetchUntil(w.fetcher(FetchOptions{Topic: topic}), func(s *seen) bool { return s.count() == 10 })
	w.waitFor("the end of the outage", func() bool { return len(w.outages.open()) == 0 })
	if told := w.outages.String(); !strings.Contains(told, fmt.Sprintf("fetch %s from broker", topic)) {
		t.Errorf("told of\n%s", told)
	}
}
