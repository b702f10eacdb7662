package scoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

func TestMain(m *testing.M) { os.Exit(broker.Main(m)) }

// onBoth runs a test on the embedded broker and on the real one.
func onBoth(t *testing.T, test func(t *testing.T, address string)) {
	t.Run("embedded", func(t *testing.T) {
		b, err := devbroker.Start(devbroker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		test(t, b.Addresses()[0])
	})
	t.Run("real", func(t *testing.T) { test(t, broker.Shared(t).Address) })
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// world is a job that has published weights, and a topic of records to decide.
type world struct {
	t      *testing.T
	config kafka.Config
	client *kafka.Client
	base   string
	lines  []string // decided, in turns over the partitions; some are malformed
	doc    *document.Document
}

const partitions = 3

func newWorld(t *testing.T, address string, records int) *world {
	t.Helper()
	w := &world{t: t, config: kafka.Config{Brokers: []string{address}}, base: fmt.Sprintf("score%d", time.Now().UnixNano())}
	var err error
	w.client, err = kafka.Open(w.config, kafka.Options{})
	must(t, err)
	t.Cleanup(func() { _ = w.client.Close() })
	topics := stream.Topics{Input: w.base, Model: w.base + ".models", State: w.base + ".state", DeadLetter: w.base + ".dlq"}
	options := stream.Options{Job: "adult", Topics: topics, UntilEnd: true, Model: model.Config{Record: record.Config{Label: record.Label{Field: "income", Positive: ">50K"}},
		Learner: model.DefaultLearner()}}
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute, constraint.Group, constraint.Versus = "sex", model.OneOrMore{"sex"}, model.Values("Male"), model.Values("Female")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	options.Model.Constraints = []model.Constraint{constraint}
	specs := append(options.TopicSpecs(1), kafka.TopicSpec{Name: w.base, Kind: kafka.InputTopic, Partitions: partitions},
		kafka.TopicSpec{Name: w.base + ".unlabelled", Kind: kafka.InputTopic, Partitions: partitions},
		kafka.TopicSpec{Name: w.base + ".decisions", Kind: kafka.InputTopic, Partitions: partitions})
	_, err = w.client.CreateTopics(t.Context(), specs...)
	must(t, err)

	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	must(t, err)
	var labelled [partitions][]kafka.Message
	for i := range 2000 {
		must(t, reader.Next())
		labelled[i%partitions] = append(labelled[i%partitions], kafka.Message{Value: reader.AppendJSON(nil)})
	}
	for range records {
		must(t, reader.Next())
		line := string(reader.AppendJSON(nil))
		w.lines = append(w.lines, line[:strings.LastIndex(line, `,"income"`)]+"}")
		if len(w.lines)%100 == 0 {
			w.lines[len(w.lines)-1] = "{"
		}
	}
	for p := range partitions {
		_, err := w.client.Produce(t.Context(), w.base, int32(p), labelled[p]...)
		must(t, err)
	}
	must(t, stream.New(stream.Kafka(w.client), options).Run(t.Context()))
	models, err := stream.ReadModels(t.Context(), stream.Kafka(w.client), topics.Model, "adult")
	must(t, err)
	w.doc, err = models.Newest().Document()
	must(t, err)
	return w
}

// put writes the next lines to the topic of unlabelled records.
func (w *world) put(from, to int) {
	w.t.Helper()
	var messages [partitions][]kafka.Message
	for i := from; i < to; i++ {
		messages[i%partitions] = append(messages[i%partitions], kafka.Message{Key: fmt.Appendf(nil, "k%d", i), Value: []byte(w.lines[i])})
	}
	for p := range partitions {
		for len(messages[p]) > 0 {
			n := min(len(messages[p]), 500)
			_, err := w.client.Produce(w.t.Context(), w.base+".unlabelled", int32(p), messages[p][:n]...)
			must(w.t, err)
			messages[p] = messages[p][n:]
		}
	}
}

func (w *world) follower(alias string) *follow.Follower {
	w.t.Helper()
	f, err := follow.Open(follow.Options{Kafka: w.config, Topic: w.base + ".models", Job: "adult", Alias: alias})
	must(w.t, err)
	w.t.Cleanup(func() { _ = f.Close() })
	return f
}

func (w *world) options() Options {
	return Options{Job: w.base, From: w.base + ".unlabelled", To: w.base + ".decisions", Models: w.follower(""), UntilEnd: true, Workers: 2, CommitEvery: 20 * time.Millisecond}
}

// scored is a decision as a reader sees it.
type scored struct {
	Score       *float64 `json:"score"`
	Probability *float64 `json:"probability"`
	Decision    *int     `json:"decision"`
	Rejected    string   `json:"rejected"`
	Version     int64    `json:"version"`
	Term        int64    `json:"term"`
	Alias       string   `json:"alias"`
	Shadow      *scored  `json:"shadow"`
	Source      struct {
		Topic     string `json:"topic"`
		Partition int32  `json:"partition"`
		Offset    int64  `json:"offset"`
	} `json:"source"`
}

// check compares the decisions that readers of committed records see with the document's, by source offset: each record
// once, in the order of its partition.
//
// A broker acknowledges a commit before its markers are everywhere: until then readers see less.
func (w *world) check(records int, use func(i int, s *scored)) {
	w.t.Helper()
	for range 1000 {
		visible := 0
		for p := range int32(partitions) {
			_, err := w.client.ReadInput(w.t.Context(), w.base+".decisions", p, kafka.Earliest, kafka.End, func(*kafka.Record) error { visible++; return nil })
			must(w.t, err)
		}
		if visible >= records {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	schema, err := w.doc.Schema()
	must(w.t, err)
	decoder := schema.NewDecoder()
	classifier, err := w.doc.Classifier()
	must(w.t, err)
	seen := 0
	for p := range int32(partitions) {
		next := int64(0)
		_, err := w.client.ReadInput(w.t.Context(), w.base+".decisions", p, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			var s scored
			if err := json.Unmarshal(r.Value, &s); err != nil {
				return fmt.Errorf("%s: %w", r.Value, err)
			}
			headers := r.Headers()
			if source := fmt.Sprintf("%s/%d/%d", s.Source.Topic, s.Source.Partition, s.Source.Offset); len(headers) != 1 || headers[0].Key != HeaderSource || string(headers[0].Value) != source {
				return fmt.Errorf("headers %+v of %s", headers, r.Value)
			}
			if s.Source.Topic != w.base+".unlabelled" || s.Source.Partition != p || s.Source.Offset != next {
				return fmt.Errorf("partition %d: %+v comes where offset %d is due", p, s.Source, next)
			}
			i := int(next)*partitions + int(p)
			if string(r.Key) != fmt.Sprint("k", i) {
				return fmt.Errorf("record %d has key %s", i, r.Key)
			}
			var rec record.Record
			if rejection := decoder.DecodeJSON(&rec, []byte(w.lines[i])); rejection != nil {
				if s.Score != nil || s.Decision != nil || s.Rejected != "malformed_json" {
					return fmt.Errorf("record %d: %s", i, r.Value)
				}
			} else if d := classifier.Decide(&rec); s.Score == nil || *s.Score != d.Score || *s.Probability != d.Probability || (*s.Decision == 1) != d.Positive || s.Version != w.doc.Version || s.Term != w.doc.Lineage.Term {
				return fmt.Errorf("record %d: %s, want %+v", i, r.Value, d)
			}
			if use != nil {
				use(i, &s)
			}
			next++
			seen++
			return nil
		})
		must(w.t, err)
	}
	if seen != records {
		w.t.Fatalf("%d decisions of %d records", seen, records)
	}
}

// TestEachRecordIsDecidedOnce: processes are killed at random moments, some while another one already scores; readers see
// one decision for each record, the one of the document.
func TestEachRecordIsDecidedOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address string) {
		const records = 6000
		w := newWorld(t, address, records)
		random := rand.New(rand.NewPCG(1, 2))
		for i := range 10 {
			w.put(i*records/10, (i+1)*records/10)
			client, err := kafka.Open(w.config, kafka.Options{})
			must(t, err)
			s, err := prepare(client, w.options())
			must(t, err)
			done := make(chan error, 1)
			go func() { done <- s.Run(t.Context()) }()
			switch i % 3 {
			case 0: // killed: nothing more gets through
				time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
				must(t, client.Close())
				if err := <-done; err != nil {
					t.Logf("killed: %v", err)
				}
			case 1: // another one takes over, or is taken over if it was first
				time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
				second, err := prepare(w.client, w.options())
				must(t, err)
				var fenced *kafka.Fenced
				for _, err := range []error{second.Run(t.Context()), <-done} {
					if err != nil && !errors.As(err, &fenced) {
						t.Errorf("one of two: %v", err)
					}
				}
				must(t, client.Close())
			default:
				must(t, <-done)
				must(t, client.Close())
			}
		}
		s, err := prepare(w.client, w.options())
		must(t, err)
		must(t, s.Run(t.Context()))
		w.check(records, func(i int, s *scored) {
			if s.Alias != follow.LatestAlias || s.Shadow != nil {
				t.Errorf("record %d: %+v", i, s)
			}
		})
		again, err := prepare(w.client, w.options())
		must(t, err)
		must(t, again.Run(t.Context()))
		if status := again.Status(); status.Scored+status.Rejected != 0 {
			t.Errorf("decided again: %+v", status)
		}
	})
}

