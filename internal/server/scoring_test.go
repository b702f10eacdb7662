package server

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestScoringIsServed: ready once there is a document and while Kafka answers; docs/decisions.md has every metric, and no
// other.
func TestScoringIsServed(t *testing.T) {
	s := NewScoring("test", "adult")
	handler := s.Handler(Access{})
	if code, _ := get(t, handler, "/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("before the first document: %d", code)
	}
	s.Notify(follow.Withheld{Alias: "stable", Refused: follow.Refused{Key: "adult/stable", Offset: 7, Err: errors.New("it is not signed")}})
	if code, text := getFrom(t, handler, "127.0.0.1:1234", "/readyz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "the record of the alias stable at offset 7 is refused: it is not signed") {
		t.Errorf("while the alias is refused: %d %s", code, text)
	}
	first := &follow.Model{Alias: "latest", Version: 100, Term: 1}
	s.Notify(follow.Swapped{Model: first})
	s.Notify(follow.Swapped{Model: &follow.Model{Alias: "stable", Version: 90, Term: 1}, Before: first})
	s.Notify(follow.Refused{Key: "adult/v/9/9", Err: errors.New("forged")})
	s.Watch(func() scoring.Status {
		return scoring.Status{Scored: 7, Rejected: 2, Next: map[int32]int64{0: 5, 1: 4}, Ends: map[int32]int64{0: 15}}
	})
	if code, _ := get(t, handler, "/readyz"); code != http.StatusOK {
		t.Errorf("deciding: %d", code)
	}
	_, text := get(t, handler, "/metrics")
	for _, line := range []string{
		`fairstream_score_records_total{job_name="adult",outcome="scored"} 7`, `fairstream_score_records_total{job_name="adult",outcome="rejected"} 2`,
		`fairstream_score_lag_records{job_name="adult",partition="0"} 10`, `fairstream_score_next_offset{job_name="adult",partition="1"} 4`,
		`fairstream_score_version{alias="stable",job_name="adult"} 90`, `fairstream_score_term{alias="stable",job_name="adult"} 1`,
		`fairstream_score_refused_total{job_name="adult"} 1`, `fairstream_score_ready{job_name="adult"} 1`,
	} {
		if !regexp.MustCompile("(?m)^" + regexp.QuoteMeta(line) + "$").MatchString(text) {
			t.Errorf("no line %s in\n%s", line, text)
		}
	}
	if regexp.MustCompile(`alias="latest"`).MatchString(text) {
		t.Error("the alias that is no longer in use is still there")
	}
	s.Failed("write to decisions/0", errors.New("away"), time.Now())
	if code, _ := get(t, handler, "/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("while Kafka is away: %d", code)
	}
	s.Failed("write to decisions/0", nil, time.Now())
	waits := []stream.SchemaWait{{Schema: "schema id 7", Cause: errors.New("the registry answers 401")}}
	s.Awaits(func() []stream.SchemaWait { return waits })
	if code, _ := get(t, handler, "/readyz"); code != http.StatusOK {
		t.Errorf("while a schema is awaited: %d", code)
	}
	waits[0].Late = true
	if code, said := getFrom(t, handler, "127.0.0.1:1234", "/readyz"); code != http.StatusServiceUnavailable || !strings.Contains(said, "schema id 7 since") || !strings.Contains(said, "answers 401") {
		t.Errorf("while a schema has been awaited too long: %d %s", code, said)
	}
	if _, metrics := get(t, handler, "/metrics"); !strings.Contains(metrics, `fairstream_score_schemas_awaited{job_name="adult"} 1`) {
		t.Error("the metric does not count the schema")
	}
	if code, _ := get(t, handler, "/livez"); code != http.StatusOK {
		t.Errorf("alive: %d", code)
	}

	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "decisions.md"))
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`fairstream_score_[a-z_]+`)
	served, listed := name.FindAllString(text, -1), name.FindAllString(string(document), -1)
	slices.Sort(served)
	slices.Sort(listed)
	if served, listed = slices.Compact(served), slices.Compact(listed); !slices.Equal(served, listed) {
		t.Errorf("served %q, listed %q", served, listed)
	}
}
