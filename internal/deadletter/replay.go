package deadletter

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// HeaderReplay is on a record that came back from the dead-letter topic: partition/offset/topic ID that it had before.
// The ID is missing if the letter has none.
const HeaderReplay = "fairstream.replay"

// Replayed says what Replay did.
type Replayed struct {
	// Written came back to the input topic now, Before in earlier calls.
	Written, Before int64
	// Unreadable would be rejected again under the present configuration; they stay where they are.
	Unreadable map[Unreadable]int64
}

// Unreadable is why letters would be rejected again.
type Unreadable struct {
	Reason record.Reason
	Schema string // that they name; "" if they name none
}

// A transaction of a replay is short, Round letters or 4 MiB, and a batch of it stays below the default max.message.bytes.
const (
	Round       = 10_000
	mostMemory  = 4 << 20
	mostBytes   = kafka.DefaultBatchBytes
	mostRecords = 1000
)

// Replayer writes the dead letters of a job to its input topic again, each source offset of each topic once, however often it is called and
// however a call ends, for readers of committed records.
type Replayer struct {
	Cluster                   cluster.Cluster
	Job                       string
	Input, DeadLetters, State string // topics
	// Round is the number of letters of a transaction at most; 0: Round.
	Round int
	// Format is what the letters are written as; nil: JSON.
	Format format.Format
}

// replay is one call.
type replay struct {
	Replayer
	notes  *notes
	left   account // unreadable letters that were counted
	result Replayed

	transaction cluster.Transaction // nil: dry
}

// room is what is read and not yet written: the letters of one transaction.
type room struct {
	letters map[int32][]kafka.Message // by the partition from which they came
	origins account
	count   int
	bytes   int
}

func newRoom() room {
	return room{letters: map[int32][]kafka.Message{}, origins: account{}}
}

// Replay writes what the schema can read. A second call for a job ends the first. With dry nothing is written.
//
// The dead-letter topic is read partition by partition, in the order in which the letters were written, and held in memory for a transaction
// at a time; the account takes 16 bytes for each stretch of offsets. If the schema of a letter is not there yet, the letters of other partitions of
// the input are written first, and then the topic is read again.
//
// What is about to be written is noted on the state topic first, with the ends of the input. It is written in
// transactions; the next call fences the one before, so that nothing of it can arrive any more, and then looks there for
// what was committed.
//
// A letter of a program that did not note the topic's ID belongs to a topic of its own: the letters without ID of one
// partition and offset count as one, and never as a letter that has an ID.
func (r Replayer) Replay(ctx context.Context, schema *record.Schema, dry bool) (Replayed, error) {
	r.Round = cmp.Or(r.Round, Round)
	if r.Format == nil {
		r.Format = format.JSON
	}
	call := &replay{Replayer: r, left: account{}, result: Replayed{Unreadable: map[Unreadable]int64{}}}
	err := call.run(ctx, schema, dry)
	return call.result, err
}

