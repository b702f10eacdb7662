package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestReport: the report is of whole days in UTC, for those who may read the data of the job; and it tells no error of Kafka.
func TestReport(t *testing.T) {
	l := liveOf(measured())
	const token = "secret-secret-secret"
	get := func(target, token string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost"
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		l.Handler(zap.NewAtomicLevel(), board.New(l), Access{Token: "secret-secret-secret"}).ServeHTTP(w, r)
		return w
	}
	if w := get("/report", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("without the token: %d", w.Code)
	}
	if w := get("/report", token); w.Code != http.StatusNotFound {
		t.Errorf("before the start: %d", w.Code)
	}
	var asked history.Period
	var fails error
	l.Audits(func(_ context.Context, p history.Period) (*history.Audit, error) {
		asked = p
		return &history.Audit{Period: p}, fails
	})
	w := get("/report?from=2026-01-02&to=2026-01-03", token)
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	if w.Code != http.StatusOK || !asked.Since.Equal(day) || !asked.Until.Equal(day.AddDate(0, 0, 2)) || !strings.Contains(w.Body.String(), "Fairness report of the job") ||
		!strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d, %v\n%s", w.Code, asked, w.Body)
	}
	for _, wrong := range []string{"from=yesterday", "to=1", "from=2026-01-03&to=2026-01-02", "from=2999-01-01"} {
		if w := get("/report?"+wrong, token); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, w.Code)
		}
	}
	fails = errors.New("dial tcp: connection refused")
	if w := get("/report", token); w.Code != http.StatusBadGateway || strings.Contains(w.Body.String(), "dial") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
