package cluster

import (
	"context"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// noWeights says that a job has published nothing, and why, as far as its state topic tells.
func noWeights(ctx context.Context, client *kafka.Client, c *config.Loaded) error {
	why := "the state of the job, which would say why, cannot be read"
	if state, err := ReadState(ctx, client, c); err == nil {
		why = whyUnpublished(state, c.Stream.Publish, time.Now())
	}
	return fmt.Errorf("topic %s holds no weights of job %s yet: %s", c.Topics.Model, c.Job, why)
}

// whyUnpublished is why a job has not published yet.
func whyUnpublished(state *stream.State, publish stream.Cadence, now time.Time) string {
	running := max(0, now.Sub(state.Holder.At)).Round(time.Second)
	switch {
	case state.Holder.Term == 0:
		return "no process has learnt for it; start `fairstream run`"
	case state.Left:
		return "its last process ended before it published; start `fairstream run` again"
	case publish.Interval > 0 && running <= publish.Interval:
		return fmt.Sprintf("its process began %v ago, and first publishes after %v (stream.publish.interval)", running, publish.Interval)
	}
	return fmt.Sprintf("its process began %v ago; either no record has arrived, or it is not yet known whether the constraints are met. The log and the page of "+
		"`fairstream run` say which", running)
}
