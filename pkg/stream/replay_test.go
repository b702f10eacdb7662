package stream

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// lettersWorld is a job of which 40 records went to the dead-letter topic, some of them twice; 10 of them are malformed.
func lettersWorld(t *testing.T) (*clustertest.Memory, Options) {
	world := newWorld(2)
	for i, line := range adultLines()[:80] {
		switch {
		case i%8 == 3:
			line = "{"
		case i%8 > 4:
			line = fmt.Sprintf(`{"age":%d,"outcome":">50K"}`, i)
		}
		world.Put(testTopics.Input, int32(i%2), line)
	}
	options := testOptions()
	options.RejectLimit.Share = 1
	run(t, world, options)
	log := world.Topics[testTopics.DeadLetter].Partitions[0]
	if len(log.Records) != 40 {
		t.Fatalf("%d dead letters", len(log.Records))
	}
	log.Records = append(log.Records, log.Records[:7]...) // copies, as after a crash
	options.Model.Record.Renamed = []record.Rename{{Field: "outcome", Was: "income"}}
	return world, options
}

// sources counts by partition/offset what came back to the input.
func sources(world *clustertest.Memory) map[string]int {
	counts := map[string]int{}
	for _, log := range world.Topics[testTopics.Input].Partitions {
		for _, message := range log.Records {
			for _, h := range message.Headers {
				if h.Key == deadletter.HeaderReplay {
					counts[string(h.Value)]++
				}
			}
		}
	}
	return counts
}

// replayOf is a call with small rounds: several transactions.
func replayOf(t *testing.T, world *clustertest.Memory, options Options) (Replayed, error) {
	t.Helper()
	schema, err := options.Model.WithDefaults().Schema()
	if err != nil {
		t.Fatal(err)
	}
	r := replayer(world, testTopics, "adult")
	r.Round = 8
	return r.Replay(t.Context(), schema, false)
}

// aReplay in several transactions fails. The calls after it leave every letter of both topics in the input once.
func aReplay(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
	start, options := lettersWorld(t)
	start.Make(testTopics.Input, 2)
	rejectAgain(t, start, options)
	return func(t *testing.T, f *failure) {
		world := start.Copy()
		f.in(world, nil)
		if _, err := replayOf(t, world, options); !f.injected(err) {
			t.Fatal(err)
		}
		reached := f.end()
		if _, err := replayOf(t, world, options); err != nil {
			t.Fatal(err)
		}
		again, err := replayOf(t, world, options)
		if err != nil || again.Written != 0 || again.Before != 45 || again.Unreadable[Unreadable{Reason: record.MalformedJSON}] != 10 {
			t.Fatalf("the last call gives %+v, %v", again, err)
		}
		found := sources(world)
		if len(found) != 45 {
			t.Errorf("%d letters came back, want 45", len(found))
		}
		for source, n := range found {
			if n != 1 {
				t.Errorf("%s came back %d times", source, n)
			}
		}
		if writing(world) != 0 {
			t.Error("the account still holds letters as being written")
		}
		if !reached {
			if s := run(t, world, options); s.Status().Version != 85 {
				t.Errorf("then %d records are learnt", s.Status().Version)
			}
		}
	}, nothingMore
}

// rejectAgain lets the job reject 15 records of a topic that was made again: their offsets are those of earlier letters.
func rejectAgain(t *testing.T, world *clustertest.Memory, options Options) {
	t.Helper()
	for i := range 15 {
		world.Put(testTopics.Input, 1, fmt.Sprintf(`{"age":%d,"outcome":"<=50K"}`, i))
	}
	options.Model.Record.Renamed = nil
	options.DataLoss = kafka.LossEarliest
	run(t, world, options)
}

// writing counts the notes of what is about to be written.
func writing(world *clustertest.Memory) int {
	live := map[string]bool{}
	for _, m := range world.Topics[testTopics.State].Partitions[0].Records {
		live[string(m.Key)] = m.Value != nil
	}
	n := 0
	for key, there := range live {
		if there && strings.HasSuffix(key, "/writing") {
			n++
		}
	}
	return n
}

