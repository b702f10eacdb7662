package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Bounds on ids.
const (
	maxAhead     = 1 << 16 // that are asked for although nothing waits for them yet
	maxCondemned = 1 << 17 // that are remembered
	maxKnown     = 1 << 14 // schemas that are kept
	atOnce       = 4       // requests for the ids of a line
)

// longestPause is how long a registry that fails is left alone at most.
const longestPause = 30 * time.Second

// Schemas are the schemas of a registry, each as the T that a format makes of it. It may be used from any number of goroutines.
type Schemas[T any] struct {
	config    Config
	client    *client
	compile   func(Schema) (T, error)
	compiling sync.Mutex
	ctx       context.Context
	cancel    context.CancelFunc

	// last is the schema that was given last, which most messages have in common with the one before: it takes no mutex.
	last atomic.Pointer[entry[T]]

	mutex     sync.Mutex
	entries   map[format.ID]*entry[T]
	waits     map[format.ID]*entry[T] // those of ids that something waits for
	awaited   int                     // ids that are asked for, with those that nothing waits for yet
	condemned int
	first     line[T] // ids that something waits for
	ahead     line[T] // ids of records further on
}

// entry is what is known of an id. Before ready is closed, all but id and ready may change; after it, nothing does.
type entry[T any] struct {
	id      format.ID
	ready   chan struct{}
	value   T
	refused error // *record.Rejection: condemned, or a schema that is no T

	again  bool     // it was condemned before, and is not waited for again
	line   *line[T] // in which it stands; nil while it is asked for, and while that pauses
	pauses *backoff.ExponentialBackOff

	since  time.Time
	cause  error
	until  time.Time
	forget time.Time // of a condemned one
}

// line is where ids stand that are to be asked for. One that stands in another line by now is passed over.
type line[T any] struct {
	again   []*entry[T] // whose pause is over; they come first
	entries []*entry[T]
	workers int
}

