package owner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// follower reads the state topic of a job into a journal.
type follower struct {
	Settings
	next int64 // where it goes on; of whoever reads

	mutex   sync.Mutex
	journal *journal
	each    func(r *kafka.Record) error // behind the journal, with the lock; nil: nothing
	signs   int64                       // of the journal when silent last looked
	sign    time.Time                   // when there was a new one
}

// newFollower begins at the beginning of the topic. keep says whether it keeps the bytes of snapshots.
func newFollower(s Settings, keep bool) follower {
	j := newJournal(s.Job)
	j.keep = keep
	return follower{Settings: s.withDefaults(), next: kafka.Earliest, journal: j, sign: time.Now()}
}

// read reads on to before an offset.
func (f *follower) read(ctx context.Context, to int64) error {
	next, err := f.Log.Read(ctx, f.Topic, 0, f.next, to, f.apply)
	f.next = max(f.next, next)
	return err
}

func (f *follower) apply(r *kafka.Record) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err := f.journal.follow(r); err != nil || f.each == nil {
		return err
	}
	return f.each(r)
}

// Standing is how a job stands on the state topic.
type Standing struct {
	// Holder is the claim in force, and Before the one that was before; Term 0 if there is none.
	Holder, Before Claim
	// Left says that the holder ended, and nobody owns the job.
	Left bool
	// BeforeLeft is when the owner of Before gave the job up; nil if it did not say so.
	BeforeLeft *time.Time
	// Last is the last snapshot that counts; Sequence 0 if there is none. State are its bytes, if they are kept.
	Last  Reference
	State []byte
}

func (j *journal) standing() Standing {
	return Standing{j.holder, j.before, j.left, j.beforeLeft, j.last, j.state}
}

// Standing is how the job stands as far as it was read.
func (f *follower) Standing() Standing {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.journal.standing()
}

// Read reads the state topic to its end. It changes nothing, and does not disturb the owner.
func Read(ctx context.Context, s Settings) (Standing, error) {
	f := newFollower(s, true)
	err := f.read(ctx, kafka.End)
	return f.Standing(), err
}

// heard restarts the count of silence.
func (f *follower) heard() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.signs, f.sign = f.journal.signs, time.Now()
}

// silent is how long there was no sign of the owner. gone says that there is no owner, or that it was silent for too long.
func (f *follower) silent() (quiet time.Duration, gone bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	j := f.journal
	if j.signs != f.signs {
		f.signs, f.sign = j.signs, time.Now()
	}
	quiet = time.Since(f.sign)
	return quiet, j.holder.Term == 0 || j.left || quiet >= j.holder.silence(f.Timeout)
}

// lookEvery is how often whoever follows the topic looks at the clock.
const lookEvery = 100 * time.Millisecond

// until follows the topic until over returns true, which is asked about all that the topic holds by then: what a slow connection still holds back must not look like
// silence.
func (f *follower) until(ctx context.Context, over func() (bool, error)) error {
	for {
		if err := f.follow(ctx, over); err != nil {
			return err
		}
		if err := f.read(ctx, kafka.End); err != nil {
			return err
		}
		if is, err := over(); is || err != nil {
			return err
		}
	}
}

func (f *follower) follow(ctx context.Context, over func() (bool, error)) (err error) {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- f.read(reading, kafka.Forever) }()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for is := false; !is && err == nil; {
		select {
		case ended := <-done:
			return ended // by itself
		case <-ticker.C:
			is, err = over()
		}
	}
	stop()
	switch ended := <-done; {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && !errors.Is(ended, context.Canceled):
		return ended
	}
	return err
}

// StateLost says that the state topic changed under a job that runs.
type StateLost struct {
	Topic string
	Err   *kafka.DataLoss
}

func (e *StateLost) Error() string {
	return fmt.Sprintf("the state topic %s was deleted, made again or cut while the job was running (%s): what was learnt since is not saved. "+
		"Restore the topic; to learn again from stream.start, start once with `fairstream run --begin-again`", e.Topic, e.Err.Kind)
}

// Unwrap gives the cause.
func (e *StateLost) Unwrap() error { return e.Err }

// stateLost explains an error of following the state topic.
func stateLost(topic string, err error) error {
	var loss *kafka.DataLoss
	if errors.As(err, &loss) {
		return &StateLost{topic, loss}
	}
	return err
}
