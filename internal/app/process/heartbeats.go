package process

import (
	"context"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/internal/kafka"
)

// hear lets the page know which version serves where, until the function that it returns is called. Learning does not wait for it, and what a heartbeat holds
// reaches the page alone.
func (r *Job) hear(ctx context.Context, client *kafka.Client) (stop func()) {
	topic := r.Config.Topics.Events
	if !r.serving || topic == "" || r.Config.Serve.Heartbeat == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(kafka.Aside(ctx)) // the page is no reason not to be ready
	reader := heartbeat.NewReader(client, topic, r.Config.Job)
	r.live.Serves(reader.Fleet)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		reader.Follow(ctx, func(err error) {
			r.live.Unheard(err)
			if err != nil {
				r.logger.Warn("the page cannot read which version serves where", zap.String("topic", topic), zap.Error(err))
			}
		})
	}()
	return func() {
		cancel()
		<-ended
	}
}
