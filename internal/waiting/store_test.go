package waiting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

const (
	topic = "waiting"
	tests = "test-waiting"
)

// reality is what must wait, by key, and in which order it came.
type reality struct {
	payloads map[string]string
	order    []string
	puts     int
}

func (r *reality) clone() *reality {
	return &reality{maps.Clone(r.payloads), slices.Clone(r.order), r.puts}
}

func (r *reality) put(key, payload string) {
	r.take(key)
	r.payloads[key] = payload
	r.order = append(r.order, key)
}

func (r *reality) take(key string) {
	delete(r.payloads, key)
	r.order = slices.DeleteFunc(r.order, func(k string) bool { return k == key })
}

// hold has something else wait in the place of a key.
func (r *reality) hold(key, payload string) {
	at := slices.Index(r.order, key)
	delete(r.payloads, key)
	r.order[at] = fmt.Sprint("#", r.puts)
	r.payloads[r.order[at]] = payload
}

func isHeld(key string) bool { return key[0] == '#' }

func (r *reality) held() (n int64) {
	for _, key := range r.order {
		if isHeld(key) {
			n++
		}
	}
	return n
}

// counted is a snapshot that counts.
type counted struct {
	mark Mark
	real *reality
}

// world is a job whose processes are killed.
type world struct {
	t      *testing.T
	random *rand.Rand
	kafka  *clustertest.Memory
	disk   *vfs.MemFS // survives a kill, less what was not flushed
	folder string

	term  int64
	store *Store
	write *writer
	real  *reality
	saved counted
	// fail is how many writes to the changelog succeed before the process is killed; below 0: all.
	fail    int
	rebuilt int
	again   int // entries written to a changelog that was made again
}

func newWorld(t *testing.T, seed uint64, folder string) *world {
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), kafka: clustertest.New(map[string]int{topic: 1}), disk: vfs.NewCrashableMem(), folder: folder,
		saved: counted{real: &reality{payloads: map[string]string{}}}}
	w.open()
	return w
}

func (w *world) read(ctx context.Context, from int64, use func(*kafka.Record) error) error {
	_, err := w.kafka.ReadInput(ctx, topic, 0, from, kafka.End, use)
	return err
}

func (w *world) end(ctx context.Context) (kafka.TopicID, int64, error) {
	bounds, err := w.kafka.Bounds(ctx, topic)
	return w.kafka.Topics[topic].ID, bounds[0].End, err
}

// killing is a transaction whose process is killed at some write, before its effect or after it.
type killing struct {
	cluster.Transaction
	w *world
}

var errKilled = errors.New("killed")

func (k *killing) try(do func() error) error {
	if k.w.fail == 0 {
		if k.w.random.IntN(2) == 0 {
			_ = do()
		}
		return errKilled
	}
	k.w.fail--
	return do()
}

func (k *killing) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) error {
	return k.try(func() error { return k.Transaction.Append(ctx, topic, partition, messages...) })
}

func (k *killing) Commit(ctx context.Context) error {
	return k.try(func() error { return k.Transaction.Commit(ctx) })
}

func (w *world) open() {
	w.t.Helper()
	w.term++
	to, err := w.kafka.Transact(w.t.Context(), tests)
	if err != nil {
		w.t.Fatal(err)
	}
	store, how, err := Open(w.t.Context(), Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: w.kafka.Topics[topic].Partitions[0].End(), Term: w.term, Read: w.read, files: w.disk}, w.saved.mark)
	if err != nil {
		w.t.Fatal(err)
	}
	if how.Rebuilt {
		w.rebuilt++
	}
	if how.Lost != 0 {
		w.t.Errorf("term %d: %d entries are lost", w.term, how.Lost)
	}
	w.fail = -1
	store.filter.next = 4 // so that there are many
	w.store, w.real = store, w.saved.real.clone()
	w.write = newWriter(store, Log{Topic: topic, To: &killing{to, w}, End: w.end, Again: func(n int64) { w.again += int(n) }})
	if err := w.write.again(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.compare()
}

// kill ends the process: what is in its memory is lost, and what of the disk was not flushed.
func (w *world) kill(elsewhere bool) {
	disk := w.disk.CrashClone(vfs.CrashCloneCfg{})
	_ = w.store.Close()
	if w.disk = disk; elsewhere {
		w.disk = vfs.NewCrashableMem()
	}
	if w.random.IntN(2) == 0 {
		w.kafka.Clean(topic)
	}
	w.open()
}

// deliver writes what waits to be written, and says whether the process lives.
func (w *world) deliver() (alive bool) {
	for {
		select {
		case m := <-w.store.mail:
			if err := w.write.deliver(w.t.Context(), &m); errors.Is(err, errKilled) {
				return false
			} else if err != nil {
				w.t.Fatal(err)
			}
		default:
			return true
		}
	}
}

