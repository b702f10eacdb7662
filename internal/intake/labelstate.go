package intake

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/waiting"
)

// Open opens the store of the records that wait, as it was at the last snapshot; the folder is that of the configuration.
func (b *Labels) Open(ctx context.Context, where waiting.Options) (how waiting.Opened, err error) {
	where.Folder = b.limit.Dir
	store, how, err := waiting.Open(ctx, where, b.mark)
	if err != nil {
		return how, err
	}
	b.store = store
	b.count.Lost += how.Lost
	return how, nil
}

// labelState is what a snapshot holds of a buffer beside the mark of its store.
type labelState struct {
	LabelStatus
	Now     clock `json:"now"`
	Overdue bool  `json:"overdue,omitempty"`
}

// AppendState writes the counts and the clock (JSON), as a section. Nothing is written without a buffer.
func (b *Labels) AppendState(dst []byte) []byte {
	if b == nil {
		return dst
	}
	counts, err := json.Marshal(labelState{b.count, b.now, b.overdue})
	if err != nil {
		panic("intake: counts that cannot be written as JSON")
	}
	return envelope.AppendSection(dst, counts)
}

// errOlder says that records wait in a snapshot.
var errOlder = errors.New("records that wait for their label are in the snapshot, which an older program wrote: let that program learn until no record waits, or start over with `fairstream state reset`")

// Restore fills a new buffer, whose store is to be opened at the mark.
func (b *Labels) Restore(state []byte, mark waiting.Mark) error {
	if b == nil {
		return nil
	}
	counts, rest, err := envelope.Section(state)
	if err != nil {
		return err
	}
	var saved labelState
	if err := json.Unmarshal(counts, &saved); err != nil {
		return err
	}
	if len(rest) > 0 {
		return errOlder
	}
	saved.Now.slack = b.now.slack
	b.count, b.now, b.overdue, b.mark = saved.LabelStatus, saved.Now, saved.Overdue, mark
	if b.now.Own && !b.timed || b.now.ahead(time.Now()) { // record.time is configured no more, or clocks were wrong
		b.now = clock{slack: b.now.slack}
	}
	return nil
}
