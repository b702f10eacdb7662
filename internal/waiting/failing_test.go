package waiting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// unreadable is a disk of which so many reads succeed once it is armed, and no further one.
type unreadable struct {
	armed       atomic.Bool
	left, fails atomic.Int64
}

func (u *unreadable) over(files vfs.FS) vfs.FS {
	return errorfs.Wrap(files, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if !u.armed.Load() || op.Kind != errorfs.OpFileRead && op.Kind != errorfs.OpFileReadAt || u.left.Add(-1) >= 0 {
			return nil
		}
		u.fails.Add(1)
		return syscall.EIO
	}))
}

// kept is a transaction that keeps what is written.
type kept struct {
	batches [][]kafka.Message
	commits int
	err     error // of each write
}

func (k *kept) Append(_ context.Context, _ string, _ int32, messages ...kafka.Message) error {
	k.batches = append(k.batches, messages)
	return k.err
}

func (k *kept) Commit(context.Context) error {
	k.commits++
	return k.err
}

func (k *kept) messages() (n int) {
	for _, batch := range k.batches {
		n += len(batch)
	}
	return n
}

// filled is a job of a process that has ended, with entries that wait, are held, and were taken out, on disk.
func filled(t *testing.T) *world {
	w := newWorld(t, 1, "folder")
	for i := range 10 {
		w.put(fmt.Sprint("key", i), strings.Repeat("x", 100))
	}
	for _, key := range []string{"key0", "key1"} {
		_, of, _, err := w.store.Get([]byte(key))
		if err != nil || w.store.Hold([]byte(key), of, []byte("held")) != nil {
			t.Fatal(err)
		}
		w.real.puts++
		w.real.hold(key, "held")
	}
	w.mustSave()
	w.put("key3", "again")
	w.mustSave()
	w.compare()
	_ = w.store.Close()
	return w
}

// TestADiskThatCannotBeRead: whichever read fails, whoever needs it is told, and the folder is named.
func TestADiskThatCannotBeRead(t *testing.T) {
	w := filled(t)
	open := func(u *unreadable) (*Store, error) {
		s, how, err := Open(t.Context(), Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: w.kafka.Topics[topic].Partitions[0].End(), Term: w.term + 1, Read: w.read,
			files: u.over(w.disk.CrashClone(vfs.CrashCloneCfg{}))}, w.saved.mark)
		if u.armed.Swap(false) && err == nil && u.fails.Load() == 0 { // else the database failed to read something for itself, and remembers that
			if w.store = s; how != (Opened{}) || len(s.mark.Lineage) == 0 {
				t.Errorf("%+v, %+v", how, s.mark)
			}
			w.compare()
		}
		return s, err
	}
	writing := func(do func(*writer) error) func(*Store) error {
		return func(s *Store) error {
			return do(newWriter(s, Log{Topic: topic, To: &kept{}, End: w.end}))
		}
	}
	key := []byte("key5")
	for name, do := range map[string]func(*Store) error{
		"open":    nil,
		"put":     func(s *Store) error { return second(s.Put(key, nil, 1)) },
		"get":     func(s *Store) error { _, _, _, err := s.Get(key); return err },
		"oldest":  func(s *Store) error { _, _, err := s.Oldest(); return err },
		"payload": func(s *Store) error { _, err := s.OldestPayload(); return err },
		"held":    func(s *Store) error { _, err := s.OldestHeld(); return err },
		"drop":    func(s *Store) error { return s.DropOldest() },
		"drop of held": func(s *Store) error {
			return s.DropHeld()
		},
		"again": writing(func(w *writer) error { w.store.meant.ID[0]++; return w.again(t.Context()) }),
		"tidy":  writing(func(w *writer) error { return w.tidy(t.Context(), w.store.mark.Epoch) }),
		"seal": writing(func(w *writer) error {
			w.store.meant.ID[0]++
			return w.seal(t.Context(), &Mark{Epoch: w.store.mark.Epoch})
		}),
	} {
		for succeed := int64(0); ; succeed++ {
			if succeed > 100 {
				t.Fatalf("%s: it does not end", name)
			}
			u := &unreadable{}
			u.left.Store(succeed)
			u.armed.Store(do == nil)
			s, err := open(u)
			if err == nil && do != nil {
				u.armed.Store(true)
				err = do(s)
				u.armed.Store(false)
			}
			if s != nil {
				_ = s.Close()
			}
			if u.fails.Load() == 0 || do == nil && err == nil {
				if err != nil || succeed == 0 {
					t.Errorf("%s: %v, and nothing was read", name, err)
				}
				break
			}
			if failure := (*Failure)(nil); !errors.As(err, &failure) || failure.Folder != w.folder {
				t.Errorf("%s: read %d fails: %v", name, succeed+1, err)
			}
		}
	}
}

