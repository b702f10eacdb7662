package signoff

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestShortLists: as many settings as a list names are named without a word of others, and an alarm may name no comparison.
func TestShortLists(t *testing.T) {
	all := []history.Change{{Key: "job"}, {Key: "log.level"}, {Key: "learner.window"}, {Key: "learner.warmup"}, {Key: "constraints[0].tau"}}
	for n, want := range map[int]string{2: "job, level", mostSettings: "job, level, the number of recent records", mostSettings + 1: "job, level, the number of recent records and 1 more", mostSettings + 2: "job, level, the number of recent records and 2 more"} {
		if got := changes(all[:n]); got != want {
			t.Errorf("%d settings: %q", n, got)
		}
	}
	for reason, want := range map[string]string{"": "", "no comparison": "", "sex, between m and f; the rest": ` for "sex" (m and f)`, ", between m and f": ` for "" (m and f)`, "a, between b, between m and f": ` for "a, between b" (m and f)`} {
		if got := comparisonOf(reason); got != want {
			t.Errorf("%q: %q", reason, got)
		}
	}
	if got := named(nil); got != "–" {
		t.Errorf("no version: %q", got)
	}
	a := alarmNote{about: "1/300", origin: OfRelease, why: []string{"something else"}}
	if got := a.brief(); got != "alarm about version 300, still on" {
		t.Error(got)
	}
}

// TestTimesAtTheirBounds: what lasted as long as is told is told, a day and a week include their ends, and of a violation the time of its record is told.
func TestTimesAtTheirBounds(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	all := func(string) bool { return true }
	for span, told := range map[time.Duration]bool{longAway: true, longAway - 1: false} {
		left := now.Add(-span)
		if got := away(&left, now, "%s to %s (%s)", moment); (got != "") != told || told && got != "20 Nov, 11:50 to 20 Nov, 12:00 (10 minutes)" {
			t.Errorf("%v: %q", span, got)
		}
	}
	if away(nil, now, "%s to %s (%s)", moment) != "" {
		t.Error("nobody knows when it was left")
	}
	reset := func(ago time.Duration) *history.Entry {
		return &history.Entry{Sequence: 1, Kind: history.Reset, Time: now.Add(-ago)}
	}
	for ago, want := range map[time.Duration]string{
		diaryWeek - 1:      " The job began on 13 Nov 2026, 12:00 UTC.",
		diaryWeek:          "no alarm about a version in use. The six days before: no alarm; 13 Nov, 12:00: what the job had learnt was deleted.",
		24 * time.Hour:     "Last 24 hours: no alarm about a version in use; 19 Nov, 12:00: what the job had learnt was deleted. The job began on 19 Nov 2026, 12:00 UTC.",
		24*time.Hour + 1e9: " The six days before: no alarm; 19 Nov, 11:59: what the job had learnt was deleted. The job began on 19 Nov 2026, 11:59 UTC.",
	} {
		var d Diary
		d.Note(reset(ago))
		if got := d.Happened(now, all); !strings.HasSuffix(got, want) {
			t.Errorf("%v ago: %q", ago, got)
		}
	}
	d := old(now)
	at := now.Add(-5 * time.Hour)
	d.Note(&history.Entry{Sequence: 2, Kind: history.Release, Time: now.Add(-time.Hour), Release: &history.Released{Step: "violated", EventTime: &at, Version: &history.Weights{Term: 1, Version: 7}}})
	if got := d.Happened(now, all); !strings.Contains(got, "; 20 Nov, 07:00: version 7 found beyond its limit.") {
		t.Errorf("%q", got)
	}
	d.Note(&history.Entry{Sequence: 3, Kind: history.Release, Time: now.Add(-time.Hour), Release: &history.Released{Step: "violated", Version: &history.Weights{Term: 1, Version: 8}}})
	if got := d.Happened(now, all); !strings.Contains(got, "; 20 Nov, 11:00: version 8 found beyond its limit (the last of 2 findings).") {
		t.Errorf("%q", got)
	}
}

