package deal

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/fairstream/fairstream/engine/internal/storage"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func(int64, string), error](&lister{})
	register.Emitter2[int64, string]()
	register.DoFn4x1[context.Context, int64, func(*string) bool, func(int64, bool), error](&worker{})
	register.DoFn2x0[int64, func(*bool) bool](&ended{})
	register.Emitter2[int64, bool]()
	register.Iter1[string]()
	register.Iter1[bool]()
}

// The files of a folder: about and items are written before the pipeline runs, a result by each shard.
const (
	aboutName = "about"
	itemsName = "items"
)

func resultName(shard int64) string { return fmt.Sprintf("result-%05d", shard) }

// pipeline works on what is in a folder.
func pipeline(kind, folder string, shards int64) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	items := beam.ParDo(s, &lister{Folder: folder, Shards: shards}, beam.Impulse(s))
	done := beam.ParDo(s, &worker{Kind: kind, Folder: folder}, beam.GroupByKey(s, items))
	beam.ParDo0(s, &ended{}, beam.GroupByKey(s, done))
	return p
}

// ended takes what workers emit. Without a stage behind the one that works, Prism (2.77.0) asks without a pause whether its output is there, which takes a
// processor until the work is done.
type ended struct{}

// ProcessElement does nothing.
func (*ended) ProcessElement(int64, func(*bool) bool) {}

// lister deals the items. Its fields are exported for Beam.
type lister struct {
	Folder string
	Shards int64
}

// ProcessElement emits each item with its shard.
func (l *lister) ProcessElement(ctx context.Context, _ []byte, emit func(int64, string)) error {
	data, err := storage.Read(ctx, storage.Join(l.Folder, itemsName))
	if err != nil {
		return err
	}
	var items []string
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	for i, item := range items {
		emit(int64(i)%l.Shards, item)
	}
	return nil
}

// worker works on shards. Its fields are exported for Beam.
type worker struct{ Kind, Folder string }

// ProcessElement works on a shard, unless somebody has.
func (w *worker) ProcessElement(ctx context.Context, shard int64, items func(*string) bool, done func(int64, bool)) error {
	err := w.work(ctx, shard, items)
	if err == nil {
		done(shard, true)
	}
	return err
}

func (w *worker) work(ctx context.Context, shard int64, items func(*string) bool) error {
	result := storage.Join(w.Folder, resultName(shard))
	if storage.Exists(ctx, result) {
		return nil
	}
	work, known := kinds[w.Kind]
	if !known {
		return fmt.Errorf("the work %q is unknown: use workers of the same version", w.Kind)
	}
	about, err := storage.Read(ctx, storage.Join(w.Folder, aboutName))
	if err != nil {
		return err
	}
	found, err := work(ctx, about, func(yield func(string) bool) {
		var item string
		for items(&item) {
			if !yield(item) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return storage.WriteBytes(ctx, result, found)
}
