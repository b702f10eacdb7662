package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// scoreStream is one run of score on topics.
type scoreStream struct {
	*program.Streams
	config        *config.Loaded
	from, to      string
	alias, shadow string
	split         float64
	attributes    bool
	untilEnd      bool
	logger        *zap.Logger
	monitor       *server.Scoring
	withheld      atomic.Pointer[follow.Withheld] // why there is no document, if that is known
}

// check refuses what does not fit together.
func (c *scoreStream) check() error {
	switch {
	case c.from == "" || c.to == "":
		return errors.New("--from and --to belong together: the topic of records, and the topic of decisions")
	case c.from == c.to:
		return fmt.Errorf("--to %s: the decisions would go to the topic of the records", c.to)
	case c.split > 0 && c.shadow == "":
		return errors.New("--split needs --shadow: the alias that decides this share")
	case !(c.split >= 0 && c.split <= 1):
		return fmt.Errorf("--split %v is outside [0, 1]", c.split)
	}
	own := c.config.Topics
	for key, topic := range map[string]string{"input": own.Input, "model": own.Model, "state": own.State, "dead_letter": own.DeadLetter, "history": own.History, "events": own.Events} {
		if c.to == topic {
			return fmt.Errorf("--to %s: this topic is the job's own, topics.%s: name another topic for the decisions", c.to, key)
		}
	}
	return nil
}

func (c *scoreStream) run(ctx context.Context) error {
	console := c.config.Log.Format == config.Console || !c.config.IsSet("log.format") && program.IsTerminal(c.Err)
	logger, _, err := server.NewLogger(c.Err, console, string(c.config.Log.Level))
	if err != nil {
		return err
	}
	c.logger = logger.Named("fairstream").With(zap.String("job", c.config.Job))
	c.monitor = server.NewScoring(program.Version(), c.config.Job)
	served, err := c.serve(ctx)
	if err != nil {
		return err
	}
	err = c.withKafka(ctx, func(within context.Context, client *kafka.Client) error {
		if err := c.prepare(within, client); err != nil {
			return err
		}
		return c.score(within, client)
	})
	err = errors.Join(err, served())
	return err
}

// prepare makes the topic of decisions, if topics are made by the program, with as many partitions as the input has.
func (c *scoreStream) prepare(ctx context.Context, client *kafka.Client) error {
	if err := cluster.Exist(ctx, client, c.from, c.config.Topics.Model); err != nil {
		return err
	}
	if c.config.Topics.Management == config.VerifyTopics {
		return cluster.Exist(ctx, client, c.to)
	}
	from, err := client.Topic(ctx, c.from)
	if err != nil {
		return err
	}
	results, err := client.CreateTopics(ctx, kafka.TopicSpec{Name: c.to, Kind: kafka.InputTopic, Partitions: from.Partitions, ReplicationFactor: c.config.Topics.Replication})
	if err == nil && results[0].Created {
		c.logger.Info("topic created", zap.String("topic", c.to), zap.Int("partitions", from.Partitions))
	}
	return err
}