// TestWhatIsDamaged in the database is an error, wherever it is met: entries and pointers that are cut off, and fewer entries than were counted.
func TestWhatIsDamaged(t *testing.T) {
	w := filled(t)
	damage := func(key, value []byte) func(*Store) {
		return func(s *Store) {
			if err := s.db.Set(key, value, pebble.NoSync); err != nil {
				t.Fatal(err)
			}
		}
	}
	at := func(s *Store, key string) id {
		found, is, err := s.find([]byte(key))
		if err != nil || !is {
			t.Fatal(key, err)
		}
		return found
	}
	get := func(s *Store) error { _, _, _, err := s.Get([]byte("key2")); return err }
	oldest := func(s *Store) error { _, _, err := s.Oldest(); return err }
	held := func(s *Store) error { _, err := s.OldestHeld(); return err }
	first := pointerKey(nil, heldKey(id{1, 1}))
	for name, c := range map[string]struct {
		damage func(*Store)
		do     func(*Store) error
	}{
		"a pointer":             {damage(pointerKey(nil, []byte("key2")), []byte("short")), get},
		"an entry":              {func(s *Store) { damage(entryKey(nil, at(s, "key2")), []byte("short"))(s) }, get},
		"replaced":              {damage(pointerKey(nil, []byte("key2")), []byte("short")), func(s *Store) error { return second(s.Put([]byte("key2"), nil, 1)) }},
		"the oldest":            {func(s *Store) { damage(entryKey(nil, at(s, "key2")), []byte("short"))(s); s.mark.Held = 0 }, oldest},
		"a pointer of held":     {damage(first, []byte("short")), held},
		"an entry that is held": {func(s *Store) { damage(entryKey(nil, at(s, string(first[1:]))), []byte("short"))(s) }, held},
		"fewer than counted":    {func(s *Store) { s.mark.Entries, s.line.next = 99, 99 }, func(s *Store) error { _, _, err := s.inLine(); return err }},
		"fewer held":            {func(s *Store) { s.aside.next = id{99, 99} }, held},
		"none held to drop":     {func(s *Store) { s.aside.next = id{99, 99} }, (*Store).DropHeld},
		"the oldest to drop":    {func(s *Store) { damage(first, []byte("short"))(s) }, (*Store).DropOldest},
		"the oldest payload":    {func(s *Store) { damage(first, []byte("short"))(s) }, func(s *Store) error { _, err := s.OldestPayload(); return err }},
	} {
		s, _, err := Open(t.Context(), Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: w.kafka.Topics[topic].Partitions[0].End(), Term: w.term + 1, Read: w.read,
			files: w.disk.CrashClone(vfs.CrashCloneCfg{})}, w.saved.mark)
		if err != nil {
			t.Fatal(err)
		}
		if payload, err := s.OldestHeld(); err != nil || string(payload) != "held" {
			t.Fatalf("%s: before, %q is held: %v", name, payload, err)
		}
		s.aside = aside{}
		c.damage(s)
		if err := c.do(s); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		_ = s.Close()
	}
}

