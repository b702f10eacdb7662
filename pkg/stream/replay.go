package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// HeaderReplay is on a record that came back from the dead-letter topic: partition/offset that it had before.
const HeaderReplay = "fairstream.replay"

// Replayed says what ReplayDeadLetters did.
type Replayed struct {
	// Written came back to the input topic now, Before in earlier calls.
	Written, Before int64
	// Unreadable would be rejected again under the present configuration, by reason; they stay where they are.
	Unreadable map[string]int64
}

// replayState is what the state topic holds of replays, as JSON under the key <job>/replay. Pending are source offsets
// that are being written: they are in the input topic from Ends on, or not at all.
type replayState struct {
	Replayed map[int32]spans `json:"replayed"`
	Pending  map[int32]spans `json:"pending,omitempty"`
	Ends     map[int32]int64 `json:"ends,omitempty"`
}

const (
	replayKind = "replay"

	// A batch of replayed records stays below the default max.message.bytes.
	replayBytes   = kafka.DefaultBatchBytes
	replayRecords = 1000
)

func replayKey(job string) []byte { return []byte(job + "/" + replayKind) }

// replayID is the transactional id of a job's replays.
func replayID(job string) string { return "fairstream." + job + ".replay" }

// replay is one call of ReplayDeadLetters.
type replay struct {
	cluster Cluster
	job     string
	topics  Topics
	state   replayState
	result  Replayed

	transaction Transaction // nil: dry
}

// letter is a dead letter as the record that it was.
type letter struct {
	source  int64
	message kafka.Message
}

// ReplayDeadLetters writes the dead letters of a job to the input topic again, each source offset once, however often it
// is called and however a call ends, for readers of committed records. Letters that the configuration still rejects are
// left out. A second call for a job ends the first. With dry nothing is written.
//
// What is about to be written is noted on the state topic first, with the ends of the input. It is written in
// transactions; the next call fences the one before, so that nothing of it can arrive any more, and then looks there for
// what was committed.
func ReplayDeadLetters(ctx context.Context, cluster Cluster, config model.Config, topics Topics, job string, dry bool) (Replayed, error) {
	r := &replay{cluster: cluster, job: job, topics: topics, state: replayState{Replayed: map[int32]spans{}}, result: Replayed{Unreadable: map[string]int64{}}}
	if !dry {
		var err error
		if r.transaction, err = cluster.Transact(ctx, replayID(job)); err != nil {
			return r.result, fmt.Errorf("dead letters could not be replayed: %w", err)
		}
	}
	if err := r.readState(ctx); err != nil {
		return r.result, err
	}
	if err := r.recover(ctx, dry); err != nil {
		return r.result, err
	}
	for _, s := range r.state.Replayed {
		r.result.Before += s.count()
	}
	schema, err := config.WithDefaults().Schema()
	if err != nil {
		return r.result, err
	}
	letters, err := r.letters(ctx, schema)
	if err != nil {
		return r.result, err
	}
	if dry {
		for _, of := range letters {
			r.result.Written += int64(len(of))
		}
		return r.result, nil
	}
	return r.result, r.write(ctx, letters)
}

func (r *replay) readState(ctx context.Context) error {
	key := string(replayKey(r.job))
	_, err := r.cluster.Read(ctx, r.topics.State, 0, kafka.Earliest, kafka.End, func(record *kafka.Record) error {
		if string(record.Key) != key {
			return nil
		}
		r.state = replayState{Replayed: map[int32]spans{}}
		if record.Value == nil {
			return nil
		}
		if err := json.Unmarshal(record.Value, &r.state); err != nil {
			return fmt.Errorf("stream: the state topic's account of replayed dead letters: %w", err)
		}
		return nil
	})
	return err
}

func (r *replay) saveState(ctx context.Context) error {
	value, err := json.Marshal(r.state)
	if err != nil {
		return fmt.Errorf("stream: the account of replayed dead letters: %w", err)
	}
	return r.cluster.Retry(ctx, "note what is replayed on "+r.topics.State, func(ctx context.Context) error {
		_, err := r.cluster.Append(ctx, r.topics.State, 0, kafka.Message{Key: replayKey(r.job), Value: value})
		return err
	})
}

// recover finishes the account of a call that was interrupted: of what was pending, what is in the input counts.
func (r *replay) recover(ctx context.Context, dry bool) error {
	if len(r.state.Pending) == 0 {
		return nil
	}
	for partition, end := range r.state.Ends {
		found, err := r.written(ctx, partition, end)
		if err != nil {
			return err
		}
		for source, offsets := range found {
			r.state.Replayed[source] = r.state.Replayed[source].with(offsets...)
		}
	}
	r.state.Pending, r.state.Ends = nil, nil
	if dry {
		return nil
	}
	return r.saveState(ctx)
}

// written looks in a partition of the input, from an offset on, for sources that were replayed.
func (r *replay) written(ctx context.Context, partition int32, from int64) (map[int32][]int64, error) {
	bounds, err := r.cluster.Bounds(ctx, r.topics.Input)
	if err != nil || int(partition) >= len(bounds) {
		return nil, err
	}
	// Up to the last record, even if that means to wait for somebody's transaction.
	from, to := max(from, bounds[partition].Start), bounds[partition].End+bounds[partition].Unstable
	found := map[int32][]int64{}
	_, err = r.cluster.ReadInput(ctx, r.topics.Input, partition, from, to, func(record *kafka.Record) error {
		for _, h := range record.Headers() {
			if source, offset, ok := parseSource(string(h.Value)); ok && h.Key == HeaderReplay && r.state.Pending[source].has(offset) {
				found[source] = append(found[source], offset)
			}
		}
		return nil
	})
	return found, err
}

