package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/internal/waiting"
	"golang.org/x/sync/errgroup"
)

// ErrShutdown says that what there was to save could not be saved in time after Run was told to stop.
// Nothing is lost: the next start continues from the last snapshot.
var ErrShutdown = errors.New("stream: not everything could be saved within stream.shutdown_timeout; the next start continues from the last snapshot")

// Run learns until ctx ends or, with UntilEnd, the input's end; it then saves and publishes, and returns
// nil. What may go wrong besides Kafka's own errors: a *Superseded owner, a *ConfigMismatch or
// *model.ConfigChanged, a *kafka.DataLoss, *TooManyRejected records, a *Divergence, ErrShutdown,
// *NothingLearnt.
func (s *Stream) Run(ctx context.Context) error {
	err := s.run(ctx)
	s.board.post(func(status *Status) {
		status.Phase = PhaseEnded
		if err != nil {
			status.Reason = err.Error()
		}
	})
	return err
}

func (s *Stream) run(stop context.Context) error {
	l, err := s.start(stop)
	if err != nil {
		return err
	}
	deliver, err := s.openWaiting(stop, l)
	if err != nil {
		l.keeper.job.Leave()
		return err
	}
	defer l.labels.Close()
	hard, cancel := context.WithCancelCause(context.WithoutCancel(stop))
	defer cancel(nil)
	defer context.AfterFunc(stop, func() {
		time.AfterFunc(s.options.ShutdownTimeout, func() { cancel(ErrShutdown) })
	})()
	err = s.work(hard, stop.Done(), l, deliver)
	var superseded *owner.Superseded
	if !errors.As(err, &superseded) {
		l.keeper.job.Leave()
	}
	if errors.Is(err, context.Canceled) && context.Cause(hard) == ErrShutdown {
		return ErrShutdown
	}
	if err == nil && s.options.UntilEnd {
		return l.verdict()
	}
	return err
}

// work runs the goroutines that doc.go draws, until the learner is done or one of them fails.
func (s *Stream) work(hard context.Context, stop <-chan struct{}, l *learning, deliver func(context.Context) error) error {
	source, err := s.cluster.Fetch(kafka.FetchOptions{Topic: s.options.Topics.Input, ID: l.account.Topic(), Offsets: l.account.Ledgers().Next(), Epochs: l.account.Ledgers().Epochs(),
		OnLoss: s.options.DataLoss, Budget: s.options.FetchBytes, MaxBytes: s.options.FetchBytes / 4})
	if err != nil {
		return err
	}
	defer source.Close()
	sink, err := s.cluster.Produce(hard, s.options.Topics.DeadLetter)
	if err != nil {
		return err
	}
	schema, err := s.options.schema()
	if err != nil {
		return err
	}
	s.board.mutex.Lock()
	s.board.source = source
	s.board.mutex.Unlock()

	group, ctx := errgroup.WithContext(hard)
	ctx, finished := context.WithCancel(ctx)
	letters := make(chan deadletter.Mail, deadletter.MailRoom)
	l.letters = letters
	decoders := s.decoders()
	l.pipeline = intake.NewPipeline(source, decoders, s.options.Beside.Parcel, l.observer.Juries(l.labels != nil), s.options.Format)

	// Once the learner is done, the others end, and that they were ended is no error.
	begin := func(run func() error) {
		run = s.contained(run)
		group.Go(func() error {
			if err := run(); ctx.Err() == nil || !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		})
	}
	begin(func() error { return l.pipeline.Read(ctx) })
	for range decoders {
		begin(func() error { return l.pipeline.Decode(ctx, schema) })
	}
	begin(func() error {
		return deadletter.Deliver(ctx, sink, letters, func(n int) { s.board.post(func(status *Status) { status.DeadLetters += int64(n) }) })
	})
	begin(func() error { return deliver(ctx) })
	begin(func() error { return l.keeper.job.Follow(ctx) })
	begin(func() error { return l.keeper.run(ctx) })
	begin(func() error { return s.watchSaving(ctx, l.keeper) })
	begin(func() error { return l.keeper.job.Beat(ctx) })
	group.Go(s.contained(func() error {
		defer finished()
		return l.run(ctx, stop)
	}))
	return group.Wait()
}

