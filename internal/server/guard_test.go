package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"go.uber.org/zap"
)

// endless is a body without end, which counts what is read of it.
type endless struct{ read int }

func (e *endless) Read(into []byte) (int, error) {
	copy(into, strings.Repeat(" ", len(into)))
	e.read += len(into)
	return len(into), nil
}

func TestBodiesAreBounded(t *testing.T) {
	handler := NewMonitor("test", "adult").Handler(zap.NewAtomicLevel(), nil, Access{})
	for _, path := range []string{"/", "/metrics", "/livez", "/readyz", "/loglevel", "/absent"} {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPost} {
			for _, announced := range []int64{-1, 4 << 30} {
				body := &endless{}
				request := httptest.NewRequestWithContext(t.Context(), method, path, io.NopCloser(body))
				request.RemoteAddr, request.Host, request.ContentLength = "127.0.0.1:5555", "localhost:8468", announced
				recorder := httptest.NewRecorder()
				handler.ServeHTTP(recorder, request)
				if body.read > 2*largestBody {
					t.Errorf("%s %s: %d bytes were read", method, path, body.read)
				}
				if announced > 0 && recorder.Code != http.StatusRequestEntityTooLarge {
					t.Errorf("%s %s: 4 GiB are answered with %d", method, path, recorder.Code)
				}
			}
		}
	}
}

func TestHostAndOrigin(t *testing.T) {
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	handler := NewMonitor("test", "adult").Handler(zap.NewAtomicLevel(), nil, Access{})
	for _, test := range []struct {
		method, path, from, host, origin string
		want                             int
	}{
		{http.MethodGet, "/metrics", "127.0.0.1:1", "localhost:8468", "", http.StatusOK},
		{http.MethodGet, "/metrics", "127.0.0.1:1", "127.0.0.1", "", http.StatusOK},
		{http.MethodGet, "/metrics", "[::1]:1", "[::1]:8468", "", http.StatusOK},
		{http.MethodGet, "/metrics", "127.0.0.1:1", name + ":8468", "", http.StatusOK},
		{http.MethodGet, "/metrics", "127.0.0.1:1", "evil.example:8468", "", http.StatusForbidden},
		{http.MethodGet, "/readyz", "127.0.0.1:1", "localhost.evil.example", "", http.StatusForbidden},
		{http.MethodGet, "/metrics", "10.0.0.7:1", "fairstream:8468", "", http.StatusOK}, // Prometheus in another container
		{http.MethodPut, "/loglevel", "127.0.0.1:1", "localhost", "", http.StatusOK},
		{http.MethodPut, "/loglevel", "127.0.0.1:1", "localhost:8468", "http://localhost:8468", http.StatusForbidden},
		{http.MethodPut, "/loglevel", "127.0.0.1:1", "evil.example", "http://evil.example", http.StatusForbidden},
	} {
		request := httptest.NewRequestWithContext(t.Context(), test.method, test.path, strings.NewReader(`{"level":"info"}`))
		request.RemoteAddr, request.Host = test.from, test.host
		if test.origin != "" {
			request.Header.Set("Origin", test.origin)
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if recorder.Code != test.want {
			t.Errorf("%s %s from %s, Host %s, Origin %q: %d", test.method, test.path, test.from, test.host, test.origin, recorder.Code)
		}
	}
}
