package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/pkg/record"
)

// Bounds on ids.
const (
	maxAwaited   = 1024    // that are asked for; others wait until one of these is decided
	maxCondemned = 1 << 16 // that are remembered
	maxKnown     = 1 << 14 // schemas that are kept
	atOnce       = 8       // requests
)

// longestPause is how long a registry that fails is left alone at most.
const longestPause = 30 * time.Second

// Schemas are the schemas of a registry, each as the T that a format makes of it. It may be used from any number of goroutines.
type Schemas[T any] struct {
	config  Config
	client  *client
	compile func(Schema) (T, error)
	ctx     context.Context
	cancel  context.CancelFunc
	asking  chan struct{} // has room for atOnce

	mutex   sync.Mutex
	entries map[uint32]*entry[T]
	awaited int
	decided chan struct{} // closed when one that was awaited is decided
}

// entry is what is known of an id. Before ready is closed, since, cause and until may change; after it, nothing does.
type entry[T any] struct {
	ready   chan struct{}
	value   T
	refused error // *record.Rejection: condemned, or a schema that is no T

	since  time.Time
	cause  error
	until  time.Time
	forget time.Time // of a condemned one
}

// New returns the schemas of a registry. compile makes a T of a schema; its error rejects the records of that schema.
func New[T any](config Config, compile func(Schema) (T, error)) (*Schemas[T], error) {
	config = config.WithDefaults()
	c, err := newClient(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Schemas[T]{config: config, client: c, compile: compile, ctx: ctx, cancel: cancel, asking: make(chan struct{}, atOnce),
		entries: map[uint32]*entry[T]{}, decided: make(chan struct{})}, nil
}

// Close ends all requests. Ids that are awaited stay so.
func (s *Schemas[T]) Close() { s.cancel() }

// name is how messages call an id.
func name(id uint32) string { return fmt.Sprintf("schema id %d", id) }

// Get gives a schema. The error is a *record.Rejection, or a *format.Pending while the schema is asked for.
func (s *Schemas[T]) Get(id uint32) (value T, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := time.Now()
	e := s.entries[id]
	again := e != nil && !e.forget.IsZero() && now.After(e.forget)
	if e == nil || again {
		if s.awaited >= maxAwaited {
			return value, &format.Pending{Schema: name(id), Ready: s.decided}
		}
		s.makeRoom()
		e = &entry[T]{ready: make(chan struct{}), since: now}
		s.entries[id] = e
		s.awaited++
		go s.pursue(id, e, again)
	}
	select {
	case <-e.ready:
		return e.value, e.refused
	default:
		return value, &format.Pending{Schema: name(id), Ready: e.ready}
	}
}

// makeRoom forgets what can be asked for again. The mutex is held.
func (s *Schemas[T]) makeRoom() {
	if len(s.entries) < maxCondemned+maxKnown {
		return
	}
	for id, e := range s.entries {
		select {
		case <-e.ready:
			delete(s.entries, id)
		default:
		}
	}
}

// pursue asks for an id until it is known or condemned. One that was condemned before is not waited for again.
func (s *Schemas[T]) pursue(id uint32, e *entry[T], again bool) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = 200*time.Millisecond, longestPause
	for {
		schema, err := s.ask(id)
		if s.ctx.Err() != nil {
			return
		}
		pause := pauses.NextBackOff()
		switch {
		case err == nil:
			value, problem := s.compile(schema)
			if problem != nil {
				problem = &record.Rejection{Reason: record.UnfitSchema, Offset: -1, Detail: fmt.Sprintf("%s: %v", name(id), problem)}
			}
			s.decide(e, value, problem, time.Time{})
			return
		case errors.Is(err, errUnknown):
			wait := s.wait(e, err)
			if again || wait <= 0 {
				var none T
				s.decide(e, none, &record.Rejection{Reason: record.UnknownSchema, Offset: -1, Detail: fmt.Sprintf(
					"%s: the registry does not know it, and records waited for it as long as registry.unknown_after says", name(id))},
					time.Now().Add(s.config.UnknownAfter))
				return
			}
			pause = wait
		default:
			s.note(e, err)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-s.ctx.Done():
			timer.Stop()
			return
		}
	}
}

func (s *Schemas[T]) ask(id uint32) (Schema, error) {
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
		return s.client.schema(s.ctx, id)
	case <-s.ctx.Done():
		return Schema{}, s.ctx.Err()
	}
}

// note says why an id is not decided yet.
func (s *Schemas[T]) note(e *entry[T], cause error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	e.cause = cause
}

// wait is how long an unknown id still waits. The time is counted from the first such answer.
func (s *Schemas[T]) wait(e *entry[T], cause error) time.Duration {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := time.Now()
	e.cause = cause
	if e.until.IsZero() {
		e.until = now.Add(s.config.UnknownAfter)
	}
	return e.until.Sub(now)
}

func (s *Schemas[T]) decide(e *entry[T], value T, refused error, forget time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	e.value, e.refused, e.forget = value, refused, forget
	s.awaited--
	close(e.ready)
	close(s.decided)
	s.decided = make(chan struct{})
}

// Waits are the ids that are awaited, the one that is awaited longest first.
func (s *Schemas[T]) Waits() (all []format.Wait) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.awaited == 0 {
		return nil
	}
	for id, e := range s.entries {
		select {
		case <-e.ready:
		default:
			all = append(all, format.Wait{Schema: name(id), Since: e.since, Cause: e.cause, Until: e.until, Late: time.Since(e.since) > s.config.NotReadyAfter})
		}
	}
	slices.SortFunc(all, func(a, b format.Wait) int {
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return len(a.Schema) - len(b.Schema)
	})
	return all
}
