package stream

import (
	"fmt"
	"testing"
)

// TestASmallerBufferCountsWhatItDrops: records that give way when a snapshot is restored under a smaller stream.labels are counted.
func TestASmallerBufferCountsWhatItDrops(t *testing.T) {
	schema := mustSchema(t, labelOptions().Model)
	large := newLabelBuffer(LabelBuffer{Records: 10, Bytes: 1 << 20}, schema)
	for i := range 12 {
		large.keep(&waiting{key: fmt.Sprint(i), value: []byte("{}")})
	}
	small := newLabelBuffer(LabelBuffer{Records: 4, Bytes: 1 << 20}, schema)
	if err := small.restore(large.appendState(nil, 0)); err != nil {
		t.Fatal(err)
	}
	if s := small.status(); s.Waiting != 4 || s.Dropped != 8 {
		t.Errorf("%+v; of 12 records 2 gave way before, and 6 at the restart", s)
	}
}
