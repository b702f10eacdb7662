package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newDemo(s *program.Streams) *cobra.Command {
	d := demo{Streams: s}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch a fair classifier being learnt from census records that flow through Kafka",
		Long: `Watch a fair classifier being learnt from census records that flow through Kafka. The demo starts an
embedded broker and writes four fifths of the bundled Adult records to a topic, in about 15 s. It learns
from the topic as fairstream run does, and keeps the difference between men and women within 0.05. Then it
reads the weights back from the model topic, and measures them on the other fifth of the records. At the
end it holds out each fifth in turn.

On a terminal it prints the address of a page that shows the job live, and serves it until Ctrl-C;
--open opens it in a browser. With --json or without a terminal it ends by itself.

It needs no other program, listens on this machine alone, and leaves no files behind.`,
		Example: `  fairstream demo
  fairstream demo --open
  fairstream demo --keep-running`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.lasts <= 0 {
				return fmt.Errorf("--lasts %v: give a time above 0, such as 15s", d.lasts)
			}
			return inWork(d.run(cmd.Context()))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&d.json, "json", false, "print one JSON object at the end, as replay does")
	f.BoolVar(&d.open, "open", false, "open the page in a browser, and serve it until Ctrl-C")
	f.BoolVar(&d.keepRunning, "keep-running", false, "go on with the same records until Ctrl-C")
	f.DurationVar(&d.lasts, "lasts", 14*time.Second, "how long the records take")
	mustComplete(f.MarkHidden("lasts"))
	return cmd
}

// demo is one run of the command.
type demo struct {
	*program.Streams
	json, open, keepRunning bool
	lasts                   time.Duration

	config  *config.Loaded
	client  *kafka.Client
	learner *stream.Stream
	live    *server.Live
	page    string // its address; empty: it is not served

	begun time.Time
}

// records is how many records one pass over the bundled records brings.
const records = adult.Records - adult.HeldOut

// errInterrupted ends a demo that was told to stop before its end.
var errInterrupted = errors.New("the demo was interrupted")

func (d *demo) run(ctx context.Context) (err error) {
	broker, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		return err
	}
	defer broker.Close()
	d.configure(broker)
	if d.client, err = kafka.Open(d.config.Kafka, kafka.Options{}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.client.Close()) }()
	if err := d.prepare(ctx, broker); err != nil {
		return err
	}
	forget, err := d.introduce()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, forget()) }()
	stopped, err := d.serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopped()) }()
	if err := d.stream(ctx); err != nil {
		return err
	}
	seconds := time.Since(d.begun).Seconds()
	result, err := d.readBack(context.WithoutCancel(ctx), seconds)
	if err != nil {
		return err
	}
	if err := d.report(context.WithoutCancel(ctx), result); err != nil || !d.stays() || d.keepRunning {
		return err
	}
	fmt.Fprintf(d.screen(), "\nThe page stays at %s until Ctrl-C.\n", d.page)
	<-ctx.Done()
	return nil
}

// configure is what a user would write into a file.
func (d *demo) configure(broker *devbroker.Broker) {
	c := *replay.BundledConfig()
	c.Kafka.Brokers = broker.Addresses()
	c.Topics.Input = "adult"
	c.Stream.Publish = stream.Cadence{Interval: time.Second}
	d.config = &config.Loaded{Config: c.WithDefaults()}
}