// TestAnOutageLongerThanTheTransaction: the broker does not let a commit through until it has ended the transaction. Then
// scoring goes on from what is committed, and each record is decided once; if another process committed meanwhile, it ends.
func TestAnOutageLongerThanTheTransaction(t *testing.T) {
	t.Parallel()
	for _, other := range []bool{false, true} {
		t.Run(fmt.Sprintf("another process %t", other), func(t *testing.T) {
			const records, timeout = 900, time.Second
			b, err := devbroker.Start(devbroker.Options{})
			must(t, err)
			t.Cleanup(b.Close)
			w := newWorld(t, b.Addresses()[0], records)
			first := records
			if other {
				first = records / 2
			}
			w.put(0, first)
			client, err := kafka.Open(w.config, kafka.Options{TransactionTimeout: timeout})
			must(t, err)
			defer func() { must(t, client.Close()) }()
			s, err := prepare(client, w.options())
			must(t, err)
			var began time.Time
			held := make(chan struct{})
			const notAvailable int16 = 15 // COORDINATOR_NOT_AVAILABLE of Kafka's protocol
			var epoch int16
			var released atomic.Bool
			b.Cluster.ControlKey(int16(kmsg.EndTxn), func(request kmsg.Request) (kmsg.Response, error, bool) {
				b.Cluster.KeepControl()
				r := request.(*kmsg.EndTxnRequest)
				if began.IsZero() {
					began, epoch = time.Now(), r.ProducerEpoch
					close(held)
				}
				if r.ProducerEpoch != epoch || released.Load() && time.Since(began) > timeout+timeout/2 {
					return nil, nil, false
				}
				answer := request.ResponseKind().(*kmsg.EndTxnResponse)
				answer.ErrorCode = notAvailable
				return answer, nil, true
			})
			done := make(chan error, 1)
			go func() { done <- s.Run(t.Context()) }()
			<-held
			if other {
				w.put(first, records)
				second, err := prepare(w.client, w.options())
				must(t, err)
				must(t, second.Run(t.Context()))
			}
			released.Store(true)
			err = <-done
			var fenced *kafka.Fenced
			if other != errors.As(err, &fenced) || !other && err != nil {
				t.Errorf("ended with %v", err)
			}
			w.check(records, nil)
			if status := s.Status(); !other && status.Scored+status.Rejected != records {
				t.Errorf("status %+v", status)
			}
		})
	}
}

