package process

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// verifyEvery is how often run looks at the settings of its topics: whoever sets a retention on the state topic should hear of it before a cleaner runs.
const verifyEvery = 30 * time.Second

// watch verifies topics until ctx ends, and tells when they become unfit, when the reason changes, and when they are fit again.
func watch(ctx context.Context, verify func(context.Context) error, tell func(stream.TopicsUnfit)) {
	ticker := time.NewTicker(verifyEvery)
	defer ticker.Stop()
	told := ""
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		err := verify(ctx)
		if ctx.Err() != nil {
			return
		}
		reason := ""
		if err != nil {
			reason = err.Error()
		}
		if reason != told {
			told = reason
			tell(stream.TopicsUnfit{Err: err})
		}
	}
}

// watchTopics does so for the topics that the job writes, until the function that it returns is called.
func (r *Job) watchTopics(ctx context.Context, client *kafka.Client, options stream.Options, notify func(stream.Event)) (stop func()) {
	ctx, cancel := context.WithCancel(kafka.Aside(ctx))
	specs := options.TopicSpecs(r.Config.Topics.Replication)
	verify := func(ctx context.Context) error {
		_, err := client.VerifyTopics(ctx, specs...)
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		watch(ctx, verify, func(e stream.TopicsUnfit) { notify(e) })
	}()
	return func() {
		cancel()
		<-ended
	}
}

// prepareTopics makes or checks the topics that the job writes. A missing input is waited for, since whoever
// writes it may not have begun; where topics are made beforehand and --until-end is given, it is an error.
func (r *Job) prepareTopics(ctx context.Context, client *kafka.Client, options stream.Options) error {
	specs := options.TopicSpecs(r.Config.Topics.Replication)
	if r.Config.Topics.Management == config.VerifyTopics {
		if r.UntilEnd {
			specs = append(specs, kafka.TopicSpec{Name: options.Topics.Input, Kind: kafka.InputTopic})
		}
		_, err := client.VerifyTopics(ctx, specs...)
		return err
	}
	results, err := client.CreateTopics(ctx, specs...)
	for _, result := range results {
		if result.Created {
			r.logger.Info("topic created", zap.String("topic", result.Name))
		}
	}
	return err
}
