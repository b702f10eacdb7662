package board_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
)

func row(value, lo, hi float64, status fairness.Status) board.Constraint {
	return board.NewConstraint(fairness.Estimate{Name: "sex", Criterion: fairness.DemographicParity, Group: "Male", Versus: "Female", Tau: 0.05,
		Value: value, Lo: lo, Hi: hi, Level: 0.95, Status: status}, "as_made")
}

func TestSentences(t *testing.T) {
	nan := math.NaN()
	sequence := row(0.01, -0.01, 0.03, fairness.Met)
	sequence.Sequence = &board.Sequence{Value: 0.01, Lo: -0.06, Hi: 0.08, Status: fairness.Inconclusive}
	weighed := row(0.01, -0.01, 0.03, fairness.Met)
	weighed.Sequence = &board.Sequence{Value: 0.01, Lo: -0.02, Hi: 0.04, Status: fairness.Inconclusive, Reason: "labels are weighted"}
	shown := row(-0.015, -0.03, 0.01, fairness.Met) // of all decisions, and the verdict at equal time
	shown.Sequence = &board.Sequence{Value: -0.11, Lo: -0.14, Hi: -0.08, Status: fairness.Violated}
	both := row(-0.123, -0.13, -0.11, fairness.Violated)
	both.Sequence = &board.Sequence{Value: -0.124, Lo: -0.136, Hi: -0.112, Status: fairness.Violated}
	few := row(nan, nan, nan, fairness.NotEstimable)
	few.Reason = "Female has 12 records and needs 30"
	ratio := func(c board.Constraint) board.Constraint {
		c.Criterion, c.Tau, c.Versus = fairness.ImpactRatio, 0.8, "rest"
		return c
	}
	wanting := row(0.04, 0.01, 0.07, fairness.Inconclusive)
	wanting.Reason = "about 47 more records of Female would decide, if the difference stays"
	opportunity := row(0.01, -0.01, 0.03, fairness.Met)
	opportunity.Criterion = fairness.EqualOpportunity
	for name, c := range map[string]struct {
		row  board.Constraint
		want string
	}{
		"met":          {row(0.01, -0.01, 0.03, fairness.Met), "Male and Female differ by at most 0.030 in the share of positive decisions. The limit of 0.05 is kept."},
		"met, apart":   {row(0.02, 0.01, 0.03, fairness.Met), "The share of positive decisions is higher for Male than for Female by 0.020. The limit of 0.05 is kept."},
		"just beyond":  {row(-0.06, -0.07, -0.05002, fairness.Violated), "The share of positive decisions is lower for Male than for Female by 0.060 (at least 0.05002). The limit is 0.05."},
		"just within":  {row(0.03, 0, 0.04996, fairness.Met), "Male and Female differ by at most 0.04996 in the share of positive decisions. The limit of 0.05 is kept."},
		"just open":    {row(0.04, 0.01, 0.0502, fairness.Inconclusive), "It is not known yet whether Male and Female differ by at most 0.05 in the share of positive decisions. The difference is between +0.010 and +0.0502: the difference is so near the limit that no number of records can settle it."},
		"at the bound": {row(0.04, 0.01, 0.05, fairness.Inconclusive), "It is not known yet whether Male and Female differ by at most 0.05 in the share of positive decisions. The difference is between +0.010 and +0.050: the difference is so near the limit that no number of records can settle it."},
		"higher":       {row(0.154, 0.12, 0.18, fairness.Violated), "The share of positive decisions is higher for Male than for Female by 0.154 (at least 0.120). The limit is 0.05."},
		"lower":        {row(-0.154, -0.18, -0.12, fairness.Violated), "The share of positive decisions is lower for Male than for Female by 0.154 (at least 0.120). The limit is 0.05."},
		"weighed":      {weighed, "It is not known yet whether Male and Female differ by at most 0.05 in the share of positive decisions. The difference is between −0.020 and +0.040: outcomes are weighted."},
		"sequence":     {sequence, "It is not known yet whether Male and Female differ by at most 0.05 in the share of positive decisions. The difference is between −0.060 and +0.080."},
		"same":         {row(0, -0.01, 0.01, fairness.Met), "Male and Female differ by at most 0.010 in the share of positive decisions. The limit of 0.05 is kept."},
		"measured":     {both, "The share of positive decisions is lower for Male than for Female by 0.123 (at least 0.112). The limit is 0.05."},
		"equal time":   {shown, "The share of positive decisions is lower for Male than for Female by at least 0.080, between people about whom decisions were made at about the same time. The limit is 0.05."},
		"few":          {few, "The difference between Male and Female cannot be estimated: Female has 12 records and needs 30."},
		"wanting":      {wanting, "It is not known yet whether Male and Female differ by at most 0.05 in the share of positive decisions. The difference is between +0.010 and +0.070: about 47 more records of Female would settle it, if the difference stays."},
		"no reason":    {row(nan, nan, nan, fairness.NotEstimable), "The difference between Male and Female cannot be estimated: there are too few records."},
		"ratio met":    {ratio(row(0.91, 0.85, 0.97, fairness.Met)), "Of Male and all others, the lower share of positive decisions is 0.910 times the higher one. The limit of at least 0.8 is kept."},
		"ratio low":    {ratio(row(0.62, 0.55, 0.7, fairness.Violated)), "Of Male and all others, the lower share of positive decisions is 0.620 times the higher one (at most 0.700 times). The limit is at least 0.8."},
		"ratio open":   {ratio(row(0.82, 0.74, 0.9, fairness.Inconclusive)), "It is not known yet whether, of Male and all others, the lower share of positive decisions is at least 0.8 times the higher one. The ratio is between 0.740 and 0.900."},
		"of positives": {opportunity, "Male and Female differ by at most 0.030 in the share of positive decisions among those whose outcome is positive. The limit of 0.05 is kept."},
	} {
		if got := board.Sentence(&c.row); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestRowIsThatOfTheCommandLine: a program that reads rows of replay reads those of the status too.
func TestRowIsThatOfTheCommandLine(t *testing.T) {
	estimate := fairness.Estimate{Name: "sex", Criterion: fairness.DemographicParity, Group: "Male", Versus: "Female", Tau: 0.05, Enforced: true,
		Value: 0.01, Lo: -0.01, Hi: 0.03, Level: 0.95, RateSides: &fairness.RateSides{RateGroup: 0.2, RateVersus: 0.19}, NGroup: 600, NVersus: 300, Status: fairness.Met}
	for _, e := range []fairness.Estimate{estimate, {Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Status: fairness.NotEstimable}} {
		line, err := json.Marshal(board.NewConstraint(e, "as_made"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		contract, _, _ := strings.Cut(string(want), `,"method"`)
		if !strings.HasPrefix(string(line), contract+",") {
			t.Errorf("%s\ndoes not begin with\n%s", line, contract)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, n := range []board.Number{0, 0.25, -3, board.Unknown()} {
		text, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		var back board.Number
		if err := json.Unmarshal(text, &back); err != nil || back != n && (back.Known() || n.Known()) {
			t.Errorf("%v is %s and %v: %v", n, text, back, err)
		}
	}
	if text, err := json.Marshal(board.Number(math.Inf(1))); err != nil || string(text) != "null" {
		t.Errorf("infinity is %s: %v", text, err)
	}
}

func TestKeysFit(t *testing.T) {
	has := board.Key{Name: "sex", Criterion: fairness.EqualOpportunity, Group: "Male", Versus: "Female"}
	for asked, want := range map[board.Key]bool{
		{}:                                       true,
		{Name: "sex"}:                            true,
		{Name: "race"}:                           false,
		has:                                      true,
		{Name: "sex", Group: "Female"}:           false,
		{Criterion: fairness.PredictiveEquality}: false,
	} {
		if asked.Fits(has) != want {
			t.Errorf("%+v fits: %v", asked, !want)
		}
	}
}
