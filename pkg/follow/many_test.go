package follow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/test/broker"
)

func TestMain(m *testing.M) { os.Exit(broker.Main(m)) }

// TestManyVersions: on a real broker that is killed now and then, with a cleaner that never rests, a follower uses every
// version in order, and refuses each forged one. Followers that begin in the middle use the newest at once, and none goes
// back. Old documents are deleted as run does, and forged ones by their key; however slow the machine is, nothing is deleted
// before the follower has met it.
func TestManyVersions(t *testing.T) {
	const keep, behind, forgeEvery = 10, 5, 50
	versions := manyVersions()
	b := broker.Start(t)
	config := kafka.Config{Brokers: []string{b.Address}}
	client, err := kafka.Open(config, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	const topic = "people.models"
	if _, err := client.CreateTopics(ctx, kafka.TopicSpec{Name: topic, Kind: kafka.ModelTopic}); err != nil {
		t.Fatal(err)
	}
	broker.Alter(t, b.Address, topic, map[string]string{"segment.ms": "1000", "min.cleanable.dirty.ratio": "0.01", "max.compaction.lag.ms": "1000", "delete.retention.ms": "100"})
	open := func() (*Follower, *told) {
		t.Helper()
		var c told
		f, err := Open(Options{Kafka: config, Topic: topic, Job: "adult", Alias: LatestAlias, Notify: c.add})
		if err != nil {
			t.Fatal(err)
		}
		return f, &c
	}
	// until waits for what must come, however long a loaded machine takes.
	until := func(what string, is func() bool) {
		t.Helper()
		for !is() {
			if ctx.Err() != nil {
				t.Fatalf("never: %s", what)
			}
			time.Sleep(time.Millisecond)
		}
	}
	place := func(v int64) modeltopic.Place { return modeltopic.Place{Term: 1 + v/1000, Version: v} }
	goroutines := runtime.NumGoroutine()
	follower, c := open()
	defer func() { _ = follower.Close() }()
	met := func(v int64) func() bool {
		return func() bool {
			m := follower.Current()
			return v < 1 || m != nil && modeltopic.Place{Term: m.Term, Version: m.Version}.Compare(place(v)) >= 0
		}
	}
	restartEvery := max(versions/2, 1)
	if versions > 1000 {
		restartEvery = versions / 10
	}
	forged := 0
	var late []*Follower
	var lateTold []*told
	for v := int64(1); v <= versions; v++ {
		until(fmt.Sprintf("a version at most %d before %d", behind, v), met(v-behind))
		if v == 2 {
			until("the first version", met(1)) // what is on the topic when a follower begins is not followed step by step
		}
		messages := published(t, place(v), nil)
		if v > keep {
			messages = append(messages, kafka.Message{Key: []byte(modeltopic.DocumentKey("adult", place(v-keep)))})
		}
		if v%forgeEvery == 0 { // a document of a term that never was, whose bytes are not those of its hash
			bad := published(t, modeltopic.Place{Term: 99, Version: v}, nil)[0]
			bad.Value = slices.Clone(bad.Value)
			bad.Value[len(bad.Value)-20] ^= 1
			if _, err := client.Produce(ctx, topic, 0, bad); err != nil {
				t.Fatal(err)
			}
			forged++
			until("the refusal of a forged document", func() bool { return c.refusals() >= forged })
			messages = append(messages, kafka.Message{Key: bad.Key})
		}
		if _, err := client.Produce(ctx, topic, 0, messages...); err != nil {
			t.Fatal(err)
		}
		if v%restartEvery == restartEvery/2 {
			if err := errors.Join(b.Kill(), b.Restart()); err != nil {
				t.Fatal(err)
			}
			f, told := open()
			late, lateTold = append(late, f), append(lateTold, told)
		}
	}
	until("the last version", follower.is(place(versions)))
	for _, f := range late {
		until("the last version of a late follower", f.is(place(versions)))
	}
	until("the news of the last version", func() bool { return len(c.places()) >= int(versions) })
	got := c.places()
	for i, swap := range got {
		if want := fmt.Sprintf("latest %d/%d", 1+int64(i+1)/1000, i+1); swap != want {
			t.Fatalf("swap %d is to %s, want %s", i, swap, want)
		}
	}
	if len(got) != int(versions) || c.refusals() < forged {
		t.Errorf("%d swaps, want %d; %d refused, want %d", len(got), versions, c.refusals(), forged)
	}
	for _, told := range lateTold {
		told.mutex.Lock()
		before := modeltopic.Place{}
		for _, s := range told.swaps {
			at := modeltopic.Place{Term: s.Model.Term, Version: s.Model.Version}
			if at.Compare(before) <= 0 {
				t.Errorf("a late follower goes from %v to %v", before, at)
			}
			before = at
		}
		told.mutex.Unlock()
	}
	for _, f := range late {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	// A follower keeps one document, and the places of those on the topic: what is in use does not grow with the versions.
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if memory.HeapInuse > 32<<20 {
		t.Errorf("%d kB are in use", memory.HeapInuse>>10)
	}
	if err := follower.Close(); err != nil {
		t.Error(err)
	}
	const others = 5 // of the client that publishes
	until("the end of every goroutine of the followers", func() bool { return runtime.NumGoroutine() <= goroutines+others })
	t.Logf("%d versions, %d forged, %d restarts: %d kB in use, %d goroutines", versions, forged, len(late), memory.HeapInuse>>10, runtime.NumGoroutine())
}
