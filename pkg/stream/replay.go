package stream

import (
	"context"

	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/pkg/model"
)

// Headers of dead letters, and of records that came back.
const (
	HeaderReason  = deadletter.HeaderReason
	HeaderTopicID = deadletter.HeaderTopicID
	HeaderReplay  = deadletter.HeaderReplay
)

// Replayed says what ReplayDeadLetters did.
type Replayed = deadletter.Replayed

// ReplayDeadLetters writes the dead letters of a job to the input topic again, each source offset of each topic once, however often it is
// called and however a call ends, for readers of committed records. Letters that the configuration still rejects are left out. A second
// call for a job ends the first. With dry nothing is written.
func ReplayDeadLetters(ctx context.Context, cluster Cluster, config model.Config, topics Topics, job string, dry bool) (Replayed, error) {
	schema, err := config.WithDefaults().Schema()
	if err != nil {
		return Replayed{}, err
	}
	return replayer(cluster, topics, job).Replay(ctx, schema, dry)
}

func replayer(cluster Cluster, topics Topics, job string) deadletter.Replayer {
	return deadletter.Replayer{Cluster: cluster, Job: job, Input: topics.Input, DeadLetters: topics.DeadLetter, State: topics.State}
}