// TestLettersOfATopicMadeAgainComeBack: a topic is deleted and made again after a replay. Letters of its new records have
// the partitions and offsets of letters that came back before.
func TestLettersOfATopicMadeAgainComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := lettersWorld(t)
		if first, err := replayOf(t, world, options); err != nil || first.Written != 30 {
			t.Fatalf("%+v, %v", first, err)
		}
		world.Make(testTopics.Input, 2)
		rejectAgain(t, world, options)
		second, err := replayOf(t, world, options)
		if err != nil || second.Written != 15 || second.Before != 30 || len(sources(world)) != 15 {
			t.Errorf("%+v, %v; %d came back, want 15", second, err, len(sources(world)))
		}
	})
}

// TestLettersWithoutTopicID: letters and account of an earlier program, which knew no topic IDs. What it replayed or was
// replaying when it ended stays done; letters that have an ID are others.
func TestLettersWithoutTopicID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := lettersWorld(t)
		letters := world.Topics[testTopics.DeadLetter].Partitions[0].Records
		var earlier []kafka.Message
		for _, letter := range letters {
			letter.Headers = slices.DeleteFunc(slices.Clone(letter.Headers), func(h kafka.Header) bool { return h.Key == deadletter.HeaderTopicID })
			earlier = append(earlier, letter)
		}
		world.Topics[testTopics.DeadLetter].Partitions[0].Records = earlier
		// Of partition 1, the letters 2 and 6 are done, 3 was written, and 7 was about to be.
		note := `{"replayed":{"1":[[2,3],[6,7]]},"pending":{"1":[[3,4],[7,8]]},"ends":{"1":40}}`
		world.Topics[testTopics.State].Partitions[0].Records = append(world.Topics[testTopics.State].Partitions[0].Records,
			kafka.Message{Key: []byte("adult/replay"), Value: []byte(note)})
		input := world.Topics[testTopics.Input].Partitions[1]
		input.Records = append(input.Records, kafka.Message{Value: []byte(`{"age":1,"outcome":">50K"}`), Headers: []kafka.Header{{Key: deadletter.HeaderReplay, Value: []byte("1/3")}}})
		before := map[string]bool{}
		for i := range 2 {
			result, err := replayOf(t, world, options)
			if err != nil || result.Before != []int64{3, 30}[i] || result.Before+result.Written != 30 {
				t.Fatalf("call %d: %+v, %v", i+1, result, err)
			}
			for source, n := range sources(world) {
				if n != 1 {
					t.Errorf("%s came back %d times", source, n)
				}
				before[source] = true
			}
		}
		if len(before) != 28 || before["1/2"] || !before["1/7"] {
			t.Errorf("came back: %v", before)
		}
		world.Topics[testTopics.DeadLetter].Partitions[0].Records = append(earlier, letters...)
		if result, err := replayOf(t, world, options); err != nil || result.Written != 30 {
			t.Errorf("the same letters with an ID: %+v, %v", result, err)
		}
	})
}

// TestALateReplayWritesNothing: a call is paused before it commits, as by SIGSTOP. The next one writes the letters, and
// the first, once it wakes, none.
func TestALateReplayWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := lettersWorld(t)
		replay := func() (Replayed, error) {
			return ReplayDeadLetters(t.Context(), world, options.Model, nil, testTopics, "adult", false)
		}
		paused := false
		world.Inject = func(operation string) clustertest.Fault {
			if strings.HasPrefix(operation, "commit ") && !paused {
				paused = true
				world.Mutex.Unlock()
				if result, err := replay(); err != nil || result.Written != 30 {
					t.Errorf("the second call: %+v, %v", result, err)
				}
				world.Mutex.Lock()
			}
			return clustertest.Fault{}
		}
		var fenced *kafka.Fenced
		if _, err := replay(); !errors.As(err, &fenced) {
			t.Errorf("the first call: %v", err)
		}
		world.Inject = nil
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
		before := len(world.Topics[testTopics.State].Partitions[0].Records)
		dry, err := ReplayDeadLetters(t.Context(), world, options.Model, nil, testTopics, "adult", true)
		if err != nil || dry.Written != 30 || len(sources(world)) != 0 || len(world.Topics[testTopics.State].Partitions[0].Records) != before {
			t.Errorf("%+v, %v", dry, err)
		}
		other, err := ReplayDeadLetters(t.Context(), world, options.Model, nil, testTopics, "other", false)
		if err != nil || other.Written != 0 {
			t.Errorf("another job: %+v, %v", other, err)
		}
	})
}
