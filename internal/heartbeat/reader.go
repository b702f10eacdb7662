package heartbeat

import (
	"context"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Topic is what a reader asks of Kafka; *kafka.Client answers.
type Topic interface {
	Bounds(ctx context.Context, topic string) ([]kafka.Bounds, error)
	OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error)
	Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (next int64, err error)
}

const (
	// mostAtFirst and mostAtOnce bound the records that are read at the beginning and then at a time: a flood of records costs the newest ones only.
	// 50 instances with a heartbeat every 10 s write 18,000 before they would be forgotten.
	mostAtFirst = 200_000
	mostAtOnce  = 20_000
	// followEvery is how often Follow reads, and longestRead how long it tries each time.
	followEvery = 5 * time.Second
	longestRead = 30 * time.Second
)

// Reader reads the heartbeats of a job. It belongs to one goroutine, and its fleet to all.
type Reader struct {
	topic     Topic
	name, job string
	next      int64 // offset; unread: at first
	Fleet     *Fleet
}

const unread = -1

// NewReader prepares to read the topic of events of a job.
func NewReader(topic Topic, name, job string) *Reader {
	return &Reader{topic: topic, name: name, job: job, next: unread, Fleet: &Fleet{}}
}

// Read reads what has come: at first what is not to be forgotten yet.
func (r *Reader) Read(ctx context.Context) error {
	bounds, err := r.topic.Bounds(ctx, r.name)
	if err != nil || len(bounds) == 0 {
		return err
	}
	now := time.Now()
	start, end, most := bounds[0].Start, bounds[0].End+bounds[0].Unstable, int64(mostAtOnce)
	if r.next < start || r.next > end { // the first time, or what was there is gone
		offsets, err := r.topic.OffsetsAt(ctx, r.name, now.Add(-Forget))
		if err != nil {
			return err
		}
		r.next, most = min(max(offsets[0], start), end), mostAtFirst
	}
	from := max(r.next, end-most)
	if from == end {
		return nil
	}
	r.next, err = r.topic.Read(ctx, r.name, 0, from, end, func(record *kafka.Record) error {
		r.note(record, now)
		return nil
	})
	return err
}

func (r *Reader) note(record *kafka.Record, now time.Time) {
	b, err := parse(r.job, record)
	switch {
	case err != nil:
		r.Fleet.ignore()
	case b != nil:
		at := now
		if record.Timestamp >= 0 {
			at = time.UnixMilli(record.Timestamp)
		}
		r.Fleet.note(b, at, now)
	}
}

// Follow reads every few seconds until ctx ends. failed is told of the first failure of a row, and with nil of its end.
func (r *Reader) Follow(ctx context.Context, failed func(error)) {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	failing := false
	for {
		looking, stop := context.WithTimeout(ctx, longestRead)
		err := r.Read(looking)
		stop()
		if ctx.Err() != nil {
			return
		}
		if (err != nil) != failing {
			failing = err != nil
			failed(err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
