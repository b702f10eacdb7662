package stream

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/record"
)

// lettersWorld is a job of which 40 records went to the dead-letter topic, some of them twice; 10 of them are malformed.
func lettersWorld(t *testing.T) (*memory, Options) {
	world := newWorld(2)
	for i, line := range adultLines()[:80] {
		switch {
		case i%8 == 3:
			line = "{"
		case i%8 > 4:
			line = fmt.Sprintf(`{"age":%d,"outcome":">50K"}`, i)
		}
		world.put(testTopics.Input, int32(i%2), line)
	}
	options := testOptions()
	options.RejectLimit.Share = 1
	run(t, world, options)
	log := world.topics[testTopics.DeadLetter].partitions[0]
	if len(log.records) != 40 {
		t.Fatalf("%d dead letters", len(log.records))
	}
	log.records = append(log.records, log.records[:7]...) // copies, as after a crash
	options.Model.Record.Renamed = []record.Rename{{Field: "outcome", Was: "income"}}
	return world, options
}

// sources counts by partition/offset what came back to the input.
func sources(world *memory) map[string]int {
	counts := map[string]int{}
	for _, log := range world.topics[testTopics.Input].partitions {
		for _, message := range log.records {
			for _, h := range message.Headers {
				if h.Key == HeaderReplay {
					counts[string(h.Value)]++
				}
			}
		}
	}
	return counts
}

// TestDeadLettersComeBackOnce fails the i-th operation of a replay, for every i, before and after its effect, for good
// and for a moment. The calls after it leave every letter in the input once.
func TestDeadLettersComeBackOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, kind := range []fault{{}, {errFatal, false}, {errFatal, true}, {errRetryable, false}, {errRetryable, true}} {
			for i := 1; ; i++ {
				world, options := lettersWorld(t)
				replay := func() (Replayed, error) {
					return ReplayDeadLetters(t.Context(), world, options.Model, testTopics, "adult", false)
				}
				count := 0
				world.inject = func(string) fault {
					if count++; count == i {
						return kind
					}
					return fault{}
				}
				if _, err := replay(); err != nil && !errors.Is(err, errInjected) {
					t.Fatal(err)
				}
				world.inject = nil
				if _, err := replay(); err != nil {
					t.Fatal(err)
				}
				again, err := replay()
				if err != nil || again.Written != 0 || again.Before != 30 || again.Unreadable[string(record.MalformedJSON)] == 0 {
					t.Fatalf("operation %d: the last call gives %+v, %v", i, again, err)
				}
				found := sources(world)
				if len(found) != 30 {
					t.Fatalf("operation %d: %d letters came back, want 30", i, len(found))
				}
				for source, n := range found {
					if n != 1 {
						t.Fatalf("operation %d (%v): %s came back %d times", i, kind, source, n)
					}
				}
				if count < i {
					if s := run(t, world, options); s.Status().Version != 70 {
						t.Errorf("then %d records are learnt", s.Status().Version)
					}
					break
				}
			}
		}
	})
}

// TestALateReplayWritesNothing: a call is paused before it commits, as by SIGSTOP. The next one writes the letters, and
// the first, once it wakes, none.
func TestALateReplayWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := lettersWorld(t)
		replay := func() (Replayed, error) {
			return ReplayDeadLetters(t.Context(), world, options.Model, testTopics, "adult", false)
		}
		paused := false
		world.inject = func(operation string) fault {
			if strings.HasPrefix(operation, "commit ") && !paused {
				paused = true
				world.mutex.Unlock()
				if result, err := replay(); err != nil || result.Written != 30 {
					t.Errorf("the second call: %+v, %v", result, err)
				}
				world.mutex.Lock()
			}
			return fault{}
		}
		var fenced *kafka.Fenced
		if _, err := replay(); !errors.As(err, &fenced) {
			t.Errorf("the first call: %v", err)
		}
		world.inject = nil
		if result, err := replay(); err != nil || result.Written != 0 || result.Before != 30 {
			t.Errorf("a third call: %+v, %v", result, err)
		}
		for source, n := range sources(world) {
			if n != 1 {
				t.Errorf("%s came back %d times", source, n)
			}
		}
	})
}

func TestDryReplayWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := lettersWorld(t)
		before := len(world.topics[testTopics.State].partitions[0].records)
		dry, err := ReplayDeadLetters(t.Context(), world, options.Model, testTopics, "adult", true)
		if err != nil || dry.Written != 30 || len(sources(world)) != 0 || len(world.topics[testTopics.State].partitions[0].records) != before {
			t.Errorf("%+v, %v", dry, err)
		}
		other, err := ReplayDeadLetters(t.Context(), world, options.Model, testTopics, "other", false)
		if err != nil || other.Written != 0 {
			t.Errorf("another job: %+v, %v", other, err)
		}
	})
}

// A letter that was rejected, replayed and rejected again comes back with its first headers alone.
func TestResurrectedRecordIsAsItWas(t *testing.T) {
	r := replay{job: "adult", topics: testTopics}
	original := kafka.Message{Timestamp: 5, Key: []byte("k"), Value: []byte("v"), Headers: []kafka.Header{{Key: "trace", Value: []byte("1")}}}
	source := kafkatest.Record(7, &original)
	letter := deadLetter("adult", testTopics.Input, 3, &source, &record.Rejection{Reason: record.MissingLabel})
	dead := kafkatest.Record(0, &letter)
	back, partition, offset, ours := r.resurrect(&dead)
	if !ours || partition != 3 || offset != 7 || len(back.Headers) != 2 || back.Headers[0].Key != "trace" || string(back.Headers[1].Value) != "3/7" {
		t.Errorf("%+v from %d/%d, %v", back, partition, offset, ours)
	}
	source = kafkatest.Record(9, &back)
	letter = deadLetter("adult", testTopics.Input, 3, &source, &record.Rejection{Reason: record.MissingLabel})
	dead = kafkatest.Record(1, &letter)
	if back, _, _, _ = r.resurrect(&dead); len(back.Headers) != 2 || string(back.Headers[1].Value) != "3/9" {
		t.Errorf("again: %+v", back.Headers)
	}
}

func TestSpans(t *testing.T) {
	var s spans
	want := map[int64]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		offset := random.Int64N(300)
		s, want[offset] = s.with(offset), true
	}
	for offset := range int64(310) {
		if s.has(offset) != want[offset] {
			t.Fatalf("offset %d: %v in %v", offset, s.has(offset), s)
		}
	}
	if s.count() != int64(len(want)) {
		t.Errorf("%d of %d", s.count(), len(want))
	}
}