func (r *replay) run(ctx context.Context, schema *record.Schema, dry bool) (err error) {
	if !dry {
		if r.transaction, err = r.Cluster.Transact(ctx, "fairstream."+r.Job+".replay"); err != nil {
			return fmt.Errorf("dead letters could not be replayed: %w", err)
		}
	}
	if r.notes, err = readNotes(ctx, r.Cluster, r.State, r.Job); err != nil {
		return err
	}
	if err := r.recover(ctx); err != nil {
		return err
	}
	r.result.Before = r.notes.written.count()
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
func (r *replay) look(ctx context.Context, partition int32, from int64, of note, found account) error {
	bounds, err := r.Cluster.Bounds(ctx, r.Input)
	if err != nil || int(partition) >= len(bounds) {
		return err
	}
	noted := accountOf(of.Letters)
	// Up to the last record, even if that means to wait for somebody's transaction.
	from, to := max(from, bounds[partition].Start), bounds[partition].End+bounds[partition].Unstable
	_, err = r.Cluster.ReadInput(ctx, r.Input, partition, from, to, func(record *kafka.Record) error {
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

// letters reads the dead-letter topic, again as long as schemas are awaited.
func (r *replay) letters(ctx context.Context, schema *record.Schema) error {
	info, err := r.Cluster.Topic(ctx, r.DeadLetters)
	if err != nil {
		return err
	}
	decoder := r.Format.NewDecoder(schema)
	for {
		wait, err := r.pass(ctx, info.Partitions, decoder)
		if err != nil || len(wait) == 0 {
			return err
		}
		if err := wait.first(ctx); err != nil {
			return err
		}
	}
}

// pass writes the letters that are to be replayed, a transaction at a time, and gives the partitions of the input that wait.
func (r *replay) pass(ctx context.Context, partitions int, decoder format.Decoder) (waiting, error) {
	scratch, held, wait := record.Record{}, newRoom(), waiting{}
	for partition := range int32(partitions) {
		_, err := r.Cluster.Read(ctx, r.DeadLetters, partition, kafka.Earliest, kafka.End, func(dead *kafka.Record) error {
			message, o, offset, ours := r.resurrect(dead)
			if !ours || r.notes.written.has(o, offset) || held.origins.has(o, offset) || r.left.has(o, offset) {
				return nil
			}
			if wait[o.Partition] != nil {
				decoder.Prepare(dead) // so that all schemas take one wait
				return nil
			}
			rejection := decoder.Decode(&scratch, dead)
			if wait.has(o.Partition, rejection) {
				return nil
			}
			if rejection != nil {
				r.result.Unreadable[Unreadable{ReasonOf(rejection), r.Format.SchemaOf(dead)}]++
				r.left.add(o, offset)
				return nil
			}
			if r.transaction == nil {
				r.notes.written.add(o, offset)
				r.result.Written++
				return nil
			}
			size := sizeOf(&message)
			if held.count > 0 && held.bytes+size > mostMemory {
				if err := r.write(ctx, &held); err != nil {
					return err
				}
			}
			held.letters[o.Partition] = append(held.letters[o.Partition], message)
			held.origins.add(o, offset)
			held.count, held.bytes = held.count+1, held.bytes+size
			if held.count < r.Round {
				return nil
			}
			return r.write(ctx, &held)
		})
		if err != nil {
			return nil, err
		}
	}
	return wait, r.write(ctx, &held)
}

// resurrect makes of a dead letter the record that it was, with a header that says where it came from.
func (r *replay) resurrect(dead *kafka.Record) (message kafka.Message, o Origin, offset int64, ours bool) {
	message = dead.Message()
	about := map[string]string{}
	message.Headers = slices.DeleteFunc(message.Headers, func(h kafka.Header) bool {
		ours := strings.HasPrefix(h.Key, connectHeaders) || h.Key == HeaderReason || h.Key == HeaderTopicID || h.Key == HeaderSchema || h.Key == HeaderReplay
		if ours {
			about[h.Key] = string(h.Value) // the last of a name is that of the stream
		}
		return ours
	})
	source := about[HeaderPartition] + "/" + about[HeaderOffset]
	if id := about[HeaderTopicID]; id != "" {
		source += "/" + id
	}
	o, offset, ok := parseOrigin(source)
	message.Headers = append(message.Headers, kafka.Header{Key: HeaderReplay, Value: []byte(source)})
	return message, o, offset, ok && about[HeaderConnector] == r.Job && about[HeaderTopic] == r.Input
}

// write notes what it is about to write, writes it to the partitions from which it came in one transaction, and notes
// that it is done. The room is empty then.
func (r *replay) write(ctx context.Context, held *room) error {
	if held.count == 0 {
		return nil
	}
	bounds, err := r.Cluster.Bounds(ctx, r.Input)
	if err != nil {
		return err
	}
	if err := r.notes.begin(ctx, held.origins, bounds); err != nil {
		return err
	}
	for _, partition := range slices.Sorted(maps.Keys(held.letters)) {
		target := partition
		if int(partition) >= len(bounds) {
			target = 0 // the topic was made again with fewer partitions
		}
		for letters := held.letters[partition]; len(letters) > 0; {
			batch := batchOf(letters)
			if err := r.transaction.Append(ctx, r.Input, target, batch...); err != nil {
				return fmt.Errorf("dead letters could not be replayed: %w", err)
			}
			letters = letters[len(batch):]
		}
	}
	if err := r.transaction.Commit(ctx); err != nil {
		return fmt.Errorf("dead letters could not be replayed: %w", err)
	}
	r.result.Written += int64(held.count)
	if err := r.notes.settle(ctx, held.origins); err != nil {
		return err
	}
	*held = newRoom()
	return nil
}

// batchOf is the beginning of letters that goes into one batch.
func batchOf(letters []kafka.Message) []kafka.Message {
	size := 0
	for i := range letters {
		size += sizeOf(&letters[i])
		if i > 0 && (size > mostBytes || i == mostRecords) {
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