// prepare makes the topics and the stream.
func (d *demo) prepare(ctx context.Context, broker *devbroker.Broker) error {
	// The broker is in memory: a demo that keeps running must not fill it.
	const kept, segment = "67108864", "8388608"
	err := broker.Cluster.CreateTopic(d.config.Topics.Input, 1, map[string]string{"retention.bytes": kept, "segment.bytes": segment})
	if err != nil {
		return err
	}
	if _, err := d.client.CreateTopics(ctx, topicSpecs(d.config, 1)...); err != nil {
		return err
	}
	d.live = server.NewLive(server.NewMonitor(program.Version(), d.config.Job), board.Demo, d.config.Job, d.config.Model())
	options := (&streaming{config: d.config}).options(d.live.Notify)
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
func (d *demo) introduce() (forget func() error, err error) {
	english.Fprintf(d.screen(), "%d census records flow through an embedded Kafka broker on %s.\n"+
		"The model learns who earns more than $50,000. The rates of positive decisions of\nmen and women may differ by %v at most.\n",
		records, d.config.Kafka.Brokers[0], d.config.Constraints[0].Tau)
	if !d.keepRunning {
		return func() error { return nil }, nil
	}
	directory, err := os.MkdirTemp("", "fairstream-demo-")
	if err != nil {
		return nil, err
	}
	forget = func() error { return os.RemoveAll(directory) }
	file, err := writeBundledYAML(directory, d.config.Kafka.Brokers[0])
	if err != nil {
		return nil, errors.Join(err, forget())
	}
	fmt.Fprintf(d.screen(), "\nIt goes on until Ctrl-C. To look at it from another terminal:\n  fairstream models show --config %s\n  fairstream state show --config %[1]s\n", file)
	return forget, nil
}

// screen is where the demo is watched. Standard output is left to the object of --json.
func (d *demo) screen() io.Writer {
	if d.json {
		return d.Err
	}
	return d.Out
}

// stream writes the records, learns from them and shows it, until everything that was written is learnt,
// saved and published.
func (d *demo) stream(ctx context.Context) error {
	group, working := errgroup.WithContext(context.WithoutCancel(ctx))
	working, finish := context.WithCancel(working)
	defer finish()
	feeding, interrupt := context.WithCancel(working)
	defer context.AfterFunc(ctx, interrupt)()
	d.begun = time.Now()
	group.Go(func() error {
		err := d.learner.Run(working)
		if errors.Is(err, context.Canceled) {
			return nil // told to stop before it had begun
		}
		return err
	})
	group.Go(func() error {
		defer finish()
		return d.feed(feeding, working)
	})
	ended := make(chan struct{})
	var err error
	go func() {
		err = group.Wait()
		close(ended)
	}()
	shown := showLines(d.screen(), ended, d.standing)
	if shown != nil {
		finish()
	}
	<-ended
	return errors.Join(err, shown)
}

// feed writes the records and waits until they are learnt. It stops writing when feeding ends.
func (d *demo) feed(feeding, working context.Context) error {
	topic := d.config.Topics.Input
	producer, err := d.client.NewProducer(feeding, topic, 0)
	if err != nil {
		return d.interrupted(feeding, working, err)
	}
	schema, err := d.config.Model().Schema()
	if err != nil {
		return err
	}
	p := &produce{Streams: d.Streams, source: input.PartOfBundled(false), schema: schema.LabelOptional(),
		pace: newPace(max(1, int(float64(records)/d.lasts.Seconds())))}
	for again := true; again && err == nil; again = d.keepRunning {
		from := &input.Pass{Source: p.source, Schema: p.schema}
		if err = from.Open(); err == nil {
			err = errors.Join(p.send(feeding, from, producer), from.Reader.Close())
		}
	}
	if err := d.interrupted(feeding, working, err); err != nil {
		return err
	}
	if err := producer.Flush(working); err != nil {
		return err
	}
	return d.learnt(working)
}

// interrupted turns an error of feeding into what it means.
func (d *demo) interrupted(feeding, working context.Context, err error) error {
	switch {
	case err == nil || working.Err() != nil: // the learner failed, and says why
		return err
	case feeding.Err() == nil:
		return err
	case d.keepRunning:
		return nil
	}
	return errInterrupted
}

// learnt waits until every record of the topic is learnt.
func (d *demo) learnt(ctx context.Context) error {
	bounds, err := d.client.Bounds(ctx, d.config.Topics.Input)
	if err != nil {
		return err
	}
	for ticker := time.NewTicker(10 * time.Millisecond); ; {
		if d.learner.Status().Version >= bounds[0].End {
			ticker.Stop()
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