// TestWhileItRan: only what was not running within a span shortens it, up to its end; less than a minute is none.
func TestWhileItRan(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	const hour, day = time.Hour, 24 * time.Hour
	for name, c := range map[string]struct {
		from, to     time.Time
		before, span time.Duration
		want         string
	}{
		"not at all":              {ago(40 * hour), ago(30 * hour), 0, day, ""},
		"up to its beginning":     {ago(40 * hour), ago(day), 0, day, ""},
		"within it":               {ago(10 * hour), ago(4 * hour), 0, day, " in the 18 hours in which fairstream was running"},
		"at its beginning":        {ago(30 * hour), ago(20 * hour), 0, day, " in the 20 hours in which fairstream was running"},
		"beyond the end of it":    {ago(30 * hour), ago(4 * hour), day, 48 * hour, " in the 18 hours in which fairstream was running"},
		"behind the end of it":    {ago(20 * hour), ago(4 * hour), day, 48 * hour, ""},
		"all but a minute":        {ago(hour), ago(time.Minute), 0, hour, " in the 1 minute in which fairstream was running"},
		"all but half of one":     {ago(hour), ago(30 * time.Second), 0, hour, ", but fairstream was not running"},
		"since before the job is": {ago(300 * hour), ago(290 * hour), 0, 7 * day, ""},
	} {
		d := old(now)
		d.notes = append(d.notes, note{kind: notRunning, from: c.from, at: c.to}, note{kind: "loss", from: c.from, at: c.to})
		if got := d.whileRunning(now, c.before, c.span); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for since, told := range map[time.Duration]bool{diaryWeek: true, diaryWeek + 1: false} {
		d := Diary{notes: []note{{kind: notRunning, at: ago(since), what: "then"}}}
		if got := d.stood(now); (got != "") != told {
			t.Errorf("%v ago: %q", since, got)
		}
	}
}

// TestWhatPersonsDidIsInOrder of time, whatever it was: a changed setting, an order about versions, or a new beginning.
func TestWhatPersonsDidIsInOrder(t *testing.T) {
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	at := func(hour int) history.Event {
		return history.Event{Time: day.Add(time.Duration(hour) * time.Hour), Who: history.Who{Actor: fmt.Sprint("person ", hour), Reason: "a reason"}}
	}
	order := func(hour int, actor string) history.ReleaseStep {
		return history.ReleaseStep{Event: at(hour), Released: history.Released{Step: "promoted", Actor: actor, Reason: "a reason"}}
	}
	s := &Sheet{Audit: &history.Audit{}}
	for _, hour := range []int{1, 5} {
		s.Audit.Changes = append(s.Audit.Changes, history.Changed{Event: at(hour), Change: history.Change{Key: "learner.window", Old: []byte("1"), New: []byte("2")}})
	}
	s.Audit.Releases = []history.ReleaseStep{order(0, "person 0"), order(2, ""), order(3, "person 3")}
	s.Audit.Resets = []history.Event{at(2), at(4)}
	section := s.changes()
	if len(section.Rows) != 6 {
		t.Fatalf("%q", section.Rows)
	}
	for hour, row := range section.Rows {
		if !strings.Contains(row[2], fmt.Sprint("person ", hour)) || !strings.Contains(row[0], fmt.Sprintf("%02d:00", 8+hour)) || row[3] != "a reason" {
			t.Errorf("row %d is %q", hour, row)
		}
	}
}

// TestReportsAtTheirBounds: as many rows, and as many times without fairstream, as a report has room for are all there.
func TestReportsAtTheirBounds(t *testing.T) {
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		comparisons, changes, keep int
	}{{mostRows, mostRows, mostRows}, {mostRows, mostRows + 1, mostRows}, {mostRows + 1, fewRows, fewRows}, {mostRows + 1, fewRows + 1, fewRows}} {
		s := &Sheet{Audit: &history.Audit{}, Made: day}
		for k := range c.comparisons {
			s.Audit.Constraints = append(s.Audit.Constraints, history.ConstraintReport{Name: fmt.Sprint("c", k)})
		}
		for range c.changes {
			s.Audit.Changes = append(s.Audit.Changes, history.Changed{Event: history.Event{Time: day}, Change: history.Change{Key: "learner.window", Old: []byte("1"), New: []byte("2")}})
		}
		for _, section := range s.Sections() {
			said := strings.Join(section.Sentences, " ")
			switch section.Title {
			case "Rule":
				if len(section.Rows) != c.comparisons || strings.Contains(said, "left out") {
					t.Errorf("%+v: %d rules, %s", c, len(section.Rows), said)
				}
			case "Who changed what":
				if more := c.changes - c.keep; len(section.Rows) != min(c.changes, c.keep) || strings.Contains(said, fmt.Sprintf("%d earlier ones are left out", more)) != (more > 0) {
					t.Errorf("%+v: %d changes, %s", c, len(section.Rows), said)
				}
			}
		}
	}
	s := &Sheet{Audit: &history.Audit{}}
	s.Audit.Signatures = history.Signatures{Checked: true, Accepted: 5, Refused: make([]history.Refused, 2)}
	s.Audit.Signatures.Entries.Refused = append(s.Audit.Signatures.Entries.Refused, history.Unsigned{})
	if said := s.record().Sentences[1]; said != "Signatures: 5 accepted, 3 rejected." {
		t.Error(said)
	}
	for n, want := range map[int]string{0: "", mostUnwatched: "", mostUnwatched + 1: " There were 1 more such times; the audit of the job lists them all."} {
		s.Audit.Owners = nil
		for range n {
			s.Audit.Owners = append(s.Audit.Owners, history.Takeover{Event: history.Event{Time: day.Add(time.Hour)}, Owner: history.Owner{Left: &day}})
		}
		said := strings.Join(s.unwatched(), "")
		if (said == "") != (n == 0) || strings.Count(said, "(60 minutes)") != min(n, mostUnwatched) || !strings.HasSuffix(said, want) || want == "" && strings.Contains(said, "There were") {
			t.Errorf("%d times: %s", n, said)
		}
	}
	if share(board.Unknown()) != "not known" || ends(share, 0, board.Unknown()) != "none" || ends(share, board.Unknown(), 0) != "none" {
		t.Error("what is not known has a number")
	}
}
