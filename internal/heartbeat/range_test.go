package heartbeat

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// bounded is a topic that notes what is read of it.
type bounded struct {
	bounds   kafka.Bounds
	at       int64 // of the time that is asked for
	asked    int
	from, to int64
	fails    string // which call does
}

var errFails = errors.New("it fails")

func (b *bounded) try(call string) error {
	if b.fails == call {
		return errFails
	}
	return nil
}

func (b *bounded) Bounds(context.Context, string) ([]kafka.Bounds, error) {
	return []kafka.Bounds{b.bounds}, b.try("bounds")
}

func (b *bounded) OffsetsAt(context.Context, string, time.Time) ([]int64, error) {
	b.asked++
	return []int64{b.at}, b.try("offsets")
}

func (b *bounded) Read(_ context.Context, _ string, _ int32, from, to int64, _ func(*kafka.Record) error) (int64, error) {
	b.from, b.to = from, to
	return to, b.try("read")
}

// TestWhatIsReadOfATopic: at first, and after a loss, what is not to be forgotten yet, up to a number; then what has come, up to a smaller one.
func TestWhatIsReadOfATopic(t *testing.T) {
	const nothing = -7
	for name, c := range map[string]struct {
		next        int64
		b           bounded
		asked       int
		from, after int64
	}{
		"at first":                       {unread, bounded{bounds: kafka.Bounds{Start: 5, End: 10, Unstable: 2}, at: 8}, 1, 8, 12},
		"at first, all":                  {unread, bounded{bounds: kafka.Bounds{Start: 5, End: 10, Unstable: 2}, at: 3}, 1, 5, 12},
		"at first, none":                 {unread, bounded{bounds: kafka.Bounds{Start: 5, End: 10, Unstable: 2}, at: 20}, 1, nothing, 12},
		"at first, many":                 {unread, bounded{bounds: kafka.Bounds{End: mostAtFirst + 9}}, 1, 9, mostAtFirst + 9},
		"from the start on":              {5, bounded{bounds: kafka.Bounds{Start: 5, End: 10}}, 0, 5, 10},
		"behind the start":               {4, bounded{bounds: kafka.Bounds{Start: 5, End: 10}, at: 6}, 1, 6, 10},
		"what has come":                  {9, bounded{bounds: kafka.Bounds{Start: 5, End: 10, Unstable: 1}}, 0, 9, 11},
		"nothing has come":               {11, bounded{bounds: kafka.Bounds{Start: 5, End: 10, Unstable: 1}}, 0, nothing, 11},
		"the end is gone":                {12, bounded{bounds: kafka.Bounds{Start: 5, End: 10, Unstable: 1}, at: 6}, 1, 6, 11},
		"as many as are read at a time":  {9, bounded{bounds: kafka.Bounds{End: mostAtOnce + 9}}, 0, 9, mostAtOnce + 9},
		"more than are read at a time":   {9, bounded{bounds: kafka.Bounds{End: mostAtOnce + 10}}, 0, 10, mostAtOnce + 10},
		"after a loss, more than a time": {mostAtFirst, bounded{bounds: kafka.Bounds{End: mostAtOnce + 10}}, 1, 0, mostAtOnce + 10},
	} {
		c.b.from = nothing
		r := NewReader(&c.b, "events", "job")
		r.next = c.next
		if err := r.Read(t.Context()); err != nil || c.b.asked != c.asked || c.b.from != c.from || c.from != nothing && c.b.to != c.after || r.next != c.after {
			t.Errorf("%s: %v, asked %d times, read from %d to %d, and goes on at %d", name, err, c.b.asked, c.b.from, c.b.to, r.next)
		}
	}
	for _, call := range []string{"bounds", "offsets", "read"} {
		r := NewReader(&bounded{bounds: kafka.Bounds{End: 3}, fails: call}, "events", "job")
		if err := r.Read(t.Context()); !errors.Is(err, errFails) {
			t.Errorf("%s fails: %v", call, err)
		}
	}
}
