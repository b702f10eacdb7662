package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/service"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/stream"
)

// reportGap is how long a version may stay the newest before a report calls it a gap.
const reportGap = time.Hour

// Run runs the job until ctx ends, or with UntilEnd until it has read what the topic holds.
func (r *Job) Run(ctx context.Context) error {
	logger, level, err := service.Logger(r.Err, r.Config)
	if err != nil {
		return err
	}
	if err := r.begin(logger, server.NewMonitor(program.Version(), r.Config.Job)); err != nil {
		return err
	}
	access, err := service.Access(r.Config.Server)
	if err != nil {
		return err
	}
	listener, err := Listen(ctx, r.Config, r.UntilEnd, r.logger)
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

// Learn runs a job that was prepared by Share, until ctx ends or it fails. It may be called again when it has failed.
func (r *Job) Learn(ctx context.Context) error {
	if r.serving {
		following, stop := context.WithCancel(context.WithoutCancel(ctx))
		defer stop()
		go r.live.Follow(following)
	}
	err := r.learn(ctx)
	if err != nil {
		r.live.Fail(err)
	}
	return err
}

// learn runs the stream.
func (r *Job) learn(stop context.Context) (err error) {
	// A Kafka that stays away is given up by cause; being told to stop is another thing.
	ctx, giveUp := context.WithCancelCause(stop)
	defer giveUp(nil)
	log := server.Log(r.logger)
	notify := func(event stream.Event) {
		r.live.Notify(event)
		log(event)
		if o, isOutage := event.(stream.KafkaOutage); isOutage && r.UntilEnd && o.Err != nil && time.Since(o.Since) > cluster.Patience {
			giveUp(fmt.Errorf("%s failed for %v: %w", o.Operation, cluster.Patience, o.Err))
		}
	}
	client, closeClient, err := r.open(func(o kafka.Outage) { notify(stream.KafkaOutage(o)) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeClient()) }()
	options := r.options(notify)
	messages, err := formats.Open(r.Config.Record, r.Config.Registry)
	if err != nil {
		return err
	}
	defer messages.Close()
	options.Format = messages
	r.live.PrintedBy(messages.AppendJSON)
	look, err := newFirstLook(r.Config.Model(), r.Config.Monitor.Cluster, messages, r.live.Page(), r.logger)
	if err != nil {
		return err
	}
	if options.Configuration, err = r.Config.JSON(); err != nil {
		return err
	}
	if options.Signer, options.Verifier, err = cluster.Signing(r.Config); err != nil {
		return err
	}
	learns := r.Kind == board.Run
	if field := r.Config.Record.Label.Time; learns && field != "" {
		r.logger.Warn("record.label.time is for files and has no effect on a topic: a record that brings its label is learnt when it comes. Set record.key, and send the label as a message of its own when it becomes known",
			zap.String("field", field))
	}
	serving := learns && r.serving
	r.live.Page().OnStop(func(s isolate.Stopped) { log(stream.PartStopped{Stopped: s}) })
	options.Look = func(value []byte) bool {
		r.live.Page().Try(func() {
			if serving {
				r.live.Look(value)
			}
			if learns {
				look.look(value)
			}
		})
		return learns
	}
	err = r.prepareTopics(ctx, client, options)
	if err == nil {
		learner := stream.New(stream.Kafka(client), options)
		r.live.Watch(learner.Status)
		if learns && r.Config.Server.TokenFile != "" {
			r.live.Orders(func(ctx context.Context, asked stream.Request) (*stream.Answer, error) {
				return stream.Ask(ctx, stream.Kafka(client), options, asked, stream.Asking{Wait: server.OrderWait})
			})
		}
		if options.Topics.History != "" {
			r.live.Audits(func(ctx context.Context, period history.Period) (*history.Audit, error) {
				return stream.AuditHistory(kafka.Aside(ctx), stream.Kafka(client), options.Topics, r.Config.Job, period, reportGap, options.Verifier)
			})
		}
		forget := r.recall(ctx, client, options.Topics.History)
		unhear := r.hear(ctx, client)
		unwatch := r.watchTopics(ctx, client, options, notify)
		err = learner.Run(ctx)
		unwatch()
		unhear()
		forget()
		if learns {
			look.end()
			if err == nil && r.UntilEnd && stop.Err() == nil && learner.Status().Version == 0 {
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
func (r *Job) recall(ctx context.Context, client *kafka.Client, topic string) (stop func()) {
	if topic == "" {
		r.live.NoHistory()
	}
	if !r.serving || topic == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(kafka.Aside(ctx)) // the page is no reason not to be ready
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err := stream.FollowHistory(ctx, stream.Kafka(client), topic, r.Config.Job, recalled, r.live.Recall)
		if ctx.Err() == nil {
			r.logger.Warn("the page no longer follows the history", zap.String("topic", topic), zap.Error(err))
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// open is a client of Kafka, which closeClient closes unless the process shares it.
func (r *Job) open(notify func(kafka.Outage)) (client *kafka.Client, closeClient func() error, err error) {
	if r.shared != nil {
		return r.shared.Client.Telling(notify), func() error { return nil }, nil
	}
	if client, err = kafka.Open(r.Config.Kafka, kafka.Options{Notify: notify}); err != nil {
		return nil, nil, err
	}
	return client, client.Close, nil
}

// options are those of the stream.
func (r *Job) options(notify func(stream.Event)) stream.Options {
	o := cluster.Options(r.Config)
	o.UntilEnd, o.BeginAgain, o.Service = r.UntilEnd, r.BeginAgain, "fairstream "+string(r.Kind)
	o.StartFrom = r.From
	o.Actor, o.Reason, o.Notify = r.Said.Actor, r.Said.Reason, notify
	if r.shared != nil {
		r.shared.limit(&o)
	}
	return o
}
