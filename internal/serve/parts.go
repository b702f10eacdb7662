package serve

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/fairstream/fairstream/pkg/scoring"
)

// leastPart is how many records are worth a second worker: deciding them takes a multiple of waking it.
const leastPart = 128

// part is some of the records of a request, which one worker decides.
type part struct {
	*worker
	begin    int // the place of the first one in the request
	records  [][]byte
	out      []byte   // what use has written
	entries  *entries // for the log; nil: there is none
	err      error
	panicked string // what the worker's goroutine died of, and where
}

// use sees a decision, record number i of the request. It appends to what belongs to the records before, and may be called by several
// goroutines, for records of different parts.
type use func(out []byte, i int, by *judge, o scoring.Outcome) []byte

// decideAll decides records by one set of documents: in parts, if there are many and workers have nothing else to do. It returns out with what
// use has appended, in the order of the records.
func (s *Service) decideAll(ctx context.Context, version int64, j *job, records [][]byte, out []byte, use use) ([]byte, error) {
	w, err := s.take(ctx, version)
	if err != nil {
		return out, err
	}
	parts := []*part{{worker: w, out: out, entries: j.entries}}
	defer func() {
		for _, p := range parts {
			s.give(p.worker)
		}
	}()
	for len(records) >= (len(parts)+1)*leastPart {
		helper := s.idle(w)
		if helper == nil {
			break
		}
		p := &part{worker: helper, out: helper.out[:0]}
		if j.entries != nil {
			p.entries = &entries{}
		}
		parts = append(parts, p)
	}
	for i, p := range parts {
		p.begin = i * len(records) / len(parts)
		p.records = records[p.begin : (i+1)*len(records)/len(parts)]
	}
	s.decideParts(j, parts, use)
	return join(j, parts)
}

// decideParts decides the first part on this goroutine and the others on their own. None of them is at work when it returns, or panics.
func (s *Service) decideParts(j *job, parts []*part, use use) {
	var group sync.WaitGroup
	for _, p := range parts[1:] {
		group.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					p.panicked = fmt.Sprintf("%v\n%s", value, debug.Stack())
				}
			}()
			s.decidePart(j, p, use)
		})
	}
	defer group.Wait()
	s.decidePart(j, parts[0], use)
}

func (s *Service) decidePart(j *job, p *part, use use) {
	for k, record := range p.records {
		i := p.begin + k
		by, outcome := s.decide(p, j, i, record)
		if outcome.Rejection != nil && j.whole {
			p.err = &refusal{http.StatusBadRequest, fmt.Sprintf("record %d: %v", i, outcome.Rejection)}
			return
		}
		p.out = use(p.out, i, by, outcome)
	}
}

// join puts the parts together.
func join(j *job, parts []*part) ([]byte, error) {
	out := parts[0].out
	for i, p := range parts {
		if p.panicked != "" {
			panic(p.panicked) // as if this goroutine had decided it: the server logs it, and goes on
		}
		if p.err != nil {
			return out, p.err
		}
		if i == 0 {
			continue
		}
		out = append(out, p.out...)
		if cap(p.out) <= largestKept {
			p.worker.out = p.out
		}
		if j.entries != nil {
			j.entries.join(p.entries)
		}
	}
	return out, nil
}
