package scoring

import (
	"cmp"
	"context"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// task is a chunk of the input on its way to the output.
type task struct {
	chunk   *kafka.Chunk
	batches []*kafka.Batch    // its decisions
	made    Status            // counts of the decisions
	why     *record.Rejection // of the first that is rejected
	next    int64             // the offset behind the decisions
	pending <-chan struct{}   // is closed when the record at next can be decided; nil: all are
	epoch   int32             // of the leader, of the last record that was decided before a pending one
	err     error
	done    chan struct{}
}

// mostBatches is how many a task keeps for its next chunk: an ordinary chunk needs fewer.
const mostBatches = 4

// reset gives the chunk back, and makes the task ready for another.
func (t *task) reset() {
	t.chunk.Release()
	t.chunk, t.made, t.why, t.pending = nil, Status{}, nil, nil
	if len(t.batches) > mostBatches {
		clear(t.batches[mostBatches:])
		t.batches = t.batches[:mostBatches]
	}
	for _, b := range t.batches {
		b.Reset()
	}
}

// count counts an outcome.
func (s *Status) count(o Outcome) {
	switch {
	case o.Rejection != nil:
		s.Rejected++
		return
	case o.Explored:
		s.Explored++
	case o.Anonymous():
		s.Anonymous++
	}
	if o.Unread != nil {
		s.Unread++
	}
	s.Scored++
}

// decide makes the decisions of a chunk, in batches that a topic takes, up to the first record that is pending.
func (t *task) decide(ctx context.Context, out *writer, main, shadow *Decider, split float64) error {
	filled := 0
	for {
		records, err := t.chunk.Records(ctx)
		if err != nil || len(records) == 0 {
			return err
		}
		for i := range records { // so that schemas which are awaited take one wait
			main.prepare(&records[i])
		}
		for i := range records {
			if filled == len(t.batches) {
				t.batches = append(t.batches, kafka.NewBatch())
			}
			decides, beside := main, shadow
			if shadow != nil && inShare(split, t.chunk.Partition, &records[i]) {
				decides, beside = shadow, main
			}
			message, decided, ready := out.message(t.chunk.Partition, &records[i], decides, beside)
			if ready != nil {
				t.next, t.pending = records[i].Offset, ready
				return nil
			}
			t.epoch = records[i].Epoch
			t.made.count(decided)
			t.why = cmp.Or(t.why, decided.Rejection)
			t.batches[filled].Add(&message)
			if t.batches[filled].Size() >= kafka.DefaultBatchBytes {
				filled++
			}
		}
	}
}

// encode finishes the batches here, so that writing them costs the committer little.
func (t *task) encode(client *kafka.Client) error {
	for _, b := range t.batches {
		if b.Size() == 0 {
			return nil // so are those behind it
		}
		if err := client.Encode(b); err != nil {
			return err
		}
	}
	return nil
}
