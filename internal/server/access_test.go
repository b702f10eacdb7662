package server

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestAccess: what the table at Access says, from this machine and from elsewhere.
func TestAccess(t *testing.T) {
	const token = "a-token-of-some-length"
	open, secret, whole := Access{}, Access{Token: token}, Access{Token: token, TLS: &tls.Config{MinVersion: tls.VersionTLS12}}
	const here, elsewhere = "127.0.0.1:5000", "10.1.2.3:5000"
	for name, c := range map[string]struct {
		access       Access
		from, bearer string
		want         map[string]int
	}{
		"this machine":             {open, here, "", map[string]int{"/": 200, "/assets/app.js": 200, "/api/v1/status": 200, "/metrics": 200, "/livez": 200, "/loglevel": 200}},
		"elsewhere":                {open, elsewhere, "", map[string]int{"/": 200, "/api/v1/status": 403, "/api/v1/series": 403, "/api/v1/events": 403, "/metrics": 200, "/livez": 200, "/loglevel": 403}},
		"a token, this machine":    {secret, here, "", map[string]int{"/": 200, "/api/v1/status": 401, "/metrics": 401, "/livez": 200, "/loglevel": 200}},
		"a token, without TLS":     {secret, elsewhere, token, map[string]int{"/api/v1/status": 403, "/metrics": 200, "/loglevel": 403}},
		"TLS, no token given":      {whole, elsewhere, "", map[string]int{"/": 200, "/api/v1/status": 401, "/metrics": 401, "/livez": 200, "/loglevel": 401}},
		"TLS, a wrong token":       {whole, elsewhere, token + "x", map[string]int{"/api/v1/status": 401, "/api/v1/events": 401, "/metrics": 401, "/loglevel": 401}},
		"TLS and the token":        {whole, elsewhere, token, map[string]int{"/api/v1/status": 200, "/metrics": 200, "/loglevel": 200}},
		"the token, this machine":  {secret, here, token, map[string]int{"/api/v1/status": 200, "/metrics": 200}},
		"TLS without any token":    {Access{TLS: whole.TLS}, elsewhere, "", map[string]int{"/api/v1/status": 403, "/loglevel": 403}},
		"TLS without a token here": {Access{TLS: whole.TLS}, here, "", map[string]int{"/api/v1/status": 200, "/loglevel": 200}},
	} {
		live := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{})
		handler := live.Handler(zap.NewAtomicLevel(), board.New(live), c.access)
		for path, want := range c.want {
			method := http.MethodGet
			if path == "/loglevel" {
				method = http.MethodPut
			}
			r := httptest.NewRequest(method, path, nil)
			if method == http.MethodPut {
				r = httptest.NewRequest(method, path+"?level=debug", nil)
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			}
			r.RemoteAddr, r.Host = c.from, "localhost"
			if c.bearer != "" {
				r.Header.Set("Authorization", "Bearer "+c.bearer)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%s: %s is answered %d, want %d: %s", name, path, w.Code, want, w.Body)
			}
		}
	}
}

// TestReasonsStayOnThisMachine: over the network, /readyz shows topics, brokers and fields only to those who send the token.
func TestReasonsStayOnThisMachine(t *testing.T) {
	const token, here, elsewhere = "a-token-of-some-length", "127.0.0.1:5000", "10.1.2.3:5000"
	failing := func() http.Handler {
		m := NewMonitor("test", "adult")
		m.Watch(learning)
		m.Notify(stream.KafkaOutage{Operation: "read secret.topic/0", Err: errors.New("dial tcp 10.9.8.7:9092"), Attempt: 1})
		return m.Handler(zap.NewAtomicLevel(), nil, Access{Token: token})
	}
	halted := func() http.Handler {
		m := NewMonitor("test", "adult")
		m.Watch(func() stream.Status {
			s := learning()
			s.Phase, s.Reason = stream.PhaseHalted, "missing_key in field secret.topic of 10.9.8.7"
			return s
		})
		return m.Handler(zap.NewAtomicLevel(), nil, Access{Token: token})
	}
	scorer := func() http.Handler {
		s := NewScoring("test", "adult")
		s.Watch(func() scoring.Status { return scoring.Status{} })
		s.Failed("read secret.topic/0", errors.New("dial tcp 10.9.8.7:9092"), time.Now())
		return s.Handler(Access{Token: token})
	}
	for word, handler := range map[string]func() http.Handler{"a Kafka operation fails": failing, "halted": halted, "a Kafka operation fails ": scorer} {
		for name, c := range map[string]struct {
			from, bearer string
			whole        bool
		}{
			"this machine":  {here, "", true},
			"elsewhere":     {elsewhere, "", false},
			"a wrong token": {elsewhere, token + "x", false},
			"the token":     {elsewhere, token, true},
		} {
			code, text := getFrom(t, handler(), c.from, "/readyz", "Authorization", "Bearer "+c.bearer)
			if code != http.StatusServiceUnavailable {
				t.Errorf("%s: %d", name, code)
			}
			if whole := strings.Contains(text, "secret.topic") && strings.Contains(text, "10.9.8.7"); whole != c.whole {
				t.Errorf("%s: %s", name, text)
			}
			if some := strings.Contains(text, "secret.topic") || strings.Contains(text, "10.9.8.7"); some != c.whole || !c.whole && !strings.HasPrefix(text, strings.TrimSpace(word)) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}
