package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.uber.org/zap"
)

// Limits of the HTTP server: nobody who asks slowly, much or often holds up the process.
const (
	headerTimeout   = 5 * time.Second
	requestTimeout  = 30 * time.Second
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = time.Second
	largestHeader   = 16 << 10
	scrapesAtOnce   = 4
)

// Handler serves what doc.go lists.
func (m *Monitor) Handler(level zap.AtomicLevel) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: scrapesAtOnce}))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if reasons := m.NotReady(); len(reasons) > 0 {
			answer(w, http.StatusServiceUnavailable, strings.Join(reasons, "\n"))
			return
		}
		answer(w, http.StatusOK, "ok\nrole: "+m.role())
	})
	mux.Handle("GET /loglevel", level)
	mux.HandleFunc("PUT /loglevel", func(w http.ResponseWriter, r *http.Request) {
		if !fromHere(r) {
			answer(w, http.StatusForbidden, "the log level can be changed from this machine only")
			return
		}
		level.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "fairstream\n/metrics\n/livez\n/readyz\n/loglevel")
	})
	return guard(mux)
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

// Serve answers on a listener until ctx ends.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       requestTimeout,
		WriteTimeout:      requestTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    largestHeader,
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
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
