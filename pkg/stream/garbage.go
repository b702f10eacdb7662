package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Garbage is a record of the state topic that belongs to the job by its key, and that no program of this version writes: a beat that is no JSON, a
// claim of a term that no owner can have, a part that is damaged. It is passed over, since one such record must not end a job.
type Garbage struct {
	Key    string
	Offset int64
	Reason string
}

// StateGarbage: the state topic holds garbage. It has no effect; `fairstream state prune` deletes it.
type StateGarbage struct {
	Topic string
	Garbage
}

func (StateGarbage) event() {}

// newerClaim is a claim of a later format version: the job may belong to a newer program.
type newerClaim struct{ version int }

func (e *newerClaim) Error() string {
	return fmt.Sprintf("stream: a claim of format version %d, and this program reads version %d: use the program that wrote it, or a newer one", e.version, claimVersion)
}

// follow is apply for a record of the log, whose garbage is noted. A record of another format version is an error: it may be whole, and the job
// that of another program.
func (j *journal) follow(r *kafka.Record) error {
	err := j.note(r)
	var claim *newerClaim
	var other *envelope.OtherVersion
	if errors.As(err, &claim) || errors.As(err, &other) {
		return fmt.Errorf("offset %d of the state topic: %w; if no other program runs the job, `fairstream state prune` deletes the record", r.Offset, err)
	}
	return nil
}

// note is apply for a record of the log, whose garbage is noted, also that of another format version.
func (j *journal) note(r *kafka.Record) error {
	key := string(r.Key)
	err := j.apply(r.Key, r.Value)
	if err == nil {
		delete(j.garbled, key)
		return nil
	}
	if j.garbled == nil {
		j.garbled = map[string]Garbage{}
	}
	j.garbled[key] = Garbage{key, r.Offset, err.Error()}
	return err
}

// unreadable lists garbage by its offsets.
func (j *journal) unreadable() []Garbage {
	return slices.SortedFunc(maps.Values(j.garbled), func(a, b Garbage) int { return int(a.Offset - b.Offset) })
}

// begin refuses to begin a job from scratch whose only snapshot is damaged.
func (j *journal) begin() error {
	if j.damaged == nil || j.state != nil {
		return nil
	}
	return fmt.Errorf("the state topic holds no snapshot of job %s that can be read: %w: restore the topic, or start over with `fairstream state reset`", j.job, j.damaged)
}

// tellGarbage tells what a journal passed over, from an offset on.
func (s *Stream) tellGarbage(j *journal, from int64) {
	for _, g := range j.unreadable() {
		if g.Offset >= from {
			s.options.Notify(StateGarbage{s.options.Topics.State, g})
		}
	}
	s.board.post(func(status *Status) { status.Garbage = len(j.garbled) })
}

// PruneState deletes what this program cannot read of a job on the state topic, and returns it by offset. With dry it deletes nothing. Records of
// another format version are among it: another program may need them.
func PruneState(ctx context.Context, c Cluster, topic, job string, dry bool) ([]Garbage, error) {
	j := newJournal(job)
	_, err := c.Read(ctx, topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		_ = j.note(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := j.unreadable()
	if dry {
		return all, nil
	}
	keys := make([][]byte, len(all))
	for i := range all {
		keys[i] = []byte(all[i].Key)
	}
	return all, cluster.DeleteKeys(ctx, c, topic, keys)
}
