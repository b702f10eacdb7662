package audit

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/history"
)

// large has something in every list of an audit, with the long words that jobs and people have.
func large() *history.Audit {
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	sum := strings.Repeat("0123456789abcdef", 4)
	event := history.Event{Sequence: 7, Time: at, Term: 3, Who: history.Who{Service: "fairstream run", Program: "v0.0.0-20261122112902-fad123d8c093",
		Host: "scoring-worker-17.internal.example.com", Actor: "ada.lovelace@example.com", Reason: "the committee asked for a smaller difference in its decision 17"}}
	number := func(x float64) *float64 { return &x }
	row := history.Row{Name: "sex-by-region", Criterion: "demographic-parity", Group: "Male in the north", Versus: "Female in the north", Tau: 0.05,
		Value: number(0.034), Lo: number(0.012), Hi: number(0.049), Status: "met"}
	constraint := history.ConstraintReport{Name: row.Name, Criterion: row.Criterion, Group: row.Group, Versus: row.Versus, Taus: []float64{0.05, 0.15},
		Share: map[string]float64{"met": 1}, Largest: &row, LargestVersion: 48842, LargestTerm: 3}
	published := history.Published{Version: 48842, WeightsSHA256: sum, Constraints: []history.Row{row}}
	gate := history.Gate{Name: "comparison", Constraint: row.Name, Criterion: row.Criterion, Against: "3/40000", Status: "met", Value: row.Value, Lo: row.Lo, Hi: row.Hi, Limit: number(0.07)}
	released := history.Released{Number: 4, Step: "promoted", Record: 48842, Version: &history.Weights{Term: 3, Version: 48842, WeightsSHA256: sum},
		From: &history.Weights{Term: 2, Version: 40000, WeightsSHA256: sum}, To: &history.Weights{Term: 3, Version: 48842, WeightsSHA256: sum},
		Reason: "every gate that decides is met on the records since the version was frozen", Gates: []history.Gate{gate, gate}}
	return &history.Audit{
		Job: "loans", Period: history.Period{Since: at, Until: at.Add(time.Hour)},
		Chain: history.ChainReport{Breaks: []history.Break{{Sequence: 3, Offset: 2, Time: at, Problem: "it is not the entry whose SHA-256 the next one has, so it was altered or moved"}}, Repeated: 2},
		Clocks: history.Clocks{Back: []history.ClockStep{{Sequence: 12345, Term: 4, Host: "scoring-worker-17.internal.example.com", Before: at, Clock: at.Add(-time.Hour), Seconds: 3600}},
			Largest: 3600, Moved: 17, Ahead: 7200},
		Signatures: history.Signatures{Checked: true, Accepted: 4, Refused: []history.Refused{{Key: "loans/v/3/48842", Offset: 17, Reason: "no signature of the trusted keys is valid for this value"}},
			Entries: history.EntrySignatures{Signed: 12345, Before: 678, Refused: []history.Unsigned{{First: 700, Last: 700, Kind: history.DataLoss, Reason: "it is signed with key \"0123456789abcdef\", which is not among signing.public_keys"},
				{First: 12345, Last: 23456, Kind: history.Owned, Reason: "it is not signed"}}}},
		Constraints: []history.ConstraintReport{constraint},
		Versions:    []history.Version{{Event: event, Published: published, InUse: 3600}},
		Changes:     []history.Changed{{Event: event, Change: history.Change{Key: "learner.columns.applicant_income_of_the_household", Old: []byte(`"numeric"`), New: []byte(`"categorical"`)}}},
		Owners: []history.Takeover{{Event: event, Owner: history.Owner{Before: 2, Version: 40000}},
			{Event: event, Owner: history.Owner{Version: 40000, StartedFrom: strings.Repeat("0123456789abcdef", 4)}}},
		Losses: []history.Lost{{Event: event, Loss: history.Loss{Topic: "applications.of.the.region", Partition: 3, Kind: "retention", Offset: 1000000, Resume: 2000000, Lost: 1000000}}},
		Decisions: []history.Judgement{{Event: event, Judged: history.Judged{Constraint: row.Name, Group: row.Group, Versus: row.Versus, Record: 48842,
			From: "inconclusive", To: "violated", Lo: row.Lo, Hi: row.Hi, Tau: 0.05}}},
		Releases: []history.ReleaseStep{{Event: event, Released: released}},
		Resets:   []history.Event{event},
		Gaps:     []history.Gap{{From: at, To: at.Add(time.Hour), Reason: "no version was published, and the version that was the newest was not measured again"}},
	}
}

// TestReports of an audit in which there is something to say of everything, of one without entries, and of some between them.
func TestReports(t *testing.T) {
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	one := &history.Audit{Job: "loans", Period: history.Period{Since: at, Until: at.Add(30 * time.Minute)}, Chain: history.ChainReport{Whole: true, Head: history.Head{Sequence: 1, SHA256: strings.Repeat("5d", 32)}, Superseded: 1},
		Signatures: history.Signatures{Checked: true, Accepted: 1}, Clocks: history.Clocks{Back: make([]history.ClockStep, 1), Moved: 1, Largest: .0004}}
	broken := &history.Audit{Job: "loans", Chain: history.ChainReport{Breaks: []history.Break{{Sequence: 1, Offset: -1, Problem: "it is gone"}, {Sequence: 2, Problem: "it was altered"}}}}
	many := large()
	for range 30 {
		many.Clocks.Back = append(many.Clocks.Back, many.Clocks.Back[0])
		many.Versions, many.Changes, many.Losses, many.Gaps = append(many.Versions, many.Versions[0]), append(many.Changes, many.Changes[0]), append(many.Losses, many.Losses[0]), append(many.Gaps, many.Gaps[0])
	}
	for name, a := range map[string]*history.Audit{"large": large(), "empty": {}, "one": one, "broken": broken, "many": many} {
		goldentest.Compare(t, name+".txt", Report(a))
	}
}

// TestAuditFitsInto80: no line is longer.
func TestAuditFitsInto80(t *testing.T) {
	text := Report(large())
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("a line of %d columns does not fit into 80: %s", n, line)
		}
	}
	for _, words := range []string{"the first owner\n    from a backfill of 40,000 records, 0123456789ab…", "record 48,842, promoted: 2/40,000 -> 3/48,842", "sex-by-region beside 3/40000: met +0.034 [+0.012, +0.049], limit 0.07", "time within tau: ",
		"retention\n    1,000,000 offsets lost", "entry 700 (data loss): it is signed", "entries 12,345 to 23,456: it is not signed", "Clocks went back by up to 1h0m0s", "1h0m0s behind", "The last entry is 2h0m0s ahead of the clock of this machine.", "  version 48,842 of term 3\n    weights 0123456789ab…, in use for 1h0m0s"} {
		if !strings.Contains(text, words) {
			t.Errorf("%q is not in\n%s", words, text)
		}
	}
}