func (c *scoreStream) score(ctx context.Context, client *kafka.Client) (err error) {
	models, err := c.follow(ctx, follow.Options{Alias: c.alias}, c.await)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, models.Close()) }()
	options := scoring.Options{Job: c.config.Job, From: c.from, To: c.to, Models: models, Split: c.split, Attributes: c.attributes, UntilEnd: c.untilEnd,
		Latest: c.config.Stream.Start == stream.Latest, OnLoss: c.config.Stream.DataLoss, Workers: c.config.Stream.Decoders,
		Notify: func(l *kafka.DataLoss) { c.logger.Error("records lost", zap.Error(l)) },
		Rejected: func(partition int32, rejection *record.Rejection) {
			c.logger.Warn("a record was rejected; further ones for this reason are counted", zap.Int32("partition", partition), zap.Error(rejection))
		}}
	if c.shadow != "" {
		// Whoever withdraws the alias, such as a candidate that is rejected, ends its share of the decisions too.
		options.Shadow, err = c.follow(ctx, follow.Options{Alias: c.shadow, Forget: true}, func(ctx context.Context, f *follow.Follower) error { return f.WaitRead(ctx) })
		if err != nil {
			return err
		}
		if options.Shadow.Current() == nil {
			c.logger.Warn("the alias of --shadow points to no document: until it does, the other alias decides all records", zap.String("alias", c.shadow))
		}
		defer func() { err = errors.Join(err, options.Shadow.Close()) }()
	}
	s, err := scoring.New(client, options)
	if err != nil {
		return err
	}
	c.monitor.Watch(s.Status)
	begin := time.Now()
	err = s.Run(ctx)
	status := s.Status()
	c.logger.Info("scoring ended", zap.Int64("scored", status.Scored), zap.Int64("rejected", status.Rejected), zap.Duration("took", time.Since(begin)))
	if err == nil && c.untilEnd {
		if status.Held > 0 {
			c.logger.Warn("a transaction on the topic of records was open: what is behind its first record is not decided; give the command again when the transaction has ended",
				zap.String("topic", c.from), zap.Int64("offsets", status.Held))
		}
		by := english.Sprintf("version %d (%s)", models.Current().Version, models.Current().Alias)
		if c.split > 0 && options.Shadow.Current() != nil {
			by += english.Sprintf(", and about %v of them by version %d (%s)", c.split, options.Shadow.Current().Version, c.shadow)
		}
		_, err = english.Fprintf(c.Out, "Wrote %s to topic %s, %d of them without a score, by %s.\n",
			english.Counted(status.Scored+status.Rejected, "decision"), c.to, status.Rejected, by)
	}
	return err
}

// follow opens a follower, and waits as ready says.
func (c *scoreStream) follow(ctx context.Context, o follow.Options, ready func(context.Context, *follow.Follower) error) (*follow.Follower, error) {
	o.Kafka, o.Topic, o.Job, o.PublicKeys, o.Notify = c.config.Kafka, c.config.Topics.Model, c.config.Job, c.config.Signing.PublicKeys, c.told
	f, err := follow.Open(o)
	if err != nil {
		return nil, err
	}
	if err := ready(ctx, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// await waits for the first document: with --until-end for a while, otherwise until there is one.
func (c *scoreStream) await(ctx context.Context, f *follow.Follower) error {
	wait, cancel := ctx, context.CancelFunc(func() {})
	if c.untilEnd {
		wait, cancel = context.WithTimeout(ctx, cluster.Patience)
	}
	defer cancel()
	c.logger.Info("waiting for the first document", zap.String("topic", c.config.Topics.Model), zap.String("alias", c.alias))
	if err := f.WaitRead(wait); err == nil && f.Current() == nil {
		c.logger.Warn("nothing is decided yet: "+c.noDocument(), zap.String("topic", c.config.Topics.Model), zap.String("alias", c.alias))
	}
	_, err := f.Wait(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New(c.noDocument())
	}
	return err
}

// noDocument says why there is nothing to decide by.
func (c *scoreStream) noDocument() string {
	where := fmt.Sprintf("topic %s has no document of job %s that can be used", c.config.Topics.Model, c.config.Job)
	if w := c.withheld.Load(); w != nil {
		return fmt.Sprintf("topic %s, offset %d: alias %s of job %s is refused: %v. `fairstream run` writes the alias again; --alias chooses another one",
			c.config.Topics.Model, w.Refused.Offset, w.Alias, c.config.Job, w.Refused.Err)
	}
	if c.alias == "" {
		return where + ": fairstream run publishes one, and the log says what was refused"
	}
	return fmt.Sprintf("%s under the alias %s: `fairstream models list` shows the aliases, --alias chooses another one, and the log says what was refused", where, c.alias)
}

// withKafka gives work a client. With --until-end a Kafka that stays away is given up; without, it is waited for.
func (c *scoreStream) withKafka(ctx context.Context, work func(context.Context, *kafka.Client) error) error {
	if c.untilEnd {
		return cluster.With(ctx, c.config.Kafka, c.Err, work)
	}
	client, err := kafka.Open(c.config.Kafka, kafka.Options{Notify: func(o kafka.Outage) {
		c.monitor.Failed(o.Operation, o.Err, o.Since)
		if o.Err != nil && o.Attempt == 1 {
			c.logger.Warn("kafka operation failed and is retried", zap.String("operation", o.Operation), zap.Error(o.Err))
		}
	}})
	if err != nil {
		return err
	}
	err = work(ctx, client)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // told to stop: what is committed is whole
	}
	return errors.Join(err, client.Close())
}

// serve answers at server.address until the function that it returns is called. A port that is taken is left to whoever
// has it: run, perhaps, with the same configuration.
func (c *scoreStream) serve(ctx context.Context) (stop func() error, err error) {
	none := func() error { return nil }
	address := c.config.Server.Address
	if c.untilEnd || address == "" {
		return none, nil
	}
	access, err := (&streaming{config: c.config}).access()
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		c.logger.Warn("health and metrics are not served: set server.address to another port", zap.NamedError("reason", err))
		return none, nil
	}
	c.logger.Info("serving health and metrics", zap.Stringer("address", listener.Addr()))
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(serving, listener, c.monitor.Handler(access), access) }()
	return func() error {
		cancel()
		return <-ended
	}, nil
}

