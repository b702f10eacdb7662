package waiting

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// TestADatabaseThatCannotGoOnEndsTheProcess, and says where it is.
func TestADatabaseThatCannotGoOnEndsTheProcess(t *testing.T) {
	const child = "FAIRSTREAM_TEST_DATABASE_ENDS"
	if os.Getenv(child) != "" {
		logger{&database{folder: "the-folder"}}.Fatalf("a defect of table %d", 7)
		return
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), child+"=1")
	said, err := command.CombinedOutput()
	exited, is := errors.AsType[*exec.ExitError](err)
	if !is || exited.ExitCode() != 1 || !strings.Contains(string(said), "fairstream: the records that wait") || !strings.Contains(string(said), "the-folder") || !strings.Contains(string(said), "a defect of table 7") {
		t.Errorf("%v: %s", err, said)
	}
}

// TestAFullDiskEndsTheStore: whoever puts gets an error that names the folder, instead of waiting for ever, and so does whoever writes the changelog. Once
// there is room, what a mark counts waits again.
func TestAFullDiskEndsTheStore(t *testing.T) {
	w := newWorld(t, 1, "folder")
	w.put("a", "1")
	w.mustSave()
	_ = w.store.Close()
	var full errorfs.Toggle
	full.Injector = errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpFileWrite {
			return syscall.ENOSPC
		}
		return nil
	})
	healthy := w.disk
	store, _, err := Open(t.Context(), Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: math.MaxInt64, Term: w.term + 1, Read: w.read,
		files: errorfs.Wrap(healthy, &full)}, w.saved.mark)
	if err != nil {
		t.Fatal(err)
	}
	w.term++
	full.On()
	payload := []byte(strings.Repeat("x", 4096))
	puts := 0
	for ; err == nil && puts < 100_000; puts++ {
		_, err = store.Put(fmt.Append(nil, "key", puts), payload, 1)
	}
	if failure := (*Failure)(nil); !errors.As(err, &failure) || !errors.Is(err, syscall.ENOSPC) || failure.Folder != w.folder {
		t.Fatalf("after %d puts: %v", puts, err)
	}
	if most := (mostTables + 4) * tableBytes / len(payload); puts > most {
		t.Errorf("%d puts succeeded, at most %d fit into memory", puts, most)
	}
	if err := store.Deliver(t.Context(), Log{Topic: topic, To: &killing{w: w}, End: w.end}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("the changelog is written on: %v", err)
	}
	if err := store.db.flush(t.Context()); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a flush succeeds: %v", err)
	}
	full.Off()
	if err := store.db.Close(); err != nil {
		t.Error(err)
	}
	w.disk = healthy
	w.open()
}

// TestABrokenStoreTakesNothing: not even what would fit into memory.
func TestABrokenStoreTakesNothing(t *testing.T) {
	w := newWorld(t, 1, "folder")
	w.put("a", "1")
	w.store.db.fail(syscall.EIO)
	if _, err := w.store.Put([]byte("b"), []byte("2"), 1); !errors.Is(err, syscall.EIO) {
		t.Errorf("put: %v", err)
	}
	_ = w.store.Close()
}

