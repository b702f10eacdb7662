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

// standBy follows the owner until it is silent or leaves, or until the share of this process is larger.
func (j *Job) standBy(ctx context.Context, ready func(Standing) error) error {
	if now := j.Standing(); j.Spread == nil && (now.Holder.Term == 0 || now.Left) {
		return nil
	}
	j.heard()
	told := Claim{} // whom the listener knows as owner
	var quiet time.Duration
	err := j.until(ctx, func() (over bool, err error) {
		now, free := j.Standing(), false
		if quiet, free = j.silent(); !free && told.Owner != now.Holder.Owner {
			told = now.Holder
			j.Listener.StandingBy(told, told.silence(j.Timeout))
		}
		if over = free; j.Spread != nil {
			over = j.Spread.May(j.Job, now.Holder, free)
		}
		return over, ready(now)
	})
	if now := j.Standing(); err == nil && now.Holder.Term > 0 {
		j.Listener.TakingOver(now.Holder, quiet, now.Left)
	}
	return err
}
