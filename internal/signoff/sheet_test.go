package signoff

import (
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
)

// sheet is that of a period in which a version was chosen and withdrawn, an alarm came, and a person changed tau.
func sheet() *Sheet {
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	one, two := &history.Weights{Term: 1, Version: 300, WeightsSHA256: strings.Repeat("a", 64)}, &history.Weights{Term: 1, Version: 400, WeightsSHA256: strings.Repeat("b", 64)}
	value, lo, hi := 0.021, -0.01, 0.044
	a := &history.Audit{Job: `loans <script>`, Period: history.Period{Since: day, Until: day.AddDate(0, 0, 3)}, Chain: history.ChainReport{Whole: true, Entries: 9, Head: history.Head{SHA256: "cafe"}},
		Constraints: []history.ConstraintReport{{Name: "sex", Criterion: "demographic-parity", Group: "male", Versus: "female", Taus: []float64{0.1, 0.05}}},
		Changes: []history.Changed{{Event: history.Event{Time: day, Who: history.Who{Actor: "ada", Reason: "decision 17"}},
			Change: history.Change{Key: "constraints[0].tau", Old: []byte("0.1"), New: []byte("0.05")}}},
		Releases: []history.ReleaseStep{
			{Event: history.Event{Time: day}, Released: history.Released{Step: "promoted", Version: two, From: one, To: two, Reason: "it passed every test",
				Gates: []history.Gate{{Name: "comparison", Constraint: "sex", Status: "met", Value: &value, Lo: &lo, Hi: &hi, Records: 3000}}}},
			{Event: history.Event{Time: day.Add(time.Hour)}, Released: history.Released{Step: "alarm", Version: two, From: two, To: two}},
			{Event: history.Event{Time: day.Add(3 * time.Hour)}, Released: history.Released{Step: "rolled_back", Version: two, From: two, To: one, Actor: "grace", Reason: "complaints"}},
		}}
	a.Owners = []history.Takeover{{Event: history.Event{Time: day.AddDate(0, 0, 2)}, Owner: history.Owner{Before: 1, Left: &day}}, {Event: history.Event{Time: day.Add(time.Second)}, Owner: history.Owner{Before: 2, Left: &day}}}
	a.Decisions = []history.Judgement{{Event: history.Event{Time: day}, Judged: history.Judged{Subject: "as_made", Change: "alarm", Constraint: "sex", Group: "male", Versus: "female"}}}
	a.Constraints[0].Within.Lo, a.Constraints[0].Within.Hi = 0.847, 0.913
	return &Sheet{Audit: a, Made: day.AddDate(0, 0, 3), Label: LabelWords("repaid", "yes")}
}

// TestTheReportHoldsWhatIsSigned: rule, versions with whole hashes, differences with intervals, alarms with their length, and who changed what; as text,
// and in the page with names escaped.
func TestTheReportHoldsWhatIsSigned(t *testing.T) {
	s := sheet()
	text := s.Text()
	for _, words := range []string{`field "repaid" is "yes"`, "0.1, then 0.05", strings.Repeat("b", 64), strings.Repeat("a", 64), "+0.021", "−0.010 to +0.044", "3,000", "at least 84.7 % and at most 91.3 %",
		"An alarm about version 400 lasted 2 hours, from 20 Nov 2026, 09:00 UTC to 20 Nov 2026, 11:00 UTC", "Alarm since 20 Nov 2026, 08:00 UTC: in the newest decisions, male and female", "ada", "decision 17", "grace", "complaints", "The history is complete", "Fairstream was not running, so no alarm could be raised, from 20 Nov 2026, 08:00 UTC to 22 Nov 2026, 08:00 UTC (2 days).", "no running instance of fairstream was asked"} {
		if !strings.Contains(text, words) {
			t.Errorf("the text lacks %q", words)
		}
	}
	d := board.Deciding{Subject: "stable", Confidence: 0.95, Positive: 0.3, Constraints: []board.Constraint{{Name: "sex", Criterion: fairness.DemographicParity, Status: fairness.Met, Tau: 0.05, Value: 0.01, Lo: 0, Hi: 0.02}}}
	d.Answer()
	s.Status = &board.Status{Deciding: d, Groups: []board.Group{{Subject: "stable", Attribute: "sex", Group: "male", Records: 700, Rate: 0.3, Lo: 0.27, Hi: 0.33}, {Subject: "as_made", Attribute: "sex", Group: "all time"}}}
	var page strings.Builder
	if err := s.HTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"Yes: the only comparison is within its limit: sex.", "sex: male", "27.0 % to 33.0 %", "version in use now", "loans &lt;script&gt;", "@page"} {
		if !strings.Contains(page.String(), words) {
			t.Errorf("the page lacks %q", words)
		}
	}
	if strings.Contains(page.String(), "<script>") || strings.Contains(page.String(), "all time") {
		t.Error("a name became a part of the page, or a rate is of other decisions")
	}
}

// TestTrialAlarmsStandByThemselves, and only if there are any.
func TestTrialAlarmsStandByThemselves(t *testing.T) {
	s := sheet()
	if all := s.alarms(); len(all) != 2 || len(all[0].Rows) != 1 || len(all[1].Rows) != 1 || !strings.Contains(all[1].Title, "trial decisions") || !strings.HasPrefix(all[1].Rows[0][0], "Alarm since 20 Nov 2026, 08:00 UTC") {
		t.Errorf("%+v", all)
	}
	s.Audit.Releases = nil
	if all := s.alarms(); len(all) != 2 || all[0].Sentences[0] != "No alarm about the decisions that people received was raised in the period." {
		t.Errorf("%+v", all)
	}
	s.Audit.Decisions = nil
	if all := s.alarms(); len(all) != 1 || all[0].Sentences[0] != "No alarm was raised in the period." {
		t.Errorf("%+v", all)
	}
}

// TestNoBoundsThatTellNothing: a report says how long a limit was kept only if that was measured for some of the period.
func TestNoBoundsThatTellNothing(t *testing.T) {
	s := sheet()
	for _, c := range []struct {
		lo, hi float64
		told   bool
	}{{0.847, 0.913, true}, {0, 0.1, true}, {0.004, 0.999, false}, {0, 1, false}} {
		s.Audit.Constraints[0].Within.Lo, s.Audit.Constraints[0].Within.Hi = c.lo, c.hi
		if told := len(s.differences().Sentences) > 0; told != c.told {
			t.Errorf("from %v to %v: told is %v", c.lo, c.hi, told)
		}
	}
}

// TestAReportStaysShort: of long lists the first rows are shown, and it is said how many are left out.
func TestAReportStaysShort(t *testing.T) {
	s := sheet()
	for range 40 {
		s.Audit.Changes = append(s.Audit.Changes, s.Audit.Changes[0])
	}
	for _, section := range s.Sections() {
		if len(section.Rows) > mostRows {
			t.Errorf("%s has %d rows", section.Title, len(section.Rows))
		}
	}
	if !strings.Contains(s.Text(), "earlier ones are left out here") {
		t.Error("nothing says that rows are left out")
	}
}
