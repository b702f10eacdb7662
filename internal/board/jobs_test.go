package board

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestTheListOfJobs is made once for all who ask within a moment, and has no null where a list is empty.
func TestTheListOfJobs(t *testing.T) {
	asked := 0
	x := NewIndex(func() *Jobs {
		asked++
		return &Jobs{Schema: 1, Ready: true}
	})
	for range 3 {
		w := ask(t, x.API(), "/api/v1/jobs")
		var jobs map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &jobs); err != nil || w.Code != http.StatusOK || jobs["jobs"] == nil || jobs["refused"] == nil || jobs["ready"] != true {
			t.Errorf("%d: %s, %v", w.Code, w.Body, err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	if w := ask(t, x.Page(), "/"); w.Code != http.StatusOK {
		t.Errorf("%d", w.Code)
	}
	broken := NewIndex(func() *Jobs {
		return &Jobs{Jobs: []JobRow{{Verdicts: nil}}, Refused: []Refused{{File: "a", Reason: "b"}}}
	})
	if w := ask(t, broken.API(), "/api/v1/jobs"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"refused":[{"file":"a","reason":"b"}]`) {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}
