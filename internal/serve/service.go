package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fairstream/fairstream/pkg/scoring"
)

// Service decides. Its Handler and its Public belong into a server that limits connections and says who has access.
type Service struct {
	o       Options
	workers chan *worker
	turns   chan struct{} // one for each request that may be answered at a time
	room    room
	counts  *counts

	described atomic.Pointer[metadata] // of the document that was asked for last
}

// bodyRoom is what the bodies of all requests may take, or that of four if they may be larger.
const bodyRoom = 256 << 20

// New prepares to decide.
func New(o Options) (*Service, error) {
	switch {
	case o.Models == nil:
		return nil, errors.New("serve: no documents")
	case !(o.Split >= 0 && o.Split <= 1):
		return nil, fmt.Errorf("serve: a split of %v is outside [0, 1]", o.Split)
	case o.Split > 0 && o.Shadow == nil:
		return nil, errors.New("serve: a split needs a shadow")
	}
	if err := scoring.CheckShare(o.Explore); err != nil {
		return nil, err
	}
	if o.Shadow == nil {
		o.Shadow = none{}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	s := &Service{o: o, workers: make(chan *worker, o.Workers), turns: make(chan struct{}, o.Concurrency), counts: newCounts(o.Log)}
	s.room.bytes = max(bodyRoom, 4*int64(o.BodyBytes))
	for range o.Workers {
		s.workers <- &worker{}
	}
	return s, nil
}

// Metrics are those of the service.
func (s *Service) Metrics() []prometheus.Collector { return s.counts.all() }

// Routes are the methods and paths under /v1 and /v2, as patterns of net/http, with what answers them.
func (s *Service) Routes() map[string]http.Handler {
	routes := map[string]http.Handler{
		"POST /v1/score":       s.limited("v1", s.score),
		"GET /v1/openapi.yaml": http.HandlerFunc(serveOpenAPI),
		"GET /v2":              s.plain(s.server),
		"GET /v2/{$}":          s.plain(s.server),
	}
	for _, model := range []string{"/v2/models/{model}", "/v2/models/{model}/versions/{version}"} {
		routes["GET "+model] = s.plain(s.model)
		routes["GET "+model+"/ready"] = s.plain(s.modelReady)
		routes["POST "+model+"/infer"] = s.limited("v2", s.infer)
	}
	return routes
}

// Handler answers requests under /v1 and /v2.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, answer := range s.Routes() {
		mux.Handle(pattern, answer)
	}
	mux.Handle("/", s.plain(func(_ http.ResponseWriter, r *http.Request) error {
		return &refusal{http.StatusNotFound, "this path does not answer " + r.Method + ": see /v1/openapi.yaml, and /v2 for the Open Inference Protocol"}
	}))
	return mux
}

// Public answers the probes of /v2, which everyone may ask.
func (s *Service) Public(ready func() bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/health/live", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /v2/health/ready", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			tell(w, &refusal{http.StatusServiceUnavailable, "not ready: /readyz says why"})
		}
	})
	return mux
}

// refusal is why a request gets no answer: a status of HTTP, and a reason that holds no value of a record.
type refusal struct {
	status int
	reason string
}

func (r *refusal) Error() string { return r.reason }

// limited answers requests of which there are at most Concurrency at a time, and counts them.
func (s *Service) limited(api string, answer func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		ctx, cancel := context.WithTimeout(r.Context(), s.o.Timeout)
		defer cancel()
		err := s.inTurn(func() error { return answer(w, r.WithContext(ctx)) })
		status := http.StatusOK
		if err != nil {
			refused := refusalOf(err)
			if status = refused.status; status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "1")
			}
			if status == http.StatusRequestEntityTooLarge {
				w.Header().Set("Connection", "close")
			}
			tell(w, refused)
		}
		s.counts.requests.WithLabelValues(api, strconv.Itoa(status)).Observe(time.Since(begin).Seconds())
	})
}

// inTurn answers a request if there are not too many.
func (s *Service) inTurn(answer func() error) error {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
		return answer()
	default:
		return &refusal{http.StatusServiceUnavailable, fmt.Sprintf("%d requests are being answered: send the request again later (serve.concurrency)", s.o.Concurrency)}
	}
}

// refusalOf gives every error a status.
func refusalOf(err error) *refusal {
	if r, is := errors.AsType[*refusal](err); is {
		return r
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &refusal{http.StatusServiceUnavailable, "the request had no turn in time: send it again later (serve.timeout)"}
	}
	return &refusal{http.StatusServiceUnavailable, err.Error()}
}

// plain answers requests that decide nothing.
func (s *Service) plain(answer func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := answer(w, r); err != nil {
			tell(w, refusalOf(err))
		}
	})
}

// tell writes an error, in a form that is that of both protocols.
func tell(w http.ResponseWriter, err *refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(err.status)
	_, _ = w.Write(append(append(appendText([]byte(`{"error":`), err.Error()), '}'), '\n')) // whoever asked has gone
}

// longestID is the longest identifier that a client may give a request.
const longestID = 128

// begin names a request: as the client does in X-Request-Id, or at random.
func (s *Service) begin(r *http.Request, keys [][]byte) *job {
	j := &job{id: r.Header.Get("X-Request-Id"), keys: keys}
	if !isID(j.id) {
		j.id = rand.Text()
	}
	if s.o.Log != nil {
		j.entries = &entries{}
	}
	return j
}

func isID(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return false
		}
	}
	return text != "" && len(text) <= longestID
}

// all decides records, by one set of documents, and logs the decisions before it returns. It returns out with what use has appended.
func (s *Service) all(ctx context.Context, version int64, j *job, records [][]byte, out []byte, use use) ([]byte, error) {
	out, err := s.decideAll(ctx, version, j, records, out, use)
	if err != nil || j.entries == nil {
		return out, err
	}
	return out, s.o.Log.put(ctx, j.entries)
}

// reply sends an answer.
func reply(w http.ResponseWriter, id, contentType string, answer []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(answer)))
	header.Set("X-Request-Id", id)
	_, _ = w.Write(answer) // whoever asked has gone
}
