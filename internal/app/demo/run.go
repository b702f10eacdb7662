package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// stream writes the records, learns from them and shows it, until everything that was written is learnt,
// saved and published.
func (d *Demo) stream(ctx context.Context) error {
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

// Run shows the demonstration.
func (d *Demo) Run(ctx context.Context) (err error) {
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
		if ctx.Err() != nil {
			return errInterrupted
		}
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
	if err := d.report(context.WithoutCancel(ctx), result); err != nil || !d.stays() || d.KeepRunning {
		return err
	}
	fmt.Fprintf(d.screen(), "\nThe page stays at %s until Ctrl-C.\n", d.page)
	<-ctx.Done()
	return nil
}
