package waiting

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestAChangelogIsMadeAgain: a store with a folder writes its entries to the new changelog. A store without one loses them, and tells how many.
func TestAChangelogIsMadeAgain(t *testing.T) {
	for _, folder := range []string{"", "folder"} {
		w := newWorld(t, 1, folder)
		w.put("a", "1")
		w.put("b", "2")
		w.mustSave()
		w.kafka.Again(topic)
		_ = w.store.Close()
		if folder == "" {
			_, how, err := Open(t.Context(), Options{Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, Term: 9, Read: w.read}, w.saved.mark)
			if err != nil || how.Lost != 2 || !how.Cut {
				t.Errorf("%d entries are lost, %v", how.Lost, err)
			}
			continue
		}
		w.open()
		w.mustSave()
		w.kill(true)
		w.compare()
	}
}

// TestAChangelogIsMadeAgainMeanwhile, or loses its end, while a process runs, at any moment, with a folder or without one. The process writes all entries, and what was taken out, to the
// new one, so that nothing is lost or waits again, wherever the job goes on.
func TestAChangelogIsMadeAgainMeanwhile(t *testing.T) {
	for _, folder := range []string{"", "folder"} {
		for seed := range uint64(8) {
			w := newWorld(t, seed, folder)
			made := 0
			for range 300 {
				if w.random.IntN(40) == 0 {
					if log := w.kafka.Topics[topic].Partitions[0]; made%2 == 0 {
						w.kafka.Again(topic)
					} else { // an unclean election: the next batch is refused
						log.Records = log.Records[:len(log.Records)*w.random.IntN(10)/10]
						if _, err := w.write.ends(t.Context()); err != nil {
							t.Fatal(err)
						}
						if w.store.now == w.store.meant.ID {
							w.kill(false) // nothing that a snapshot counts is gone
						}
					}
					made++
					w.mustSave()
				}
				if !w.step() || w.random.IntN(60) == 0 {
					w.kill(w.random.IntN(4) == 0)
				}
			}
			w.kafka.Again(topic)
			w.mustSave()
			w.kill(true)
			w.compare()
			if made > 2 && w.again == 0 {
				t.Errorf("seed %d: the changelog was made again %d times, and no entry was written to it", seed, made)
			}
			_ = w.store.Close()
		}
	}
}

// TestAChangelogIsMadeAgainBeforeASnapshot: a process without a folder has its entries on the new one before the next snapshot, and may be killed.
func TestAChangelogIsMadeAgainBeforeASnapshot(t *testing.T) {
	w := newWorld(t, 1, "")
	for _, key := range []string{"a", "b", "c"} {
		w.put(key, "counted")
	}
	w.mustSave()
	if err := w.store.DropOldest(); err != nil {
		t.Fatal(err)
	}
	w.put("b", "not counted")
	if err := w.store.Send(t.Context()); err != nil || !w.deliver() {
		t.Fatal(err)
	}
	w.kafka.Again(topic)
	if err := w.write.tick(t.Context()); err != nil || w.again != 2 {
		t.Errorf("%d entries are written again, %v", w.again, err)
	}
	if err := w.write.tick(t.Context()); err != nil || w.again != 2 {
		t.Errorf("%d entries are written, although none is missing: %v", w.again, err)
	}
	w.kill(true)
}

