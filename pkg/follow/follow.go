package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Kafka says how to reach the cluster; its keys are those of the section kafka of the configuration.
type Kafka = kafka.Config

// Options name the job and the alias to follow.
type Options struct {
	Kafka Kafka
	// Topic is the model topic, Job the name of the job.
	Topic, Job string
	// Alias is the alias to follow. If it is empty: stable, and latest before the first stable version.
	Alias string
	// Forget gives up a document when the alias that was named is deleted; Current is nil then. Otherwise the last good one stays in use. The owner
	// of a job deletes the alias candidate when a candidate is rejected and no other version waits.
	Forget bool
	// PublicKeys, each as ed25519:BASE64, are the keys whose signatures are accepted. Without keys, signatures are not required.
	PublicKeys []string
	// Notify receives every event, from one goroutine. It must return soon. It may be nil.
	Notify func(Event)
}

// Model is a document that was verified, and where it comes from. It is immutable.
type Model struct {
	Document *document.Document
	// Term and Version are those of its key. Alias is the alias by which it was found: latest, stable or the requested one.
	Term, Version int64
	Alias         string
	// Offset is that of the record on the model topic.
	Offset int64
}

// Event is one of Swapped, Forgotten, Refused, Waiting, Withheld, Unwatched and Outage.
type Event interface{ event() }

// Swapped reports that another document is in use from now on. Before is nil the first time.
type Swapped struct{ Model, Before *Model }

// Forgotten reports that no document is in use any more, because the alias was deleted.
type Forgotten struct{ Before *Model }

// Refused reports a record of the model topic that is not used, with the reason. The present document stays in use.
type Refused struct {
	Key    string
	Offset int64
	Err    error
}

// Waiting reports that an alias points to a document that is not on the topic.
type Waiting struct {
	Alias         string
	Term, Version int64
}

// Withheld reports why there is no document to use: the only record of the alias is refused, or the alias was deleted where signatures are required.
// The owner of the job writes the alias again within ten seconds, if it has one.
type Withheld struct {
	Alias   string
	Refused Refused
}

// Unwatched reports that nobody withdraws the version of the alias any more if it leaves its limits: the releases of the owner are stopped because of a
// defect. The version stays in use. If Since is zero, the owner watches it again.
type Unwatched struct {
	Alias string
	Since time.Time
}

// Outage reports that an operation of Kafka fails and is tried again. If Err is nil, it works again.
type Outage struct {
	Operation string
	Err       error
	Since     time.Time
}

func (Swapped) event()   {}
func (Forgotten) event() {}
func (Refused) event()   {}
func (Waiting) event()   {}
func (Withheld) event()  {}
func (Unwatched) event() {}
func (Outage) event()    {}

// topicLog is what a follower asks of Kafka; *kafka.Client has it.
type topicLog interface {
	Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (next int64, err error)
}

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
	if o.Topic == "" || o.Job == "" {
		return nil, errors.New("follow: Topic or Job is empty")
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

// UnwatchedSince is since when nobody withdraws the version of the alias if it leaves its limits; zero if somebody does, or if the alias is latest. See
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

// whyEnded is for who waits for something that will not come.
func (f *Follower) whyEnded() error { return cmp.Or(f.err, ErrClosed) }

// Done is closed when the follower ended: Close was called, or the cluster refuses it for good. Err says which.
func (f *Follower) Done() <-chan struct{} { return f.ended }

// Err is why the follower ended; nil before, and after Close.
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

// LatestAlias and StableAlias are the names of aliases.
const (
	LatestAlias = modeltopic.Latest
	StableAlias = modeltopic.Stable
)

// check verifies a document by its key, and that it can be loaded.
func check(job string, at modeltopic.Place, value []byte) (*document.Document, error) {
	d, err := document.Parse(value)
	if err != nil {
		return nil, err
	}
	if d.Job != job || d.Version != at.Version || d.Lineage.Term != at.Term {
		return nil, fmt.Errorf("follow: the document says job %q, version %d and term %d, and its key says otherwise", d.Job, d.Version, d.Lineage.Term)
	}
	if _, err := d.Schema(); err != nil {
		return nil, err
	}
	if d.Task == document.Regression {
		_, err = d.Regressor()
	} else {
		_, err = d.Classifier()
	}
	return d, err
}
