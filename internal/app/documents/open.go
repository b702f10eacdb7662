package documents

import (
	"context"
	"errors"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/pkg/follow"
)

// Open follows the document that decides, and waits as await says.
func (c *Followed) Open(ctx context.Context, await func(context.Context, *follow.Follower) error) (*follow.Follower, error) {
	return c.open(ctx, follow.Options{Alias: c.Alias}, await)
}

// OpenShadow follows an alias that decides beside, and waits until the topic was read. Whoever withdraws the alias, such as a candidate that is
// rejected, ends its share of the decisions too.
func (c *Followed) OpenShadow(ctx context.Context, alias string) (*follow.Follower, error) {
	f, err := c.open(ctx, follow.Options{Alias: alias, Forget: true}, func(ctx context.Context, f *follow.Follower) error { return f.WaitRead(ctx) })
	if err == nil && f.Current() == nil {
		c.Logger.Warn("the alias of --shadow points to no document: until it does, the other alias decides all records", zap.String("alias", alias))
	}
	return f, err
}

func (c *Followed) open(ctx context.Context, o follow.Options, await func(context.Context, *follow.Follower) error) (*follow.Follower, error) {
	o.Kafka, o.Topic, o.Job, o.PublicKeys, o.Notify = c.Config.Kafka, c.Config.Topics.Model, c.Config.Job, c.Config.Signing.PublicKeys, c.told
	f, err := follow.Open(o)
	if err != nil {
		return nil, err
	}
	if err := await(ctx, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Await waits for the first document, and logs why there is none yet.
func (c *Followed) Await(ctx context.Context, f *follow.Follower) error {
	c.Logger.Info("waiting for the first document", zap.String("topic", c.Config.Topics.Model), zap.String("alias", c.Alias))
	if err := f.WaitRead(ctx); err == nil && f.Current() == nil {
		c.Logger.Warn("nothing is decided yet: "+c.NoDocument(), zap.String("topic", c.Config.Topics.Model), zap.String("alias", c.Alias))
	}
	_, err := f.Wait(ctx)
	return err
}
