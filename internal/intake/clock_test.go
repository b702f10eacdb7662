package intake

import (
	"testing"
	"time"
)

// TestTheClockNeverGoesBack: records of an earlier time, however many, leave it where it is.
func TestTheClockNeverGoesBack(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var c clock
	for range certain {
		c.tick(begin)
	}
	if c.At != begin.UnixMilli() || c.First != c.At {
		t.Fatalf("%+v", c)
	}
	for range 3 * certain {
		if c.tick(begin.Add(-time.Hour)) {
			t.Fatal("it moved")
		}
	}
	if c.tick(time.Time{}); c.At != begin.UnixMilli() {
		t.Errorf("%+v", c)
	}
	if before := begin.Add(-time.Hour); c.of(before) != before.UnixMilli() || c.of(begin.AddDate(50, 0, 0)) != c.At || c.since(before.UnixMilli()) != time.Hour.Milliseconds() {
		t.Errorf("of earlier and later records: %d, %d", c.of(before), c.of(begin.AddDate(50, 0, 0)))
	}
}
