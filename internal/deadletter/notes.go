package deadletter

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
)

// note is a value of the state topic. Under JOB/replay/CALL/N/written the letters are in the input. Under
// JOB/replay/CALL/N/writing they are in the input from Ends on, or not at all; the key is deleted once that is known.
type note struct {
	Letters []lettersOf     `json:"letters"`
	Ends    map[int32]int64 `json:"ends,omitempty"`
}

// firstNote is the form of programs that kept the account under the one key JOB/replay, without topic IDs.
type firstNote struct {
	Replayed map[int32]spans `json:"replayed"`
	Pending  map[int32]spans `json:"pending"`
	Ends     map[int32]int64 `json:"ends"`
}

const (
	writing = "/writing"
	written = "/written"
)

func noteKey(job string) string { return job + "/" + owner.ReplayKind }

// notes is the account of a job's replays on the state topic. Each call has keys of its own, so that a note of a
// call that was fenced, which arrives late, replaces no other.
type notes struct {
	cluster cluster.Cluster
	topic   string
	prefix  string // of the keys of this call
	next    int

	written account
	writing map[string]note // by key
	first   account         // from the key of earlier programs, to be noted again under the present ones
}

func readNotes(ctx context.Context, cluster cluster.Cluster, topic, job string) (*notes, error) {
	n := &notes{cluster: cluster, topic: topic, prefix: noteKey(job) + "/" + rand.Text() + "/", written: account{}}
	values := map[string][]byte{}
	_, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, func(record *kafka.Record) error {
		key := string(record.Key)
		switch {
		case key != noteKey(job) && !strings.HasPrefix(key, noteKey(job)+"/"):
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
	n.writing = map[string]note{}
	for key, value := range values {
		if err := n.add(job, key, value); err != nil {
			return nil, fmt.Errorf("the state topic's account of replayed dead letters, key %s: %w", key, err)
		}
	}
	return n, nil
}

// add reads one note.
func (n *notes) add(job, key string, value []byte) error {
	if key == noteKey(job) {
		var old firstNote
		if err := json.Unmarshal(value, &old); err != nil {
			return err
		}
		n.first = firstAccount(old.Replayed)
		n.written.addAll(n.first)
		n.writing[key] = note{firstAccount(old.Pending).list(), old.Ends}
		return nil
	}
	var read note
	if err := json.Unmarshal(value, &read); err != nil {
		return err
	}
	switch {
	case strings.HasSuffix(key, written):
		n.written.addAll(accountOf(read.Letters))
	case strings.HasSuffix(key, writing):
		n.writing[key] = read
	default:
		return errors.New("of an unknown kind: use the program that wrote it, or a newer one")
	}
	return nil
}

func firstAccount(of map[int32]spans) account {
	a := account{}
	for partition, s := range of {
		a[Origin{Partition: partition}] = s
	}
	return a
}

// begin notes what is about to be written behind the ends of the input.
func (n *notes) begin(ctx context.Context, letters account, bounds []kafka.Bounds) error {
	begun := note{letters.list(), map[int32]int64{}}
	for partition, b := range bounds {
		begun.Ends[int32(partition)] = b.End
	}
	value, err := json.Marshal(begun)
	if err != nil {
		return fmt.Errorf("the account of replayed dead letters: %w", err)
	}
	n.next++
	key := n.prefix + strconv.Itoa(n.next) + writing
	if err := n.append(ctx, kafka.Message{Key: []byte(key), Value: value}); err != nil {
		return err
	}
	n.writing[key] = begun
	return nil
}

// settle notes letters as written and, in the same batch, deletes the notes of what was about to be written.
func (n *notes) settle(ctx context.Context, letters account) error {
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
		value, err := json.Marshal(note{Letters: noted.list()})
		if err != nil {
			return fmt.Errorf("the account of replayed dead letters: %w", err)
		}
		n.next++
		messages = append(messages, kafka.Message{Key: []byte(n.prefix + strconv.Itoa(n.next) + written), Value: value})
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

func (n *notes) append(ctx context.Context, messages ...kafka.Message) error {
	return n.cluster.Retry(ctx, "note what is replayed on "+n.topic, func(ctx context.Context) error {
		_, err := n.cluster.Append(ctx, n.topic, 0, messages...)
		return err
	})
}
