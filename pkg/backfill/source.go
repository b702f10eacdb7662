package backfill

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"runtime/debug"
	"sync"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/record"
)

// Source is the files of a history. Several of its files may be read at the same time.
type Source interface {
	// Names are those of the files, in their order.
	Names() []string
	// Keys tell the files apart, in the same order. Which records are in the sample and which are held out depends on them, so they are the same
	// wherever the files are.
	Keys() []string
	// Read hands on the good records of a file with their positions, which ascend. A record is valid during the call only.
	Read(ctx context.Context, file int, each func(position int64, r *record.Record)) error
}

// Elsewhere has passes made by workers in other processes, such as those of a cluster.
type Elsewhere interface {
	// Pass has workers take in every good record exactly once, and returns what Worker.Part of each of them returned, in any order, or of workers that
	// joined some of these. task is for NewWorker. The error of a part is one of the pass.
	Pass(ctx context.Context, task []byte) iter.Seq2[[]byte, error]
}

// Place is where a record stands among all: by its time, which is 0 if time is of no account, then by file and position.
type Place struct {
	Time     int64 `json:"time,omitempty"` // microseconds
	File     int   `json:"file"`
	Position int64 `json:"position"`
}

// fields are those of a record of one of so many files.
func (p *Place) fields(c *codec.Coder, files int) {
	c.Int(&p.Time)
	codec.Index(c, &p.File, files)
	c.Count(&p.Position)
}

func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Time, q.Time), cmp.Compare(p.File, q.File), cmp.Compare(p.Position, q.Position))
}

// reader goes over all records, several files at a time.
type reader struct {
	source    Source
	elsewhere Elsewhere // nil: records are read in this process
	shards    int
	byTime    bool
	keys      []string
	hashes    []uint64 // by file
}

func newReader(keys []string, byTime bool) *reader {
	r := &reader{byTime: byTime, keys: keys}
	for _, key := range keys {
		h := fnv.New64a()
		h.Write([]byte(key))
		r.hashes = append(r.hashes, h.Sum64())
	}
	return r
}

// hash is that of the file and the position of a record. Keys of files count, so that a history keeps its sample when files are added.
func (r *reader) hash(at Place) uint64 {
	return record.Mix(0, r.hashes[at.File]^record.Mix(0, uint64(at.Position)))
}

// place is where a record stands that is at a position of a file.
func (r *reader) place(file int, position int64, rec *record.Record) Place {
	at := Place{File: file, Position: position}
	if r.byTime && !rec.Time.IsZero() {
		at.Time = rec.Time.UnixMicro()
	}
	return at
}

// pass hands every record to one of the shards: a function for each, which is called by one goroutine at a time.
func (r *reader) pass(ctx context.Context, each func(shard int) func(at Place, r *record.Record)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	files := make(chan int)
	var workers sync.WaitGroup
	for shard := range r.shards {
		workers.Go(func() {
			take := each(shard)
			for file := range files {
				if err := r.read(ctx, file, take); err != nil {
					stop(err)
				}
			}
		})
	}
	for file := range r.keys {
		select {
		case files <- file:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(files)
	workers.Wait()
	return context.Cause(ctx)
}

// read hands the records of a file to take. A panic is an error that names the file: other files then end, too, and what was saved remains.
func (r *reader) read(ctx context.Context, file int, take func(at Place, r *record.Record)) (err error) {
	last := int64(-1)
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%s: a defect of this program stopped it at position %d: %v: please report it with this stack\n%s", r.source.Names()[file], last, value, debug.Stack())
		}
	}()
	return r.source.Read(ctx, file, func(position int64, rec *record.Record) {
		last = position
		take(r.place(file, position, rec), rec)
	})
}
