package cluster

import (
	"context"
	"encoding/json"
	"time"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

// ReadAudit answers for a period from the history of a job.
func ReadAudit(ctx context.Context, client *kafka.Client, c *config.Loaded, period history.Period, gap time.Duration) (*history.Audit, error) {
	topics := TopicsOf(c)
	if err := Exist(ctx, client, topics.History, topics.State, topics.Model); err != nil {
		return nil, err
	}
	verifier, err := c.Signing.Verifier()
	if err != nil {
		return nil, err
	}
	return stream.AuditHistory(ctx, stream.Kafka(client), topics, c.Job, period, gap, verifier)
}

// ReadMonitored reads the counts of the job's monitor from its last snapshot, under the configuration that the snapshot holds.
func ReadMonitored(ctx context.Context, client *kafka.Client, c *config.Loaded) (*stream.SnapshotInfo, []*stream.Monitored, error) {
	if err := Exist(ctx, client, c.Topics.State); err != nil {
		return nil, nil, err
	}
	return stream.ReadMonitored(ctx, stream.Kafka(client), c.Topics.State, c.Job, func(whole json.RawMessage) (model.Config, stream.Monitoring, error) {
		recorded, err := config.Recorded(whole)
		return recorded.Model(), recorded.Monitor, err
	})
}
