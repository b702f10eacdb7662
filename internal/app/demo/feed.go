package demo

import (
	"context"
	"errors"
	"time"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/produce"
)

// errInterrupted ends a demo that was told to stop before its end.
var errInterrupted = errors.New("the demo was interrupted")

// feed writes the records and waits until they are learnt. It stops writing when feeding ends.
func (d *Demo) feed(feeding, working context.Context) error {
	topic := d.config.Topics.Input
	producer, err := d.client.NewProducer(feeding, topic, 0)
	if err != nil {
		return d.interrupted(feeding, working, err)
	}
	schema, err := d.config.Model().Schema()
	if err != nil {
		return err
	}
	p := &produce.Work{Streams: d.Streams, Source: input.PartOfBundled(false), Schema: schema.LabelOptional(), Rate: max(1, int(float64(records)/d.Lasts.Seconds()))}
	for again := true; again && err == nil; again = d.KeepRunning {
		from := &input.Pass{Source: p.Source, Schema: p.Schema}
		if err = from.Open(); err == nil {
			err = errors.Join(p.Send(feeding, from, producer), from.Reader.Close())
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
func (d *Demo) interrupted(feeding, working context.Context, err error) error {
	switch {
	case err == nil || working.Err() != nil: // the learner failed, and says why
		return err
	case feeding.Err() == nil:
		return err
	case d.KeepRunning:
		return nil
	}
	return errInterrupted
}

// learnt waits until every record of the topic is learnt.
func (d *Demo) learnt(ctx context.Context) error {
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
