package scoring

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Scoring scores a topic. It is used once.
type Scoring struct {
	client  *kafka.Client
	options Options

	transactor *kafka.Transactor
	partitions int32           // of the output
	ends       map[int32]int64 // where UntilEnd stops; nil: never
	// The offsets of the group: those that the last commit left, and those that the commit at hand leaves.
	committed, committing map[int32]int64
	told                  map[record.Reason]bool

	mutex  sync.Mutex
	status Status
}

// New prepares; nothing is read or written before Run.
func New(client *kafka.Client, options Options) (*Scoring, error) {
	options = options.withDefaults()
	return &Scoring{client: client, options: options, told: map[record.Reason]bool{}}, options.validate()
}

// Status gives how far scoring is, at any time and from any goroutine.
func (s *Scoring) Status() Status {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	status := s.status
	status.Next, status.Ends = maps.Clone(status.Next), maps.Clone(status.Ends)
	return status
}

// task is a chunk of the input on its way to the output.
type task struct {
	chunk    *kafka.Chunk
	batches  []*kafka.Batch // its decisions
	scored   int64
	rejected int64
	why      *record.Rejection // of the first that is rejected
	err      error
	done     chan struct{}
}

// Run scores until ctx ends or, with UntilEnd, the input's end. It waits for the first document. What was decided and
// not committed when ctx ends is decided again by the next process. Another process that scores for the job ends it with
// a *kafka.Fenced.
//
// After an outage that was longer than the broker keeps a transaction open, the broker has ended it, and refuses this
// process as if another one had taken over. Unless another one committed meanwhile, scoring then goes on from what is
// committed: what the broker ended is decided again.
func (s *Scoring) Run(ctx context.Context) error {
	if _, err := s.options.Models.Wait(ctx); err != nil {
		return err
	}
	for {
		err := s.run(ctx)
		var fenced *kafka.Fenced
		if !errors.As(err, &fenced) || fenced.TimedOut == 0 {
			return err
		}
		ours, asked := s.committedByUs(ctx)
		if !ours || asked != nil {
			return errors.Join(err, asked)
		}
	}
}

// committedByUs says whether the committed offsets are those of our last commit, or of the one whose answer may be lost.
func (s *Scoring) committedByUs(ctx context.Context) (bool, error) {
	committed, err := s.client.GroupOffsets(ctx, s.options.group(), s.options.From)
	if err != nil {
		return false, err
	}
	return maps.Equal(committed, s.committed) || maps.Equal(committed, s.committing), nil
}

func (s *Scoring) run(ctx context.Context) (err error) {
	fetcher, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer fetcher.Close()
	workers := s.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	tasks := workers + 1 + min(int(s.partitions), mostLanes)
	work, order, idle := make(chan *task, tasks), make(chan *task, tasks), make(chan *task, tasks)
	for range tasks {
		idle <- &task{done: make(chan struct{}, 1)}
	}
	group, inner := errgroup.WithContext(ctx)
	inner, finished := context.WithCancel(inner)
	defer finished()
	begin := func(run func() error) {
		group.Go(func() error {
			if err := run(); inner.Err() == nil || !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		})
	}
	begin(func() error { return read(inner, fetcher, idle, work, order) })
	for range workers {
		begin(func() error { return s.decide(inner, work) })
	}
	begin(func() error {
		defer finished()
		return s.commit(inner, order, &lanes{scoring: s, begin: begin, idle: idle, none: make(chan struct{}, 1)})
	})
	if err = group.Wait(); err != nil || ctx.Err() != nil {
		s.abort()
	}
	if err == nil {
		err = ctx.Err()
		if s.options.UntilEnd && s.reached(s.Status().Next) {
			err = nil
		}
	}
	return err
}

// abort ends the open transaction, so that readers need not wait until the broker does.
func (s *Scoring) abort() {
	ctx, cancel := context.WithTimeout(context.Background(), abortWithin)
	defer cancel()
	_ = s.transactor.Abort(ctx) // else the next process does it, or the broker after a minute
}

const abortWithin = 2 * time.Second

// begin fences the process before, and begins to read where that one committed.
func (s *Scoring) begin(ctx context.Context) (fetcher *kafka.Fetcher, err error) {
	o := &s.options
	if s.transactor, err = s.client.NewTransactor(ctx, o.group()); err != nil {
		return nil, err
	}
	next, err := s.client.GroupOffsets(ctx, o.group(), o.From)
	if err != nil {
		return nil, err
	}
	var bounds []kafka.Bounds
	err = s.client.Retry(ctx, "list offsets of "+o.From, func(ctx context.Context) (err error) {
		bounds, err = s.client.Bounds(ctx, o.From)
		return err
	})
	if err != nil {
		return nil, err
	}
	to, err := s.client.Topic(ctx, o.To)
	if err != nil {
		return nil, err
	}
	s.partitions = int32(to.Partitions)
	s.committed, s.committing = maps.Clone(next), maps.Clone(next)
	first := s.ends == nil
	if o.UntilEnd && first {
		s.ends = map[int32]int64{}
	}
	held := s.status.Held
	for i, b := range bounds {
		partition := int32(i)
		if _, known := next[partition]; !known {
			next[partition] = b.Start
			if o.Latest {
				next[partition] = b.End
			}
		}
		if o.UntilEnd && first {
			s.ends[partition] = b.End
			held += b.Unstable
		}
	}
	s.mutex.Lock()
	s.status.Next, s.status.Ends = maps.Clone(next), map[int32]int64{}
	s.status.Held = held
	s.mutex.Unlock()
	return s.client.NewFetcher(kafka.FetchOptions{Topic: o.From, Offsets: next, OnLoss: o.OnLoss, Budget: 32 << 20})
}

