package server

import (
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestVerdictsThatChangeAreMarked, but for the first one, and once each.
func TestVerdictsThatChangeAreMarked(t *testing.T) {
	l := liveOf(stream.Status{})
	var texts []string
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, status := range []fairness.Status{fairness.NotEstimable, fairness.Met, fairness.Met, fairness.Violated, fairness.NotEstimable, fairness.Violated, fairness.Inconclusive} {
		n := int64(100 * (i + 1))
		s := stream.Status{Version: n, MeasuredVersion: n, Published: n - 50, Measurements: &document.Measurements{Constraints: []fairness.Estimate{{Name: "sex", Criterion: fairness.DemographicParity, Group: "m", Versus: "f", Value: 0.1, Status: status}}}}
		for range 2 { // what was measured before is no news
			l.track.observe(&s, at.Add(time.Duration(i)*time.Second))
		}
	}
	series := l.track.of(board.Key{Name: "sex"})
	for _, m := range series.Marks {
		texts = append(texts, m.Text)
	}
	want := []string{`recent records: from "within the limit" to "beyond the limit"`, `recent records: from "beyond the limit" to "cannot be estimated"`, `recent records: from "beyond the limit" to "not known yet"`}
	if len(series.Points) != 7 || series.Points[6].N != 700 || series.Points[6].Version != 650 {
		t.Errorf("%+v", series.Points)
	}
	if len(texts) != len(want) {
		t.Fatalf("%q", texts)
	}
	for i := range want {
		if texts[i] != want[i] {
			t.Errorf("%q, want %q", texts[i], want[i])
		}
	}
}

// TestMarksStayBounded: where there are too many, publications go first, and then the oldest.
func TestMarksStayBounded(t *testing.T) {
	marks := func(publications, verdicts int) (s *board.Series) {
		s = &board.Series{}
		for i := range publications + verdicts {
			kind := board.MarkVerdict
			if i < publications {
				kind = board.MarkPublication
			}
			s.Marks = append(s.Marks, board.Mark{N: int64(2 * i), Kind: kind})
		}
		return s
	}
	for _, c := range []struct{ publications, verdicts, wantPublications, wantVerdicts int }{
		{3, board.MostMarks - 4, 3, board.MostMarks - 4}, {4, board.MostMarks - 4, 3, board.MostMarks - 4}, {50, board.MostMarks - 1, 0, board.MostMarks - 1}, {0, board.MostMarks, 0, board.MostMarks - 1}, {9, 5, 9, 5},
	} {
		s := marks(c.publications, c.verdicts)
		tr := &track{marks: []board.Mark{{N: 1 << 40, Kind: board.MarkLoss}}} // one of the job, the newest
		tr.add(s)
		counts := map[board.MarkKind]int{}
		for i, m := range s.Marks {
			if counts[m.Kind]++; i > 0 && m.N < s.Marks[i-1].N {
				t.Fatalf("%+v: not in order", c)
			}
		}
		if counts[board.MarkPublication] != c.wantPublications || counts[board.MarkVerdict] != c.wantVerdicts || counts[board.MarkLoss] != 1 {
			t.Errorf("%+v: %v", c, counts)
		}
	}
}

// TestAPartitionWithoutRecords has an end, 0, and a lag; one whose end is not known has neither.
func TestAPartitionWithoutRecords(t *testing.T) {
	l := liveOf(stream.Status{})
	var empty, unknown stream.PartitionStatus
	unknown.Partition, unknown.End = 1, -1
	b := l.stream(&stream.Status{Partitions: []stream.PartitionStatus{empty, unknown}}, board.Unknown(), time.Now())
	if b.Partitions[0].End != 0 || b.Partitions[0].Lag != 0 || b.LagRecords != 0 || b.Partitions[1].End.Known() || b.Partitions[1].Lag.Known() {
		t.Errorf("%+v", b)
	}
}
