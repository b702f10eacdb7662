package owner

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

// heardGarbage is a listener that keeps what it is told of garbage.
type heardGarbage struct {
	Listener
	found []Garbage
	total int
}

func (h *heardGarbage) Owned(_, _ Claim) {}

func (h *heardGarbage) Garbage(found []Garbage, total int) { h.found, h.total = found, total }

// TestGarbageIsToldOnce: a listener hears of what was passed over from an offset on, and how much there is in all.
func TestGarbageIsToldOnce(t *testing.T) {
	var heard heardGarbage
	s := settingsOf(newWorld())
	s.Listener = &heard
	for _, key := range []string{"job/claim/a", "job/beat/b", "other/claim/c", "job/unknown/d"} {
		if _, err := s.Log.Append(t.Context(), s.Topic, 0, kafka.Message{Key: []byte(key), Value: []byte("garbage")}); err != nil {
			t.Fatal(err)
		}
	}
	j, err := Take(t.Context(), s, anything)
	if err != nil || len(heard.found) != 3 || heard.found[0].Offset != 0 {
		t.Fatalf("%v, told of %+v at the start", err, heard.found)
	}
	for i, g := range heard.found[:2] {
		if want := []string{"state topic: not a claim: ", "state topic: not a beat: "}[i]; !strings.HasPrefix(g.Reason, want) {
			t.Errorf("%+v, not %q", g, want)
		}
	}
	for from, want := range map[int64]int{0: 3, 1: 2, 2: 1, 3: 1, 4: 0} {
		j.tellGarbage(from)
		if len(heard.found) != want || heard.total != 3 || j.garbled != 3 {
			t.Errorf("from offset %d on: told of %d, of %d in all", from, len(heard.found), heard.total)
		}
	}
}
