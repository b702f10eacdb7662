package history

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"
)

// at is an entry of a kind, hours after the beginning.
func at(hours float64, term int64, kind Kind) Entry {
	return Entry{Job: "loans", ID: fmt.Sprint(kind, hours), Kind: kind, Time: begin.Add(time.Duration(hours * float64(time.Hour))), Term: term,
		Who: Who{Service: "fairstream run", Host: "h", Actor: "ada", Reason: "law"}, ConfigSHA256: "c"}
}

func published(hours float64, term, version int64, tau, value, lo, hi float64, status string) Entry {
	e := at(hours, term, Publication)
	row := Row{Name: "sex", Criterion: "demographic-parity", Group: "m", Versus: "f", Tau: tau, Status: status}
	if status != notEstimable {
		row.Value, row.Lo, row.Hi = &value, &lo, &hi
	}
	e.Publication = &Published{Version: version, WeightsSHA256: fmt.Sprint("w", version), Key: "k", Constraints: []Row{row}}
	return e
}

// tenHours: nothing for an hour, then 2 h not estimable, 3 h met, 1 h inconclusive, 3 h violated under another
// tau.
func tenHours(t *testing.T) *Log {
	owner := at(0, 1, Owned)
	owner.Owner = &Owner{Version: 0}
	first := at(0, 1, Configuration)
	first.ID, first.Configuration = "first", &Configured{Whole: json.RawMessage(`{"tau":0.05}`)}
	changed := at(7, 2, Configuration)
	changed.Configuration = &Configured{Version: 40, Whole: json.RawMessage(`{"tau":0.15}`), Changes: []Change{{"tau", json.RawMessage("0.05"), json.RawMessage("0.15")}}}
	loss := at(8, 2, DataLoss)
	loss.Loss = &Loss{Topic: "loans", Kind: "below-start", Offset: 5, Resume: 9, Lost: 4}
	log := write(t, owner, first,
		published(1, 1, 10, .05, 0, 0, 0, notEstimable),
		published(3, 1, 20, .05, .01, -.01, .03, met),
		published(6, 1, 30, .05, .04, .02, .06, inconclusive),
		changed, published(7, 2, 40, .15, -.3, -.4, -.2, violated), loss)
	l := NewLog()
	for i, value := range log {
		if err := l.Add(int64(i), value, Seal{}); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func TestAudit(t *testing.T) {
	l := tenHours(t)
	hour := func(h int) time.Time { return begin.Add(time.Duration(h) * time.Hour) }
	for _, test := range []struct {
		name                               string
		period                             Period
		notEstimable, met, inc, vio, none  float64
		versions, changes, owners, gapsAre int
	}{
		{"all", Period{Until: hour(10)}, .2, .3, .1, .3, .1, 4, 1, 1, 2},
		{"the version in use when it begins", Period{hour(4), hour(6)}, 0, 1, 0, 0, 0, 1, 0, 0, 0},
		{"to before the change", Period{hour(3), hour(7)}, 0, .75, .25, 0, 0, 2 + 1, 0, 0, 1},
		{"before everything", Period{hour(-4), hour(0)}, 0, 0, 0, 0, 0, 0, 0, 0, 1},
	} {
		a := l.Audit(test.period, hour(24), 150*time.Minute)
		if len(a.Versions) != test.versions || len(a.Changes) != test.changes || len(a.Owners) != test.owners || len(a.Gaps) != test.gapsAre || !a.Chain.Whole {
			t.Errorf("%s: %d versions, %d changes, %d owners, gaps %+v, chain %+v", test.name, len(a.Versions), len(a.Changes), len(a.Owners), a.Gaps, a.Chain)
		}
		if test.versions == 0 {
			continue
		}
		c := a.Constraints[0]
		for status, want := range map[string]float64{notEstimable: test.notEstimable, met: test.met, inconclusive: test.inc, violated: test.vio, "none": test.none} {
			if math.Abs(c.Share[status]-want) > 1e-12 {
				t.Errorf("%s: %s for %v of the time, want %v", test.name, status, c.Share[status], want)
			}
		}
		if c.Within.Lo != c.Share[met] || c.Within.Hi != 1-c.Share[violated] {
			t.Errorf("%s: within tau %+v", test.name, c.Within)
		}
	}
	a := l.Audit(Period{Until: hour(10)}, hour(10), time.Hour)
	change := a.Changes[0]
	if change.String() != "tau: 0.05 -> 0.15" || !change.Time.Equal(hour(7)) || change.Term != 2 || change.Who.Host != "h" || change.Who.Actor != "ada" || change.Version != 40 {
		t.Errorf("change %+v", change)
	}
	if c := a.Constraints[0]; *c.Largest.Value != -.3 || c.LargestVersion != 40 || c.LargestTerm != 2 || fmt.Sprint(c.Taus) != "[0.05 0.15]" {
		t.Errorf("largest %+v of version %d, taus %v", c.Largest, c.LargestVersion, c.Taus)
	}
	if len(a.Losses) != 1 || a.Losses[0].Lost != 4 {
		t.Errorf("losses %+v", a.Losses)
	}
}

// TestABeginningThatIsGone: a limited retention of the topic is a break only where the period asked for reaches
// back to it.
func TestABeginningThatIsGone(t *testing.T) {
	complete := six(t)
	l := read(t, complete[2:], complete)
	if a := l.Audit(Period{Until: begin.Add(time.Hour)}, begin.Add(time.Hour), time.Hour); a.Chain.Whole || len(a.Chain.Breaks) != 1 || a.Chain.Breaks[0].Sequence != 1 {
		t.Errorf("of all time: %+v", a.Chain)
	}
	if a := l.Audit(Period{Since: begin.Add(3 * time.Second), Until: begin.Add(time.Hour)}, begin.Add(time.Hour), time.Hour); !a.Chain.Whole {
		t.Errorf("of the time since: %+v", a.Chain)
	}
	l.Expect(1, "x", "a document")
	if a := l.Audit(Period{Since: begin.Add(3 * time.Second), Until: begin.Add(time.Hour)}, begin.Add(time.Hour), time.Hour); !a.Chain.Whole {
		t.Errorf("with a reference to what is gone: %+v", a.Chain)
	}
}

// TestHowManyEntriesAreGone: of a history that begins later, from which entry on it is there, of a period that begins before it or anywhere.
func TestHowManyEntriesAreGone(t *testing.T) {
	begins := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		first int64
		since time.Time
		want  string
	}{
		{1, time.Time{}, ""}, {2, time.Time{}, "the history begins with entry 2: entries 1 to 1 were deleted"}, {5, time.Time{}, "the history begins with entry 5: entries 1 to 4 were deleted"},
		{5, begins.Add(-1), "the history begins with entry 5: entries 1 to 4 were deleted"}, {5, begins, ""}, {5, begins.Add(1), ""},
	} {
		l := NewLog()
		l.first, l.all = c.first, []noted{{Entry: &Entry{Sequence: c.first, ID: "a", Kind: Reset, Time: begins}}}
		breaks := l.broken(c.since)
		if (len(breaks) > 0) != (c.want != "") || c.want != "" && (len(breaks) != 1 || breaks[0].Problem != c.want || breaks[0].Sequence != 1 || breaks[0].Offset != -1 || !breaks[0].Time.Equal(begins)) {
			t.Errorf("from entry %d on, since %v: %+v", c.first, c.since, breaks)
		}
	}
}

// TestOtherWeights: a document that was replaced is found, and one that the history does not tell of is no break.
func TestOtherWeights(t *testing.T) {
	entry := published(1, 1, 10, .05, .01, -.01, .03, met)
	entry.Publication.Key = "loans/v/1/10"
	l := NewLog()
	for i, value := range write(t, entry) {
		if err := l.Add(int64(i), value, Seal{}); err != nil {
			t.Fatal(err)
		}
	}
	period := Period{Until: begin.Add(time.Hour * 24)}
	l.ExpectWeights("loans/v/1/10", "w10", "the document")
	l.ExpectWeights("loans/v/1/5", "w5", "an earlier document")
	if breaks := l.Audit(period, period.Until, time.Hour).Chain.Breaks; len(breaks) != 0 {
		t.Errorf("%+v", breaks)
	}
	l.ExpectWeights("loans/v/1/10", "w11", "the document")
	if breaks := l.Audit(period, period.Until, time.Hour).Chain.Breaks; len(breaks) != 1 || breaks[0].Offset != -1 || breaks[0].Problem != "the document has other weights than entry 1 says: one of them was altered" {
		t.Errorf("%+v", breaks)
	}
}
