package stream

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// HeaderReplay is on a record that came back from the dead-letter topic: partition/offset/topic ID that it had before.
// The ID is missing if the letter has none.
const HeaderReplay = "fairstream.replay"

// Replayed says what ReplayDeadLetters did.
type Replayed struct {
	// Written came back to the input topic now, Before in earlier calls.
	Written, Before int64
	// Unreadable would be rejected again under the present configuration, by reason; they stay where they are.
	Unreadable map[string]int64
}

// A transaction of a replay is short, and a batch of it stays below the default max.message.bytes.
const (
	replayRound   = 10_000
	replayMemory  = 4 << 20
	replayBytes   = kafka.DefaultBatchBytes
	replayRecords = 1000
)

// replayID is the transactional id of a job's replays.
func replayID(job string) string { return "fairstream." + job + ".replay" }

// replay is one call of ReplayDeadLetters.
type replay struct {
	cluster Cluster
	topics  Topics
	job     string
	most    int // letters of a round

	notes  *replayNotes
	left   account // unreadable letters that were counted
	result Replayed

	transaction cluster.Transaction // nil: dry
}

// replayRoom is what is read and not yet written: the letters of one transaction.
type replayRoom struct {
	letters map[int32][]kafka.Message // by the partition from which they came
	origins account
	count   int
	bytes   int
}

func newReplayRoom() replayRoom {
	return replayRoom{letters: map[int32][]kafka.Message{}, origins: account{}}
}

// ReplayDeadLetters writes the dead letters of a job to the input topic again, each source offset of each topic once,
// however often it is called and however a call ends, for readers of committed records. Letters that the configuration
// still rejects are left out. A second call for a job ends the first. With dry nothing is written.
//
// The dead-letter topic is read partition by partition, in the order in which the letters were written, and held in
// memory for a transaction at a time; the account takes 16 bytes for each stretch of offsets.
//
// What is about to be written is noted on the state topic first, with the ends of the input. It is written in
// transactions; the next call fences the one before, so that nothing of it can arrive any more, and then looks there for
// what was committed.
//
// A letter of a program that did not note the topic's ID belongs to a topic of its own: the letters without ID of one
// partition and offset count as one, and never as a letter that has an ID.
func ReplayDeadLetters(ctx context.Context, cluster Cluster, config model.Config, topics Topics, job string, dry bool) (Replayed, error) {
	r := &replay{cluster: cluster, topics: topics, job: job, most: replayRound}
	err := r.run(ctx, config, dry)
	return r.result, err
}

func (r *replay) run(ctx context.Context, config model.Config, dry bool) (err error) {
	r.result.Unreadable, r.left = map[string]int64{}, account{}
	if !dry {
		if r.transaction, err = r.cluster.Transact(ctx, replayID(r.job)); err != nil {
			return fmt.Errorf("dead letters could not be replayed: %w", err)
		}
	}
	if r.notes, err = readReplayNotes(ctx, r.cluster, r.topics.State, r.job); err != nil {
		return err
	}
	if err := r.recover(ctx); err != nil {
		return err
	}
	r.result.Before = r.notes.written.count()
	schema, err := config.WithDefaults().Schema()
	if err != nil {
		return err
	}
	return r.letters(ctx, schema)
}

// recover finishes the account of calls that were interrupted: of what they were writing, what is in the input counts.
func (r *replay) recover(ctx context.Context) error {
	found := account{}
	for _, note := range r.notes.writing {
		for partition, end := range note.Ends {
			if err := r.look(ctx, partition, end, note, found); err != nil {
				return err
			}
		}
	}
	if r.transaction == nil {
		r.notes.written.addAll(found)
		return nil
	}
	return r.notes.settle(ctx, found)
}

// look adds to found what of a note is in a partition of the input, from an offset on.
func (r *replay) look(ctx context.Context, partition int32, from int64, note replayNote, found account) error {
	bounds, err := r.cluster.Bounds(ctx, r.topics.Input)
	if err != nil || int(partition) >= len(bounds) {
		return err
	}
	noted := accountOf(note.Letters)
	// Up to the last record, even if that means to wait for somebody's transaction.
	from, to := max(from, bounds[partition].Start), bounds[partition].End+bounds[partition].Unstable
	_, err = r.cluster.ReadInput(ctx, r.topics.Input, partition, from, to, func(record *kafka.Record) error {
		for _, h := range record.Headers() {
			if h.Key != HeaderReplay {
				continue
			}
			if o, offset, ok := parseOrigin(string(h.Value)); ok && noted.has(o, offset) {
				found.add(o, offset)
			}
		}
		return nil
	})
	return err
}

