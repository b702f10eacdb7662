package serve

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/scoring"
)

// many are records of which each has an identifier.
func many(t *testing.T, count int) []string {
	t.Helper()
	_, lines := learnt(t, count)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"id":"case %d",`, i) + lines[i][1:]
	}
	return lines
}

// TestPartsAreJoined: a request gets the same bytes from one worker and from several, and its log is in the order of its records.
func TestPartsAreJoined(t *testing.T) {
	lines := many(t, 1500)
	lines[700] = `{"age" 41}`
	answers := map[int]string{}
	for _, workers := range []int{1, 2, 5} {
		k := &topic{away: there()}
		s, _, end := logged(t, k, LogOptions{Wait: true, Timeout: time.Minute, Bound: 2000}, func(o *Options) { o.Workers = workers })
		w := post(s, "/v1/score", []byte(bodyOf(lines)), "X-Request-Id", "r")
		end()
		if answers[workers] = w.Body.String(); w.Code != http.StatusOK || answers[workers] != answers[1] {
			t.Errorf("%d workers: status %d, and another answer than that of one worker", workers, w.Code)
		}
		if len(k.written) != len(lines) {
			t.Fatalf("%d workers: %d decisions are logged, want %d", workers, len(k.written), len(lines))
		}
		for i, m := range k.written {
			id, key := fmt.Sprintf(`"id":"case %d"`, i), fmt.Sprintf("case %d", i)
			if i == 700 {
				id, key = `"rejected"`, ""
			}
			if string(m.Headers[0].Value) != fmt.Sprintf("r/%d", i) || string(m.Key) != key || !strings.Contains(string(m.Value), id) ||
				!strings.HasSuffix(string(m.Value), fmt.Sprintf(`"source":{"request":"r","record":%d}}`, i)) {
				t.Errorf("%d workers, decision %d: key %q, source %q: %s", workers, i, m.Key, m.Headers[0].Value, m.Value)
			}
		}
		if len(s.workers) != workers {
			t.Errorf("%d of %d workers are back", len(s.workers), workers)
		}
	}
}

// TestTheFirstRejectionRefuses: whichever part comes to its bad record first, the error names that of the lowest number.
func TestTheFirstRejectionRefuses(t *testing.T) {
	doc, _ := learnt(t, 0)
	o := small(Fixed(doc))
	o.Workers = 4
	s := newService(t, o)
	records := inBytes(many(t, 2000))
	for i := 450; i < len(records); i += 50 {
		records[i] = []byte("7")
	}
	_, err := s.decideAll(t.Context(), 0, &job{id: "r", whole: true}, records, nil, func([]byte, int, *judge, scoring.Outcome) []byte { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "record 450:") {
		t.Error(err)
	}
}

func inBytes(lines []string) (records [][]byte) {
	for _, line := range lines {
		records = append(records, []byte(line))
	}
	return records
}

// TestADefectInAPart: a panic of another goroutine is one of the request's, which the server survives, and no worker is lost.
func TestADefectInAPart(t *testing.T) {
	doc, lines := learnt(t, 1000)
	o := small(Fixed(doc))
	o.Workers = 3
	s := newService(t, o)
	records := inBytes(lines)
	for _, at := range []int{0, 999} {
		func() {
			defer func() {
				if value := recover(); value == nil || !strings.Contains(fmt.Sprint(value), "a defect") {
					t.Errorf("record %d: %v", at, value)
				}
			}()
			_, _ = s.decideAll(t.Context(), 0, &job{id: "r"}, records, nil, func(out []byte, i int, _ *judge, _ scoring.Outcome) []byte {
				if i == at {
					panic("a defect")
				}
				return out
			})
			t.Errorf("record %d: no panic", at)
		}()
		if len(s.workers) != 3 {
			t.Errorf("record %d: %d of 3 workers are back", at, len(s.workers))
		}
	}
}
