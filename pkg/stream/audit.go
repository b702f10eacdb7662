package stream

import (
	"context"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// AuditHistory answers for a period of a job. Entries are compared with claims, snapshot and documents: those refer to entries, so the last one
// cannot be deleted unnoticed either, and an entry that tells of more than they do was added. Records that the verifier refuses are
// listed, and say nothing; a nil verifier checks no signature. gap is as in history.Log.Audit.
func AuditHistory(ctx context.Context, cluster Cluster, topics Topics, job string, period history.Period, gap time.Duration, verifier *signature.Verifier) (*history.Audit, error) {
	standing := func(ctx context.Context) (now chronicle.Standing, err error) {
		state, err := ReadState(ctx, cluster, topics.State, job)
		if err != nil {
			return now, err
		}
		now.Term, now.Left = state.Holder.Term, state.Left
		if s := state.Snapshot; s != nil {
			now.SHA256 = s.History.SHA256
			now.Saved = &history.Saved{Term: s.Term, Version: s.Version, Steps: s.Steps, Head: s.History.Sequence, Configuration: s.Configuration.Whole}
		}
		return now, nil
	}
	return chronicle.Topic{Cluster: cluster, Name: topics.History, Job: job, Verifier: verifier}.Audit(ctx, standing,
		modeltopic.Topic{Cluster: cluster, Name: topics.Model, Job: job, Verifier: verifier}, period, gap)
}
