package owner

import (
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

// heardGarbage is a listener that keeps what it is told of garbage.
type heardGarbage struct {
	Listener
	found []Garbage
	total int
}

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
	j, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[int64]int{0: 3, 1: 2, 2: 1, 3: 1, 4: 0} {
		j.tellGarbage(from)
		if len(heard.found) != want || heard.total != 3 || j.garbled != 3 {
			t.Errorf("from offset %d on: told of %d, of %d in all", from, len(heard.found), heard.total)
		}
	}
}