// TestAFolderThatCannotBeOpened is free for the next process: nothing holds its lock.
func TestAFolderThatCannotBeOpened(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "waiting")
	gone := errors.New("the topic is gone")
	o := Options{Folder: folder, Job: "job", Topic: topic, Term: 1, Read: func(context.Context, int64, func(*kafka.Record) error) error { return gone }}
	if _, _, err := Open(t.Context(), o, Mark{}); !errors.Is(err, gone) {
		t.Fatalf("a changelog that cannot be read: %v", err)
	}
	o.Read = newWorld(t, 1, "").read
	s, _, err := Open(t.Context(), o, Mark{})
	if err != nil {
		t.Fatalf("the next process: %v", err)
	}
	if err := s.db.Set([]byte{kindMeaning}, []byte("[not JSON"), pebble.NoSync); err != nil {
		t.Fatal(err)
	}
	if m, err := s.meaning(); err != nil || m.Format != 0 {
		t.Errorf("what another program wrote: %+v, %v", m, err)
	}
	_ = s.Close()
	manifests, err := filepath.Glob(filepath.Join(folder, "MANIFEST-*"))
	if err != nil || len(manifests) == 0 {
		t.Fatal(manifests, err)
	}
	for _, path := range manifests {
		if err := os.Truncate(path, 3); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		var used *inUse
		if _, _, err := Open(t.Context(), o, Mark{}); err == nil || errors.As(err, &used) {
			t.Errorf("a damaged folder: %v", err)
		}
	}
	for text, want := range map[string]string{"bounds: [kanna, kbert]; details: broken": "details: broken", "details: broken": "details: broken", "bounds: [open": "bounds: [open"} {
		if got := withoutKeys(errors.New(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if text := (&Failure{"", errors.New("full")}).Error(); text != "the records that wait for their label cannot be kept in memory: full" {
		t.Error(text)
	}
}

// TestABrokenStoreChangesNothing: what goes beyond a part is not committed, and whoever begins another one is told.
func TestABrokenStoreChangesNothing(t *testing.T) {
	w := newWorld(t, 1, "")
	parts := w.store.db.inParts(w.store.db.NewIndexedBatch)
	if err := parts.Set([]byte("zzz"), make([]byte, partBytes), nil); err != nil {
		t.Fatal(err)
	}
	w.store.db.fail(syscall.EIO)
	if err := parts.next(); !errors.Is(err, syscall.EIO) {
		t.Errorf("a part: %v", err)
	}
	_ = parts.Close()
	_ = w.store.Close()
}

// TestTheChangelogIsDelivered: what is flushed is on it, a mark comes when all that it counts is, and one that was made again gets all entries by a new transaction.
func TestTheChangelogIsDelivered(t *testing.T) {
	w := newWorld(t, 1, "")
	ctx, cancel := context.WithCancel(t.Context())
	to := w.write.to
	reopened := 0
	to.Reopen = func(ctx context.Context) (cluster.Transaction, error) {
		reopened++
		return w.kafka.Transact(ctx, tests)
	}
	ended := make(chan error)
	go func() { ended <- w.store.Deliver(ctx, to) }()
	on := func() (n int) {
		t.Helper()
		if err := w.store.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		_ = w.read(t.Context(), 0, func(r *kafka.Record) error {
			n++
			return nil
		})
		return n
	}
	w.put("a", "1")
	w.put("b", "2")
	if n := on(); n != 2 {
		t.Errorf("%d entries are on the changelog", n)
	}
	sealed, err := w.store.Seal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if mark := <-sealed; mark.Epoch != 1 || mark.Entries != 2 || mark.Offset == 0 {
		t.Errorf("%+v", mark)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || reopened != 0 {
		t.Errorf("%v, reopened %d times", err, reopened)
	}
	w.store.meant.ID[0]++ // it was made again, and cannot be written
	refused := errors.New("refused")
	to.To, to.Reopen = &kept{err: refused}, nil
	if err := w.store.Deliver(t.Context(), to); !errors.Is(err, refused) {
		t.Errorf("the entries cannot be written: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for len(w.store.mail) < cap(w.store.mail) {
		w.store.mail <- mail{}
	}
	if err := errors.Join(w.store.Flush(stopped)); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody delivers: %v", err)
	}
}

// TestATransactionThatIsRefused is tried once more by another one, if the changelog was made again; else, its error counts.
func TestATransactionThatIsRefused(t *testing.T) {
	refused, gone := errors.New("refused"), errors.New("gone")
	for name, c := range map[string]struct {
		again, unseen, without, closed bool // the changelog was made again, cannot be seen, cannot be opened again, or only fails to
		fails                          error
	}{
		"the same one":      {fails: refused},
		"made again":        {again: true},
		"nobody opens it":   {again: true, without: true, fails: refused},
		"it cannot be seen": {again: true, unseen: true, fails: refused},
		"nor opened":        {again: true, closed: true, fails: gone},
	} {
		w := newWorld(t, 1, "")
		w.put("a", "1")
		w.mustSave()
		good, tries := &kept{}, 0
		w.write.to.To, w.write.open = &kept{err: refused}, true
		w.write.to.Reopen = func(context.Context) (cluster.Transaction, error) {
			if c.closed {
				return nil, gone
			}
			return good, nil
		}
		if c.without {
			w.write.to.Reopen = nil
		}
		if c.unseen {
			w.write.to.End = func(context.Context) (kafka.TopicID, int64, error) { return kafka.TopicID{}, 0, gone }
		}
		if c.again {
			w.kafka.Again(topic)
		}
		err := w.write.try(t.Context(), func(ctx context.Context) error {
			tries++
			return w.write.append(ctx, kafka.Message{Key: []byte("k")})
		})
		if !errors.Is(err, c.fails) || c.fails == nil && (err != nil || tries != 2 || good.messages() != 2 || good.commits != 1) || c.fails != nil && tries != 1 {
			t.Errorf("%s: %v after %d tries, %d messages in %d commits", name, err, tries, good.messages(), good.commits)
		}
	}
	w := newWorld(t, 1, "")
	w.put("a", "1")
	w.write.open, w.write.to.To = true, &kept{err: refused}
	if err := w.write.tick(t.Context()); !errors.Is(err, refused) {
		t.Errorf("a commit is refused: %v", err)
	}
	flushed := make(chan struct{})
	w.write.open = true
	if err := w.write.deliver(t.Context(), &mail{flushed: flushed}); !errors.Is(err, refused) {
		t.Errorf("a flush is refused: %v", err)
	}
	select {
	case <-flushed:
		t.Error("what is not committed is flushed")
	default:
	}
	w.store.meant.ID[0]++
	if err := w.write.try(t.Context(), w.write.again); !errors.Is(err, refused) {
		t.Errorf("the entries are refused: %v", err)
	}
}

// TestBatchesAreBounded by messages and by bytes, up to the bound; each message is in one of them.
func TestBatchesAreBounded(t *testing.T) {
	w := newWorld(t, 1, "")
	to := &kept{}
	w.write.to.To = to
	half := make([]byte, mailBytes/2)
	message := func(value []byte) kafka.Message { return kafka.Message{Key: []byte("k"), Value: value} }
	if err := w.write.append(t.Context(), message(half), message(half), message([]byte("x")), message(make([]byte, 2*mailBytes)), message(nil)); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, batch := range to.batches {
		sizes = append(sizes, len(batch))
	}
	if fmt.Sprint(sizes) != "[2 1 1 1]" || string(to.batches[0][0].Key) != string(w.store.job)+"k" {
		t.Errorf("batches of %v", sizes)
	}
	for messages, want := range map[int]int{mailMessages - 1: 0, mailMessages: 1} {
		for bytes, more := range map[int]int{mailBytes - 1: 0, mailBytes: 1} {
			w.store.letter = mail{messages: make([]kafka.Message, messages), bytes: bytes}
			if err := w.store.Send(t.Context()); err != nil || len(w.store.mail) != max(want, more) {
				t.Errorf("%d messages of %d bytes: %d are posted, %v", messages, bytes, len(w.store.mail), err)
			}
			for len(w.store.mail) > 0 {
				<-w.store.mail
			}
		}
	}
	to.batches, w.store.letter = nil, mail{}
	for i := range 5 {
		w.put(fmt.Sprint("large", i), strings.Repeat("x", mailBytes/3))
	}
	w.store.meant.ID[0]++
	if err := w.write.again(t.Context()); err != nil || to.messages() != 5 || w.again != 5 || len(to.batches) < 2 {
		t.Errorf("%d messages in %d batches, of %d entries: %v", to.messages(), len(to.batches), w.again, err)
	}
}

// TestListsOfWhatWasTakenOut: as many entries as one message of a list names need one, and one more needs two; once a snapshot counts, all are deleted.
func TestListsOfWhatWasTakenOut(t *testing.T) {
	for entries, parts := range map[int]int{listed: 1, listed + 1: 2} {
		w := newWorld(t, 1, "")
		to := &kept{}
		w.write.to.To = to
		for i := range entries {
			if _, err := w.store.Put(fmt.Append(nil, i), nil, 1); err != nil {
				t.Fatal(err)
			}
		}
		for range entries {
			if err := w.store.DropOldest(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.write.list(t.Context(), 1); err != nil || to.messages() != parts {
			t.Errorf("%d entries: %d messages, %v", entries, to.messages(), err)
		}
		to.batches = nil
		if err := w.write.tidy(t.Context(), 1); err != nil || to.messages() != entries+parts || to.commits == 0 {
			t.Errorf("%d entries: %d deletions, %v", entries, to.messages(), err)
		}
		if err := w.write.tidy(t.Context(), 1); err != nil || to.messages() != entries+parts {
			t.Errorf("%d entries are deleted again: %v", entries, err)
		}
		_ = w.store.Close()
	}
}

// TestTheFilterAtItsBounds: as many entries as may wait have one, and a key that is to be read next may wait.
func TestTheFilterAtItsBounds(t *testing.T) {
	if f := newFilter(mostWaiting, 1); f.useless || len(f.all) != 1 {
		t.Error("there is no filter")
	}
	f := newFilter(0, 0)
	f.unread = []byte("kb")
	for pointer, may := range map[string]bool{"ka": false, "kb": true, "kc": true} {
		if f.mayWait([]byte(pointer[1:]), []byte(pointer)) != may {
			t.Errorf("%s may wait: %v", pointer, !may)
		}
	}
	if e := (&entry{key: []byte("abc"), payload: []byte("12345")}); e.size() != 8+overhead {
		t.Errorf("an entry takes %d bytes", e.size())
	}
}
