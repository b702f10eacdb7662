package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newModelsCard(s *program.Streams) *cobra.Command {
	var flags configFlags
	m := models{Streams: s}
	var own string
	cmd := &cobra.Command{
		Use:   "card --config FILE | --model FILE",
		Short: "Print the model card of a version as JSON",
		Long: `Print the model card of a version as JSON, in schema 0.0.2 of the Model Card Toolkit: details, parameters,
measurements with confidence intervals by group, limitations, trade-offs and ethical considerations.

With --config, the measurements include what the monitor of the job says of the decisions as they were made,
from its last snapshot, and the share of time within tau, from the history.

A program cannot know owners, licences, users and use cases. --own names a JSON file of the same schema
that contains them; its other statements are kept too.`,
		Example: `  fairstream models card --config config.yaml > card.json
  fairstream models card --model weights.json --own owners.json`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var card export.Card
		if own != "" {
			if err := readCard(own, &card); err != nil {
				return err
			}
		}
		return m.one(&flags, func(chosen *stream.Model, doc *document.Document) (err error) {
			evidence := export.Evidence{}
			if m.file == "" {
				if evidence, err = m.evidence(cmd.Context()); err != nil {
					return err
				}
				evidence.Published = chosen.Time
			}
			made, err := export.NewCard(doc, evidence, card)
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(m.Out)
			encoder.SetIndent("", "  ")
			encoder.SetEscapeHTML(false)
			return encoder.Encode(made)
		})(cmd, args)
	}
	flags.register(cmd)
	m.modelFlag(cmd)
	m.choice(cmd, "describe")
	cmd.Flags().StringVar(&own, "own", "", "model card in a `FILE` with owners, licences, users and use cases")
	mustComplete(cmd.MarkFlagFilename("own", "json"))
	return cmd
}

// readCard reads what the owners of a model say. An unknown key is an error: it would be lost.
func readCard(name string, card *export.Card) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(card); err != nil {
		return fmt.Errorf("--own %s is not a model card in schema 0.0.2: %w", name, err)
	}
	return nil
}

// evidence reads what monitor and history know of the job.
func (m *models) evidence(ctx context.Context) (e export.Evidence, err error) {
	c := m.config
	err = cluster.With(ctx, c.Kafka, m.Err, func(ctx context.Context, client *kafka.Client) error {
		_, monitored, err := readMonitored(ctx, client, c)
		if err != nil {
			return err
		}
		for _, one := range monitored {
			e.Monitored = append(e.Monitored, one.Report)
		}
		e.Audit, err = readAudit(ctx, client, c, history.Period{}, time.Hour)
		return err
	})
	if e.Audit != nil && e.Audit.Chain.Entries == 0 && e.Audit.Chain.Whole {
		e.Audit = nil // nothing was recorded
	}
	return e, err
}

// readAudit answers for a period from the history of a job.
func readAudit(ctx context.Context, client *kafka.Client, c *config.Loaded, period history.Period, gap time.Duration) (*history.Audit, error) {
	topics := cluster.TopicsOf(c)
	if err := cluster.Exist(ctx, client, topics.History, topics.State, topics.Model); err != nil {
		return nil, err
	}
	verifier, err := c.Signing.Verifier()
	if err != nil {
		return nil, err
	}
	return stream.AuditHistory(ctx, stream.Kafka(client), topics, c.Job, period, gap, verifier)
}
