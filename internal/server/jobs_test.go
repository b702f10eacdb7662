package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestJobsAreProtectedAsOne: who may not read a job alone may not read it among others.
func TestJobsAreProtectedAsOne(t *testing.T) {
	const token = "0123456789abcdef"
	many := NewJobs("test", zap.NewAtomicLevel(), Access{Token: token})
	many.Add("a", NewLive(NewMember("a"), board.Run, "a", model.Config{}))
	handler := many.Handler()
	ask := func(path, from, host, sent string) int {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr, r.Host = from, host
		if sent != "" {
			r.Header.Set("Authorization", "Bearer "+sent)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code
	}
	const here, elsewhere = "127.0.0.1:1", "192.0.2.1:1"
	for _, path := range []string{"/api/v1/jobs", "/jobs/a/api/v1/status"} {
		for _, c := range []struct {
			from, host, sent string
			code             int
		}{
			{here, "localhost", token, http.StatusOK}, {here, "localhost", "", http.StatusUnauthorized}, {here, "evil.example", token, http.StatusForbidden},
			{elsewhere, "192.0.2.2", token, http.StatusForbidden}, // without TLS
		} {
			if code := ask(path, c.from, c.host, c.sent); code != c.code {
				t.Errorf("%s %+v: %d", path, c, code)
			}
		}
	}
	for path, code := range map[string]int{"/": 200, "/jobs/a/": 200, "/jobs/a": 301, "/livez": 200, "/metrics": 401, "/jobs/a/metrics": 401, "/jobs/b/": 404, "/readyz": 503} {
		if got := ask(path, here, "localhost", ""); got != code {
			t.Errorf("%s: %d, want %d", path, got, code)
		}
	}
}

// TestReadinessOfJobsNamesThem: over the network without the token, it counts them.
func TestReadinessOfJobsNamesThem(t *testing.T) {
	many := NewJobs("test", zap.NewAtomicLevel(), Access{})
	many.Add("a", NewLive(NewMember("a"), board.Run, "a", model.Config{}))
	many.Add("b", liveOf(learning()))
	many.Refuse([]board.Refused{{File: "c.yaml", Reason: "it is wrong"}})
	if got := strings.Join(many.NotReady(), "|"); got != "refused: c.yaml: it is wrong|job a: starting" {
		t.Error(got)
	}
	if got := many.word(); got != "1 of 2 jobs are not ready, 1 files are refused" || strings.Contains(got, "c.yaml") {
		t.Error(got)
	}
}
