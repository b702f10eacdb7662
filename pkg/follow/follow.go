package follow

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Follower follows an alias. Its methods may be called from any goroutine.
type Follower struct {
	current   atomic.Pointer[Model]
	unwatched atomic.Pointer[time.Time]
	mutex     sync.Mutex
	swapped   chan struct{} // closed when there is another document; guarded by mutex
	read      chan struct{} // closed when the end of the topic was reached
	ended     chan struct{}
	err       error // valid once ended
	stop      context.CancelFunc
	close     func() error
}

// Open begins to follow. The network is used in the background, so an error concerns the options.
func Open(o Options) (*Follower, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	notify := o.Notify
	if notify == nil {
		notify = func(Event) {}
	}
	client, err := kafka.Open(o.Kafka, kafka.Options{Notify: func(e kafka.Outage) { notify(Outage{e.Operation, e.Err, e.Since}) }})
	if err != nil {
		return nil, err
	}
	f, err := open(client, o, client.Close)
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return f, nil
}

func open(log topicLog, o Options, closeLog func() error) (*Follower, error) {
	verifier, err := signature.NewVerifier(o.PublicKeys...)
	if err != nil {
		return nil, err
	}
	if o.Notify == nil {
		o.Notify = func(Event) {}
	}
	ctx, stop := context.WithCancel(context.Background())
	f := &Follower{swapped: make(chan struct{}), read: make(chan struct{}), ended: make(chan struct{}), stop: stop, close: closeLog}
	r := &reader{log: log, options: o, verifier: verifier, use: f.swap, unwatch: f.unwatch, reached: sync.OnceFunc(func() { close(f.read) })}
	go func() {
		defer close(f.ended)
		f.err = r.follow(ctx)
	}()
	return f, nil
}

func (f *Follower) swap(m *Model) {
	f.current.Store(m)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	close(f.swapped)
	f.swapped = make(chan struct{})
}

func (f *Follower) next() <-chan struct{} {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.swapped
}

func (f *Follower) unwatch(since time.Time) { f.unwatched.Store(&since) }

// UnwatchedSince is the time since which nobody withdraws the version of the alias if it leaves its limits; zero if the owner does, or if the alias is latest. See
// Unwatched.
func (f *Follower) UnwatchedSince() time.Time {
	if since := f.unwatched.Load(); since != nil {
		return *since
	}
	return time.Time{}
}

// Current is the model to use now; nil before the first one, and after Forgotten.
func (f *Follower) Current() *Model { return f.current.Load() }

// ErrClosed is the error of waiting for a follower that was closed.
var ErrClosed = errors.New("follow: the follower was closed")

// Wait gives the model to use now. If there is none, it waits for one: the first, or the next one after Forgotten. Its error is that of ctx, why the
// follower ended, or ErrClosed; the model is nil then, and only then.
func (f *Follower) Wait(ctx context.Context) (*Model, error) {
	for {
		next := f.next()
		if m := f.Current(); m != nil {
			return m, nil
		}
		select {
		case <-next:
		case <-f.ended:
			return nil, f.whyEnded()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// WaitRead waits until the topic was read to its end for the first time: if Current is nil then, the alias points to no document that can be used.
// Its error is that of ctx, why the follower ended, or ErrClosed.
func (f *Follower) WaitRead(ctx context.Context) error {
	select {
	case <-f.read:
		return nil
	default:
	}
	select {
	case <-f.read:
		return nil
	case <-f.ended:
		return f.whyEnded()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// whyEnded is the error for callers that wait for something that will not come.
func (f *Follower) whyEnded() error { return cmp.Or(f.err, ErrClosed) }

// Done is closed when the follower ended: Close was called, or the cluster refuses it for good. Err tells which.
func (f *Follower) Done() <-chan struct{} { return f.ended }

// Err is why the follower ended. It is nil before that, and after Close.
func (f *Follower) Err() error {
	select {
	case <-f.ended:
		return f.err
	default:
		return nil
	}
}

// Close ends following, and waits for it. Current keeps its model.
func (f *Follower) Close() error {
	f.stop()
	<-f.ended
	return f.close()
}
