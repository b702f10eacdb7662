package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newRun(s *program.Streams) *cobra.Command {
	var flags configFlags
	r := streaming{kind: board.Run}
	cmd := &cobra.Command{
		Use:   "run --config FILE",
		Short: "Learn from a Kafka topic, and publish the weights",
		Long: `Learn from the input topic until a signal stops the process, and publish the weights on the model topic.
The state is saved on the state topic together with the offsets. However the process ends, the next one
continues from the last snapshot, and every record is learnt exactly once. Rejected records go to the
dead-letter topic.

On SIGTERM or Ctrl-C, fairstream saves, publishes and exits; a second signal ends it at once. While Kafka
is unreachable it waits, and /readyz answers 503. A job has one process at a time: a second one takes
over from the first.

A page, its data, health, metrics and the log level are served over HTTP (server.address): open
http://127.0.0.1:8468/ in a browser.`,
		Example: `  fairstream run --config config.yaml
  fairstream run --config config.yaml --until-end
  curl localhost:8468/api/v1/status`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Running)
			if err != nil {
				return err
			}
			r.Streams, r.config, r.files = s, loaded, configFiles(&flags)
			return inWork(r.run(cmd.Context()))
		},
	}
	flags.register(cmd)
	r.said.register(cmd)
	cmd.Flags().BoolVar(&r.beginAgain, "begin-again", false, "learn from stream.start although weights are published: their state is gone")
	cmd.Flags().BoolVar(&r.untilEnd, "until-end", false, "learn what the topic holds now, save, publish and exit")
	return cmd
}

// streaming is one run of the command.
type streaming struct {
	*program.Streams
	kind     board.Kind // what it does: Run or Monitor
	config   *config.Loaded
	files    []string // of the configuration
	untilEnd bool
	serving  bool // on server.address
	// beginAgain: a state that is gone is no error.
	beginAgain bool
	said       said

	logger *zap.Logger
	live   *server.Live
	status atomic.Pointer[stream.Stream] // nil until the stream begins
}

func (r *streaming) run(ctx context.Context) error {
	logger, level, err := server.NewLogger(r.Err, r.console(), string(r.config.Log.Level))
	if err != nil {
		return err
	}
	r.logger = logger.Named("fairstream").With(zap.String("job", r.config.Job))
	whole, err := r.config.JSON()
	if err != nil {
		return err
	}
	r.begin(whole)
	r.live = server.NewLive(server.NewMonitor(program.Version(), r.config.Job), r.kind, r.config.Job, r.config.Model())
	access, err := r.access()
	if err != nil {
		return err
	}
	listener, err := r.listen(ctx)
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	group, serving := errgroup.WithContext(serving)
	r.serving = listener != nil
	if listener != nil {
		handler := r.live.Handler(level, board.New(r.live), access)
		group.Go(func() error { return server.Serve(serving, listener, handler, access) })
		go r.live.Follow(serving)
	}
	group.Go(func() error {
		defer stop()
		return r.learn(ctx)
	})
	return group.Wait()
}

// console says whether the log is for people: where that is configured, or where nothing is and a person looks on.
func (r *streaming) console() bool {
	return r.config.Log.Format == config.Console || !r.config.IsSet("log.format") && program.IsTerminal(r.Err)
}

