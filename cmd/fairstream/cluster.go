package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// withCluster gives work a client of the cluster. When Kafka fails, that is said once an operation; when
// it stays away for patience, work's context ends and the cause is the error.
func withCluster(ctx context.Context, config kafka.Config, warnings io.Writer, work func(context.Context, *kafka.Client) error) error {
	within, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	client, err := kafka.Open(config, kafka.Options{Notify: func(o kafka.Outage) {
		switch {
		case o.Err == nil:
		case time.Since(o.Since) > patience:
			giveUp(fmt.Errorf("%s failed for %v: %w", o.Operation, patience, o.Err))
		case o.Attempt == 1:
			fmt.Fprintf(warnings, "fairstream: %v\n  trying again for %v; Ctrl-C gives up\n", o.Err, patience)
		}
	}})
	if err != nil {
		return err
	}
	err = work(within, client)
	switch cause := context.Cause(within); {
	case err == nil || cause == nil:
	case ctx.Err() != nil:
		if told := (*interrupted)(nil); !errors.As(err, &told) {
			err = errors.New("interrupted")
		}
	default:
		err = cause
	}
	return errors.Join(err, client.Close())
}

// mustExist looks for topics, and needs no right to describe their settings.
func mustExist(ctx context.Context, client *kafka.Client, topics ...string) error {
	var specs []kafka.TopicSpec
	for _, topic := range topics {
		if topic == "" {
			continue // the job has none
		}
		specs = append(specs, kafka.TopicSpec{Name: topic, Kind: kafka.InputTopic}) // of which no setting is checked
	}
	_, err := client.VerifyTopics(ctx, specs...)
	return err
}
