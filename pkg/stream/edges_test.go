package stream

import (
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestHowFarAPartitionIs: what is still to be processed, how old the last processed record is meanwhile, and partitions from which nothing was learnt yet.
func TestHowFarAPartitionIs(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		next, end int64
		newest    time.Time
		lag       int64
		behind    time.Duration
	}{
		{5, 9, now.Add(-time.Minute), 4, time.Minute}, {9, 9, now.Add(-time.Minute), 0, 0}, {9, 5, now.Add(-time.Minute), 0, 0}, {8, 9, time.Time{}, 1, 0}, {8, 9, now.Add(time.Minute), 1, 0},
	} {
		p := PartitionStatus{Ledger: Ledger{Next: c.next}, End: c.end, Newest: c.newest}
		if p.Lag() != c.lag || p.Behind(now) != c.behind {
			t.Errorf("%+v: %d offsets and %v behind", c, p.Lag(), p.Behind(now))
		}
	}
	var s Status
	s.Partitions = []PartitionStatus{{Ledger: Ledger{Partition: 3, Next: 7}}}
	s.bound(kafka.Position{Partition: 3, Next: 70, LogStart: 2, LastStable: 9, HighWatermark: 12})
	s.bound(kafka.Position{Partition: 4, Next: -1, LogStart: 2, LastStable: 9, HighWatermark: 12})
	s.bound(kafka.Position{Partition: 5, Next: 0, LogStart: 1, LastStable: 8, HighWatermark: 8})
	if p := s.Partitions; len(p) != 2 || p[0].Next != 7 || p[0].LogStart != 2 || p[0].End != 9 || p[0].Unstable != 3 || p[1].Partition != 5 || p[1].Next != 0 || p[1].LogStart != 1 || p[1].End != 8 || p[1].Unstable != 0 {
		t.Errorf("%+v", s.Partitions)
	}
}

// TestVersionsInWords names a version as a person gave it: with its term, or without.
func TestVersionsInWords(t *testing.T) {
	for want, e := range map[string]*NoSuchVersion{
		"topic m holds no version 7 of job j: `fairstream models list` shows those it holds":   {Topic: "m", Job: "j", Version: 7},
		"topic m holds no version 2/7 of job j: `fairstream models list` shows those it holds": {Topic: "m", Job: "j", Term: 2, Version: 7},
		"topic m holds no version 1/7 of job j: `fairstream models list` shows those it holds": {Topic: "m", Job: "j", Term: 1, Version: 7},
	} {
		if e.Error() != want {
			t.Errorf("%s, want %s", e, want)
		}
	}
	info := SnapshotInfo{Rejected: map[string]int64{"a": 3, "b": 4}}
	if info.RejectedRecords() != 7 {
		t.Errorf("%d records are rejected", info.RejectedRecords())
	}
	if endOf(nil) != 0 || endOf([]kafka.Bounds{{End: 9}, {End: 12}}) != 9 {
		t.Error("the end of the first partition")
	}
	if WaitingTransaction("j") != "fairstream.j.waiting" {
		t.Error(WaitingTransaction("j"))
	}
}

// TestRequestsAreAttendedOnce: a request that waits is carried out once, however often it is found, until its answer is in the log; what was told is given
// once.
func TestRequestsAreAttendedOnce(t *testing.T) {
	var s story
	carried := 0
	attend := func(ids ...string) bool {
		var waiting []Request
		for _, id := range ids {
			waiting = append(waiting, Request{ID: id})
		}
		return s.attend(waiting, func(r *Request) Answer { carried++; return Answer{ID: r.ID} })
	}
	for i, c := range []struct {
		ids     []string
		any     bool
		carried int
	}{{nil, false, 0}, {[]string{"a"}, true, 1}, {[]string{"a"}, false, 1}, {[]string{"a", "b", "c"}, true, 3}, {[]string{"c"}, false, 3}, {[]string{"a", "c"}, true, 4}} {
		if got := attend(c.ids...); got != c.any || carried != c.carried {
			t.Errorf("%d: attended %t, %d carried out", i, got, carried)
		}
	}
	if _, answers := s.take(); len(answers) != 4 {
		t.Errorf("%d answers", len(answers))
	}
	if entries, answers := s.take(); len(answers) != 0 || len(entries) != 0 {
		t.Errorf("%d answers again", len(answers))
	}
}
