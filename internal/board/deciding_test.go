package board_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestHeadlines: what a person reads first, of every mixture of verdicts, alarms and decisions that are nearly all the same.
func TestHeadlines(t *testing.T) {
	nan := math.NaN()
	named := func(name string, c board.Constraint) board.Constraint {
		c.Name = name
		return c
	}
	good, open := row(0.01, -0.01, 0.03, fairness.Met), row(0.03, 0.01, 0.08, fairness.Inconclusive)
	bad, worse, lower := row(0.1, 0.08, 0.12, fairness.Violated), named("age", row(0.2, 0.18, 0.22, fairness.Violated)), named("part", row(-0.3, -0.4, -0.2, fairness.Violated))
	none := row(nan, nan, nan, fairness.NotEstimable)
	ratio := named("ratio", row(0.1, 0.05, 0.15, fairness.Violated))
	ratio.Criterion, ratio.Tau = fairness.ImpactRatio, 0.8
	alarm := open
	alarm.Alarm = &board.Alarm{Raised: true}
	quiet := good
	quiet.Alarm = &board.Alarm{}
	other := bad
	other.Group, other.Versus = "Other", "rest"
	for name, c := range map[string]struct {
		rows     []board.Constraint
		positive board.Number
		verdict  string
		headline string
	}{
		"nothing":               {nil, 0.3, "not_estimable", "Not known: no groups are compared"},
		"one bad":               {[]board.Constraint{bad}, 0.3, "violated", "No: the only comparison is beyond its limit: sex (fewer positive decisions for Female)"},
		"one of two bad":        {[]board.Constraint{good, bad}, 0.3, "violated", "No: 1 of 2 comparisons is beyond its limit: sex (fewer positive decisions for Female than for Male)"},
		"one of two by name":    {[]board.Constraint{good, worse}, 0.3, "violated", "No: 1 of 2 comparisons is beyond its limit: age (fewer positive decisions for Female)"},
		"the worst of two":      {[]board.Constraint{bad, worse, good}, 0.3, "violated", "No: 2 of 3 comparisons are beyond their limits, most of all age (fewer positive decisions for Female)"},
		"the worst is negative": {[]board.Constraint{worse, lower}, 0.3, "violated", "No: 2 of 2 comparisons are beyond their limits, most of all part (fewer positive decisions for Male)"},
		"the worst is a ratio":  {[]board.Constraint{worse, ratio}, 0.3, "violated", "No: 2 of 2 comparisons are beyond their limits, most of all ratio"},
		"one bad, one open":     {[]board.Constraint{good, bad, open}, 0.3, "violated", "No: 1 of 3 comparisons is beyond its limit: sex (fewer positive decisions for Female than for Male); 1 is within, 1 is not known"},
		"of one name":           {[]board.Constraint{bad, other}, 0.3, "violated", "No: 2 of 2 comparisons are beyond their limits, most of all sex (fewer positive decisions for Female than for Male)"},
		"an alarm":              {[]board.Constraint{alarm, good}, 0.99, "inconclusive", "Alarm: in the newest decisions, Male and Female are farther apart than the limit allows"},
		"an alarm that ended":   {[]board.Constraint{quiet}, 0.3, "met", "Yes: the only comparison is within its limit: sex"},
		"nearly all":            {[]board.Constraint{good}, 0.95, "one_sided", "Nearly everybody gets the same decision: 95 % of all are positive"},
		"nearly nobody":         {[]board.Constraint{good}, 0.042, "one_sided", "Nearly everybody gets the same decision: 4.2 % of all are positive"},
		"not nearly all":        {[]board.Constraint{good}, 0.949, "met", "Yes: the only comparison is within its limit: sex"},
		"not nearly nobody":     {[]board.Constraint{good}, 0.051, "met", "Yes: the only comparison is within its limit: sex"},
		"a share not known":     {[]board.Constraint{good}, board.Number(nan), "met", "Yes: the only comparison is within its limit: sex"},
		"two good":              {[]board.Constraint{good, good}, 0.3, "met", "Yes: both comparisons are within their limits"},
		"three good":            {[]board.Constraint{good, good, good}, 0.3, "met", "Yes: all 3 comparisons are within their limits"},
		"one is open":           {[]board.Constraint{good, open, none}, 0.3, "inconclusive", "Not known yet for 2 of 3 comparisons; the others are within their limits"},
		"all are open":          {[]board.Constraint{open, none}, 0.3, "inconclusive", "Not known yet: there are too few decisions"},
		"none can be estimated": {[]board.Constraint{none}, 0.3, "not_estimable", "Not known: the groups cannot be compared yet"},
	} {
		d := board.Deciding{Constraints: c.rows, Positive: c.positive, Confidence: 0.95}
		d.Answer()
		if d.Answers.Verdict != c.verdict || d.Answers.Headline != c.headline {
			t.Errorf("%s: %s, %q", name, d.Answers.Verdict, d.Answers.Headline)
		}
		if oneSided := strings.Contains(d.Answers.Sure, "no proof of fairness"); oneSided != (c.verdict == board.OneSided) {
			t.Errorf("%s: %s", name, d.Answers.Sure)
		}
	}
}

