package serve

import (
	"context"
	"errors"
	"strconv"

	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// worker decides records of one request at a time. It keeps what it has loaded of the documents, and a buffer.
type worker struct {
	main, shadow *judge
	out          []byte
}

// errNoDocument says that nothing can be decided yet, or now.
var errNoDocument = errors.New("there is no document to decide by: /readyz and the log say why")

// take waits for a worker, and lets it decide by the present documents: one request is decided by them alone. A version is that of the document
// that must decide; 0: whichever does.
func (s *Service) take(ctx context.Context, version int64) (*worker, error) {
	main, shadow := s.o.Models.Current(), s.o.Shadow.Current()
	if main == nil {
		return nil, errNoDocument
	}
	if version != 0 && main.Version != version {
		return nil, unserved(strconv.FormatInt(version, 10), main.Version)
	}
	select {
	case w := <-s.workers:
		if err := w.load(main, shadow, s); err != nil {
			s.workers <- w
			return nil, err
		}
		return w, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Service) give(w *worker) { s.workers <- w }

// idle gives a worker that decides by the same documents as another one; nil if all have work.
func (s *Service) idle(beside *worker) *worker {
	select {
	case w := <-s.workers:
		if w.load(beside.main.document(), beside.shadow.document(), s) == nil {
			return w
		}
		s.give(w)
	default:
	}
	return nil
}

func (w *worker) load(main, shadow *follow.Model, s *Service) (err error) {
	if w.main, err = w.main.of(main, s); err == nil {
		w.shadow, err = w.shadow.of(shadow, s)
	}
	return err
}

// job is a request on its way to its answer.
type job struct {
	id      string // of the request
	keys    [][]byte
	whole   bool     // a record that cannot be decided refuses the request
	entries *entries // for the log; nil: there is none
}

// decide decides record number i of a request. by is the document whose decision it is.
func (s *Service) decide(p *part, j *job, i int, record []byte) (by *judge, decided scoring.Outcome) {
	by = p.main
	beside, other := scoring.Outcome{}, p.shadow
	given := j.given(i)
	by.Keyed(given)
	decided = by.Decide(record)
	key := j.key(given, by, decided)
	if other != nil {
		other.Keyed(given)
		beside = other.Decide(record)
		if scoring.InShare(s.o.Split, j.place(i, key)) {
			by, other, decided, beside = other, by, beside, decided
		}
	}
	by.count(decided)
	if s.o.Explore > 0 {
		decided = by.explore(s.o.Explore, key, decided)
	}
	if p.entries != nil {
		var shadow *scoring.Decider
		if other != nil {
			shadow = other.Decider
		}
		p.entries.buffer = by.AppendDecision(p.entries.buffer, decided, s.o.Attributes, shadow, beside)
		p.entries.end(key, j.id, i)
	}
	return by, decided
}

// given is the key that the request gives a record; nil if it gives none.
func (j *job) given(i int) []byte {
	if j.keys == nil {
		return nil
	}
	return j.keys[i]
}

// key is that of a record: the one that the request gives it, else what identifies it. A record that cannot be decoded has the first alone.
func (j *job) key(given []byte, d *judge, o scoring.Outcome) []byte {
	if given != nil {
		return given
	}
	if o.Rejection != nil {
		return nil
	}
	return d.ID()
}

// place chooses the share of a record: its key, else its place in the request.
func (j *job) place(i int, key []byte) []byte {
	if key != nil {
		return key
	}
	return strconv.AppendInt(append([]byte(j.id), '/'), int64(i), 10)
}
