package topics

import (
	"context"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Topics are the topics of a job, to be made or verified.
type Topics struct {
	*program.Streams
	Config     *config.Loaded
	Create     bool // those that are missing
	Partitions int  // of the input, if it is made
	Wanted     bool // Partitions were asked for
}

// Run makes or verifies them, and tells what became of each.
func (t *Topics) Run(ctx context.Context, client *kafka.Client) error {
	specs := cluster.TopicSpecs(t.Config, t.Partitions)
	manage := client.VerifyTopics
	if t.Create {
		manage = client.CreateTopics
	}
	results, err := manage(ctx, specs...)
	if ctx.Err() != nil {
		return err // what topics there are is not known
	}
	if writeErr := t.write(specs, results); err == nil {
		err = writeErr
	}
	return err
}

// write tells what became of each topic; those that are wrong are in the error.
func (t *Topics) write(specs []kafka.TopicSpec, results []kafka.TopicResult) error {
	w := english.NewTable()
	w.AppendHeader(table.Row{"topic", "for", "partitions", ""})
	for i, result := range results {
		became := "exists"
		switch {
		case result.Partitions == 0:
			became = "missing"
		case result.Created:
			became = "created"
		case t.Wanted && specs[i].Kind == kafka.InputTopic && result.Partitions != t.Partitions:
			became = fmt.Sprintf("exists with %d: --partitions %d is for a new topic", result.Partitions, t.Partitions)
		}
		w.AppendRow(table.Row{specs[i].Name, strings.ReplaceAll(string(specs[i].Kind), "-", " "), result.Partitions, became})
	}
	_, err := fmt.Fprintln(t.Out, english.Render(w))
	return err
}
