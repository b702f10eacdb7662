package deadletters

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Replay writes the dead letters of a job to its input topic again, each once, and says how many; with dry it counts them only.
func Replay(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, dry bool) error {
	topics := cluster.TopicsOf(c)
	if err := cluster.Exist(ctx, client, topics.Input, topics.State, topics.DeadLetter); err != nil {
		return err
	}
	letters, err := formats.Open(c.Record, c.Registry)
	if err != nil {
		return err
	}
	defer letters.Close()
	replayed, err := stream.ReplayDeadLetters(ctx, stream.Kafka(client), c.Model(), letters, topics, c.Job, dry)
	var text strings.Builder
	verb := "Wrote"
	if dry {
		verb = "Would write"
	}
	english.Fprintf(&text, "%s %s to topic %s; earlier calls wrote %d.\n", verb, english.Counted(replayed.Written, "dead letter"), topics.Input, replayed.Before)
	for _, reason := range slices.Sorted(maps.Keys(replayed.Unreadable)) {
		english.Fprintf(&text, "  %d are left: %s under this configuration too.\n", replayed.Unreadable[reason], reason)
	}
	if err != nil {
		return fmt.Errorf("%w\n%sThe next call goes on", err, text.String())
	}
	_, err = s.Out.Write([]byte(text.String()))
	return err
}