// letters reads the dead-letter topic and writes what is to be replayed, a transaction at a time.
func (r *replay) letters(ctx context.Context, schema *record.Schema) error {
	info, err := r.cluster.Topic(ctx, r.topics.DeadLetter)
	if err != nil {
		return err
	}
	decoder, scratch, room := schema.NewDecoder(), record.Record{}, newReplayRoom()
	for partition := range int32(info.Partitions) {
		_, err := r.cluster.Read(ctx, r.topics.DeadLetter, partition, kafka.Earliest, kafka.End, func(dead *kafka.Record) error {
			message, o, offset, ours := r.resurrect(dead)
			if !ours || r.notes.written.has(o, offset) || room.origins.has(o, offset) || r.left.has(o, offset) {
				return nil
			}
			if rejection := decoder.DecodeJSON(&scratch, message.Value); rejection != nil {
				r.result.Unreadable[string(reasonOf(rejection))]++
				r.left.add(o, offset)
				return nil
			}
			if r.transaction == nil {
				r.notes.written.add(o, offset)
				r.result.Written++
				return nil
			}
			size := sizeOf(&message)
			if room.count > 0 && room.bytes+size > replayMemory {
				if err := r.write(ctx, &room); err != nil {
					return err
				}
			}
			room.letters[o.partition] = append(room.letters[o.partition], message)
			room.origins.add(o, offset)
			room.count, room.bytes = room.count+1, room.bytes+size
			if room.count < r.most {
				return nil
			}
			return r.write(ctx, &room)
		})
		if err != nil {
			return err
		}
	}
	return r.write(ctx, &room)
}

// resurrect makes of a dead letter the record that it was, with a header that says where it came from.
func (r *replay) resurrect(dead *kafka.Record) (message kafka.Message, o origin, offset int64, ours bool) {
	message = dead.Message()
	about := map[string]string{}
	message.Headers = slices.DeleteFunc(message.Headers, func(h kafka.Header) bool {
		ours := strings.HasPrefix(h.Key, connectHeaders) || h.Key == HeaderReason || h.Key == HeaderTopicID || h.Key == HeaderReplay
		if ours {
			about[h.Key] = string(h.Value) // the last of a name is that of the stream
		}
		return ours
	})
	source := about[headerPartition] + "/" + about[headerOffset]
	if id := about[HeaderTopicID]; id != "" {
		source += "/" + id
	}
	o, offset, ok := parseOrigin(source)
	message.Headers = append(message.Headers, kafka.Header{Key: HeaderReplay, Value: []byte(source)})
	return message, o, offset, ok && about[headerConnector] == r.job && about[headerTopic] == r.topics.Input
}

// write notes what it is about to write, writes it to the partitions from which it came in one transaction, and notes
// that it is done. The room is empty then.
func (r *replay) write(ctx context.Context, room *replayRoom) error {
	if room.count == 0 {
		return nil
	}
	bounds, err := r.cluster.Bounds(ctx, r.topics.Input)
	if err != nil {
		return err
	}
	if err := r.notes.begin(ctx, room.origins, bounds); err != nil {
		return err
	}
	for _, partition := range slices.Sorted(maps.Keys(room.letters)) {
		target := partition
		if int(partition) >= len(bounds) {
			target = 0 // the topic was made again with fewer partitions
		}
		for letters := room.letters[partition]; len(letters) > 0; {
			batch := batchOf(letters)
			if err := r.transaction.Append(ctx, r.topics.Input, target, batch...); err != nil {
				return fmt.Errorf("dead letters could not be replayed: %w", err)
			}
			letters = letters[len(batch):]
		}
	}
	if err := r.transaction.Commit(ctx); err != nil {
		return fmt.Errorf("dead letters could not be replayed: %w", err)
	}
	r.result.Written += int64(room.count)
	if err := r.notes.settle(ctx, room.origins); err != nil {
		return err
	}
	*room = newReplayRoom()
	return nil
}

// batchOf is the beginning of letters that goes into one batch.
func batchOf(letters []kafka.Message) []kafka.Message {
	size := 0
	for i := range letters {
		size += sizeOf(&letters[i])
		if i > 0 && (size > replayBytes || i == replayRecords) {
			return letters[:i]
		}
	}
	return letters
}

func sizeOf(m *kafka.Message) int {
	size := len(m.Key) + len(m.Value)
	for i := range m.Headers {
		size += len(m.Headers[i].Key) + len(m.Headers[i].Value)
	}
	return size
}