// told logs what followers tell.
func (c *scoreStream) told(event follow.Event) {
	if _, is := event.(follow.Outage); !is { // the last good document decides on
		c.monitor.Notify(event)
	}
	switch e := event.(type) {
	case follow.Swapped:
		if c.alias == "" && e.Model.Alias == follow.LatestAlias && e.Before == nil {
			c.logger.Warn("there is no stable version yet: this process decides by the alias latest until a version is stable; use --alias to choose another alias")
		}
		c.logger.Info("decides by another version", zap.String("alias", e.Model.Alias), zap.Int64("version", e.Model.Version), zap.Int64("term", e.Model.Term),
			zap.String("weights_sha256", e.Model.Document.WeightsSHA256))
	case follow.Forgotten:
		c.logger.Warn("the alias was deleted: its version decides no more", zap.String("alias", e.Before.Alias), zap.Int64("version", e.Before.Version), zap.Int64("term", e.Before.Term))
	case follow.Refused:
		c.logger.Error("a record on the model topic is refused", zap.String("key", e.Key), zap.Int64("offset", e.Offset), zap.Error(e.Err))
	case follow.Waiting:
		c.logger.Warn("an alias points to a document that is not on the topic", zap.String("alias", e.Alias), zap.Int64("version", e.Version), zap.Int64("term", e.Term))
	case follow.Unwatched:
		if e.Since.IsZero() {
			c.logger.Info("the owner of the job watches the version of the alias again", zap.String("alias", e.Alias))
			break
		}
		c.logger.Error("nobody withdraws the version of the alias any more if it leaves its limits, because the releases of `fairstream run` are stopped by a defect: start it "+
			"again; condition releases_stopped says more", zap.String("alias", e.Alias), zap.Time("since", e.Since))
	case follow.Withheld:
		c.withheld.Store(&e)
		c.logger.Error("nothing is decided: the record of the alias is refused, so the version to use is not known. `fairstream run` writes the alias again within 10 s; "+
			"--alias chooses another one", zap.String("alias", e.Alias), zap.String("key", e.Refused.Key), zap.Int64("offset", e.Refused.Offset), zap.Error(e.Refused.Err))
	case follow.Outage:
		if e.Err != nil {
			c.logger.Warn("kafka operation failed and is retried; the last good version stays in use", zap.String("operation", e.Operation), zap.Error(e.Err))
		}
	}
}