// TestASlowDiskHoldsUpPuts: memory does not grow while the disk is behind, and puts go on with the disk.
func TestASlowDiskHoldsUpPuts(t *testing.T) {
	w := newWorld(t, 1, "folder")
	_ = w.store.Close()
	goesOn := make(chan struct{})
	slow := errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpFileWrite {
			<-goesOn
		}
		return nil
	})}
	store, _, err := Open(t.Context(), Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: math.MaxInt64, Term: w.term + 1, Read: w.read,
		files: errorfs.Wrap(w.disk, &slow)}, w.saved.mark)
	if err != nil {
		t.Fatal(err)
	}
	slow.On()
	const puts, payload = 30_000, 4096 // 123 MB
	var done atomic.Int64
	ended := make(chan error)
	go func() {
		for i := range puts {
			if _, err := store.Put(fmt.Append(nil, "key", i), make([]byte, payload), 1); err != nil {
				ended <- err
				return
			}
			store.letter = mail{} // nobody delivers it
			done.Add(1)
		}
		ended <- nil
	}()
	for store.db.Metrics().MemTable.Size <= mostUnwritten {
		select {
		case err := <-ended:
			t.Fatalf("%d puts ended with %v", done.Load(), err)
		default:
			runtime.Gosched()
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("puts did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	if n := done.Load(); n*payload > mostUnwritten+2*tableBytes {
		t.Errorf("%d puts succeeded while the disk was slow", n)
	}
	close(goesOn)
	if err := <-ended; err != nil || done.Load() != puts {
		t.Errorf("%d puts, %v", done.Load(), err)
	}
	_ = store.Close()
}

// TestAFolderBelongsToOneProcess: the second one is told what to do.
func TestAFolderBelongsToOneProcess(t *testing.T) {
	folder := t.TempDir()
	nothing := Options{Folder: folder, Job: "job", Topic: topic, Term: 1, Read: newWorld(t, 1, "").read}
	store, _, err := Open(t.Context(), nothing, Mark{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = Open(t.Context(), nothing, Mark{})
	if failure := (*Failure)(nil); !errors.As(err, &failure) || !strings.Contains(err.Error(), "give each process of each job a folder of its own") {
		t.Errorf("%v", err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, _, err = Open(t.Context(), nothing, Mark{}); err != nil {
		t.Fatal(err)
	}
	_ = store.Close()
}

// TestADiskThatIsSlowerThanPutsHoldsThemUp: each flush makes room for what it wrote, and not for more. So memory does not grow on a disk that works, and is slow.
func TestADiskThatIsSlowerThanPutsHoldsThemUp(t *testing.T) {
	w := newWorld(t, 1, "folder")
	_ = w.store.Close()
	slow := errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpFileWrite {
			time.Sleep(2 * time.Millisecond)
		}
		return nil
	})}
	store, _, err := Open(t.Context(), Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: math.MaxInt64, Term: w.term + 1, Read: w.read,
		files: errorfs.Wrap(w.disk, &slow)}, w.saved.mark)
	if err != nil {
		t.Fatal(err)
	}
	slow.On()
	most := uint64(0)
	put := func(i int, payload []byte) {
		if _, err := store.Put(fmt.Append(nil, "key", i), payload, 1); err != nil {
			t.Fatal(err)
		}
		store.letter = mail{}
		if i%100 == 0 {
			most = max(most, store.db.Metrics().MemTable.Size)
		}
	}
	payload := make([]byte, 16<<10)
	for i := range 5_000 { // 82 MB
		put(i, payload)
	}
	for i := range 100_000 { // each takes many times its bytes
		put(i, nil)
	}
	if bound := uint64(mostUnwritten + tableBytes); most > bound {
		t.Errorf("%d MiB were in memory, at most %d should", most>>20, bound>>20)
	}
	t.Logf("%d MiB", most>>20)
	slow.Off()
	_ = store.Close()
}

// TestLookUpsKeepBlocks: of the blocks of index, filter and pointers that look-ups in no order need, few are read again, while tables are filled. If the cache had
// room for the tables alone, all would be.
func TestLookUpsKeepBlocks(t *testing.T) {
	w := newWorld(t, 1, "folder")
	payload := []byte(strings.Repeat("x", 1200))
	const entries = 40_000
	key := func(i int) []byte { return fmt.Appendf(nil, "%08x", uint32(i)*2654435769) }
	for i := range entries {
		if _, err := w.store.Put(key(i), payload, 1); err != nil {
			t.Fatal(err)
		}
		w.store.letter = mail{}
	}
	before := w.store.db.Metrics().BlockCache
	for i := range entries / 2 {
		_, of, found, err := w.store.Get(key(i))
		if err != nil || !found {
			t.Fatalf("%s: %v, %v", key(i), found, err)
		}
		if err := errors.Join(w.store.Remove(key(i), of), second(w.store.Put(append(key(i), '2'), payload, 1))); err != nil {
			t.Fatal(err)
		}
		w.store.letter = mail{}
	}
	after := w.store.db.Metrics().BlockCache
	hits, misses := after.Hits-before.Hits, after.Misses-before.Misses
	if hits < 3*misses {
		t.Errorf("%d blocks were in memory, and %d were read", hits, misses)
	}
	t.Logf("%d and %d", hits, misses)
}

func second(_ bool, err error) error { return err }
