package owner

import (
	"context"
	"errors"
	"time"
)

// Take makes this process the owner of a job: at once or, with Settings.Standby, when nobody else is.
//
//	state topic ──▶ journal ──▶ ready      silence, or "leaving" ──▶ claim
//
// ready is asked before the job is claimed, and its error refuses (rule "refuse before claiming" in doc.go). On standby it is asked again at short
// intervals, with each snapshot that came to count: what can be prepared by then need not be when the owner is silent.
//
// A standby takes over by a claim like every owner, so whatever it believes of the other process, there is one lineage: at worst a healthy owner
// loses its job.
func Take(ctx context.Context, s Settings, ready func(Standing) error) (*Job, error) {
	for {
		j, err := Open(ctx, s)
		if err != nil {
			return nil, err
		}
		j.tellGarbage(0)
		if err := j.journal.begin(); err != nil {
			return nil, err
		}
		if err := ready(j.Standing()); err != nil {
			return nil, err
		}
		if s.Standby {
			if err := j.standBy(ctx, ready); err != nil {
				return nil, err
			}
		}
		err = j.Claim(ctx, 0)
		var superseded *Superseded
		if s.Standby && errors.As(err, &superseded) {
			continue // another standby was first
		}
		return j, err
	}
}

// standBy follows the owner until it is silent or leaves.
func (j *Job) standBy(ctx context.Context, ready func(Standing) error) error {
	if now := j.Standing(); now.Holder.Term == 0 || now.Left {
		return nil
	}
	j.heard()
	owner := j.journal.holder
	j.Listener.StandingBy(owner, owner.silence(j.Timeout))
	var quiet time.Duration
	err := j.until(ctx, func() (gone bool, err error) {
		quiet, gone = j.silent()
		return gone, ready(j.Standing())
	})
	if err == nil {
		now := j.Standing()
		j.Listener.TakingOver(now.Holder, quiet, now.Left)
	}
	return err
}