func parseSource(text string) (partition int32, offset int64, ok bool) {
	left, right, ok := strings.Cut(text, "/")
	number, err := strconv.ParseInt(left, 10, 32)
	if err != nil || !ok {
		return 0, 0, false
	}
	offset, err = strconv.ParseInt(right, 10, 64)
	return int32(number), offset, err == nil
}

// letters reads the dead-letter topic: by source partition, in the order of their offsets, what is to be replayed.
func (r *replay) letters(ctx context.Context, schema *record.Schema) (map[int32][]letter, error) {
	info, err := r.cluster.Topic(ctx, r.topics.DeadLetter)
	if err != nil {
		return nil, err
	}
	found := map[int32]map[int64]kafka.Message{}
	decoder, scratch := schema.NewDecoder(), record.Record{}
	for partition := range int32(info.Partitions) {
		_, err := r.cluster.Read(ctx, r.topics.DeadLetter, partition, kafka.Earliest, kafka.End, func(dead *kafka.Record) error {
			message, source, offset, ours := r.resurrect(dead)
			if !ours || r.state.Replayed[source].has(offset) || found[source][offset].Value != nil {
				return nil
			}
			if rejection := decoder.DecodeJSON(&scratch, message.Value); rejection != nil {
				r.result.Unreadable[string(reasonOf(rejection))]++
				return nil
			}
			if found[source] == nil {
				found[source] = map[int64]kafka.Message{}
			}
			found[source][offset] = message
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	letters := map[int32][]letter{}
	for source, of := range found {
		for _, offset := range slices.Sorted(maps.Keys(of)) {
			letters[source] = append(letters[source], letter{offset, of[offset]})
		}
	}
	return letters, nil
}

// resurrect makes of a dead letter the record that it was, with a header that says where it came from.
func (r *replay) resurrect(dead *kafka.Record) (message kafka.Message, partition int32, offset int64, ours bool) {
	message = dead.Message()
	about := map[string]string{}
	message.Headers = slices.DeleteFunc(message.Headers, func(h kafka.Header) bool {
		ours := strings.HasPrefix(h.Key, connectHeaders) || h.Key == HeaderReason || h.Key == HeaderReplay
		if ours {
			about[h.Key] = string(h.Value) // the last of a name is that of the stream
		}
		return ours
	})
	source := about[headerPartition] + "/" + about[headerOffset]
	partition, offset, ok := parseSource(source)
	message.Headers = append(message.Headers, kafka.Header{Key: HeaderReplay, Value: []byte(source)})
	return message, partition, offset, ok && about[headerConnector] == r.job && about[headerTopic] == r.topics.Input
}

// write notes what it is about to write, writes it to the partitions from which it came, and notes that it is done.
func (r *replay) write(ctx context.Context, letters map[int32][]letter) error {
	if len(letters) == 0 {
		return nil
	}
	bounds, err := r.cluster.Bounds(ctx, r.topics.Input)
	if err != nil {
		return err
	}
	r.state.Pending, r.state.Ends = map[int32]spans{}, map[int32]int64{}
	for partition, b := range bounds {
		r.state.Ends[int32(partition)] = b.End
	}
	for source, of := range letters {
		var offsets []int64
		for _, l := range of {
			offsets = append(offsets, l.source)
		}
		r.state.Pending[source] = spans(nil).with(offsets...)
	}
	if err := r.saveState(ctx); err != nil {
		return err
	}
	for _, source := range slices.Sorted(maps.Keys(letters)) {
		target := source
		if int(source) >= len(bounds) {
			target = 0 // the topic was made again with fewer partitions
		}
		if err := r.writeTo(ctx, target, letters[source]); err != nil {
			return err
		}
	}
	for source, of := range r.state.Pending {
		r.state.Replayed[source] = append(r.state.Replayed[source], of...).with()
	}
	r.state.Pending, r.state.Ends = nil, nil
	return r.saveState(ctx)
}

// writeTo writes letters in batches, each in a transaction of its own, so that none lasts long.
func (r *replay) writeTo(ctx context.Context, target int32, letters []letter) error {
	for len(letters) > 0 {
		batch := batchOf(letters)
		messages := make([]kafka.Message, len(batch))
		for i := range batch {
			messages[i] = batch[i].message
		}
		err := r.transaction.Append(ctx, r.topics.Input, target, messages...)
		if err == nil {
			err = r.transaction.Commit(ctx)
		}
		if err != nil {
			return fmt.Errorf("dead letters could not be replayed: %w", err)
		}
		r.result.Written += int64(len(batch))
		letters = letters[len(batch):]
	}
	return nil
}

// batchOf is the beginning of letters that goes into one batch.
func batchOf(letters []letter) []letter {
	size := 0
	for i := range letters {
		size += len(letters[i].message.Key) + len(letters[i].message.Value)
		if i > 0 && (size > replayBytes || i == replayRecords) {
			return letters[:i]
		}
	}
	return letters
}
