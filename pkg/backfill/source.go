package backfill

import (
	"cmp"
	"context"
	"hash/fnv"
	"sync"
	"sync/atomic"

	"github.com/fairstream/fairstream/pkg/record"
)

// Source is the files of a history. Several of its files may be read at the same time.
type Source interface {
	// Names are those of the files, in their order.
	Names() []string
	// Read hands on the good records of a file with their positions, which ascend. A record is valid during the call only.
	Read(ctx context.Context, file int, each func(position int64, r *record.Record)) error
}

// Place is where a record stands among all: by its time, which is 0 if time is of no account, then by file and position.
type Place struct {
	Time     int64 `json:"time,omitempty"` // microseconds
	File     int   `json:"file"`
	Position int64 `json:"position"`
}

func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Time, q.Time), cmp.Compare(p.File, q.File), cmp.Compare(p.Position, q.Position))
}

// reader goes over all records, several files at a time.
type reader struct {
	source Source
	shards int
	byTime bool
	hashes []uint64 // by file
	done   *atomic.Int64
}

func newReader(source Source, shards int, byTime bool, done *atomic.Int64) *reader {
	r := &reader{source: source, shards: shards, byTime: byTime, done: done}
	for _, name := range source.Names() {
		h := fnv.New64a()
		h.Write([]byte(name))
		r.hashes = append(r.hashes, h.Sum64())
	}
	return r
}

// hash is that of the file and the position of a record. Names of files count, so that a history keeps its sample when files are added.
func (r *reader) hash(at Place) uint64 { return mix(r.hashes[at.File] ^ mix(uint64(at.Position))) }

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
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
				err := r.source.Read(ctx, file, func(position int64, rec *record.Record) {
					at := Place{File: file, Position: position}
					if r.byTime && !rec.Time.IsZero() {
						at.Time = rec.Time.UnixMicro()
					}
					take(at, rec)
					r.done.Add(1)
				})
				if err != nil {
					stop(err)
				}
			}
		})
	}
	for file := range r.source.Names() {
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
