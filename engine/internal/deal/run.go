package deal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/fairstream/fairstream/engine/internal/storage"
)

// attempts is how often a pipeline is run before its error is final. What shards have finished is kept.
const attempts = 3

// Deal is how work is dealt.
type Deal struct {
	Runner
	// Folder is where files of the work are. All workers reach it under this name.
	Folder string
	// Shards is how many results there are at most, before they are joined.
	Shards int
	// Tell is told of a pipeline that failed and is run again.
	Tell func(attempt int, err error)
}

// Run has workers do a kind of work on all items, and returns the result of each shard, or what workers joined these to.
func (d *Deal) Run(ctx context.Context, kind string, about []byte, items []string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if len(items) == 0 {
			return
		}
		shards := int64(min(max(1, d.Shards), len(items)))
		folder := storage.Join(d.Folder, kind+"-"+rand.Text())
		err := d.work(ctx, kind, folder, about, items, shards)
		defer func() { d.clear(ctx, kind, folder, shards) }()
		if err != nil {
			yield(nil, err)
			return
		}
		read(ctx, results(kind, folder, shards))(yield)
	}
}

// results are the files with the results of a kind of work.
func results(kind, folder string, shards int64) (names []string) {
	name, number := resultName, shards
	if kinds[kind].join != nil {
		size := groupSize(shards)
		name, number = joinedName, (shards+size-1)/size
	}
	for i := range number {
		names = append(names, storage.Join(folder, name(i)))
	}
	return names
}

func (d *Deal) work(ctx context.Context, kind, folder string, about []byte, items []string, shards int64) error {
	list, err := json.Marshal(items)
	if err != nil {
		return err
	}
	if err := errors.Join(storage.WriteBytes(ctx, storage.Join(folder, aboutName), about), storage.WriteBytes(ctx, storage.Join(folder, itemsName), list)); err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		err := d.run(ctx, pipeline(kind, folder, shards))
		if err == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if attempt == attempts {
			if d.Workers != "" {
				err = fmt.Errorf("are there workers at %s, beside each task manager (--workers)? %w", d.Workers, err)
			}
			return fmt.Errorf("the engine failed %d times: %w", attempts, err)
		}
		d.Tell(attempt, err)
	}
}

// clear removes what Run wrote. What stays behind does no harm.
func (d *Deal) clear(ctx context.Context, kind, folder string, shards int64) {
	ctx = context.WithoutCancel(ctx)
	for shard := range shards {
		_ = storage.Remove(ctx, storage.Join(folder, resultName(shard)))
	}
	if kinds[kind].join != nil {
		for _, joined := range results(kind, folder, shards) {
			_ = storage.Remove(ctx, joined)
		}
	}
	for _, name := range []string{aboutName, itemsName, ""} {
		if name != "" || !storage.IsAddress(folder) {
			_ = storage.Remove(ctx, storage.Join(folder, name))
		}
	}
}
