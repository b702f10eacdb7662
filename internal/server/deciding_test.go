package server

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestWhetherAServerDecides: not before the first document, not while a write fails that it needs, and not once it is told to stop; and what it serves.
func TestWhetherAServerDecides(t *testing.T) {
	there := false
	d := NewDeciding(DecidingOptions{Program: "test", Job: "adult", HasDocument: func() bool { return there }, NeedsKafka: true, BodyBytes: 1000})
	more := prometheus.NewGauge(prometheus.GaugeOpts{Name: "more"})
	more.Set(7)
	d.Register(more)
	say := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, http.StatusOK, text+r.URL.Path) })
	}
	handler := d.Handler(Access{}, say("api "), say("public "))
	ready := func(code int, word, reason string) {
		t.Helper()
		got, _ := get(t, handler, "/readyz")
		_, local := getFrom(t, handler, "127.0.0.1:1234", "/readyz")
		if got != code || !strings.Contains(local, reason) || d.word() != word {
			t.Errorf("%d, %q, %q; want %d, %q, %q", got, local, d.word(), code, reason, word)
		}
		want := map[bool]string{true: "1", false: "0"}[code == http.StatusOK]
		if _, text := get(t, handler, "/metrics"); !regexp.MustCompile(`(?m)^fairstream_serve_ready\{job_name="adult"\} ` + want + "$").MatchString(text) {
			t.Errorf("ready is not %s in the metrics", want)
		}
	}
	ready(http.StatusServiceUnavailable, firstDocument, firstDocument)
	there = true
	const fails = "a Kafka operation fails"
	ready(http.StatusOK, fails, "")
	d.Failed("write the log", errors.New("away"), time.Unix(0, 0))
	ready(http.StatusServiceUnavailable, fails, "write the log fails since 1970-01-01T00:00:00Z: away")
	d.Failed("write the log", nil, time.Unix(0, 0))
	ready(http.StatusOK, fails, "")
	d.Notify(follow.Outage{Operation: "read", Err: errors.New("away"), Since: time.Unix(0, 0)})
	ready(http.StatusServiceUnavailable, fails, "read fails since")
	d.o.NeedsKafka = false
	ready(http.StatusOK, fails, "")
	for path, want := range map[string]string{"/v1/score": "api /v1/score", "/v2": "api /v2", "/v2/models": "api /v2/models", "/v2/health/live": "public /v2/health/live", "/livez": "ok", "/": "fairstream\n/v1/score"} {
		if code, text := getFrom(t, handler, "127.0.0.1:1234", path); code != http.StatusOK || !strings.HasPrefix(text, want) {
			t.Errorf("%s: %d %q", path, code, text)
		}
	}
	published := &follow.Model{Alias: "stable", Version: 7, Term: 2, Published: time.Now().Add(-time.Hour)}
	d.Notify(follow.Swapped{Model: published})
	d.Notify(follow.Swapped{Model: &follow.Model{Alias: "candidate", Version: 8, Term: 2}})
	_, text := get(t, handler, "/metrics")
	if !regexp.MustCompile(`(?m)^fairstream_serve_version_age_seconds\{alias="stable",job_name="adult"\} 3[56]\d\d`).MatchString(text) || strings.Contains(text, `version_age_seconds{alias="candidate"`) || !strings.Contains(text, `more{job_name="adult"} 7`) {
		t.Errorf("%s", text)
	}
	d.Notify(follow.Forgotten{Before: published})
	d.Notify(follow.Unwatched{Alias: "stable", Since: time.Unix(60, 0)})
	if _, text := get(t, handler, "/metrics"); strings.Contains(text, `version_age_seconds{alias="stable"`) || d.role("server") != "server\nversion: unwatched since 1970-01-01T00:01:00Z" {
		t.Errorf("%s, %q", text, d.role("server"))
	}
	d.Drain()
	ready(http.StatusServiceUnavailable, drainingReason, drainingReason)
}

// TestNobodyServes: the page shows no instances before it is given a fleet, and why they cannot be heard.
func TestNobodyServes(t *testing.T) {
	l := NewLive(NewMonitor("test", "adult"), board.Run, "adult", model.Config{})
	now := time.Now()
	if s := l.serving(now); s != nil {
		t.Errorf("%+v", s)
	}
	l.Serves(&heartbeat.Fleet{})
	if s := l.serving(now); s == nil || s.Known != 0 || s.Silent != 0 || s.Instances == nil || s.Reason != "" {
		t.Errorf("%+v", s)
	}
	l.Unheard(errors.New("away"))
	if s := l.serving(now); s.Reason != "away" {
		t.Errorf("%+v", s)
	}
	l.Unheard(nil)
	if s := l.serving(now); s.Reason != "" {
		t.Errorf("%+v", s)
	}
}
