package waiting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// database is one without a log of its own: the changelog is the log. When it can no longer be written, for example because the disk is full, all
// calls fail: by itself it would try again for ever, and whoever writes would wait as long.
type database struct {
	*pebble.DB
	folder string // empty: in memory
	lock   *pebble.Lock

	once   sync.Once
	broken chan struct{} // closed with err
	err    error
	seen   atomic.Int64 // bytes committed since room was looked for
}

const (
	tableBytes = 16 << 20
	// blockBytes is for blocks that were read, and cacheBytes what the database is told: it takes the tables that are filled and written from that. Without
	// room for them, every look-up would read index, filter and block from the disk.
	blockBytes = 32 << 20
	cacheBytes = blockBytes + 2*tableBytes
	// mostUnwritten is how many bytes of tables may be in memory before a commit waits: one is filled while another one is written. It is looked at after
	// each lookEvery bytes.
	mostUnwritten = 2 * tableBytes
	lookEvery     = 256 << 10
	// lookAgain is how long a commit waits before it looks again: less than it takes to write a table.
	lookAgain = 10 * time.Millisecond
	// Beyond these the database itself would hold a commit up, which could not be ended.
	mostTables, mostFiles = 32, 1000
)

func openDatabase(folder string, files vfs.FS) (*database, error) {
	d := &database{folder: folder, broken: make(chan struct{})}
	options := &pebble.Options{FS: files, DisableWAL: true, MemTableSize: tableBytes, MemTableStopWritesThreshold: mostTables, L0StopWritesThreshold: mostFiles,
		CacheSize: cacheBytes, FormatMajorVersion: pebble.FormatNewest, Logger: logger{d}}
	options.EventListener = &pebble.EventListener{BackgroundError: d.fail}
	for i := range options.Levels { // most keys that are looked for are not there
		options.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	switch {
	case folder == "":
		options.FS = vfs.NewMem()
	case files == nil:
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		var err error
		if d.lock, err = pebble.LockDirectory(folder, vfs.Default); err != nil {
			return nil, &inUse{err}
		}
		options.Lock = d.lock
	}
	var err error
	if d.DB, err = pebble.Open(folder, options); err != nil {
		d.unlock()
	}
	return d, err
}

// Close ends the use of the folder. What was not flushed is not on disk.
func (d *database) Close() error {
	defer d.unlock()
	return d.DB.Close()
}

func (d *database) unlock() {
	if d.lock != nil {
		_ = d.lock.Close() // the process that has the file gives it back at the latest
	}
}

// fail is told of what went wrong behind the calls.
func (d *database) fail(err error) {
	d.once.Do(func() {
		d.err = err
		close(d.broken)
	})
}

func (d *database) works() error {
	select {
	case <-d.broken:
		return d.err
	default:
		return nil
	}
}

// commit does not wait for the disk, unless that is far behind.
func (d *database) commit(b *pebble.Batch) error {
	if d.seen.Add(int64(b.Len())) > lookEvery {
		d.seen.Store(0)
		for d.Metrics().MemTable.Size > mostUnwritten {
			select {
			case <-d.broken:
				return d.err
			case <-time.After(lookAgain):
			}
		}
	}
	if err := d.works(); err != nil {
		return err
	}
	return b.Commit(pebble.NoSync)
}

// partBytes is about how large a part of many changes becomes: of keys without values, a table takes many times as much.
const partBytes = 128 << 10

// parts are changes that are too many for one batch. If the process is killed, only a prefix of them may be there: whoever makes them must be able to begin again.
type parts struct {
	*pebble.Batch // the part that is being filled
	of            *database
	begin         func() *pebble.Batch
}

// inParts begins changes; begin makes a batch for each part.
func (d *database) inParts(begin func() *pebble.Batch) *parts { return &parts{begin(), d, begin} }

// next commits the present part if it has become large, and begins another.
func (p *parts) next() error {
	if p.Len() < partBytes {
		return nil
	}
	if err := errors.Join(p.commit(), p.Close()); err != nil {
		return err
	}
	p.Batch = p.begin()
	return nil
}

// commit commits the last part.
func (p *parts) commit() error { return p.of.commit(p.Batch) }

// flush waits until all that was committed is on disk. In memory there is none.
func (d *database) flush(ctx context.Context) error {
	if d.folder == "" {
		return nil
	}
	done, err := d.AsyncFlush()
	if err != nil {
		return err
	}
	select {
	case <-done:
		return d.works()
	case <-d.broken:
		return d.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// valueOf shows the value under a key, which is valid for the call; found is false if there is none.
func valueOf(in pebble.Reader, key []byte, show func(value []byte) error) (found bool, err error) {
	value, closer, err := in.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, errors.Join(show(value), closer.Close())
}

// inUse says that the folder cannot be locked: another process has it.
type inUse struct{ err error }

func (e *inUse) Error() string { return e.err.Error() }
func (e *inUse) Unwrap() error { return e.err }

// Failure says that the database cannot be read or written.
type Failure struct {
	Folder string // empty: it is in memory
	Err    error
}

func (e *Failure) Error() string {
	if e.Folder == "" {
		return fmt.Sprintf("the records that wait for their label cannot be kept in memory: %s", withoutKeys(e.Err))
	}
	if _, used := errors.AsType[*inUse](e.Err); used {
		return fmt.Sprintf("the folder %s (stream.labels.dir) is in use, or cannot be locked (%v): give each process of each job a folder of its own", e.Folder, e.Err)
	}
	return fmt.Sprintf("the records that wait for their label cannot be kept in %s (stream.labels.dir): %s; free space, make the folder writable or repair the disk, and start again, or delete the folder: it is filled again from the topic", e.Folder, withoutKeys(e.Err))
}

// withoutKeys is what an error of the database says, without the keys that it names, which are of records, and without stacks.
func withoutKeys(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	if begin, end := strings.Index(text, "bounds: ["), strings.LastIndex(text, "details: "); begin >= 0 && end > begin {
		text = text[:begin] + text[end:]
	}
	return text
}

func (e *Failure) Unwrap() error { return e.Err }

// logger drops what the database tells of its work: what matters comes as an error.
type logger struct{ of *database }

func (logger) Infof(string, ...any)  {}
func (logger) Errorf(string, ...any) {}

// Fatalf ends the process, as the database requires: it cannot go on, and may hold locks. The next start goes on from the last snapshot.
func (l logger) Fatalf(format string, arguments ...any) {
	fmt.Fprintln(os.Stderr, "fairstream:", &Failure{l.of.folder, fmt.Errorf(format, arguments...)})
	os.Exit(1)
}