// save takes a snapshot that counts if the process lives until then.
func (w *world) save() (alive bool) {
	sealed, err := w.store.Seal(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	now := w.real.clone()
	if !w.deliver() {
		return false
	}
	var mark Mark
	select {
	case mark = <-sealed:
	default:
		w.t.Fatal("the mail is delivered, and the mark is not sealed")
	}
	if w.random.IntN(10) == 0 {
		return false // before the snapshot
	}
	w.saved = counted{mark, now}
	if w.random.IntN(10) == 0 {
		return false // after it
	}
	if err := w.store.Counted(w.t.Context(), mark); err != nil {
		w.t.Fatal(err)
	}
	return w.deliver()
}

// mustSave takes a snapshot that counts, in a process that goes on.
func (w *world) mustSave() {
	w.fail = -1
	for !w.save() {
		w.kill(false)
		w.fail = -1
	}
}

func (w *world) compare() {
	w.t.Helper()
	if got, want := w.store.Len(), int64(len(w.real.order)); got != want {
		w.t.Fatalf("term %d: %d wait, want %d", w.term, got, want)
	}
	if got, want := w.store.Held(), w.real.held(); got != want {
		w.t.Fatalf("term %d: %d are held, want %d", w.term, got, want)
	}
	bytes := int64(0)
	for _, key := range w.real.order {
		size := len(key)
		if isHeld(key) {
			size = len(heldKey(id{}))
		}
		bytes += int64(size + len(w.real.payloads[key]) + overhead)
	}
	if got := w.store.Bytes(); got != bytes {
		w.t.Fatalf("term %d: %d bytes wait, want %d", w.term, got, bytes)
	}
	w.compareOldest()
	for _, key := range w.real.order {
		if isHeld(key) {
			continue
		}
		at, found, err := w.store.find([]byte(key))
		if err != nil || !found {
			w.t.Fatalf("term %d: %s does not wait, %v", w.term, key, err)
		}
		_ = w.store.read(at, func(e *entry) {
			if string(e.payload) != w.real.payloads[key] {
				w.t.Fatalf("term %d: under %s waits %s, want %s", w.term, key, e.payload, w.real.payloads[key])
			}
		})
	}
}

func (w *world) compareOldest() {
	w.t.Helper()
	oldest, waits, err := w.store.Oldest()
	if err != nil || waits != (len(w.real.order) > 0) {
		w.t.Fatalf("term %d: %v, %v", w.term, waits, err)
	}
	if !waits {
		return
	}
	key := w.real.order[0]
	if payload, err := w.store.OldestPayload(); err != nil || oldest.Held != isHeld(key) || string(payload) != w.real.payloads[key] {
		w.t.Fatalf("term %d: the oldest is %s, held: %v, want %s of %s (%v)", w.term, payload, oldest.Held, w.real.payloads[key], key, err)
	}
}

func (w *world) put(key, payload string) {
	if _, err := w.store.Put([]byte(key), []byte(payload), 1); err != nil {
		w.t.Fatal(err)
	}
	w.real.put(key, payload)
}

func (w *world) step() (alive bool) {
	key := fmt.Sprint("key", w.random.IntN(40))
	var err error
	switch n := w.random.IntN(100); {
	case n < 50:
		w.real.puts++
		payload := fmt.Sprint("payload ", w.term, " ", w.real.puts)
		_, was := w.real.payloads[key]
		var replaced bool
		if replaced, err = w.store.Put([]byte(key), []byte(payload), int64(w.real.puts)); replaced != was {
			w.t.Fatalf("replaced: %v, want %v", replaced, was)
		}
		w.real.put(key, payload)
	case n < 85:
		want, waits := w.real.payloads[key]
		var payload []byte
		var found bool
		var of Ticket
		if payload, of, found, err = w.store.Get([]byte(key)); found != waits || string(payload) != want {
			w.t.Fatalf("term %d: got %q, %v under %s, want %q", w.term, payload, found, key, want)
		}
		if err == nil && found && w.random.IntN(3) > 0 {
			w.real.puts++
			payload := fmt.Sprint("held ", w.term, " ", w.real.puts)
			err = w.store.Hold([]byte(key), of, []byte(payload))
			w.real.hold(key, payload)
			break
		}
		if err == nil && found {
			err = w.store.Remove([]byte(key), of)
		}
		w.real.take(key)
	case n < 93:
		if len(w.real.order) > 0 {
			w.compareOldest()
			err = w.store.DropOldest()
			w.real.take(w.real.order[0])
		}
	default:
		return w.save()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return true
}

// TestWaitsWhatASnapshotCounts: whenever the process is killed, in or between any two writes, and wherever it goes on, there waits what waited at the
// snapshot that counts.
func TestWaitsWhatASnapshotCounts(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 6
	}
	for _, folder := range []string{"", "folder"} {
		rebuilt, terms := 0, int64(0)
		for seed := range seeds {
			w := newWorld(t, seed, folder)
			for range 600 {
				if w.random.IntN(50) == 0 {
					w.fail = w.random.IntN(6)
				}
				if !w.step() || w.random.IntN(60) == 0 {
					w.kill(w.random.IntN(4) == 0)
				}
			}
			w.compare()
			// All of it is written and counted: nothing is left but what waits.
			w.mustSave()
			if err := w.write.commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.kafka.Clean(topic)
			left := map[byte]int{}
			_ = w.read(t.Context(), 0, func(r *kafka.Record) error {
				if key, own := bytes.CutPrefix(r.Key, w.store.job); own && r.Value != nil {
					left[key[0]]++
				}
				return nil
			})
			if left[kindEntry] != len(w.real.order) {
				t.Errorf("seed %d: %d entries are on the changelog, and %d wait", seed, left[kindEntry], len(w.real.order))
			}
			if n := len(w.store.mark.Lineage); n > len(w.real.order)+2 {
				t.Errorf("seed %d: a lineage of %d terms for %d entries", seed, n, len(w.real.order))
			}
			for len(w.real.order) > 0 {
				w.compareOldest()
				if err := w.store.DropOldest(); err != nil {
					t.Fatal(err)
				}
				w.real.take(w.real.order[0])
			}
			rebuilt, terms = rebuilt+w.rebuilt, terms+w.term
			_ = w.store.Close()
		}
		if folder == "" && int64(rebuilt) != terms || folder != "" && int64(rebuilt) > terms*2/3 {
			t.Errorf("folder %q: %d of %d processes read the changelog", folder, rebuilt, terms)
		}
		t.Logf("folder %q: %d processes, %d read the changelog", folder, terms, rebuilt)
	}
}

// TestAProcessThatWasPausedWritesNothing: another one has taken over.
func TestAProcessThatWasPausedWritesNothing(t *testing.T) {
	w := newWorld(t, 1, "")
	w.put("a", "1")
	w.mustSave()
	paused, writer := w.store, w.write
	if _, err := paused.Put([]byte("b"), []byte("late"), 2); err != nil {
		t.Fatal(err)
	}
	w.open()
	if _, err := paused.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := <-paused.mail
	if fenced := (*kafka.Fenced)(nil); !errors.As(writer.deliver(t.Context(), &m), &fenced) {
		t.Error("the process that was paused is not told")
	}
	w.kill(true)
	if w.store.Len() != int64(len(w.real.order)) {
		t.Errorf("%d wait", w.store.Len())
	}
}

// TestForeignMessagesCountForNothing: what another program wrote to the changelog is deleted.
func TestForeignMessagesCountForNothing(t *testing.T) {
	w := newWorld(t, 1, "")
	w.put("a", "1")
	w.mustSave()
	own := func(key []byte) []byte { return append(slices.Clone(w.store.job), key...) }
	for _, key := range [][]byte{nil, []byte("foreign"), []byte("another\x00"), own(nil), own(entryKey(nil, id{1, 99})), own(entryKey(nil, id{1, 1})[:9]), own(listKey(1, 77, 0))} {
		if _, err := w.kafka.Append(t.Context(), topic, 0, kafka.Message{Key: key, Value: []byte("short")}); err != nil {
			t.Fatal(err)
		}
	}
	w.kill(true)
	w.compare()
}

// TestAFailureNamesNoKey of a record: it may be a person's.
func TestAFailureNamesNoKey(t *testing.T) {
	failure := &Failure{"folder", errors.New(`on-disk corruption: folder/000009.sst; bounds: [kanna, kbert]; details: none]; details: block 3: checksum mismatch` + "\n-- stack trace: key anna")}
	if text := failure.Error(); strings.Contains(text, "anna") || strings.Contains(text, "bert") || !strings.Contains(text, "folder/000009.sst; details: block 3: checksum mismatch; free space") {
		t.Error(text)
	}
}

// TestADamagedFolderIsNamed, and so is the key that sets it.
func TestADamagedFolderIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Open(t.Context(), Options{Folder: path, Job: "job", Topic: topic, Term: 1}, Mark{})
	if failure := (*Failure)(nil); !errors.As(err, &failure) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "stream.labels.dir") {
		t.Errorf("%v", err)
	}
}
