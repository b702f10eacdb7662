package owner

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

// Prune deletes what this program cannot read of a job, and returns it by offset. With dry it deletes nothing. Records of another format version
// are among it: another program may need them.
func Prune(ctx context.Context, s Settings, dry bool) ([]Garbage, error) {
	j := newJournal(s.Job)
	_, err := s.Log.Read(ctx, s.Topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		_ = j.note(r)
		return nil
	})
	all := j.unreadable()
	if err != nil || dry {
		return all, err
	}
	keys := make([][]byte, len(all))
	for i := range all {
		keys[i] = []byte(all[i].Key)
	}
	return all, cluster.DeleteKeys(ctx, s.Log, s.Topic, keys)
}