// contained is run, whose panic is its error if that is wanted.
func (s *Stream) contained(run func() error) func() error {
	if !s.options.Beside.Contain {
		return run
	}
	return isolate.Contained(run)
}

// openWaiting opens the store of the records that wait for their label, and gives what writes their topic. An earlier owner can write there no
// more.
func (s *Stream) openWaiting(ctx context.Context, l *learning) (deliver func(context.Context) error, err error) {
	if l.labels == nil {
		return func(context.Context) error { return nil }, nil
	}
	o, name := &s.options, s.options.Topics.Waiting
	topic, err := s.cluster.Topic(ctx, name)
	if err != nil {
		return nil, err
	}
	to, err := s.cluster.Transact(ctx, WaitingTransaction(o.Job))
	if err != nil {
		return nil, err
	}
	read := func(ctx context.Context, from int64, use func(*kafka.Record) error) error {
		_, err := s.cluster.ReadInput(ctx, name, 0, from, kafka.End, use)
		return err
	}
	bounds, err := s.cluster.Bounds(ctx, name)
	if err != nil {
		return nil, err
	}
	where := waiting.Options{Job: o.Job, Topic: name, ID: topic.ID, End: endOf(bounds), Term: l.keeper.job.Owner().Term, Read: read}
	opened, err := l.labels.Open(ctx, where)
	if err != nil {
		return nil, err
	}
	if opened.Lost > 0 || opened.Cut {
		o.Notify(WaitingLost{name, opened.Lost, opened.Cut})
	}
	l.keeper.waiting = l.labels.Store()
	log := waiting.Log{Topic: name, To: to, Again: func(entries int64) {
		o.Notify(WaitingRemade{name, entries})
		l.clock.wanted.Store(true)
	}, Unseen: func(err error) { o.Notify(WaitingUnseen{name, err}) }}
	log.Reopen = func(ctx context.Context) (cluster.Transaction, error) {
		return s.cluster.Transact(ctx, WaitingTransaction(o.Job))
	}
	log.End = func(ctx context.Context) (id kafka.TopicID, end int64, err error) {
		topic, err := s.cluster.Topic(ctx, name)
		if err != nil {
			return id, 0, err
		}
		bounds, err := s.cluster.Bounds(ctx, name)
		return topic.ID, endOf(bounds), err
	}
	return func(ctx context.Context) error { return l.keeper.waiting.Deliver(ctx, log) }, nil
}

// endOf is where the first partition ends.
func endOf(bounds []kafka.Bounds) int64 {
	if len(bounds) == 0 {
		return 0
	}
	return bounds[0].End
}

// WaitingTransaction is the transactional id under which the records of a job that wait for their label are written.
func WaitingTransaction(job string) string { return "fairstream." + job + ".waiting" }

func (s *Stream) decoders() int {
	if s.options.Decoders > 0 {
		return s.options.Decoders
	}
	return runtime.GOMAXPROCS(0)
}

// savingMargin is how long a save may take beyond three intervals before it is told: a large state on a slow broker takes a while.
const savingMargin = time.Minute

// watchSaving tells when saving is stuck, and when it goes on, until ctx ends.
func (s *Stream) watchSaving(ctx context.Context, k *keeper) error {
	interval := s.options.Snapshot.Interval
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	var stuck time.Time // since when; zero: it is not
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		s.board.mutex.Lock()
		since, phase := s.board.debt.since(interval), s.board.status.Phase
		s.board.mutex.Unlock()
		late := phase != PhaseHalted && !since.IsZero() && time.Since(since) > 3*interval+savingMargin
		switch {
		case late && stuck.IsZero():
			stuck = since
			reason := fmt.Sprintf("nothing was saved since %s, although records were learnt: %s. No record is lost: a restart continues from the last snapshot",
				since.UTC().Format(time.RFC3339), cmp.Or(k.state(), "no save has begun"))
			s.board.post(func(status *Status) { status.Stuck = reason })
			s.options.Notify(SavingStuck{reason})
		case !late && !stuck.IsZero():
			s.board.post(func(status *Status) { status.Stuck = "" })
			s.options.Notify(SavingAgain{time.Since(stuck)})
			stuck = time.Time{}
		}
	}
}
