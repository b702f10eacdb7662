package deal

import (
	"context"
	"iter"
)

// Work works on the items of a shard, and returns its result. about is what Run was given. An error may be one that does not come again: the
// engine, or Run, has the shard worked on once more. What cannot succeed belongs into the result.
type Work func(ctx context.Context, about []byte, items iter.Seq[string]) (result []byte, err error)

// Join makes one result of several, in any order. about is what Run was given.
type Join func(ctx context.Context, about []byte, results iter.Seq2[[]byte, error]) (result []byte, err error)

// kind is what workers can do. Without join, results stay apart.
type kind struct {
	work Work
	join Join
}

var kinds = map[string]kind{}

// Register makes a kind of work known to workers. join is nil where results are small: whoever asked for them reads each. It is called by init.
func Register(name string, work Work, join Join) { kinds[name] = kind{work, join} }