// TestHowSureAnAnswerIs: of sequences at every look, or of one look; of nothing without comparisons.
func TestHowSureAnAnswerIs(t *testing.T) {
	one := []board.Constraint{row(0.01, -0.01, 0.03, fairness.Met)}
	one[0].Level = 0.9
	const half = board.Number(0.5)
	for want, d := range map[string]board.Deciding{
		"No groups are compared.": {Confidence: 0.95},
		"With a probability of at least 97.5 %, the verdict is right, however often you look.":                                                 {Confidence: 0.975, Constraints: one, Positive: half},
		"With a probability of at least 97.5 %, the one verdict reached so far is right, however often you look. 1 comparison has no verdict.": {Confidence: 0.975, Constraints: append(one, row(0.04, 0.01, 0.07, fairness.Inconclusive)), Positive: half},
		"Each interval is right in 90 % of cases if you look once. The more often you look, the more errors you should expect.":                {Constraints: one, Positive: half},
	} {
		if d.Answer(); d.Answers.Sure != want {
			t.Errorf("%q, want %q", d.Answers.Sure, want)
		}
	}
}

// TestTimesInWords, at each bound and just below it.
func TestTimesInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "less than a minute", time.Minute - 1: "less than a minute", time.Minute: "1 minute", 2*time.Minute - 1: "1 minute", 2 * time.Minute: "2 minutes", 2*time.Hour - 1: "119 minutes",
		2 * time.Hour: "2 hours", 48*time.Hour - 1: "47 hours", 48 * time.Hour: "2 days", 71 * time.Hour: "2 days", 72 * time.Hour: "3 days",
	} {
		if got := board.Lasted(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := board.Clock(time.Date(2026, 3, 4, 5, 6, 0, 0, time.FixedZone("CET", 3600))); got != "4 Mar 2026, 04:06 UTC" {
		t.Error(got)
	}
}

// TestRowsOfJobs are statuses in short.
func TestRowsOfJobs(t *testing.T) {
	s := board.Status{Job: "adult", Role: "owner", Phase: "learning", Ready: true, Reason: "", Term: 3, Version: 700, Conditions: []board.Condition{{Code: "a"}, {Code: "b"}},
		Deciding: board.Deciding{Constraints: []board.Constraint{row(0.01, -0.01, 0.03, fairness.Met), row(0.01, -0.01, 0.03, fairness.Met), row(0.2, 0.1, 0.3, fairness.Violated)}}}
	s.Stream.LagRecords, s.Stream.LagSeconds = 5, 0.5
	r := board.Row(&s, "/jobs/adult/")
	if r.Job != "adult" || r.Path != "/jobs/adult/" || r.Role != "owner" || r.Phase != "learning" || !r.Ready || r.Term != 3 || r.Version != 700 || r.LagRecords != 5 || r.LagSeconds != 0.5 ||
		r.Verdicts["met"] != 2 || r.Verdicts["violated"] != 1 || len(r.Verdicts) != 2 || strings.Join(r.Conditions, " ") != "a b" {
		t.Errorf("%+v", r)
	}
}

// TestARowOfAMeanDifference shows the means, and how many records it needs.
func TestARowOfAMeanDifference(t *testing.T) {
	e := fairness.Estimate{Name: "sex", Criterion: fairness.MeanDifference, Tau: 5, Value: 2, Lo: 1, Hi: 3, MeanSides: &fairness.MeanSides{MeanGroup: 31, MeanVersus: 29}, Status: fairness.Met, MoreGroup: 7, MoreVersus: 2}
	if c := board.NewConstraint(e, "as_made"); c.GroupMeasure != 31 || c.VersusMeasure != 29 || c.GroupRange != nil || c.RecordsNeeded == nil || *c.RecordsNeeded != 9 || c.Subject != "as_made" {
		t.Errorf("%+v", c)
	}
	e.MoreGroup, e.MoreVersus = 1, 0
	if c := board.NewConstraint(e, "as_made"); c.RecordsNeeded == nil || *c.RecordsNeeded != 1 {
		t.Errorf("%v", c.RecordsNeeded)
	}
	e.MoreGroup, e.MoreVersus = 0, 0
	if c := board.NewConstraint(e, "as_made"); c.RecordsNeeded != nil {
		t.Errorf("%v", *c.RecordsNeeded)
	}
}

// TestHeadlinesNameWhoIsWorseOff, if it is known.
func TestHeadlinesNameWhoIsWorseOff(t *testing.T) {
	of := func(criterion fairness.Criterion, value, equal, group, versus board.Number) board.Constraint {
		c := row(float64(value), -0.3, 0.3, fairness.Violated)
		c.Criterion, c.GroupMeasure, c.VersusMeasure, c.Versus = criterion, group, versus, "rest"
		c.Sequence = &board.Sequence{Value: equal, Lo: -0.3, Hi: 0.3, Status: fairness.Violated}
		return c
	}
	nan := board.Unknown()
	for want, c := range map[string]board.Constraint{
		"sex (fewer positive decisions for Male)":       of(fairness.ImpactRatio, 0.5, 0.5, 0.1, 0.2),
		"sex (fewer positive decisions for all others)": of(fairness.ImpactRatio, 0.5, 0.5, 0.2, 0.1),
		"sex":                        of(fairness.ImpactRatio, 0.5, 0.5, nan, nan),
		"sex (lower for Male)":       of(fairness.PredictiveEquality, -0.2, -0.2, 0.1, 0.3),
		"sex (lower for all others)": of(fairness.MeanDifference, 3, 2.9, 40, 37),
	} {
		d := board.Deciding{Constraints: []board.Constraint{c}}
		if d.Answer(); d.Answers.Headline != "No: the only comparison is beyond its limit: "+want {
			t.Errorf("%q, want %q", d.Answers.Headline, want)
		}
	}
	turned := board.Deciding{Constraints: []board.Constraint{of(fairness.DemographicParity, 0.01, -0.2, 0.3, 0.29)}}
	if turned.Answer(); turned.Answers.Headline != "No: the only comparison is beyond its limit: sex" {
		t.Errorf("the shares of all and those at equal time differ: %q", turned.Answers.Headline)
	}
}