// TestOpenTransaction: what a transaction that is open holds back is not decided, and counted; the next run decides it.
func TestOpenTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		w := newWorld(t, address, 300)
		w.put(0, 150)
		open, err := w.client.NewTransactor(t.Context(), w.base+".open")
		must(t, err)
		must(t, open.Append(t.Context(), w.base+".unlabelled", 0, kafka.Message{Value: []byte(w.lines[0])}))
		w.put(150, 300) // committed, and behind it in partition 0
		for _, want := range []struct{ scored, held int64 }{{250, 51}, {50, 0}} {
			s, err := prepare(w.client, w.options())
			must(t, err)
			must(t, s.Run(t.Context()))
			if status := s.Status(); status.Scored+status.Rejected != want.scored || status.Held != want.held {
				t.Errorf("%d decisions, and %d offsets held back, want %+v", status.Scored+status.Rejected, status.Held, want)
			}
			if want.held > 0 {
				must(t, open.Abort(t.Context()))
			}
		}
	})
}

// TestShadowAndSplit: the shadow scores every record, and decides its share by the hash of the key.
func TestShadowAndSplit(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	const records = 3000
	w := newWorld(t, b.Addresses()[0], records)
	w.put(0, records)
	alias := fmt.Sprintf(`{"term":%d,"version":%d,"weights_sha256":%q,"key":"adult/v/%d/%d"}`, w.doc.Lineage.Term, w.doc.Version, w.doc.WeightsSHA256, w.doc.Lineage.Term, w.doc.Version)
	_, err = w.client.Produce(t.Context(), w.base+".models", 0, kafka.Message{Key: []byte("adult/candidate"), Value: []byte(alias)})
	must(t, err)
	options := w.options()
	options.Shadow, options.Split = w.follower("candidate"), .2
	_, err = options.Shadow.Wait(t.Context())
	must(t, err)
	s, err := prepare(w.client, options)
	must(t, err)
	must(t, s.Run(t.Context()))
	share := 0
	w.check(records, func(i int, s *scored) {
		if s.Shadow == nil || s.Alias == s.Shadow.Alias {
			t.Fatalf("record %d: %+v", i, s)
		}
		if s.Alias == "candidate" {
			share++
		}
	})
	if share < records/5-100 || share > records/5+100 { // 4.5 standard deviations
		t.Errorf("the shadow decides %d of %d", share, records)
	}
}