// New returns the schemas of a registry. compile makes a T of a schema; its error rejects the records of that schema.
func New[T any](config Config, compile func(Schema) (T, error)) (*Schemas[T], error) {
	config = config.WithDefaults()
	c, err := newClient(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Schemas[T]{config: config, client: c, compile: compile, ctx: ctx, cancel: cancel, entries: map[format.ID]*entry[T]{}, waits: map[format.ID]*entry[T]{}}, nil
}

// Close ends all requests. Ids that are awaited stay so.
func (s *Schemas[T]) Close() { s.cancel() }

// Get gives a schema. The error is a *record.Rejection, or a *format.Pending while the schema is asked for.
func (s *Schemas[T]) Get(id format.ID) (value T, err error) {
	if e := s.last.Load(); e != nil && e.id == id {
		return e.value, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	e := s.find(id)
	fresh := e == nil
	if fresh {
		e = s.add(id)
	}
	select {
	case <-e.ready:
		if e.refused == nil {
			s.last.Store(e)
		}
		return e.value, e.refused
	default:
	}
	if s.waits[id] == nil {
		if s.waits[id] = e; fresh || e.line != nil {
			s.lineUp(e)
		}
	}
	return value, &format.Pending{Schema: id.Name(), Ready: e.ready}
}

// Prepare has a schema asked for that Get will need, unless too many are awaited.
func (s *Schemas[T]) Prepare(id format.ID) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.find(id) == nil && s.awaited < maxAhead {
		s.lineUp(s.add(id))
	}
}

// Of gives the schema that a message names, and how it names it. The error is that of format.SchemaID or of Get.
func (s *Schemas[T]) Of(message *kafka.Record) (value T, named format.Named, err error) {
	if named, err = format.SchemaID(message); err == nil {
		value, err = s.Get(named.ID)
	}
	return value, named, err
}

// PrepareFor has the schema asked for that a message names.
func (s *Schemas[T]) PrepareFor(message *kafka.Record) {
	if named, err := format.SchemaID(message); err == nil {
		s.Prepare(named.ID)
	}
}

// Name is part of format.Source.
func (s *Schemas[T]) Name(message *kafka.Record) string {
	named, _ := format.SchemaID(message) // which had a schema
	return named.ID.Name()
}

// SchemaOf is part of format.Format.
func (s *Schemas[T]) SchemaOf(message *kafka.Record) string { return format.SchemaOf(message) }

// Whole is part of format.Format.
func (s *Schemas[T]) Whole(message *kafka.Record) []byte { return format.Whole(message) }

// find is the entry of an id; nil if there is none, or it was condemned so long ago that the registry is to be asked again. The mutex is held.
func (s *Schemas[T]) find(id format.ID) *entry[T] {
	if e := s.entries[id]; e != nil && (e.forget.IsZero() || time.Now().Before(e.forget)) {
		return e
	}
	return nil
}

// add makes the entry of an id, which is to line up. The mutex is held.
func (s *Schemas[T]) add(id format.ID) *entry[T] {
	e := &entry[T]{id: id, ready: make(chan struct{}), since: time.Now()}
	if s.entries[id] != nil { // condemned
		e.again = true
		s.condemned--
	}
	s.entries[id] = e
	s.awaited++
	s.makeRoom()
	return e
}

// makeRoom forgets what can be asked for again, schemas only if there are too many of them alone: without a registry their records would wait. The
// mutex is held.
func (s *Schemas[T]) makeRoom() {
	condemned, known := s.condemned >= maxCondemned, len(s.entries)-s.awaited-s.condemned >= maxKnown
	if !condemned && !known {
		return
	}
	for id, e := range s.entries {
		select {
		case <-e.ready:
			if rejected := !e.forget.IsZero(); rejected && condemned {
				delete(s.entries, id)
				s.condemned--
			} else if !rejected && known {
				delete(s.entries, id)
			}
		default:
		}
	}
}

// lineUp has an id asked for. The mutex is held.
func (s *Schemas[T]) lineUp(e *entry[T]) {
	e.line = &s.ahead
	if s.waits[e.id] != nil {
		e.line = &s.first
	}
	if e.pauses != nil {
		e.line.again = append(e.line.again, e)
	} else {
		e.line.entries = append(e.line.entries, e)
	}
	if e.line.workers < atOnce && s.ctx.Err() == nil {
		e.line.workers++
		go s.work(e.line)
	}
}

// work asks for the ids of a line until none is left.
func (s *Schemas[T]) work(l *line[T]) {
	for e := s.next(l); e != nil; e = s.next(l) {
		schema, err := s.client.schema(s.ctx, e.id)
		var value T
		var problem error
		if why, never := errors.AsType[refusal](err); never {
			problem, err = why, nil
		} else if err == nil {
			value, problem = s.compiled(schema)
		}
		if problem != nil {
			problem = &record.Rejection{Reason: record.UnfitSchema, Offset: -1, Detail: fmt.Sprintf("%s: %v", e.id.Name(), problem)}
		}
		s.mutex.Lock()
		switch {
		case s.ctx.Err() != nil: // the error is ours
		case err == nil:
			s.decide(e, value, problem)
		default:
			s.failed(e, err)
		}
		s.mutex.Unlock()
	}
}

// compiled makes a T of a schema, one at a time: that may take much memory for a while.
func (s *Schemas[T]) compiled(schema Schema) (T, error) {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	return format.Guarded(func() (T, error) { return s.compile(schema) })
}

// next takes the first of a line; nil if there is none.
func (s *Schemas[T]) next(l *line[T]) *entry[T] {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for s.ctx.Err() == nil {
		from := &l.again
		if len(*from) == 0 {
			from = &l.entries
		}
		if len(*from) == 0 {
			break
		}
		e := (*from)[0]
		(*from)[0], *from = nil, (*from)[1:]
		if e.line == l {
			e.line = nil
			return e
		}
	}
	l.again, l.entries = nil, nil
	l.workers--
	return nil
}

// failed has an id asked for again later, or condemns it: an unknown one waits from the first such answer on. The mutex is held.
func (s *Schemas[T]) failed(e *entry[T], err error) {
	if e.pauses == nil {
		e.pauses = backoff.NewExponentialBackOff()
		e.pauses.InitialInterval, e.pauses.MaxInterval = 200*time.Millisecond, longestPause
	}
	e.cause = err
	pause := e.pauses.NextBackOff()
	if errors.Is(err, errUnknown) {
		now := time.Now()
		if e.until.IsZero() {
			e.until = now.Add(s.config.UnknownAfter)
		}
		if pause = e.until.Sub(now); e.again || pause <= 0 {
			var none T
			e.forget = now.Add(s.config.UnknownAfter)
			s.condemned++
			s.decide(e, none, &record.Rejection{Reason: record.UnknownSchema, Offset: -1, Detail: fmt.Sprintf(
				"%s: the registry does not know it, and records waited for it as long as registry.unknown_after says", e.id.Name())})
			return
		}
	} else if s.waits[e.id] == nil {
		s.forgetAhead(e)
		return
	}
	time.AfterFunc(pause, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.lineUp(e)
	})
}

// forgetAhead forgets an id that nothing waits for, and those that stand behind it: a registry that fails is asked for nothing but what is needed
// now. The mutex is held.
func (s *Schemas[T]) forgetAhead(e *entry[T]) {
	forget := func(e *entry[T]) {
		delete(s.entries, e.id)
		s.awaited--
	}
	forget(e)
	for _, all := range [][]*entry[T]{s.ahead.again, s.ahead.entries} {
		for _, e := range all {
			if e.line == &s.ahead {
				e.line = nil
				forget(e)
			}
		}
	}
	s.ahead.again, s.ahead.entries = nil, nil
}

// decide ends the wait for an id. The mutex is held.
func (s *Schemas[T]) decide(e *entry[T], value T, refused error) {
	e.value, e.refused, e.pauses = value, refused, nil
	s.awaited--
	delete(s.waits, e.id)
	close(e.ready)
}

// Waits are the ids that something waits for, the one that is awaited longest first.
func (s *Schemas[T]) Waits() (all []format.Wait) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for id, e := range s.waits {
		all = append(all, format.Wait{Schema: id.Name(), Since: e.since, Cause: e.cause, Until: e.until, Late: time.Since(e.since) > s.config.NotReadyAfter})
	}
	slices.SortFunc(all, func(a, b format.Wait) int {
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return len(a.Schema) - len(b.Schema)
	})
	return all
}
