package scoring

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// gated are decoders of JSON that know some messages only once their gates are closed.
type gated map[string]chan struct{}

func (g gated) decoders(schema *record.Schema) Decoder { return &gatedDecoder{schema.NewDecoder(), g} }

type gatedDecoder struct {
	*record.Decoder
	gates gated
}

func (d *gatedDecoder) Decode(dst *record.Record, message []byte) error {
	if gate := d.gates[string(message)]; gate != nil {
		select {
		case <-gate:
		default:
			return &Pending{Ready: gate}
		}
	}
	return d.DecodeJSON(dst, message)
}

func (d *gatedDecoder) Prepare([]byte) {}

// TestAPendingRecordHoldsItsPartition: the others go on, what is before the record is committed, and a process that begins meanwhile holds it too.
// Each record is decided once, in the order of its partition.
func TestAPendingRecordHoldsItsPartition(t *testing.T) {
	t.Parallel()
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	const records, each = 900, 900 / partitions
	w := newWorld(t, b.Addresses()[0], records)
	// Partition 1 meets a pending record at 20, and two more behind it; partition 2 meets one where it begins.
	first, second, third, other := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	line := func(partition, offset int) string { return w.lines[offset*partitions+partition] }
	gates := gated{line(1, 20): first, line(1, 21): second, line(1, 250): third, line(2, 0): other}
	begin := func() (stop func()) {
		options := w.options()
		options.UntilEnd, options.Decoders = false, gates.decoders
		s, err := prepare(w.client, options)
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		return func() {
			t.Helper()
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	}
	committed := func(want ...int64) {
		t.Helper()
		var next map[int32]int64
		for range 2000 {
			next, err = w.client.GroupOffsets(t.Context(), Group(w.base, w.base+".unlabelled", w.base+".decisions"), w.base+".unlabelled")
			must(t, err)
			if slices.Equal([]int64{next[0], next[1], next[2]}, want) {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("committed offsets %v, want %v", next, want)
	}
	compressing := w.config
	compressing.CompressionType = "gzip"
	w.client, err = kafka.Open(compressing, kafka.Options{})
	must(t, err)
	defer func() { must(t, w.client.Close()) }()
	for i := range 5 { // so long that partition 1 is fetched in two chunks, of which the second comes when it is held
		w.lines[(290+i)*partitions+1] += strings.Repeat(" ", 900_000)
	}
	w.put(0, 600)
	w.put(600, records)
	stop := begin()
	committed(each, 20, 0)
	stop()

	stop = begin()
	close(first)
	committed(each, 21, 0)
	close(second)
	committed(each, 250, 0)
	close(other)
	committed(each, 250, each)
	close(third)
	committed(each, each, each)
	stop()
	w.check(records, nil)
}