// TestRunsUntilStopped: decisions come soon after their records, and a stop leaves no transaction open.
func TestRunsUntilStopped(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	w := newWorld(t, b.Addresses()[0], 300)
	options := w.options()
	options.UntilEnd = false
	s, err := prepare(w.client, options)
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	for i := range 3 {
		w.put(i*100, (i+1)*100)
		for s.Status().Scored+s.Status().Rejected < int64(i+1)*100 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w.check(300, nil)
}

func TestOptionsAreChecked(t *testing.T) {
	f := &follow.Follower{}
	for _, o := range []Options{{From: "a", To: "a", Models: f}, {From: "a", To: "b"}, {From: "a", To: "b", Models: f, Split: 2}, {From: "a", To: "b", Models: f, Split: .5}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// TestLines: a decision is JSON whatever its texts hold, with the attributes that the constraints name and with the join key
// where records have no identifier.
func TestLines(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	w := newWorld(t, b.Addresses()[0], 1)
	w.doc.Config.Record.Key = "case"
	d, err := NewDecider(&follow.Model{Document: w.doc, Version: 1, Term: 1, Alias: "stable"})
	must(t, err)
	out := newWriter(&Options{From: `a "topic"`, Attributes: true})
	for _, text := range []string{"Male", `"\\`, "ü \u2028 <b>", "a\x00b\tc", ""} {
		value, err := json.Marshal(map[string]string{"sex": text, "case": "7 " + text, "age": "39"})
		must(t, err)
		m, decided, _ := out.message(2, &kafka.Record{Offset: 5, Value: value}, d, nil)
		var line struct {
			ID         string
			Score      float64
			Attributes map[string]string
			Source     struct{ Topic string }
		}
		if err := json.Unmarshal(m.Value, &line); err != nil || decided.Rejection != nil || line.ID != "7 "+text || line.Source.Topic != `a "topic"` || line.Score <= 0 {
			t.Errorf("%q: %v, %s", text, err, m.Value)
		}
		if sex, has := line.Attributes["sex"]; sex != text || has == (text == "") || len(line.Attributes) > 1 {
			t.Errorf("attributes of %q: %s", text, m.Value)
		}
	}
	m, decided, _ := out.message(2, &kafka.Record{Offset: 5, Value: []byte(`{"case":"7","age":"thirty","hours_per_week":[40]}`)}, d, nil)
	status := Status{}
	if status.count(decided); status.Unread != 1 || status.Scored != 1 || !strings.Contains(string(m.Value), `,"unread":["hours_per_week","age"],"version":1`) || !json.Valid(m.Value) {
		t.Errorf("values of other types: %s, counted %+v", m.Value, status)
	}
	if m, decided, _ := out.message(2, &kafka.Record{Offset: 5, Value: []byte("{")}, d, nil); decided.Rejection == nil || strings.Contains(string(m.Value), "attributes") || !json.Valid(m.Value) {
		t.Errorf("a malformed record: %s", m.Value)
	}
}
