package deal

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/fairstream/fairstream/engine/internal/storage"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func(int64, string), error](&lister{})
	register.Emitter2[int64, string]()
	register.DoFn4x1[context.Context, int64, func(*string) bool, func(int64, int64), error](&worker{})
	register.DoFn3x1[context.Context, int64, func(*int64) bool, error](&joiner{})
	register.Emitter2[int64, int64]()
	register.Iter1[string]()
	register.Iter1[int64]()
}

// The files of a folder: about and items are written before the pipeline runs, a result by each shard, and a joined one by each group of shards.
const (
	aboutName = "about"
	itemsName = "items"
)

func resultName(shard int64) string { return fmt.Sprintf("result-%05d", shard) }
func joinedName(group int64) string { return fmt.Sprintf("joined-%05d", group) }

// groupSize is how many results are joined to one. A worker joins about as many as are left for whoever asked for them.
func groupSize(shards int64) int64 { return int64(math.Ceil(math.Sqrt(float64(shards)))) }

// pipeline works on what is in a folder.
func pipeline(kind, folder string, shards int64) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	items := beam.ParDo(s, &lister{Folder: folder, Shards: shards}, beam.Impulse(s))
	done := beam.ParDo(s, &worker{Kind: kind, Folder: folder, Group: groupSize(shards)}, beam.GroupByKey(s, items))
	beam.ParDo0(s, &joiner{Kind: kind, Folder: folder}, beam.GroupByKey(s, done))
	return p
}

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
type worker struct {
	Kind, Folder string
	Group        int64
}

// ProcessElement works on a shard, unless somebody has.
func (w *worker) ProcessElement(ctx context.Context, shard int64, items func(*string) bool, done func(int64, int64)) error {
	err := w.work(ctx, shard, items)
	if err == nil {
		done(shard/w.Group, shard)
	}
	return err
}

func (w *worker) work(ctx context.Context, shard int64, items func(*string) bool) error {
	result := storage.Join(w.Folder, resultName(shard))
	if storage.Exists(ctx, result) {
		return nil
	}
	of, known := kinds[w.Kind]
	if !known {
		return fmt.Errorf("the work %q is unknown: use workers of the same version", w.Kind)
	}
	about, err := storage.Read(ctx, storage.Join(w.Folder, aboutName))
	if err != nil {
		return err
	}
	found, err := of.work(ctx, about, func(yield func(string) bool) {
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

// joiner joins the results of a group of shards. Where results stay apart, it does nothing, and is there all the same: without a stage behind the one that
// works, Prism (2.77.0) asks without a pause whether its output is there, which takes a processor until the work is done.
type joiner struct{ Kind, Folder string }

// ProcessElement joins the results of a group, unless somebody has.
func (j *joiner) ProcessElement(ctx context.Context, group int64, shards func(*int64) bool) error {
	joined, join := storage.Join(j.Folder, joinedName(group)), kinds[j.Kind].join
	if join == nil || storage.Exists(ctx, joined) {
		return nil
	}
	var names []string
	for shard := int64(0); shards(&shard); {
		names = append(names, storage.Join(j.Folder, resultName(shard)))
	}
	slices.Sort(names)
	about, err := storage.Read(ctx, storage.Join(j.Folder, aboutName))
	if err != nil {
		return err
	}
	result, err := join(ctx, about, read(ctx, names))
	if err != nil {
		return err
	}
	return storage.WriteBytes(ctx, joined, result)
}

// read reads results one after the other, which are there where all is done.
func read(ctx context.Context, names []string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, name := range names {
			data, err := storage.Read(ctx, name)
			if err != nil {
				err = fmt.Errorf("the engine says that a shard is done, but its result is missing: do all workers reach its folder under this name (--temp)? %w", err)
			}
			if !yield(data, err) || err != nil {
				return
			}
		}
	}
}
