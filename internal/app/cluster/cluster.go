package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Patience is how long a command waits for a Kafka that is away. Only run without --until-end waits for ever.
const Patience = 30 * time.Second

// Interrupted tells how far a command came that was told to stop.
type Interrupted string

func (i Interrupted) Error() string { return string(i) }

// With gives work a client of the cluster. When Kafka fails, that is said once an operation; when
// it stays away for Patience, work's context ends and the cause is the error.
func With(ctx context.Context, config kafka.Config, warnings io.Writer, work func(context.Context, *kafka.Client) error) error {
	within, notify, end := Patiently(ctx, warnings)
	client, err := kafka.Open(config, kafka.Options{Notify: notify})
	if err != nil {
		return end(err)
	}
	return errors.Join(end(work(within, client)), client.Close())
}

// Patiently waits Patience for a Kafka that is away: notify is told of outages, within ends if one lasts longer, and end, to be
// called once, gives the error of the work its cause.
func Patiently(ctx context.Context, warnings io.Writer) (within context.Context, notify func(kafka.Outage), end func(error) error) {
	within, giveUp := context.WithCancelCause(ctx)
	notify = func(o kafka.Outage) {
		switch {
		case o.Err == nil:
		case time.Since(o.Since) > Patience:
			giveUp(fmt.Errorf("%s failed for %v: %w", o.Operation, Patience, o.Err))
		case o.Attempt == 1:
			fmt.Fprintf(warnings, "fairstream: %v\n  trying again for %v; Ctrl-C gives up\n", o.Err, Patience)
		}
	}
	return within, notify, func(err error) error {
		defer giveUp(nil)
		switch cause := context.Cause(within); {
		case err == nil || cause == nil:
		case ctx.Err() != nil:
			if _, told := errors.AsType[Interrupted](err); !told {
				err = errors.New("interrupted")
			}
		default:
			err = cause
		}
		return err
	}
}

// Exist looks for topics, and needs no right to describe their settings.
func Exist(ctx context.Context, client *kafka.Client, topics ...string) error {
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

// Pruned lists what was deleted of a topic, or would be.
func Pruned(s *program.Streams, dry bool, noun, topic string, lines []string) error {
	verb := "Deleted"
	if dry {
		verb = "Would delete"
	}
	var text strings.Builder
	english.Fprintf(&text, "%s %s on topic %s.\n", verb, english.Counted(int64(len(lines)), noun), topic)
	for _, line := range lines {
		text.WriteString("  " + line + "\n")
	}
	_, err := s.Out.Write([]byte(text.String()))
	return err
}
