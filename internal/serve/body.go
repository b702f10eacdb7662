package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

// room is what the bodies of all requests may take, and what is made of them until they are answered. A body takes what has arrived of it: a
// client that only announces a large one takes nothing.
type room struct {
	held  atomic.Int64
	bytes int64
}

func (r *room) take(bytes int64) bool {
	if r.held.Add(bytes) <= r.bytes {
		return true
	}
	r.held.Add(-bytes)
	return false
}

// body is that of a request, in a buffer that later requests use again.
type body struct {
	bytes  []byte
	list   [][]byte // its records
	out    []byte   // the buffer of the answer
	room   *room
	counts int64 // of room
	few    int   // bytes beside the body that are not counted yet
}

const (
	// smallBody is what a buffer begins with. It takes no room: Concurrency bounds it.
	smallBody = 16 << 10
	// largestKept is the largest buffer that is used again.
	largestKept = 1 << 20
	// listed are the bytes of a record in a list.
	listed = 24
)

var bodies = sync.Pool{New: func() any { return &body{bytes: make([]byte, 0, smallBody)} }}

// errNoRoom refuses a request for which there is no room now.
var errNoRoom = &refusal{http.StatusServiceUnavailable, "too many large requests at a time: send the request again later"}

// read reads the body of a request.
func (s *Service) read(_ http.ResponseWriter, r *http.Request) (*body, error) {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return nil, &refusal{http.StatusUnsupportedMediaType, "the body is compressed: send it as it is, without Content-Encoding"}
	}
	if r.ContentLength > int64(s.o.BodyBytes) {
		return nil, s.tooLarge()
	}
	b := bodies.Get().(*body)
	b.bytes, b.room, b.counts, b.few = b.bytes[:0], &s.room, 0, 0
	if err := b.fill(s, r); err != nil {
		b.release()
		return nil, err
	}
	return b, nil
}

func (s *Service) tooLarge() error {
	return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes (serve.body_bytes)", s.o.BodyBytes)}
}

func (b *body) fill(s *Service, r *http.Request) error {
	for {
		if len(b.bytes) == cap(b.bytes) {
			more := min(max(2*cap(b.bytes), smallBody), s.o.BodyBytes+1)
			if !b.room.take(int64(more)) {
				return errNoRoom
			}
			b.room.held.Add(-b.counts)
			b.counts = int64(more)
			grown := make([]byte, len(b.bytes), more)
			copy(grown, b.bytes)
			b.bytes = grown
		}
		n, err := r.Body.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		var large *http.MaxBytesError
		switch {
		case len(b.bytes) > s.o.BodyBytes, errors.As(err, &large):
			return s.tooLarge()
		case err == io.EOF:
			return nil
		case err != nil:
			return &refusal{http.StatusBadRequest, "the body could not be read to its end"}
		}
	}
}

// hold takes room for more bytes that the request needs until it is answered. The first few take none, as in a small body.
func (b *body) hold(more int) error {
	if b.few += max(more, 0); b.few <= smallBody {
		return nil
	}
	if !b.room.take(int64(b.few)) {
		return errNoRoom
	}
	b.counts += int64(b.few)
	b.few = 0
	return nil
}

// answer is an empty buffer for an answer of about a size.
func (b *body) answer(size int) ([]byte, error) {
	if err := b.hold(size); err != nil {
		return nil, err
	}
	if cap(b.out) < size {
		b.out = make([]byte, 0, size)
	}
	return b.out[:0], nil
}

// release gives the buffers back. Neither is used any more.
func (b *body) release() {
	b.room.held.Add(-b.counts)
	if b.counts = 0; cap(b.bytes) > largestKept || cap(b.out) > largestKept || cap(b.list)*listed > largestKept {
		return
	}
	clear(b.list) // else it holds buffers that later requests have replaced
	bodies.Put(b)
}
