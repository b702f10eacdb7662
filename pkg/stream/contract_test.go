package stream

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/test/broker"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a fault loop begins hundreds of jobs, and would spend a sixth of its time on collecting what the last one left
	os.Exit(broker.Main(m))
}

// cluster is a broker with topics of one test's own.
type realTopics struct {
	Cluster
	client *kafka.Client
	topics Topics

	addresses []string
}

// onBrokers runs a test on the embedded broker and on a real one.
func onBrokers(t *testing.T, partitions int, test func(t *testing.T, c *realTopics)) {
	t.Run("embedded", func(t *testing.T) {
		b, err := devbroker.Start(devbroker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		test(t, newCluster(t, partitions, b.Addresses()...))
	})
	t.Run("real", func(t *testing.T) { test(t, newCluster(t, partitions, broker.Shared(t).Address)) })
}

func newCluster(t *testing.T, partitions int, addresses ...string) *realTopics {
	t.Helper()
	existing := goleak.IgnoreCurrent()
	client, err := kafka.Open(kafka.Config{Brokers: addresses}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		// The embedded broker's own goroutines, begun for our connections, end when it closes.
		err := goleak.Find(existing, goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*clientConn).read"),
			goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*clientConn).write"),
			goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*broker).listen"),
			goleak.IgnoreAnyFunction("github.com/fairstream/fairstream/internal/devbroker.(*guardedConn).Read"))
		if err != nil {
			t.Error(err)
		}
	})
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '#' {
			return '.'
		}
		return r
	}, t.Name())
	c := &realTopics{cluster.Kafka(client), client, Topics{Input: name, Model: name + ".models", State: name + ".state", DeadLetter: name + ".dlq", History: name + ".history",
		Events: name + ".events"}, addresses}
	specs := append(c.options().TopicSpecs(1), kafka.TopicSpec{Name: name, Kind: kafka.InputTopic, Partitions: partitions})
	if _, err := client.CreateTopics(t.Context(), specs...); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *realTopics) options() Options {
	o := testOptions()
	o.Topics = c.topics
	return o
}

// put writes lines, in turns over the partitions.
func (c *realTopics) put(t *testing.T, partitions int, lines []string) {
	t.Helper()
	const batch = 200
	for partition := range partitions {
		var messages []kafka.Message
		for i := partition; i < len(lines); i += partitions {
			messages = append(messages, kafka.Message{Value: []byte(lines[i])})
		}
		for part := range slices.Chunk(messages, batch) {
			if _, err := c.client.Produce(t.Context(), c.topics.Input, int32(partition), part...); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (c *realTopics) run(t *testing.T, options Options) *Stream {
	t.Helper()
	s := New(c, options)
	if err := s.Run(t.Context()); err != nil { // no limit of its own: a run that is cut off ends in good order, with fewer records
		t.Fatal(err)
	}
	return s
}

// TestBadRecordsChangeNothing: of the 48,842 Adult records 1,000 are spoilt. All of them are dead letters
// with reason and source, and the weights are those of the others alone.
func TestBadRecordsChangeNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		lines := slices.Clone(adultLines())
		var good []string
		spoilt := map[string]bool{}
		for i, line := range lines {
			if i%48 == 7 && len(spoilt) < 1000 {
				lines[i] = line[:len(line)-2]
				spoilt[fmt.Sprint(i)] = true
				continue
			}
			good = append(good, line)
		}
		c.put(t, 1, lines)
		s := c.run(t, c.options())
		if status := s.Status(); status.Version != int64(len(good)) || status.DeadLetters != 1000 {
			t.Errorf("learnt %d of %d, %d dead letters", status.Version, len(good), status.DeadLetters)
		}
		_, err := c.Read(t.Context(), c.topics.DeadLetter, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			reason := ""
			for _, h := range r.Headers() {
				switch h.Key {
				case deadletter.HeaderOffset:
					if !spoilt[string(h.Value)] {
						t.Errorf("offset %s came twice, or is not spoilt", h.Value)
					}
					delete(spoilt, string(h.Value))
				case deadletter.HeaderReason:
					reason = string(h.Value)
				}
			}
			if reason != "malformed_json" {
				t.Errorf("reason %q at offset %d", reason, r.Offset)
			}
			return nil
		})
		if err != nil || len(spoilt) > 0 {
			t.Errorf("%d spoilt records are missing, %v", len(spoilt), err)
		}
		models, err := ReadModels(t.Context(), c, c.topics.Model, "adult")
		if err != nil {
			t.Fatal(err)
		}
		if want := plain(t, good).WeightsSHA256; models.Newest().WeightsSHA256 != want {
			t.Errorf("weights %s, without the spoilt records %s", models.Newest().WeightsSHA256, want)
		}
	})
}

