package stream

import (
	"context"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka"
)

// PruneModels deletes what this program cannot read of a job on the model topic: documents of an older format, and keys
// and aliases that are damaged. It returns their keys, sorted. With dry it deletes nothing. Keys that are only unknown
// stay: a newer program may have written them.
func PruneModels(ctx context.Context, cluster Cluster, topic, job string, dry bool) ([]string, error) {
	s := newShelf(job, false)
	if _, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, s.apply); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(s.unreadable))
	if dry {
		return names, nil
	}
	keys := make([][]byte, len(names))
	for i, name := range names {
		keys[i] = []byte(name)
	}
	return names, deleteKeys(ctx, cluster, topic, keys)
}