// TestAChangelogThatCannotBeSeen is told of once if it stays so, and once it can be seen again. What waits is kept meanwhile.
func TestAChangelogThatCannotBeSeen(t *testing.T) {
	w := newWorld(t, 1, "")
	w.put("a", "1")
	w.mustSave()
	var told []error
	var unseen error
	end := w.write.to.End
	w.write.to.Unseen = func(err error) { told = append(told, err) }
	w.write.to.End = func(ctx context.Context) (kafka.TopicID, int64, error) {
		if unseen != nil {
			return kafka.TopicID{}, 0, unseen
		}
		return end(ctx)
	}
	gone := errors.New("it is gone")
	for _, looks := range []struct {
		count int
		err   error
	}{{leastUnseen - 1, gone}, {1, nil}, {2 * leastUnseen, gone}, {2, nil}, {leastUnseen, gone}, {1, nil}} {
		unseen = looks.err
		for range looks.count {
			if err := w.write.tick(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(told, []error{gone, nil, gone, nil}) {
		t.Errorf("told %v", told)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	unseen = ctx.Err()
	if err := w.write.tick(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w.kill(true)
}

// TestAFolderOfBefore: one that was copied back after the job had gone on, or from behind a state that the job goes back to, is filled again from the changelog.
func TestAFolderOfBefore(t *testing.T) {
	for _, state := range []string{"new", "old"} {
		for seed := range uint64(5) {
			w := newWorld(t, seed, "folder")
			for i := range 30 {
				w.put(fmt.Sprint("key", i), fmt.Sprint("first ", i))
			}
			w.mustSave()
			disk, before := w.disk.CrashClone(vfs.CrashCloneCfg{}), w.saved
			term := w.term
			for range 100 {
				w.step()
			}
			w.mustSave()
			_ = w.store.Close()
			if w.term != term {
				continue // it was killed, and the folder tells of another term
			}
			if state == "new" {
				rebuilt := w.rebuilt
				w.disk = disk
				if w.open(); w.rebuilt == rebuilt {
					t.Errorf("seed %d: a folder that lacks entries is used", seed)
				}
				_ = w.store.Close()
				continue
			}
			store, how, err := Open(t.Context(), Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: math.MaxInt64, Term: 99, Read: w.read, files: w.disk}, before.mark)
			if err != nil || !how.Rebuilt {
				t.Fatalf("seed %d: a folder that lacks entries is used (%v)", seed, err)
			}
			_ = store.Close()
		}
	}
}

// TestAnotherChangelogIsReadWhole, also before the place that the mark names: what counts for nothing there is deleted.
func TestAnotherChangelogIsReadWhole(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"made again":   func(w *world) { w.kafka.Again(topic) },
		"lost its end": func(w *world) { w.kafka.Topics[topic].Partitions[0].Records = nil },
	} {
		w := newWorld(t, 1, "folder")
		for i := range 10 {
			w.put(fmt.Sprint("key", i), "payload")
		}
		w.mustSave()
		_ = w.store.Close()
		change(w)
		foreign := entryKey(nil, id{1, 99})
		if _, err := w.kafka.Append(t.Context(), topic, 0, kafka.Message{Key: append(slices.Clone(w.store.job), foreign...), Value: []byte("no entry")}); err != nil {
			t.Fatal(err)
		}
		w.open() // compares what waits
		if _, closer, err := w.store.db.Get(append([]byte{kindDelete}, foreign...)); err != nil {
			t.Errorf("%s: what counts for nothing is not to be deleted: %v", name, err)
		} else {
			_ = closer.Close()
		}
		_ = w.store.Close()
	}
}

// refusing is a transaction that refuses the first write alone.
type refusing struct {
	kept
	refused bool
}

func (r *refusing) Append(ctx context.Context, of string, partition int32, messages ...kafka.Message) error {
	if !r.refused {
		r.refused = true
		return errKilled
	}
	return r.kept.Append(ctx, of, partition, messages...)
}

// TestDeliveryEndsWithTheFirstRefusal of the entries that a changelog lacks: nothing is tried again behind the back of the caller.
func TestDeliveryEndsWithTheFirstRefusal(t *testing.T) {
	w := newWorld(t, 1, "")
	w.put("a", "1")
	w.mustSave()
	w.kafka.Again(topic)
	w.store.now = w.kafka.Topics[topic].ID
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := w.store.Deliver(ctx, Log{Topic: topic, To: &refusing{}, End: w.end, Again: func(int64) { cancel() }}); !errors.Is(err, errKilled) {
		t.Errorf("%v", err)
	}
	_ = w.store.Close()
}

// TestEntriesAreWrittenAgainInMails of bounded size: one that is full goes alone, and one that lacks a byte takes the next entry, too. Nothing is written to
// a changelog that has the entries.
func TestEntriesAreWrittenAgainInMails(t *testing.T) {
	first := func(w *world) (bytes int) {
		if err := w.store.each([]byte{kindEntry}, []byte{kindEntry + 1}, func(key, value []byte) error { bytes = max(bytes, len(key)+len(value)); return nil }); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	probe := newWorld(t, 1, "")
	probe.put("a", strings.Repeat("x", mailBytes/2))
	around := first(probe) - mailBytes/2
	for size, want := range map[int][]int{mailBytes: {1, 1}, mailBytes - 1: {2}} {
		w := newWorld(t, 1, "")
		w.put("a", strings.Repeat("x", size-around))
		if got := first(w); got != size {
			t.Fatalf("an entry of %d bytes has %d", size, got)
		}
		w.put("b", "")
		to := &kept{}
		write := newWriter(w.store, Log{Topic: topic, To: to, End: w.end})
		if err := write.again(t.Context()); err != nil || len(to.batches) != 0 {
			t.Errorf("%d batches go to a changelog that has them, %v", len(to.batches), err)
		}
		w.store.meant.ID[0]++
		if err := write.again(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, batch := range to.batches {
			if len(batch) > 0 {
				got = append(got, len(batch))
			}
		}
		if !slices.Equal(got, want) || to.commits != 1 || w.store.meant.ID != w.store.now {
			t.Errorf("with %d bytes: batches of %v, not %v, and %d commits", size, got, want, to.commits)
		}
	}
}
