package signoff

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestWholeReports: the text of reports with and without a status, of a broken history, and of quiet periods and crowded ones.
func TestWholeReports(t *testing.T) {
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	quiet := func() *Sheet {
		return &Sheet{Audit: &history.Audit{Job: "quiet", Period: history.Period{Since: day, Until: day.AddDate(0, 0, 1)}, Chain: history.ChainReport{Whole: true, Entries: 2, Head: history.Head{SHA256: "beef"}}}, Made: day.AddDate(0, 0, 2)}
	}
	deciding := func(rows ...board.Constraint) *board.Status {
		d := board.Deciding{Subject: "stable", Confidence: 0.95, Positive: 0.3, Constraints: rows, Version: &board.Place{Term: 1, Version: 4321, WeightsSHA256: strings.Repeat("d", 64)}}
		d.Answer()
		s := &board.Status{Deciding: d}
		s.Records.Learnt, s.Records.Rejected, s.Records.Unlabelled = 12345, 67, 890
		return s
	}
	row := func(name string, criterion fairness.Criterion, status fairness.Status, value, lo, hi board.Number) board.Constraint {
		return board.Constraint{Name: name, Criterion: criterion, Group: "m", Versus: "rest", Status: status, Tau: 0.05, Value: value, Lo: lo, Hi: hi, NGroup: 700, NVersus: 1300}
	}
	met := row("sex", fairness.DemographicParity, fairness.Met, 0.01, -0.02, 0.03)
	watched := met
	watched.Sequence = &board.Sequence{Value: 0.011, Lo: -0.03, Hi: 0.049, N: 1999, Status: fairness.Met}
	unknown := row("age", fairness.EqualOpportunity, fairness.NotEstimable, board.Unknown(), board.Unknown(), board.Unknown())
	ratio := row("fifths", fairness.ImpactRatio, fairness.Violated, 0.03, 0.02, 0.04)
	var text strings.Builder
	sheets := map[string]*Sheet{
		"eventful": sheet(),
		"quiet":    quiet(),
		"quiet, with a status": func() *Sheet {
			s := quiet()
			s.Status = deciding(met, watched, unknown, ratio)
			s.Status.Groups = []board.Group{{Subject: "stable", Attribute: "sex", Group: "m", Records: 700, Rate: 0.3, Lo: 0.27, Hi: 0.33}, {Subject: "stable", Attribute: "age", Group: "old", Records: 1, Rate: board.Unknown(), Lo: board.Unknown(), Hi: 1},
				{Subject: "stable", Attribute: "sex", Group: "f", Records: 1300, Rate: 0, Lo: 0, Hi: 0.01}, {Subject: "as_made", Attribute: "sex", Group: "of others"}}
			return s
		}(),
		"broken": func() *Sheet {
			s := quiet()
			s.Label = LabelWords("amount", "")
			s.Audit.Chain = history.ChainReport{Breaks: make([]history.Break, 2)}
			s.Audit.Signatures = history.Signatures{Checked: true, Accepted: 5, Refused: make([]history.Refused, 2)}
			s.Audit.Signatures.Entries.Refused = append(s.Audit.Signatures.Entries.Refused, s.Audit.Signatures.Entries.Refused...)
			s.Audit.Losses, s.Audit.Gaps = make([]history.Lost, 3), make([]history.Gap, 4)
			s.Audit.Versions = []history.Version{{}, {}}
			s.Audit.Versions[1].Version, s.Audit.Versions[1].Rejected = 70000, 1234
			s.Audit.Resets = []history.Event{{Time: day, Who: history.Who{Service: "fairstream reset", Host: "h1"}}}
			for k := range mostUnwatched + 2 {
				left := day.Add(time.Duration(k) * 2 * time.Hour)
				s.Audit.Owners = append(s.Audit.Owners, history.Takeover{Event: history.Event{Time: left.Add(time.Hour)}, Owner: history.Owner{Before: int64(k + 1), Left: &left}})
			}
			return s
		}(),
		"crowded": func() *Sheet {
			s := quiet()
			var rows []board.Constraint
			for k := range mostComparisons + 2 {
				one := met
				one.Name = fmt.Sprint("c", k)
				rows = append(rows, one)
				report := history.ConstraintReport{Name: one.Name, Criterion: "demographic-parity", Group: "m", Versus: "rest", Taus: []float64{0.05}}
				report.Within.Lo, report.Within.Hi = 0, 0.9
				s.Audit.Constraints = append(s.Audit.Constraints, report)
			}
			s.Status = deciding(rows...)
			for k := range fewRows + 2 {
				s.Audit.Changes = append(s.Audit.Changes, history.Changed{Event: history.Event{Time: day.Add(time.Duration(k) * time.Minute)}, Change: history.Change{Key: "learner.window", Old: []byte("1"), New: []byte(fmt.Sprint(k + 2))}})
			}
			return s
		}(),
		"gates": func() *Sheet {
			s := sheet()
			lo, hi, limit := 0.06, 0.08, 0.1
			s.Audit.Constraints[0].Taus = []float64{0.05}
			s.Audit.Constraints[0].Within.Lo, s.Audit.Constraints[0].Within.Hi = 0.01, 0.92
			s.Audit.Releases[0].Gates = []history.Gate{{Name: "comparison", Constraint: "sex", Criterion: "demographic-parity", Status: "met", Lo: &lo, Hi: &hi, Limit: &limit, Records: 5}, {Name: "error", Status: "met"}}
			s.Audit.Releases[1].Step, s.Audit.Releases[1].Reason = "withdrawn", "it is beyond 1/400"
			return s
		}(),
		"trials": func() *Sheet {
			s := quiet()
			s.Audit.Decisions = []history.Judgement{{Event: history.Event{Time: day}, Judged: history.Judged{Subject: "as_made", Change: "alarm", Constraint: "sex", Group: "m", Versus: "f"}}}
			return s
		}(),
	}
	for _, name := range slices.Sorted(maps.Keys(sheets)) {
		fmt.Fprintf(&text, "== %s\n%s\n", name, sheets[name].Text())
	}
	goldentest.Compare(t, "reports.txt", text.String())
}

// TestWordsOfSteps: each step in a sentence, with the versions that it is about, and a reason that its sentence does not have.
func TestWordsOfSteps(t *testing.T) {
	from, to := &history.Weights{Term: 1, Version: 1300}, &history.Weights{Term: 2, Version: 1400}
	var text strings.Builder
	for _, step := range append(slices.Sorted(maps.Keys(stepSentences)), "unheard of", "") {
		r := history.Released{Step: string(step), Version: to, From: from, To: from, Reason: "it passed every test, and 2/1400 is better"}
		fmt.Fprintf(&text, "%s: %s | %s\n", step, StepWords(&r), StepWhy(&r))
	}
	goldentest.Compare(t, "steps.txt", text.String())
	if got := StepWords(&history.Released{Step: "promoted"}); !strings.Contains(got, "–") {
		t.Errorf("of no version: %q", got)
	}
}
