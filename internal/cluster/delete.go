package cluster

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
)

// AtOnce bounds one message batch.
const AtOnce = 500

// DeleteKeys writes deletions of keys to partition 0 of a topic.
func DeleteKeys(ctx context.Context, log Log, topic string, keys [][]byte) error {
	for len(keys) > 0 {
		n := min(len(keys), AtOnce)
		messages := make([]kafka.Message, n)
		for i := range messages {
			messages[i].Key = keys[i]
		}
		err := log.Retry(ctx, "delete old keys of "+topic, func(ctx context.Context) error {
			_, err := log.Append(ctx, topic, 0, messages...)
			return err
		})
		if err != nil {
			return fmt.Errorf("old keys could not be deleted: %w", err)
		}
		keys = keys[n:]
	}
	return nil
}
