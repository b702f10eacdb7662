package chronicle

import (
	"context"
	"errors"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// followAgain is the pause after which a history that was made again or cut is read from its beginning.
const followAgain = time.Second

// Follow gives tell the newest entries of a job's history that count, about most of them, and then each that is
// written, in order, until ctx ends; a topic that is made again or cut is followed again. Of the chain nothing is said: an audit checks it.
func (t Topic) Follow(ctx context.Context, most int64, tell func(*history.Entry)) error {
	chain := history.NewChain(history.Head{}, memory)
	for {
		err := t.follow(ctx, most, chain, tell)
		var loss *kafka.DataLoss
		if !errors.As(err, &loss) {
			return err
		}
		if loss.Kind == kafka.LossRecreated {
			chain = history.NewChain(history.Head{}, memory) // else what is read again is not told again
		}
		select {
		case <-time.After(followAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (t Topic) follow(ctx context.Context, most int64, chain *history.Chain, tell func(*history.Entry)) error {
	bounds, err := t.Cluster.Bounds(ctx, t.Name)
	if err != nil || len(bounds) == 0 {
		return err
	}
	from := max(bounds[0].Start, bounds[0].End-most)
	_, err = t.Cluster.Read(ctx, t.Name, 0, from, kafka.Forever, func(r *kafka.Record) error {
		if string(r.Key) != Key(t.Job) {
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
