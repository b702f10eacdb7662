package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/follow"
)

// topic is a Kafka in memory, which can be away, and which refuses values with a word.
type topic struct {
	mutex   sync.Mutex
	away    chan struct{} // closed while it is there
	refuses string
	pending []kafka.Message
	written []kafka.Message
}

func (k *topic) open(context.Context) (Producer, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.pending = nil
	return k, nil
}

func (k *topic) Send(_ context.Context, m *kafka.Message) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.pending = append(k.pending, *m)
	return nil
}

func (k *topic) Flush(ctx context.Context) error {
	select {
	case <-k.away:
	case <-ctx.Done():
		return ctx.Err()
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, m := range k.pending {
		if k.refuses != "" && strings.Contains(string(m.Value), k.refuses) {
			return errors.New("refused")
		}
	}
	k.written = append(k.written, k.pending...)
	k.pending = nil
	return nil
}

func (k *topic) count() int {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return len(k.written)
}

func there() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// logged is a service whose decisions go to a topic. The function ends the log.
func logged(t *testing.T, k *topic, o LogOptions, with func(*Options)) (*Service, *Log, func()) {
	t.Helper()
	doc, _ := learnt(t, 0)
	o.Open = k.open
	l := NewLog(o)
	options := small(&swapping{model: &follow.Model{Document: doc, Version: 9, Term: 2, Alias: "stable"}})
	options.Log = l
	if with != nil {
		with(&options)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	return newService(t, options), l, func() {
		l.Close()
		select {
		case <-k.away:
		default:
			stop()
		}
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		stop()
	}
}

// TestDecisionsAreLogged: a 200 under wait means that Kafka has all decisions, in the form of score --to, with the key of each record; attributes
// only if they are wanted.
func TestDecisionsAreLogged(t *testing.T) {
	for _, attributes := range []bool{false, true} {
		k := &topic{away: there()}
		s, _, end := logged(t, k, LogOptions{Wait: true, Timeout: time.Minute, Bound: 100}, func(o *Options) { o.Attributes = attributes })
		score(t, s, `{"records":[{"id":"a","sex":"Male"},{"id":"b\"","sex":"Female"},{"sex":1,"sex":2}]}`, "X-Request-Id", "r1")
		if k.count() != 3 {
			t.Fatalf("%d decisions are logged, want 3", k.count())
		}
		for i, m := range k.written {
			var line struct {
				ID, Alias, Rejected string
				Score               *float64
				Version, Term       int64
				Attributes          map[string]string
				Source              struct {
					Request string
					Record  int
				}
			}
			if err := json.Unmarshal(m.Value, &line); err != nil {
				t.Fatalf("%s: %v", m.Value, err)
			}
			if line.Version != 9 || line.Term != 2 || line.Alias != "stable" || line.Source.Request != "r1" || line.Source.Record != i || line.ID != string(m.Key) ||
				string(m.Headers[0].Value) != fmt.Sprintf("r1/%d", i) {
				t.Errorf("%s, key %q, %s", m.Value, m.Key, m.Headers[0].Value)
			}
			if sex := line.Attributes["sex"]; (sex != "") != (attributes && i < 2) {
				t.Errorf("attributes %v: %s", attributes, m.Value)
			}
			if (line.Rejected == "") != (i < 2) || (line.Score != nil) != (i < 2) || (m.Key == nil) != (i == 2) {
				t.Errorf("%s", m.Value)
			}
		}
		end()
	}
}

// TestKafkaIsAway: wait refuses with 503 after its time, or at once when its room is full, and goes on when Kafka is back; what was refused is not
// written then. buffer answers, loses what is beyond its bound, and counts it.
func TestKafkaIsAway(t *testing.T) {
	k := &topic{away: make(chan struct{})}
	s, l, end := logged(t, k, LogOptions{Wait: true, Timeout: 20 * time.Millisecond, Bound: 3}, nil)
	for i := range 5 {
		w := post(s, "/v1/score", []byte(`{"records":[{},{}]}`))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "Kafka is away") {
			t.Errorf("request %d while Kafka is away: %d %s", i, w.Code, w.Body)
		}
	}
	close(k.away)
	for l.held() > 0 {
		time.Sleep(time.Millisecond)
	}
	score(t, s, `{"records":[{}]}`)
	end()
	if refused, written := l.refused.Load(), l.written.Load(); refused != 10 || written != 1 || k.count() > 3 {
		t.Errorf("%d are refused and %d written, %d on the topic", refused, written, k.count())
	}

	k = &topic{away: make(chan struct{})}
	s, l, end = logged(t, k, LogOptions{Bound: 3}, nil)
	for range 5 {
		score(t, s, `{"records":[{},{}]}`)
	}
	if lost := l.Lost(); lost != 8 {
		t.Errorf("%d decisions are lost while Kafka is away, want 8", lost)
	}
	close(k.away)
	end()
	if k.count() != 2 || l.written.Load() != 2 || l.Lost() != 8 {
		t.Errorf("%d on the topic, %d written, %d lost", k.count(), l.written.Load(), l.Lost())
	}
}

// TestTheEndLosesAndCounts: the process ends while Kafka is away.
func TestTheEndLosesAndCounts(t *testing.T) {
	k := &topic{away: make(chan struct{})}
	s, l, end := logged(t, k, LogOptions{Bound: 100}, nil)
	score(t, s, `{"records":[{},{}]}`)
	end()
	if l.Lost() != 2 {
		t.Errorf("%d decisions are lost, want 2", l.Lost())
	}
	score(t, s, `{"records":[{}]}`)
	if l.Lost() != 3 {
		t.Errorf("a decision after the end is not counted")
	}
}

// TestADecisionThatKafkaRefuses concerns its request alone.
func TestADecisionThatKafkaRefuses(t *testing.T) {
	k := &topic{away: make(chan struct{}), refuses: "poison"}
	var failed int
	s, l, end := logged(t, k, LogOptions{Wait: true, Timeout: time.Minute, Bound: 100, Failed: func(decisions int, _ error) { failed += decisions }}, nil)
	codes := make(chan string, 4)
	var group sync.WaitGroup
	for i := range 4 {
		id := fmt.Sprint(i)
		if i == 2 {
			id = "poison"
		}
		group.Go(func() {
			codes <- fmt.Sprint(id, " ", post(s, "/v1/score", []byte(`{"records":[{"id":"`+id+`"}]}`)).Code)
		})
	}
	for l.held() < 4 {
		time.Sleep(time.Millisecond)
	}
	close(k.away)
	group.Wait()
	close(codes)
	for code := range codes {
		if strings.HasSuffix(code, "503") != strings.HasPrefix(code, "poison") {
			t.Error(code)
		}
	}
	end()
	if k.count() != 3 || failed != 1 {
		t.Errorf("%d are on the topic, %d failed", k.count(), failed)
	}
}

func (l *Log) held() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.decisions
}
