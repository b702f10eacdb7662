package history

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/fairstream/fairstream/engine/internal/deal"
	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/input"
)

// Block is a block of a file, with what its work needs beside.
type Block[B any] struct {
	backfill.Block
	About B `json:"about"`
}

// Done is what became of a block.
type Done[R any] struct {
	File  int   `json:"file"`
	Row   int64 `json:"row"`
	Found *R    `json:"found,omitempty"`
	// Problem is why there is nothing, if that would be the same for another worker.
	Problem string `json:"problem,omitempty"`
}

// Blocks is work on each block by itself, which returns what it has found. A is what it needs of all blocks, B of one.
type Blocks[A, B, R any] struct {
	Kind string
	// Work works on a block, of which source is the part of the file. A problem is one of the block, and would come again; an error may not.
	Work func(ctx context.Context, about *A, source input.Source, block *Block[B]) (found *R, problem, err error)
	// Format is that of the files that about names; empty: by extension.
	Format func(about *A) string
}

// Register makes the work known to workers. It is called by init.
func (b *Blocks[A, B, R]) Register() { deal.Register(b.Kind, b.shard, nil) }

// shard is the work on the blocks of a shard.
func (b *Blocks[A, B, R]) shard(ctx context.Context, data []byte, items iter.Seq[string]) ([]byte, error) {
	var about A
	if err := json.Unmarshal(data, &about); err != nil {
		return nil, err
	}
	list := []Done[R]{}
	for item := range items {
		var block Block[B]
		if err := json.Unmarshal([]byte(item), &block); err != nil {
			return nil, err
		}
		found, problem, err := b.block(ctx, &about, &block)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		done := Done[R]{File: block.File, Row: block.Row, Found: found}
		if problem != nil {
			done.Found, done.Problem = nil, problem.Error()
		}
		list = append(list, done)
	}
	return json.Marshal(list)
}

func (b *Blocks[A, B, R]) block(ctx context.Context, about *A, block *Block[B]) (found *R, problem, err error) {
	local, release, err := Fetch(ctx, block.Found)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", block.Name, err), nil
	}
	defer release()
	source, err := input.NewSource(local, b.Format(about), nil)
	if err != nil {
		return nil, err, nil
	}
	source.Name = block.Name
	return b.Work(ctx, about, source.Block(block.Block.Block), block)
}

// Run has workers do the work on all blocks of files, and returns what they found in the order of files and rows. of says what is beside a block, the
// k-th of a file. The first problem of a block is the error.
func (b *Blocks[A, B, R]) Run(ctx context.Context, f *Files, files []backfill.Found, looked []backfill.Looked, about *A, of func(file, k int) B) ([]Done[R], error) {
	var items []string
	for i, one := range looked {
		if one.Problem != "" {
			return nil, errors.New(one.Problem)
		}
		for k, block := range one.Blocks {
			item, err := json.Marshal(Block[B]{backfill.Block{Found: files[i], Block: block, File: i}, of(i, k)})
			if err != nil {
				return nil, err
			}
			items = append(items, string(item))
		}
	}
	data, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	var all []Done[R]
	for result, err := range f.Deal.Run(ctx, b.Kind, data, items) {
		if err != nil {
			return nil, err
		}
		var some []Done[R]
		if err := json.Unmarshal(result, &some); err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	if len(all) != len(items) {
		return nil, fmt.Errorf("%d blocks were processed, but there are %d: the engine lost some, or processed some twice", len(all), len(items))
	}
	slices.SortFunc(all, func(a, b Done[R]) int { return cmp.Or(a.File-b.File, cmp.Compare(a.Row, b.Row)) })
	for _, one := range all {
		if one.Problem != "" {
			return nil, errors.New(one.Problem)
		}
	}
	return all, nil
}