// read hands out chunks in the order in which they were fetched.
func read(ctx context.Context, fetcher *kafka.Fetcher, idle <-chan *task, work, order chan<- *task) error {
	for {
		var t *task
		select {
		case t = <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
		chunk, err := fetcher.Next(ctx)
		if err != nil {
			return err
		}
		t.chunk = chunk
		work <- t
		order <- t
	}
}

// decide is one worker.
func (s *Scoring) decide(ctx context.Context, work <-chan *task) error {
	var main, shadow *decider
	out := newWriter(s.options.From, s.options.Attributes)
	for {
		select {
		case t := <-work:
			var err error
			if main, shadow, err = s.deciders(ctx, main, shadow); err != nil && ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil && t.chunk.Loss == nil {
				if err = t.decide(ctx, out, main, shadow, s.options.Split); err == nil {
					err = t.encode(s.client)
				}
				if t.chunk.Large() {
					main.forget()
					shadow.forget()
				}
			}
			t.err = err
			t.done <- struct{}{}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// deciders are those of the present documents. While the alias that decides points to none, which a follower may forget, nothing is decided.
func (s *Scoring) deciders(ctx context.Context, main, shadow *decider) (_, _ *decider, err error) {
	m, err := s.options.Models.Wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	if main, err = main.of(m); err != nil {
		return nil, nil, err
	}
	if s.options.Shadow != nil {
		shadow, err = shadow.of(s.options.Shadow.Current())
	}
	return main, shadow, err
}

// mostBatches is how many a task keeps for its next chunk: an ordinary chunk needs fewer.
const mostBatches = 4

// reset gives the chunk back, and makes the task ready for another.
func (t *task) reset() {
	t.chunk.Release()
	t.chunk, t.scored, t.rejected, t.why = nil, 0, 0, nil
	if len(t.batches) > mostBatches {
		clear(t.batches[mostBatches:])
		t.batches = t.batches[:mostBatches]
	}
	for _, b := range t.batches {
		b.Reset()
	}
}

// decide makes the decisions of a chunk, in batches that a topic takes.
func (t *task) decide(ctx context.Context, out *writer, main, shadow *decider, split float64) error {
	filled := 0
	for {
		records, err := t.chunk.Records(ctx)
		if err != nil || len(records) == 0 {
			return err
		}
		for i := range records {
			if filled == len(t.batches) {
				t.batches = append(t.batches, kafka.NewBatch())
			}
			decides, beside := main, shadow
			if shadow != nil && inShare(split, t.chunk.Partition, &records[i]) {
				decides, beside = shadow, main
			}
			message, rejection := out.message(t.chunk.Partition, &records[i], decides, beside)
			if rejection != nil {
				t.rejected++
				t.why = cmp.Or(t.why, rejection)
			} else {
				t.scored++
			}
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

// commit has decisions written, and commits them with the offsets behind them.
func (s *Scoring) commit(ctx context.Context, order <-chan *task, out *lanes) error {
	next, pending := s.Status().Next, Status{Next: map[int32]int64{}, Ends: map[int32]int64{}}
	ticker := time.NewTicker(s.options.CommitEvery)
	defer ticker.Stop()
	for !s.reached(next) {
		select {
		case t := <-order:
			select {
			case <-t.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			if t.err != nil {
				return t.err
			}
			s.note(t, &pending)
			next[t.chunk.Partition] = t.chunk.Next
			out.write(ctx, t)
			select {
			case <-ticker.C:
			default:
				continue
			}
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.flush(ctx, &pending, out); err != nil {
			return err
		}
	}
	return s.flush(ctx, &pending, out)
}

// note adds a chunk to what is pending.
func (s *Scoring) note(t *task, pending *Status) {
	if t.chunk.Loss != nil {
		s.options.Notify(t.chunk.Loss)
	}
	if t.why != nil && !s.told[t.why.Reason] {
		s.told[t.why.Reason] = true
		s.options.Rejected(t.chunk.Partition, t.why)
	}
	pending.Scored, pending.Rejected = pending.Scored+t.scored, pending.Rejected+t.rejected
	pending.Next[t.chunk.Partition], pending.Ends[t.chunk.Partition] = t.chunk.Next, t.chunk.LastStable
}

// flush commits what is pending, once it is written.
func (s *Scoring) flush(ctx context.Context, pending *Status, out *lanes) error {
	if len(pending.Next) == 0 {
		return nil
	}
	if err := out.wait(ctx); err != nil {
		return err
	}
	offsets := maps.Clone(pending.Next)
	maps.DeleteFunc(offsets, func(_ int32, next int64) bool { return next < 0 }) // a partition that is gone
	maps.Copy(s.committing, offsets)
	err := s.transactor.CommitOffsets(ctx, s.options.group(), s.options.From, offsets)
	if err == nil {
		err = s.transactor.Commit(ctx)
	}
	if err != nil {
		return err
	}
	maps.Copy(s.committed, offsets)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.status.Scored += pending.Scored
	s.status.Rejected += pending.Rejected
	s.status.Committed = time.Now()
	maps.Copy(s.status.Next, pending.Next)
	maps.Copy(s.status.Ends, pending.Ends)
	pending.Scored, pending.Rejected = 0, 0
	clear(pending.Next)
	clear(pending.Ends)
	return nil
}

// reached says whether UntilEnd is done.
func (s *Scoring) reached(next map[int32]int64) bool {
	if s.ends == nil {
		return false
	}
	for partition, end := range s.ends {
		if at, known := next[partition]; !known || at >= 0 && at < end {
			return false
		}
	}
	return true
}
