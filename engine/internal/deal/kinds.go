package deal

import (
	"context"
	"iter"
)

// Work works on the items of a shard, and returns its result. about is what Run was given. An error may be one that does not come again: the
// engine, or Run, has the shard worked on once more. What cannot succeed belongs into the result.
type Work func(ctx context.Context, about []byte, items iter.Seq[string]) (result []byte, err error)

var kinds = map[string]Work{}

// Register makes a kind of work known to workers. It is called by init.
func Register(kind string, work Work) { kinds[kind] = work }
