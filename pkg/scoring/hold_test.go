package scoring

import (
	"context"
	"errors"
	"fmt"
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

func (d *gatedDecoder) Decode(dst *record.Record, message Message) error {
	if gate := d.gates[string(message.Value)]; gate != nil {
		select {
		case <-gate:
		default:
			return &Pending{Ready: gate}
		}
	}
	return d.DecodeJSON(dst, message.Value)
}

func (d *gatedDecoder) Prepare(Message) {}

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

// TestUntilTheEndWaitsForPendingRecords: scoring until the end of the topic ends once the pending record is decided, and not before.
func TestUntilTheEndWaitsForPendingRecords(t *testing.T) {
	t.Parallel()
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	const records = 300
	w := newWorld(t, b.Addresses()[0], records)
	w.put(0, records)
	gate := make(chan struct{})
	options := w.options()
	options.Decoders = gated{w.lines[20*partitions+1]: gate}.decoders
	s, err := prepare(w.client, options)
	must(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	made := func() int64 { status := s.Status(); return status.Scored + status.Rejected }
	for end := time.Now().Add(5 * time.Minute); made() < 2*records/partitions+20; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d decisions beside the partition that waits", made())
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("it ended with %d of %d decisions, %v", made(), records, err)
	case <-time.After(300 * time.Millisecond):
	}
	close(gate)
	must(t, <-ended)
	w.check(records, nil)
}

// heldPlaces are what was held.
type heldPlaces []kafka.Place

func (h *heldPlaces) Hold(from kafka.Place, _ <-chan struct{}) { *h = append(*h, from) }

// TestAHeldPartitionIsReadAgainFromItsRecord: at the epoch of the leader that wrote the record before it, where that is known, and what was fetched
// before is used no further.
func TestAHeldPartitionIsReadAgainFromItsRecord(t *testing.T) {
	ready := make(chan struct{})
	chunk := func(turn int, epoch int32) *kafka.Chunk { return &kafka.Chunk{Partition: 3, Turn: turn, Epoch: epoch} }
	var places heldPlaces
	h := newHolds(&places)
	h.note(&task{chunk: chunk(0, 5), next: 10, pending: ready}) // nothing of the partition is known
	if c := chunk(0, 5); !h.passed(c) {
		t.Error("what was fetched before the hold is used")
	}
	if c := chunk(1, 5); h.passed(c) {
		t.Error("what was fetched after the hold is not used")
	}
	h.note(&task{chunk: chunk(1, 6), next: 20})                           // all is decided
	h.note(&task{chunk: chunk(1, 7), next: 20, pending: ready, epoch: 4}) // the epoch is of an earlier chunk
	h.note(&task{chunk: chunk(2, 8), next: 21, pending: ready, epoch: 8, made: Status{Scored: 1}})
	h.note(&task{chunk: chunk(3, 9), next: 22, pending: ready, epoch: 9, made: Status{Rejected: 1}})
	var got []string
	for _, p := range places {
		got = append(got, fmt.Sprintf("%d:%d@%d", p.Partition, p.Offset, p.Epoch))
	}
	if want := []string{"3:10@-1", "3:20@6", "3:21@8", "3:22@9"}; !slices.Equal(got, want) {
		t.Errorf("held %v, want %v", got, want)
	}
	if !h.passed(chunk(3, 9)) || h.passed(chunk(4, 9)) || h.passed(&kafka.Chunk{Partition: 2}) {
		t.Error("after four holds, the wrong chunks are used")
	}
}

// TestATaskBeginsAnew: what a chunk leaves in a task does not hold the partition of the next.
func TestATaskBeginsAnew(t *testing.T) {
	task := task{chunk: &kafka.Chunk{}, pending: make(chan struct{}), made: Status{Scored: 1}, why: &record.Rejection{}}
	task.reset()
	if task.chunk != nil || task.pending != nil || task.made.Scored != 0 || task.why != nil {
		t.Errorf("%+v is left", task)
	}
}
