package monitor

import (
	"testing"
	"time"
)

// TestTheEventTimeGoesBackAfterLateRecordsInARow: only a thousand late records in a row show that the newest time was wrong. As
// many that come between records in time change nothing, and the period keeps what it counted.
func TestTheEventTimeGoesBackAfterLateRecordsInARow(t *testing.T) {
	f := newFrames(100, 24*time.Hour, 1)
	present := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	past := present.AddDate(0, -1, 0)
	counted := func() int64 { return f.inPeriod(make([]int64, 1), 0)[0] }
	record := func(at time.Time) {
		f.begin(at)
		f.add(0)
	}
	for range 3 * lateRow {
		record(past)
		record(present)
	}
	record(present)
	if f.late != 3*lateRow-1 || counted() < 3*lateRow {
		t.Fatalf("%d records are late, the period has %d", f.late, counted())
	}
	for range lateRow {
		record(past)
	}
	if counted() < 3*lateRow {
		t.Fatalf("after %d late records the period has %d", lateRow, counted())
	}
	record(past)
	if counted() != 1 {
		t.Errorf("after %d late records in a row the period has %d records, want the newest alone", lateRow+1, counted())
	}
}

// TestRecordsWithoutATime: they are in no period, and do not move it.
func TestRecordsWithoutATime(t *testing.T) {
	f := newFrames(100, 24*time.Hour, 1)
	record := func(at time.Time) {
		f.begin(at)
		f.add(0)
	}
	present := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	record(time.Time{})
	record(present)
	record(time.Time{})
	record(present)
	if counted := f.inPeriod(make([]int64, 1), 0)[0]; counted != 2 || f.late != 0 {
		t.Errorf("the period has %d records, want 2; %d are late", counted, f.late)
	}
}
