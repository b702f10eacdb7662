package deadletters

import (
	"cmp"
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
	"github.com/fairstream/fairstream/pkg/record"
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
	told := tellWaits(s.Err, letters.Waits)
	replayed, err := stream.ReplayDeadLetters(ctx, stream.Kafka(client), c.Model(), letters, topics, c.Job, dry)
	told()
	var text strings.Builder
	verb := "Wrote"
	if dry {
		verb = "Would write"
	}
	english.Fprintf(&text, "%s %s to topic %s; earlier calls wrote %d.\n", verb, english.Counted(replayed.Written, "dead letter"), topics.Input, replayed.Before)
	writeLeft(&text, replayed.Unreadable)
	if err != nil {
		return fmt.Errorf("%w\n%sThe next call goes on", err, text.String())
	}
	_, err = s.Out.Write([]byte(text.String()))
	return err
}

// mostSchemas is how many schemas of letters that are left are named for each reason, those of the most letters first.
const mostSchemas = 5

// writeLeft says for each reason how many letters are left, and which schemas they name.
func writeLeft(text *strings.Builder, left map[stream.Unreadable]int64) {
	letters, schemas := map[record.Reason]int64{}, map[record.Reason][]string{}
	for u, n := range left {
		if letters[u.Reason] += n; u.Schema != "" {
			schemas[u.Reason] = append(schemas[u.Reason], u.Schema)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(letters)) {
		english.Fprintf(text, "  %d are left: %s under this configuration too.\n", letters[reason], reason)
		named := schemas[reason]
		slices.SortFunc(named, func(a, b string) int {
			return cmp.Or(cmp.Compare(left[stream.Unreadable{Reason: reason, Schema: b}], left[stream.Unreadable{Reason: reason, Schema: a}]), cmp.Compare(a, b))
		})
		for _, schema := range named[:min(len(named), mostSchemas)] {
			english.Fprintf(text, "    schema id %s: %d\n", schema, left[stream.Unreadable{Reason: reason, Schema: schema}])
		}
		if more := len(named) - mostSchemas; more > 0 {
			english.Fprintf(text, "    %s more\n", english.Counted(more, "schema id"))
		}
	}
}
