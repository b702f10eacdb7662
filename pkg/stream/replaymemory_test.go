package stream

import (
	"bytes"
	"context"
	"runtime"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/record"
)

// manyLetters is a memory whose dead-letter topic has many letters, each made when it is read, and whose input forgets
// what is written to it.
type manyLetters struct {
	*clustertest.Memory
	t      *testing.T
	id     kafka.TopicID
	number int64

	handed, committed, most int64 // letters; most between the two
	heap                    uint64
}

const firstOffset = 10_000_000

// Read gives the letters of every other offset of partition 0: no account has more stretches.
func (m *manyLetters) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	if topic != testTopics.DeadLetter {
		return m.Memory.Read(ctx, topic, partition, from, to, use)
	}
	// One letter, of which only the offset changes: always as many digits.
	source := kafkatest.Record(firstOffset, &kafka.Message{Value: []byte(`{"age":40,"outcome":">50K"}`)})
	letter := deadletter.Letter("adult", testTopics.Input, deadletter.Origin{Topic: m.id}, &source, "", &record.Rejection{Reason: record.MissingLabel})
	dead := kafkatest.Record(0, &letter)
	digits := bytes.Index(dead.HeaderBytes, strconv.AppendInt(nil, firstOffset, 10))
	for m.handed = 0; m.handed < m.number; {
		dead.Offset = m.handed
		strconv.AppendInt(dead.HeaderBytes[:digits], firstOffset+2*m.handed, 10)
		m.handed++
		if err := use(&dead); err != nil {
			return m.handed, err
		}
		m.most = max(m.most, m.handed-m.committed)
		if m.handed%(m.number/10) == 0 {
			m.measure()
		}
	}
	return m.number, nil
}

// measure is told at moments at which a replay that gathers letters holds many.
func (m *manyLetters) measure() {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	m.heap = max(m.heap, stats.HeapAlloc)
}

func (m *manyLetters) Transact(ctx context.Context, id string) (cluster.Transaction, error) {
	transaction, err := m.Memory.Transact(ctx, id)
	return &countedTransaction{transaction, m, 0}, err
}

// countedTransaction counts what it commits.
type countedTransaction struct {
	cluster.Transaction
	letters *manyLetters
	open    int64
}

func (c *countedTransaction) Append(_ context.Context, topic string, _ int32, messages ...kafka.Message) error {
	if topic != testTopics.Input {
		c.letters.t.Errorf("%d messages for %s", len(messages), topic)
	}
	c.open += int64(len(messages))
	return nil
}

func (c *countedTransaction) Commit(context.Context) error {
	c.letters.committed, c.open = c.letters.committed+c.open, 0
	return nil
}

// TestReplayHoldsOneTransactionOfLetters: a million letters, of which no two are neighbours, are replayed in the memory of
// some ten thousand and of the account, and dry in that of the account.
func TestReplayHoldsOneTransactionOfLetters(t *testing.T) {
	for _, dry := range []bool{true, false} {
		number := int64(1_000_000)
		if testing.Short() || dry {
			number = 100_000
		}
		world := &manyLetters{Memory: newWorld(1), t: t, id: kafka.TopicID{7}, number: number}
		world.measure()
		before := world.heap
		options := testOptions()
		options.Model.Record.Renamed = []record.Rename{{Field: "outcome", Was: "income"}}
		result, err := ReplayDeadLetters(t.Context(), world, options.Model, nil, testTopics, "adult", dry)
		if err != nil || result.Written != number || !dry && world.committed != number {
			t.Fatalf("%+v, %v; %d committed", result, err, world.committed)
		}
		if !dry && world.most > deadletter.Round {
			t.Errorf("%d letters were held at once", world.most)
		}
		// 16 bytes a letter for the account, with room to grow, 24 on the state topic of this world, and 30 MB.
		if limit := uint64(30<<20 + 44*number); world.heap-before > limit {
			t.Errorf("dry %v: %d MiB of heap, want at most %d", dry, (world.heap-before)>>20, limit>>20)
		}
		t.Logf("dry %v: %d letters, %.1f MiB of heap, %d held", dry, number, float64(world.heap-before)/(1<<20), world.most)
	}
}
