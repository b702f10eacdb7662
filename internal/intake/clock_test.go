package intake

import (
	"encoding/json"
	"testing"
	"time"
)

// TestTheClockNeverGoesBack: records of an earlier time, however many, leave it where it is.
func TestTheClockNeverGoesBack(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var c clock
	for range certain {
		c.tick(0, begin, false)
	}
	if c.At != begin.UnixMilli() {
		t.Fatalf("%+v", c)
	}
	for range 3 * certain {
		if c.tick(0, begin.Add(-time.Hour), false) {
			t.Fatal("it moved")
		}
	}
	if c.tick(0, time.Time{}, false); c.At != begin.UnixMilli() {
		t.Errorf("%+v", c)
	}
	for _, ms := range []int64{-1, 0, 1} { // 1970 stands for a time that is not known
		before := c.Ticks
		if c.tick(0, time.UnixMilli(ms), false); c.Ticks > before != (ms > 0) {
			t.Errorf("%d ms since 1970: %+v", ms, c)
		}
	}
}

// TestTheSlowestPartitionCounts, also one whose first records come late, and one without records no longer once others have brought many.
func TestTheSlowestPartitionCounts(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var c clock
	tick := func(partition int32, hours, times int) (moved bool) {
		for range times {
			moved = c.tick(partition, begin.Add(time.Duration(hours)*time.Hour), false) || moved
		}
		return moved
	}
	age := func(hours int) time.Duration {
		t.Helper()
		return time.Duration(c.since(begin.Add(time.Duration(hours)*time.Hour).UnixMilli(), 1)) * time.Millisecond
	}
	tick(0, 5, certain)
	if !tick(0, 9, certain) || age(0) != 9*time.Hour {
		t.Fatalf("one partition: %v", age(0))
	}
	if tick(1, 2, 1) || age(0) != 2*time.Hour || c.At != begin.Add(9*time.Hour).UnixMilli() {
		t.Errorf("the first record of another: %v", age(0))
	}
	if tick(0, 20, certain) || age(0) != 2*time.Hour {
		t.Errorf("one is ahead: %v", age(0))
	}
	if !tick(1, 7, certain) || age(0) != 7*time.Hour {
		t.Errorf("the other one follows: %v", age(0))
	}
	if tick(0, 21, 2*idle-certain) || age(0) != 7*time.Hour {
		t.Errorf("it is silent: %v", age(0))
	}
	tick(0, 22, 2*certain)
	if !tick(0, 23, certain) || age(0) != 23*time.Hour {
		t.Errorf("it is idle: %v", age(0))
	}
	if tick(1, 8, 1) || age(0) != 7*time.Hour {
		t.Errorf("it comes back: %v", age(0))
	}
}

// TestAPartitionThatIsReadHoldsTimeUpByTheSlackAlone: until a record comes to it, or is known to be there. How a process that goes on finds it is not known.
func TestAPartitionThatIsReadHoldsTimeUpByTheSlackAlone(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := clock{slack: (2 * time.Hour).Milliseconds()}
	tick := func(partition int32, hours int) {
		for range certain {
			c.tick(partition, begin.Add(time.Duration(hours)*time.Hour), false)
		}
	}
	resting := map[int32]bool{}
	rest := func(partition int32, is bool) bool {
		resting[partition] = is
		return c.rest(func(partition int32) bool { return resting[partition] })
	}
	expect := func(what string, hours int) {
		t.Helper()
		if got := c.since(begin.UnixMilli(), 1); got != (time.Duration(hours) * time.Hour).Milliseconds() {
			t.Errorf("%s: %v ms, want %d hours", what, got, hours)
		}
	}
	tick(0, 1)
	tick(1, 4)
	expect("both are read", 1)
	if !rest(0, true) || rest(0, true) || rest(2, true) {
		t.Error("time did not move once")
	}
	expect("nothing more is in the first one", 2)
	tick(1, 10)
	expect("the other one goes on", 8)
	if rest(0, false) {
		t.Error("time moves on")
	}
	expect("there is more", 1)
	rest(0, true)
	expect("not any more", 8)
	c.tick(0, begin.Add(2*time.Hour), false)
	expect("a record comes", 1)
	rest(0, true)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var again clock
	if err := json.Unmarshal(text, &again); err != nil || again.Hands[0].rests {
		t.Error(err)
	}
	rest(1, true)
	expect("all are read", 10-2)
}

// TestNothingIsOverdueBeforeTheTimeIsKnown: of a quiet job all is read again and again while its first few records wait.
func TestNothingIsOverdueBeforeTheTimeIsKnown(t *testing.T) {
	c := clock{slack: time.Hour.Milliseconds()}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range certain - 1 {
		resting := i%2 == 0
		if c.tick(0, now, i > 10) || c.rest(func(int32) bool { return resting }) || c.since(0, 1) != 0 {
			t.Fatalf("after %d records: %+v", i+1, c)
		}
	}
}

// TestOwnTimesCount: once there are any, Kafka's do not, and what they said before is forgotten.
func TestOwnTimesCount(t *testing.T) {
	now, then := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	var c clock
	for range certain {
		c.tick(0, now, false)
	}
	for range certain {
		c.tick(0, then, true)
	}
	for range 3 * certain {
		if c.tick(0, now, false) {
			t.Fatal("Kafka's time moves the clock")
		}
	}
	if c.At != then.UnixMilli() || c.Slowest != c.At {
		t.Errorf("%+v", c)
	}
}

// TestTheLastMarkIsKept: of the marks before the oldest entry, all but the last mark go.
func TestTheLastMarkIsKept(t *testing.T) {
	for marks := range 4 {
		c := clock{}
		for i := range marks {
			c.Marks = append(c.Marks, mark{Number: int64(i), At: int64(i)})
		}
		if got := c.since(0, 9); got != 0 || len(c.Marks) != min(marks, 1) || marks > 0 && c.Marks[0].Number != int64(marks-1) {
			t.Errorf("of %d marks: %+v, %d", marks, c.Marks, got)
		}
	}
}
