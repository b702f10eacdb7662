package serve

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// Producer writes messages; *kafka.Producer is one.
type Producer interface {
	Send(ctx context.Context, message *kafka.Message) error
	Flush(ctx context.Context) error
}

// LogOptions say how decisions are logged.
type LogOptions struct {
	// Open gives a producer of the topic. It waits for brokers that are away.
	Open func(ctx context.Context) (Producer, error)
	// Wait makes a request wait for Kafka, Timeout at most.
	Wait    bool
	Timeout time.Duration
	// Bound is the largest number of decisions that wait for Kafka.
	Bound int
	// Failed is told when Kafka refuses decisions for good. nil: nobody is told.
	Failed func(decisions int, err error)
}

// mostLogBytes bounds the bytes of the decisions that wait for Kafka.
const mostLogBytes = 256 << 20

// Log writes decisions to a topic, those of a request together. One goroutine, Run, writes what all requests have brought meanwhile: the more
// requests there are, the fewer writes each of them costs.
type Log struct {
	o    LogOptions
	wake chan struct{}

	mutex     sync.Mutex
	waiting   []*entries
	decisions int // that wait or are being written
	bytes     int
	closed    bool

	producer Producer // of Run; nil: there is none yet, or the last one failed

	written, lost, refused atomic.Int64
}

// NewLog returns a log that Run writes.
func NewLog(o LogOptions) *Log {
	if o.Failed == nil {
		o.Failed = func(int, error) {}
	}
	return &Log{o: o, wake: make(chan struct{}, 1)}
}

// Lost is the number of decisions that were answered and are not logged.
func (l *Log) Lost() int64 { return l.lost.Load() }

// entries are the decisions of one request.
type entries struct {
	buffer    []byte
	marks     []mark
	done      chan error
	abandoned atomic.Bool // nobody waits for them any more, and they need not be written
}

// mark is where a decision, its key and its source end in the buffer.
type mark struct {
	value, key, source int
	keyed              bool
}

// end finishes the decision that stands at the end of the buffer: {"score":…,"source":{"request":"…","record":0}}.
func (e *entries) end(key []byte, request string, i int) {
	e.buffer = append(e.buffer, `,"source":{"request":`...)
	quoted, _ := json.Marshal(request) // a text always becomes JSON
	e.buffer = append(append(e.buffer, quoted...), `,"record":`...)
	e.buffer = append(strconv.AppendInt(e.buffer, int64(i), 10), '}', '}')
	m := mark{value: len(e.buffer), keyed: key != nil}
	e.buffer = append(e.buffer, key...)
	m.key = len(e.buffer)
	e.buffer = append(append(e.buffer, request...), '/')
	e.buffer = strconv.AppendInt(e.buffer, int64(i), 10)
	m.source = len(e.buffer)
	e.marks = append(e.marks, m)
}

// join appends the entries of later records of the same request.
func (e *entries) join(later *entries) {
	before := len(e.buffer)
	e.buffer = append(e.buffer, later.buffer...)
	for _, m := range later.marks {
		e.marks = append(e.marks, mark{value: before + m.value, key: before + m.key, source: before + m.source, keyed: m.keyed})
	}
}

// messages are the entries as messages.
func (e *entries) messages() []kafka.Message {
	all := make([]kafka.Message, len(e.marks))
	begin := 0
	for i, m := range e.marks {
		all[i].Value = e.buffer[begin:m.value]
		if m.keyed {
			all[i].Key = e.buffer[m.value:m.key]
		}
		all[i].Headers = []kafka.Header{{Key: scoring.HeaderSource, Value: e.buffer[m.key:m.source]}}
		begin = m.source
	}
	return all
}

// errLogAway says that a request is refused, because its decisions could not be logged in time.
var errLogAway = errors.New("the decisions cannot be logged now, because Kafka is away or too slow: send the request again later (serve.log: wait)")

// put gives the log what a request decided. With Wait it returns when Kafka has acknowledged all of it. After an error some of it may be
// logged nevertheless.
func (l *Log) put(ctx context.Context, e *entries) error {
	if len(e.marks) == 0 {
		return nil
	}
	e.done = make(chan error, 1)
	l.mutex.Lock()
	if l.closed || l.decisions+len(e.marks) > l.o.Bound || l.bytes+len(e.buffer) > mostLogBytes {
		l.mutex.Unlock()
		return l.without(e)
	}
	l.waiting = append(l.waiting, e)
	l.decisions += len(e.marks)
	l.bytes += len(e.buffer)
	l.mutex.Unlock()
	l.ring()
	if !l.o.Wait {
		return nil
	}
	timer := time.NewTimer(l.o.Timeout)
	defer timer.Stop()
	select {
	case err := <-e.done:
		return err
	case <-timer.C:
	case <-ctx.Done():
	}
	e.abandoned.Store(true)
	l.refused.Add(int64(len(e.marks)))
	return errLogAway
}

// without is for decisions for which there is no room.
func (l *Log) without(e *entries) error {
	if l.o.Wait {
		l.refused.Add(int64(len(e.marks)))
		return errLogAway
	}
	l.lost.Add(int64(len(e.marks)))
	return nil
}

func (l *Log) ring() {
	select {
	case l.wake <- struct{}{}:
	default: // it is awake
	}
}

// take gives what waits.
func (l *Log) take() (all []*entries, closed bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	all, l.waiting = l.waiting, nil
	return all, l.closed
}

// Close lets Run end when all that waits is written.
func (l *Log) Close() {
	l.mutex.Lock()
	l.closed = true
	l.mutex.Unlock()
	l.ring()
}
