package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
)

// Limits of the HTTP server: nobody who asks slowly, much or often holds up the process.
const (
	// mostConnections are open at once. The pages of the board take at most 100 of them for long.
	mostConnections = 512

	headerTimeout = 5 * time.Second
	largestHeader = 16 << 10
	scrapesAtOnce = 4
)

// Limits are those of a server that depend on what it serves.
type Limits struct {
	// Connections are open at once.
	Connections int
	// Request is how long a request may take to arrive, and its answer to leave. Idle is how long a connection may be unused.
	Request, Idle time.Duration
	// Shutdown is how long requests have at the end.
	Shutdown time.Duration
}

// ordinary are the limits of a server for pages, probes and metrics. Pages that are open do not hold up the end.
var ordinary = Limits{Connections: mostConnections, Request: 30 * time.Second, Idle: 10 * time.Second, Shutdown: time.Second}

// Handler serves what doc.go lists, to those who have access. A nil page is not served.
func (m *Monitor) Handler(level zap.AtomicLevel, page *board.Board, access Access) http.Handler {
	mux := http.NewServeMux()
	metrics := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: scrapesAtOnce})
	mux.Handle("GET /metrics", access.token(metrics))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", access.readiness(m.NotReady, m.word, m.whatWorks))
	mux.Handle("GET /loglevel", level)
	mux.Handle("PUT /loglevel", access.change(level))
	if page != nil {
		mux.Handle("/api/v1/", access.full(page.API()))
		mux.Handle("POST "+orderPath, access.order(m.order))
		mux.Handle("GET /{$}", page.Page())
		mux.Handle("GET /assets/", page.Page())
	} else {
		mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, http.StatusOK, "fairstream\n/metrics\n/livez\n/readyz\n/loglevel")
		})
	}
	return guard(mux)
}

// Handler is that of the monitor, with the report.
func (l *Live) Handler(level zap.AtomicLevel, page *board.Board, access Access) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /report", guard(access.full(l.Report())))
	mux.Handle("/", l.Monitor.Handler(level, page, access))
	return mux
}

func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = fmt.Fprintln(w, text) // whoever asked has gone
}

func fromHere(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && net.ParseIP(host).IsLoopback()
}

// Serve answers on a listener until ctx ends, over TLS if access has a certificate.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, access Access) error {
	return serve(ctx, ctx, listener, handler, access, ordinary)
}

// ServeWithin is Serve with limits. Requests that are being answered when ctx ends go on.
func ServeWithin(ctx context.Context, listener net.Listener, handler http.Handler, access Access, limits Limits) error {
	return serve(ctx, context.WithoutCancel(ctx), listener, handler, access, limits)
}

// serve answers until ctx ends. Requests have the context of requests.
func serve(ctx, requests context.Context, listener net.Listener, handler http.Handler, access Access, limits Limits) error {
	crowd := newCrowd(limits.Connections)
	server := &http.Server{
		Handler:           crowd.handler(handler),
		ConnContext:       crowd.remember,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       limits.Request,
		WriteTimeout:      limits.Request,
		IdleTimeout:       limits.Idle,
		MaxHeaderBytes:    largestHeader,
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	listener = crowd.listener(listener)
	if access.TLS != nil {
		listener = tls.NewListener(listener, access.TLS)
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), limits.Shutdown)
		defer cancel()
		if server.Shutdown(bounded) != nil {
			_ = server.Close() // whoever is still served has had the time
		}
	})
	err := server.Serve(listener)
	if !stop() {
		<-ended
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("server: %w", err)
}
