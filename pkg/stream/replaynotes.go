package stream

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
)

// origin is a partition of a topic from which a dead letter came. The topic's ID is zero if the letter does not have it.
type origin struct {
	topic     kafka.TopicID
	partition int32
}

// parseOrigin reads partition/offset or partition/offset/topic ID.
func parseOrigin(text string) (o origin, offset int64, ok bool) {
	parts := strings.SplitN(text, "/", 3)
	if len(parts) < 2 {
		return origin{}, 0, false
	}
	number, err := strconv.ParseInt(parts[0], 10, 32)
	if err == nil {
		offset, err = strconv.ParseInt(parts[1], 10, 64)
	}
	if err == nil && len(parts) == 3 {
		err = o.topic.UnmarshalText([]byte(parts[2]))
	}
	o.partition = int32(number)
	return o, offset, err == nil && number >= 0 && offset >= 0
}

// account is a set of letters, by where they came from.
type account map[origin]spans

func (a account) has(o origin, offset int64) bool { return a[o].has(offset) }

func (a account) add(o origin, offset int64) { a[o] = a[o].with(offset, offset+1) }

func (a account) addAll(other account) {
	for o, s := range other {
		for _, span := range s {
			a[o] = a[o].with(span[0], span[1])
		}
	}
}

func (a account) count() (n int64) {
	for _, s := range a {
		n += s.count()
	}
	return n
}

// list is the account in JSON's form, in order.
func (a account) list() (all []lettersOf) {
	for o, s := range a {
		all = append(all, lettersOf{o.topic, o.partition, s})
	}
	slices.SortFunc(all, func(a, b lettersOf) int {
		return cmp.Or(slices.Compare(a.Topic[:], b.Topic[:]), cmp.Compare(a.Partition, b.Partition))
	})
	return all
}

func accountOf(all []lettersOf) account {
	a := account{}
	for _, of := range all {
		a.addAll(account{origin{of.Topic, of.Partition}: of.Offsets})
	}
	return a
}

type lettersOf struct {
	Topic     kafka.TopicID `json:"topic_id,omitzero"`
	Partition int32         `json:"partition"`
	Offsets   spans         `json:"offsets"`
}

// replayNote is a value of the state topic. Under JOB/replay/CALL/N/written the letters are in the input. Under
// JOB/replay/CALL/N/writing they are in the input from Ends on, or not at all; the key is deleted once that is known.
type replayNote struct {
	Letters []lettersOf     `json:"letters"`
	Ends    map[int32]int64 `json:"ends,omitempty"`
}

// firstReplayNote is the form of programs that kept the account under the one key JOB/replay, without topic IDs.
type firstReplayNote struct {
	Replayed map[int32]spans `json:"replayed"`
	Pending  map[int32]spans `json:"pending"`
	Ends     map[int32]int64 `json:"ends"`
}

const (
	replayWriting = "/writing"
	replayWritten = "/written"
)

func replayKey(job string) string { return job + "/" + owner.ReplayKind }

// replayNotes is the account of a job's replays on the state topic. Each call has keys of its own, so that a note of a
// call that was fenced, which arrives late, replaces no other.
type replayNotes struct {
	cluster Cluster
	topic   string
	prefix  string // of the keys of this call
	next    int

	written account
	writing map[string]replayNote // by key
	first   account               // from the key of earlier programs, to be noted again under the present ones
}

func readReplayNotes(ctx context.Context, cluster Cluster, topic, job string) (*replayNotes, error) {
	n := &replayNotes{cluster: cluster, topic: topic, prefix: replayKey(job) + "/" + rand.Text() + "/", written: account{}}
	values := map[string][]byte{}
	_, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, func(record *kafka.Record) error {
		key := string(record.Key)
		switch {
		case key != replayKey(job) && !strings.HasPrefix(key, replayKey(job)+"/"):
		case record.Value == nil:
			delete(values, key)
		default:
			values[key] = slices.Clone(record.Value)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	n.writing = map[string]replayNote{}
	for key, value := range values {
		if err := n.take(job, key, value); err != nil {
			return nil, fmt.Errorf("stream: the state topic's account of replayed dead letters, key %s: %w", key, err)
		}
	}
	return n, nil
}

// take reads one note.
func (n *replayNotes) take(job, key string, value []byte) error {
	if key == replayKey(job) {
		var old firstReplayNote
		if err := json.Unmarshal(value, &old); err != nil {
			return err
		}
		n.first = firstAccount(old.Replayed)
		n.written.addAll(n.first)
		n.writing[key] = replayNote{firstAccount(old.Pending).list(), old.Ends}
		return nil
	}
	var note replayNote
	if err := json.Unmarshal(value, &note); err != nil {
		return err
	}
	switch {
	case strings.HasSuffix(key, replayWritten):
		n.written.addAll(accountOf(note.Letters))
	case strings.HasSuffix(key, replayWriting):
		n.writing[key] = note
	default:
		return errors.New("of an unknown kind: use the program that wrote it, or a newer one")
	}
	return nil
}

func firstAccount(of map[int32]spans) account {
	a := account{}
	for partition, s := range of {
		a[origin{partition: partition}] = s
	}
	return a
}

// begin notes what is about to be written behind the ends of the input.
func (n *replayNotes) begin(ctx context.Context, letters account, bounds []kafka.Bounds) error {
	note := replayNote{letters.list(), map[int32]int64{}}
	for partition, b := range bounds {
		note.Ends[int32(partition)] = b.End
	}
	value, err := json.Marshal(note)
	if err != nil {
		return fmt.Errorf("stream: the account of replayed dead letters: %w", err)
	}
	n.next++
	key := n.prefix + strconv.Itoa(n.next) + replayWriting
	if err := n.append(ctx, kafka.Message{Key: []byte(key), Value: value}); err != nil {
		return err
	}
	n.writing[key] = note
	return nil
}

// settle notes letters as written and, in the same batch, deletes the notes of what was about to be written.
func (n *replayNotes) settle(ctx context.Context, letters account) error {
	if len(n.writing) == 0 {
		return nil
	}
	n.written.addAll(letters)
	noted := letters
	if n.first != nil {
		noted = account{}
		noted.addAll(n.first)
		noted.addAll(letters)
	}
	var messages []kafka.Message
	if len(noted) > 0 {
		value, err := json.Marshal(replayNote{Letters: noted.list()})
		if err != nil {
			return fmt.Errorf("stream: the account of replayed dead letters: %w", err)
		}
		n.next++
		messages = append(messages, kafka.Message{Key: []byte(n.prefix + strconv.Itoa(n.next) + replayWritten), Value: value})
	}
	for _, key := range slices.Sorted(maps.Keys(n.writing)) {
		messages = append(messages, kafka.Message{Key: []byte(key)})
	}
	if err := n.append(ctx, messages...); err != nil {
		return err
	}
	n.first = nil
	clear(n.writing)
	return nil
}

func (n *replayNotes) append(ctx context.Context, messages ...kafka.Message) error {
	return n.cluster.Retry(ctx, "note what is replayed on "+n.topic, func(ctx context.Context) error {
		_, err := n.cluster.Append(ctx, n.topic, 0, messages...)
		return err
	})
}
