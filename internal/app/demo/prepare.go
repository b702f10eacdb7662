package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/embedded"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
)

// configure is what a user would write into a file.
func (d *Demo) configure(broker *devbroker.Broker) {
	c := *replay.BundledConfig()
	c.Kafka.Brokers = broker.Addresses()
	c.Topics.Input = "adult"
	c.Stream.Publish = stream.Cadence{Interval: time.Second}
	d.config = &config.Loaded{Config: c.WithDefaults()}
}

// prepare makes the topics and the stream.
func (d *Demo) prepare(ctx context.Context, broker *devbroker.Broker) error {
	// The broker is in memory: a demo that keeps running must not fill it.
	const kept, segment = "67108864", "8388608"
	err := broker.Cluster.CreateTopic(d.config.Topics.Input, 1, map[string]string{"retention.bytes": kept, "segment.bytes": segment})
	if err != nil {
		return err
	}
	if _, err := d.client.CreateTopics(ctx, cluster.TopicSpecs(d.config, 1)...); err != nil {
		return err
	}
	d.live = server.NewLive(server.NewMonitor(program.Version(), d.config.Job), board.Demo, d.config.Job, d.config.Model())
	options := cluster.Options(d.config)
	options.Service, options.Notify = "fairstream demo", d.live.Notify
	options.Look = func(value []byte) bool {
		d.live.Look(value)
		return true
	}
	d.learner = stream.New(stream.Kafka(d.client), options)
	d.live.Watch(d.learner.Status)
	return nil
}

// introduce says what is going to happen. A demo that keeps running leaves a configuration by which it
// can be looked at from outside, until forget is called.
func (d *Demo) introduce() (forget func() error, err error) {
	english.Fprintf(d.screen(), "%d census records flow through an embedded Kafka broker on %s.\n"+
		"The model learns who earns more than $50,000. The rates of positive decisions of\nmen and women may differ by %v at most.\n",
		records, d.config.Kafka.Brokers[0], d.config.Constraints[0].Tau)
	if !d.KeepRunning {
		return func() error { return nil }, nil
	}
	directory, err := os.MkdirTemp("", "fairstream-demo-")
	if err != nil {
		return nil, err
	}
	forget = func() error { return os.RemoveAll(directory) }
	file, err := embedded.WriteYAML(directory, d.config.Kafka.Brokers[0])
	if err != nil {
		return nil, errors.Join(err, forget())
	}
	fmt.Fprintf(d.screen(), "\nThe demo keeps running until you press Ctrl-C. Look at it from another terminal:\n  fairstream models show --config %s\n  fairstream state show --config %[1]s\n", file)
	return forget, nil
}
