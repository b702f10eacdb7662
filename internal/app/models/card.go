package models

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/history"
)

// ReadCard reads what the owners of a model say. An unknown key is an error: it would be lost.
func ReadCard(name string, card *export.Card) error {
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
func (m *Weights) evidence(ctx context.Context) (e export.Evidence, err error) {
	c := m.Config
	err = cluster.With(ctx, c.Kafka, m.Err, func(ctx context.Context, client *kafka.Client) error {
		_, monitored, err := cluster.ReadMonitored(ctx, client, c)
		if err != nil {
			return err
		}
		for _, one := range monitored {
			e.Monitored = append(e.Monitored, one.Report)
		}
		e.Audit, err = cluster.ReadAudit(ctx, client, c, history.Period{}, time.Hour)
		return err
	})
	if e.Audit != nil && e.Audit.Chain.Entries == 0 && e.Audit.Chain.Whole {
		e.Audit = nil // nothing was recorded
	}
	return e, err
}

// Report prints what the history says of the job, as the report of a running process does, without the decisions of today.
func (m *Weights) Report(ctx context.Context) error {
	evidence, err := m.evidence(ctx)
	if err != nil {
		return err
	}
	if evidence.Audit == nil {
		return fmt.Errorf("topic %s holds no history of job %s yet: fairstream run records it", m.Config.Topics.History, m.Config.Job)
	}
	label := m.Config.Record.Label
	sheet := signoff.Sheet{Audit: evidence.Audit, Made: time.Now(), Label: signoff.LabelWords(label.Field, string(label.Positive))}
	_, err = fmt.Fprint(m.Out, sheet.Text())
	return err
}

// Card prints the model card of a document, with what its owners say in own.
func (m *Weights) Card(ctx context.Context, own export.Card) (err error) {
	chosen, doc, err := m.one(ctx)
	if err != nil {
		return err
	}
	evidence := export.Evidence{}
	if m.File == "" {
		if evidence, err = m.evidence(ctx); err != nil {
			return err
		}
		evidence.Published = chosen.Time
	}
	made, err := export.NewCard(doc, evidence, own)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(m.Out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(made)
}
