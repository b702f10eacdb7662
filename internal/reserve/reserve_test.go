package reserve

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/record"
)

// What is held stays as it was while the reserve writes over its oldest records, and twice over.
func TestHold(t *testing.T) {
	s := New(.5, 3)
	add := func(text string) {
		s.Add(&record.Record{HasLabel: true, Weight: 1, Features: []record.Field{{Name: "a", Text: []byte(text)}}}, control.Both)
	}
	var helds []*Reserve
	var wants [][][]byte
	for i := range 12 {
		add(fmt.Sprint("text ", i))
		held := s.Hold()
		want := make([][]byte, 0, len(held.records))
		for _, packed := range held.records {
			want = append(want, bytes.Clone(packed))
		}
		helds, wants = append(helds, held), append(wants, want)
	}
	for i := range 9 {
		add(fmt.Sprint("other ", i))
	}
	for i, held := range helds {
		if !slices.EqualFunc(held.records, wants[i], bytes.Equal) || held.Count() != int64(i+1) {
			t.Errorf("after %d records %d were held, and they changed", i+1, held.Count())
		}
	}
	if s.lent != 0 {
		t.Errorf("%d records are still thought to be read elsewhere", s.lent)
	}
}
