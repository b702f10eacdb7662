package score

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/documents"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/service"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Run decides records until ctx ends, or with UntilEnd until what the topic held is decided.
func (c *Topics) Run(ctx context.Context) (err error) {
	if c.logger, _, err = service.Logger(c.Err, c.Config); err != nil {
		return err
	}
	c.monitor = server.NewScoring(program.Version(), c.Config.Job)
	c.documents = &documents.Followed{Config: c.Config, Alias: c.Alias, Logger: c.logger, Notify: c.monitor.Notify}
	served, err := c.serve(ctx)
	if err != nil {
		return err
	}
	return errors.Join(c.decide(ctx), served())
}

// prepare makes the topic of decisions, if topics are made by the program, with as many partitions as the input has.
func (c *Topics) prepare(ctx context.Context, notify func(kafka.Outage)) (err error) {
	client, err := kafka.Open(c.Config.Kafka, kafka.Options{Notify: notify})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	if err := cluster.Exist(ctx, client, c.From, c.Config.Topics.Model); err != nil {
		return err
	}
	if c.Config.Topics.Management == config.VerifyTopics {
		return cluster.Exist(ctx, client, c.To)
	}
	from, err := client.Topic(ctx, c.From)
	if err != nil {
		return err
	}
	results, err := client.CreateTopics(ctx, kafka.TopicSpec{Name: c.To, Kind: kafka.InputTopic, Partitions: from.Partitions, ReplicationFactor: c.Config.Topics.Replication})
	if err == nil && results[0].Created {
		c.logger.Info("topic created", zap.String("topic", c.To), zap.Int("partitions", from.Partitions))
	}
	return err
}

func (c *Topics) score(ctx context.Context, notify func(kafka.Outage)) (err error) {
	models, err := c.documents.Open(ctx, c.await)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, models.Close()) }()
	messages, err := formats.Open(c.Config.Record, c.Config.Registry)
	if err != nil {
		return err
	}
	defer messages.Close()
	c.monitor.Awaits(messages.Waits)
	options := scoring.Options{Kafka: c.Config.Kafka, Outage: notify, Job: c.Config.Job, From: c.From, To: c.To, Models: models, Split: c.Split, Explore: c.Explore, ID: c.Config.Record.ID, Attributes: c.Attributes, UntilEnd: c.UntilEnd, Decoders: decoders(messages, c.logger),
		Latest: c.Config.Stream.Start == stream.Latest, OnLoss: c.Config.Stream.DataLoss, Workers: c.Config.Stream.Decoders,
		Notify: func(l *kafka.DataLoss) { c.logger.Error("records lost", zap.Error(l)) },
		Rejected: func(partition int32, rejection *record.Rejection) {
			c.logger.Warn("a record was rejected; further ones for this reason are counted", zap.Int32("partition", partition), zap.Error(rejection))
		}}
	if c.Shadow != "" {
		if options.Shadow, err = c.documents.OpenShadow(ctx, c.Shadow); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, options.Shadow.Close()) }()
	}
	s, err := scoring.New(options)
	if err != nil {
		return err
	}
	c.monitor.Watch(s.Status)
	begin := time.Now()
	err = s.Run(ctx)
	status := s.Status()
	c.logger.Info("scoring ended", zap.Int64("scored", status.Scored), zap.Int64("rejected", status.Rejected), zap.Int64("explored", status.Explored), zap.Duration("took", time.Since(begin)))
	if status.Anonymous > 0 {
		c.logger.Warn("negative decisions were not explored, because their records have neither an identifier nor a Kafka key: set record.id, or write the records with keys",
			zap.Int64("decisions", status.Anonymous))
	}
	if status.Unread > 0 {
		c.logger.Warn("records have values of another type than was learnt, which had no part in their decisions: their decisions name the columns under unread",
			zap.Int64("records", status.Unread))
	}
	if err == nil && c.UntilEnd {
		if status.Held > 0 {
			c.logger.Warn("a transaction on the topic of records was open: what is behind its first record is not decided; give the command again when the transaction has ended",
				zap.String("topic", c.From), zap.Int64("offsets", status.Held))
		}
		by := english.Sprintf("version %d (%s)", models.Current().Version, models.Current().Alias)
		if c.Split > 0 && options.Shadow.Current() != nil {
			by += english.Sprintf(", and about %v of them by version %d (%s)", c.Split, options.Shadow.Current().Version, c.Shadow)
		}
		_, err = english.Fprintf(c.Out, "Wrote %s to topic %s, %d of them without a score, by %s.\n",
			english.Counted(status.Scored+status.Rejected, "decision"), c.To, status.Rejected, by)
	}
	return err
}

// await waits for the first document: with --until-end for a while, otherwise until there is one.
func (c *Topics) await(ctx context.Context, f *follow.Follower) error {
	cancel := context.CancelFunc(func() {})
	if c.UntilEnd {
		ctx, cancel = context.WithTimeout(ctx, cluster.Patience)
	}
	defer cancel()
	err := c.documents.Await(ctx, f)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New(c.documents.NoDocument())
	}
	return err
}

// decide prepares and scores. With --until-end a Kafka that stays away is given up; without, it is waited for.
func (c *Topics) decide(ctx context.Context) error {
	within, end := ctx, func(err error) error {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return nil // told to stop: what is committed is whole
		}
		return err
	}
	notify := func(o kafka.Outage) {
		c.monitor.Failed(o.Operation, o.Err, o.Since)
		if o.Err != nil && o.Attempt == 1 {
			c.logger.Warn("kafka operation failed and is retried", zap.String("operation", o.Operation), zap.Error(o.Err))
		}
	}
	if c.UntilEnd {
		within, notify, end = cluster.Patiently(ctx, c.Err)
	}
	err := c.prepare(within, notify)
	if err == nil {
		err = c.score(within, notify)
	}
	return end(err)
}