// learn runs the stream.
func (r *streaming) learn(stop context.Context) (err error) {
	// A Kafka that stays away is given up by cause; being told to stop is another thing.
	ctx, giveUp := context.WithCancelCause(stop)
	defer giveUp(nil)
	log := server.Log(r.logger)
	notify := func(event stream.Event) {
		r.live.Notify(event)
		log(event)
		if o, isOutage := event.(stream.KafkaOutage); isOutage && r.untilEnd && o.Err != nil && time.Since(o.Since) > cluster.Patience {
			giveUp(fmt.Errorf("%s failed for %v: %w", o.Operation, cluster.Patience, o.Err))
		}
	}
	client, err := kafka.Open(r.config.Kafka, kafka.Options{Notify: func(o kafka.Outage) { notify(stream.KafkaOutage(o)) }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	look, err := newFirstLook(r.config.Model(), r.logger)
	if err != nil {
		return err
	}
	options := r.options(notify)
	if options.Configuration, err = r.config.JSON(); err != nil {
		return err
	}
	if options.Signer, options.Verifier, err = cluster.Signing(r.config); err != nil {
		return err
	}
	learns := r.kind == board.Run
	inspecting, serving := learns, learns && r.serving
	r.live.Page().OnStop(func(s isolate.Stopped) { log(stream.PartStopped{Stopped: s}) })
	options.Look = func(value []byte) (more bool) {
		r.live.Page().Try(func() {
			if serving {
				r.live.Look(value)
			}
			inspecting = inspecting && look.look(value)
			more = inspecting || serving
		})
		return more
	}
	err = r.prepareTopics(ctx, client, options)
	if err == nil {
		learner := stream.New(stream.Kafka(client), options)
		r.live.Watch(learner.Status)
		if learns && r.config.Server.TokenFile != "" {
			r.live.Orders(func(ctx context.Context, asked stream.Request) (*stream.Answer, error) {
				return stream.Ask(ctx, stream.Kafka(client), options, asked, stream.Asking{Wait: server.OrderWait})
			})
		}
		r.status.Store(learner)
		forget := r.recall(ctx, client, options.Topics.History)
		unwatch := r.watchTopics(ctx, client, options, notify)
		err = learner.Run(ctx)
		unwatch()
		forget()
		if learns {
			look.end()
			if err == nil && r.untilEnd && stop.Err() == nil && learner.Status().Version == 0 {
				r.logger.Warn("the input topic holds no records: check topics.input, or write records with fairstream produce", zap.String("input", options.Topics.Input))
			}
		}
	}
	if cause := context.Cause(ctx); stop.Err() == nil && cause != nil {
		err = cause
	} else if stop.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // told to stop before it had begun
	}
	return err
}

// recalled is how many of the newest entries of the history the page knows at its start.
const recalled = 2000

// recall lets the page know the history of the job, until the function that it returns is called.
func (r *streaming) recall(ctx context.Context, client *kafka.Client, topic string) (stop func()) {
	if !r.serving || topic == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(kafka.Aside(ctx)) // the page is no reason not to be ready
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err := stream.FollowHistory(ctx, stream.Kafka(client), topic, r.config.Job, recalled, r.live.Recall)
		if ctx.Err() == nil {
			r.logger.Warn("the page no longer follows the history", zap.String("topic", topic), zap.Error(err))
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// prepareTopics makes or checks the topics that the job writes. A missing input is waited for, since whoever
// writes it may not have begun; where topics are made beforehand and --until-end is given, it is an error.
func (r *streaming) prepareTopics(ctx context.Context, client *kafka.Client, options stream.Options) error {
	specs := options.TopicSpecs(r.config.Topics.Replication)
	if r.config.Topics.Management == config.VerifyTopics {
		if r.untilEnd {
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

func (r *streaming) options(notify func(stream.Event)) stream.Options {
	return stream.Options{
		Job:        r.config.Job,
		Model:      r.config.Model(),
		Topics:     cluster.TopicsOf(r.config),
		Config:     r.config.Stream,
		Monitoring: r.config.Monitor,
		Release:    r.config.Release,
		UntilEnd:   r.untilEnd,
		BeginAgain: r.beginAgain,
		Program:    program.Version(),
		Service:    "fairstream " + string(r.kind),
		Actor:      r.said.actor,
		Reason:     r.said.reason,
		Notify:     notify,
	}
}

// said is who asks for a command and why, as the flags --actor and --reason say it; it goes to the history.
type said struct{ actor, reason string }

func (s *said) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.actor, "actor", "", "who asks for this, for the history of the job")
	cmd.Flags().StringVar(&s.reason, "reason", "", "why, for the history of the job")
}
