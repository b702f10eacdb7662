package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
)

// ReadMonitored reads what the monitor of a job had counted when the last snapshot was taken, without disturbing the owner. Counts are
// those of the configuration that the snapshot holds: configured gives its sections. The snapshot is nil if there is none.
func ReadMonitored(ctx context.Context, cluster Cluster, topic, job string,
	configured func(whole json.RawMessage) (model.Config, Monitoring, error)) (*SnapshotInfo, []*Monitored, error) {
	j := newJournal(job)
	_, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, j.follow)
	if err != nil || j.state == nil {
		return nil, nil, err
	}
	saved, err := decodeSnapshot(j.state)
	if err != nil {
		return nil, nil, err
	}
	o := Options{Job: job}
	if o.Model, o.Monitoring, err = configured(saved.Configuration.Whole); err != nil {
		return nil, nil, fmt.Errorf("job %s: %w", job, err)
	}
	o = o.withDefaults()
	decider, err := o.restoreDecider(saved.learner)
	if err != nil {
		return nil, nil, fmt.Errorf("job %s: %w", job, err)
	}
	w, err := restoreWitnesses(&o, decider, saved.monitor)
	if err != nil {
		return nil, nil, fmt.Errorf("stream: a snapshot is damaged: %w", err)
	}
	if w != nil && w.again {
		return nil, nil, fmt.Errorf("job %s: the monitor of the last snapshot has other comparisons or settings than the configuration in the snapshot: "+
			"`fairstream state verify` shows whether it is damaged", job)
	}
	return &saved.SnapshotInfo, w.monitored(), nil
}

// followAgain is the pause after which a history that was made again or cut is read from its beginning.
const followAgain = time.Second

// FollowHistory gives tell the newest entries of a job's history that count, about most of them, and then each that is
// written, in order, until ctx ends; a topic that is made again or cut is followed again. Of the chain nothing is said: AuditHistory checks it.
func FollowHistory(ctx context.Context, cluster Cluster, topic, job string, most int64, tell func(*history.Entry)) error {
	chain := history.NewChain(history.Head{}, historyMemory)
	for {
		err := followHistory(ctx, cluster, topic, job, most, chain, tell)
		var loss *kafka.DataLoss
		if !errors.As(err, &loss) {
			return err
		}
		if loss.Kind == kafka.LossRecreated {
			chain = history.NewChain(history.Head{}, historyMemory) // else what is read again is not told again
		}
		select {
		case <-time.After(followAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func followHistory(ctx context.Context, cluster Cluster, topic, job string, most int64, chain *history.Chain, tell func(*history.Entry)) error {
	bounds, err := cluster.Bounds(ctx, topic)
	if err != nil || len(bounds) == 0 {
		return err
	}
	from := max(bounds[0].Start, bounds[0].End-most)
	_, err = cluster.Read(ctx, topic, 0, from, kafka.Forever, func(r *kafka.Record) error {
		if string(r.Key) != historyKey(job) {
			return nil
		}
		e, standing, _, err := chain.Follow(r.Offset, r.Value)
		if err == nil && standing == history.Counts {
			tell(e)
		}
		return err
	})
	return err
}
