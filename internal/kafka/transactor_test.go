package kafka

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// TestTransactor: what is committed is read once and what is aborted never; offsets are those of the transactions that
// were committed, a second owner of the id ends the first, and a copy of a batch that arrives again is no second one.
func TestTransactor(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		topic, other := w.create(2), w.create(1)
		group := topic + "-group"
		message := func(text string) Message { return Message{Value: []byte(text)} }
		first, err := w.NewTransactor(w.context(), topic)
		w.must(err)
		if before, err := w.GroupOffsets(w.context(), group, topic); err != nil || len(before) != 0 {
			t.Fatalf("before: %v, %v", before, err)
		}
		for i := range 3 {
			w.must(first.Append(w.context(), topic, 0, message(fmt.Sprint("a", i)), message(fmt.Sprint("b", i))))
			w.must(first.Append(w.context(), topic, 1, message(fmt.Sprint("c", i))))
			w.must(first.Append(w.context(), other, 0, message(fmt.Sprint("d", i))))
			w.must(first.CommitOffsets(w.context(), group, other, map[int32]int64{0: int64(i + 1)}))
			if i == 1 {
				w.must(first.Abort(w.context()))
			} else {
				w.must(first.Commit(w.context()))
			}
		}
		w.must(first.Commit(w.context())) // nothing
		values := func(topic string, partition int32) (found []string) {
			t.Helper()
			_, err := w.ReadInput(w.context(), topic, partition, Earliest, End, func(r *Record) error {
				found = append(found, string(r.Value))
				return nil
			})
			w.must(err)
			return found
		}
		visible := func(topic string, partition int32, want ...string) {
			t.Helper()
			w.waitFor("the marker", func() bool {
				return slices.Equal(values(topic, partition), want)
			})
		}
		visible(topic, 0, "a0", "b0", "a2", "b2")
		visible(topic, 1, "c0", "c2")
		visible(other, 0, "d0", "d2")
		w.waitFor("the offsets", func() bool {
			offsets, err := w.GroupOffsets(w.context(), group, other)
			return err == nil && len(offsets) == 1 && offsets[0] == 3
		})

		// The answer to a batch is lost, and it is sent again with the same sequence number.
		w.must(first.Append(w.context(), other, 0, message("once")))
		first.sequences[target{other, 0}]--
		w.must(first.Append(w.context(), other, 0, message("once")))
		w.must(first.Commit(w.context()))
		visible(other, 0, "d0", "d2", "once")

		w.must(first.Append(w.context(), other, 0, message("left open")))
		visible(other, 0, "d0", "d2", "once")
		_, err = w.Client.Append(w.context(), other, 0, message("behind it"))
		w.must(err)
		visible(other, 0, "d0", "d2", "once")
		var own string // as an owner reads its own topics
		_, err = w.Read(w.context(), other, 0, Earliest, End, func(r *Record) error { own = string(r.Value); return nil })
		if w.must(err); own != "behind it" {
			t.Errorf("the last record that an owner reads is %q", own)
		}
		second, err := w.NewTransactor(w.context(), topic)
		w.must(err)
		w.must(second.Append(w.context(), other, 0, message("second")))
		w.must(second.Commit(w.context()))
		var fenced *Fenced
		if err := first.Append(w.context(), other, 0, message("late")); !errors.As(err, &fenced) || ClassOf(err) != Fatal {
			t.Errorf("the first goes on: %v", err)
		}
		if err := first.Commit(w.context()); !errors.As(err, &fenced) {
			t.Errorf("the first commits: %v", err)
		}
		visible(other, 0, "d0", "d2", "once", "behind it", "second")
	})
}
