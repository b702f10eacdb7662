package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/model"
)

// ReadMonitored reads what the monitor of a job had counted when the last snapshot was taken, without disturbing the owner. Counts are
// those of the configuration that the snapshot holds: configured gives its sections. The snapshot is nil if there is none.
func ReadMonitored(ctx context.Context, cluster Cluster, topic, job string,
	configured func(whole json.RawMessage) (model.Config, Monitoring, error)) (*SnapshotInfo, []*Monitored, error) {
	now, err := owner.Read(ctx, owner.Settings{Log: cluster, Topic: topic, Job: job})
	if err != nil || now.State == nil {
		return nil, nil, err
	}
	saved, err := decodeSnapshot(now.State)
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
	all, err := observe.Counted(o.observed(nil), decider, saved.monitor)
	if errors.Is(err, observe.ErrOther) {
		return nil, nil, fmt.Errorf("job %s: the monitor of the last snapshot has other comparisons or settings than the configuration in the snapshot: "+
			"`fairstream state verify` shows whether it is damaged", job)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("stream: a snapshot is damaged: %w", err)
	}
	return &saved.SnapshotInfo, all, nil
}
