package scoring

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Scoring scores a topic. It is used once.
type Scoring struct {
	client  *kafka.Client
	close   func() error // the client
	options Options

	ends map[int32]int64 // where UntilEnd stops; nil: never
	// The offsets of the group: those that the last commit left, and those that the commit at hand leaves.
	committed, committing map[int32]int64
	told                  map[record.Reason]bool

	mutex  sync.Mutex
	status Status
}

// session is what scoring has of Kafka until another process fences it, or the broker ends its transaction.
type session struct {
	transactor *kafka.Transactor
	fetcher    *kafka.Fetcher
	partitions int32 // of the output
}

// New prepares; the network is not used before Run.
func New(options Options) (*Scoring, error) {
	s, err := prepare(nil, options)
	if err != nil {
		return nil, err
	}
	s.client, err = kafka.Open(options.Kafka, kafka.Options{Notify: options.Outage})
	if err != nil {
		return nil, err
	}
	s.close = s.client.Close
	return s, nil
}

// prepare uses a client that somebody else closes.
func prepare(client *kafka.Client, options Options) (*Scoring, error) {
	options = options.withDefaults()
	return &Scoring{client: client, close: func() error { return nil }, options: options, told: map[record.Reason]bool{}}, options.validate()
}

// Status reports how far scoring is, at any time and from any goroutine.
func (s *Scoring) Status() Status {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	status := s.status
	status.Next, status.Ends = maps.Clone(status.Next), maps.Clone(status.Ends)
	return status
}

// begin fences the process before, and begins to read where that one committed.
func (s *Scoring) begin(ctx context.Context) (*session, error) {
	o := &s.options
	transactor, err := s.client.NewTransactor(ctx, o.group())
	if err != nil {
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
	fetcher, err := s.client.NewFetcher(kafka.FetchOptions{Topic: o.From, Offsets: next, OnLoss: o.OnLoss, Budget: 32 << 20})
	return &session{transactor, fetcher, int32(to.Partitions)}, err
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

const abortWithin = 2 * time.Second

// abort ends the open transaction, so that readers need not wait until the broker does.
func (s *session) abort() {
	ctx, cancel := context.WithTimeout(context.Background(), abortWithin)
	defer cancel()
	_ = s.transactor.Abort(ctx) // else the next process does it, or the broker after a minute
}