// TestGoesOnWhereItStopped interrupts a job again and again.
func TestGoesOnWhereItStopped(t *testing.T) {
	for _, partitions := range []int{1, 4} {
		onBrokers(t, partitions, func(t *testing.T, c *realTopics) {
			lines := adultLines()[:6000]
			c.put(t, partitions, lines[:4000])
			options := c.options()
			options.UntilEnd = false
			options.Snapshot, options.Publish = Cadence{Records: 500}, Cadence{Records: 1500}
			for i := range 4 {
				ctx, stop := context.WithCancel(t.Context())
				s := New(c, options)
				done := make(chan error, 1)
				go func() { done <- s.Run(ctx) }()
				for s.Status().Phase != PhaseEnded && s.Status().Version < int64(i)*1000+250 {
					time.Sleep(10 * time.Millisecond)
				}
				stop()
				if err := <-done; err != nil {
					t.Fatal(err)
				}
			}
			c.put(t, partitions, lines[4000:])
			s := c.run(t, c.options())
			status := s.Status()
			if status.Version != 6000 || status.Claim.Term != 5 {
				t.Errorf("learnt %d in term %d", status.Version, status.Claim.Term)
			}
			for _, p := range status.Partitions {
				var want intake.Tally
				for offset := range p.Next {
					want.Add(p.Partition, offset)
				}
				if p.Learnt != want || p.Next != int64(6000/partitions) {
					t.Errorf("partition %d: learnt %+v to offset %d, want %+v", p.Partition, p.Learnt, p.Next, want)
				}
			}
			if partitions == 1 {
				models, err := ReadModels(t.Context(), c, c.topics.Model, "adult")
				if err != nil {
					t.Fatal(err)
				}
				if want := plain(t, lines).WeightsSHA256; models.Newest().WeightsSHA256 != want {
					t.Errorf("weights %s, without interruptions %s", models.Newest().WeightsSHA256, want)
				}
			}
		})
	}
}

// TestALargeStateIsSavedInParts: more than a message may hold.
func TestALargeStateIsSavedInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("learns from wide records: left out by -short")
	}
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		options := c.options()
		options.ShutdownTimeout = 10 * time.Minute // a busy machine with the race detector
		random := rand.New(rand.NewPCG(1, 1))
		var lines []string
		for _, line := range adultLines()[:3000] {
			wide := []byte(strings.TrimSuffix(line, "}"))
			for column := range 150 {
				wide = fmt.Appendf(wide, `,"number %d":%v`, column, random.NormFloat64())
			}
			lines = append(lines, string(append(wide, '}')))
		}
		c.put(t, 1, lines)
		c.run(t, options)
		state, err := ReadState(t.Context(), c, c.topics.State, "adult")
		if err != nil {
			t.Fatal(err)
		}
		if state.Snapshot.Bytes < 2*owner.MostMessageBytes || state.Snapshot.Partitions[0].Learnt.Count != 3000 {
			t.Errorf("a snapshot of %d bytes, %+v", state.Snapshot.Bytes, state.Snapshot.Partitions)
		}
		c.put(t, 1, lines[:500])
		if status := c.run(t, options).Status(); status.Version != 3500 {
			t.Errorf("learnt %d", status.Version)
		}
	})
}
