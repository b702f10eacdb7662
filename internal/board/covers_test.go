package board_test

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// census are the groups of a job that compares by sex and race, and the differences between two of them.
func census() ([]board.Group, []board.Gap) {
	group := func(attribute, name string, rate, ratio board.Number) board.Group {
		return board.Group{Subject: "as_made", Attribute: attribute, Group: name, Records: 1000, Rate: rate, Lo: rate - 0.01, Hi: rate + 0.01, ImpactRatio: ratio}
	}
	other := group("sex", "Other", 0, 0)
	other.Subject = "somebody else"
	missing := group("race", "not known", 0, 0)
	missing.Unknown = true
	gap := func(measure string, value, lo, hi, tau board.Number) board.Gap {
		return board.Gap{Subject: "as_made", Measure: measure, Group: "Male", Versus: "rest", Value: value, Lo: lo, Hi: hi, Tau: tau}
	}
	return []board.Group{group("sex", "Male", 0.3, 1), group("sex", "Female", 0.29, 0.97), group("race", "Black", 0.06, 0.22), group("race", "White", 0.27, 1), group("sex & race", "Male & Black", 0.028, 0.17), other, missing},
		[]board.Gap{gap("selection_rate", 0.9, 0.8, 1, 0.05), gap("tpr", -0.319, -0.341, -0.297, board.Unknown()), gap("ppv", 0.5, -0.1, 1, board.Unknown())}
}

// TestWhatComparisonsLeaveOut: a rule that is checked by one attribute names the others, a ratio also the lowest one there; the first screen counts the groups
// that nobody compares, and has the largest difference without a limit whose interval is away from 0.
func TestWhatComparisonsLeaveOut(t *testing.T) {
	attributes := map[string]string{"sex": "sex", "fifths": "sex", "race": "race", "both": "race & sex"}
	attribute := func(name string) string { return attributes[name] }
	named := func(name, group, versus string, criterion fairness.Criterion) board.Constraint {
		c := row(0.01, -0.01, 0.03, fairness.Met)
		c.Name, c.Group, c.Versus, c.Criterion = name, group, versus, criterion
		return c
	}
	sex, race := named("sex", "Male", "Female", fairness.DemographicParity), named("race", "White", "rest", fairness.DemographicParity)
	fifths, both := named("fifths", "Female", "Male", fairness.ImpactRatio), named("both", "Black & Male", "White & Female", fairness.DemographicParity)
	const largest = "Not judged, because no limit is set: Male minus all others in the share of positive decisions among those whose outcome is positive, −0.319 (−0.341 to −0.297). This difference is larger than every one that has a limit. "
	for name, c := range map[string]struct {
		rows      []board.Constraint
		covers    []string
		unchecked string
	}{
		"by sex":         {[]board.Constraint{sex}, []string{"Not judged: the same by race."}, largest + "3 of the 5 groups below are not compared on their own. The lowest share of positive decisions among them is 2.8 % (1.8 % to 3.8 %), for Male & Black."},
		"a ratio":        {[]board.Constraint{sex, race, fifths}, []string{"", "", "Not judged: the same by race, where the lowest ratio to the highest share is 0.22 (Black)."}, largest + "2 of the 5 groups below are not compared"},
		"a combination":  {[]board.Constraint{sex, race, both}, []string{"", "", ""}, largest + "1 of the 5 groups below is not compared on its own. The lowest share of positive decisions among them is 6 % (5 % to 7 %), for Black"},
		"no comparisons": {nil, nil, ""},
	} {
		groups, gaps := census()
		d := board.Deciding{Subject: "as_made", Constraints: c.rows}
		d.Cover(groups, gaps, attribute)
		for i := range d.Constraints {
			if d.Constraints[i].Covers != c.covers[i] {
				t.Errorf("%s: %q, want %q", name, d.Constraints[i].Covers, c.covers[i])
			}
		}
		if got := d.Answers.Unchecked; !strings.HasPrefix(got, c.unchecked) || (got == "") != (c.unchecked == "") {
			t.Errorf("%s: %q, want %q", name, got, c.unchecked)
		}
	}
	strict := fifths
	strict.Tau = 0.8
	below := board.Deciding{Subject: "as_made", Constraints: []board.Constraint{sex, strict}, Answers: board.Answers{Verdict: "met", Headline: "Yes"}}
	groups, gaps := census()
	if below.Cover(groups, gaps, attribute); !strings.Contains(below.Answers.Unchecked, `"fifths" is not judged by race, where the lowest ratio is 0.22 (Black).`) || below.Answers.Headline != "Yes, both by sex only" {
		t.Errorf("a ratio that race misses: %q, %q", below.Answers.Headline, below.Answers.Unchecked)
	}
	several := board.Deciding{Subject: "other", Constraints: []board.Constraint{sex}}
	if several.Cover(groups, gaps, attribute); several.Answers.Unchecked != "" || several.Constraints[0].Covers != "" {
		t.Errorf("of several models: %+v", several)
	}
	quiet := board.Deciding{Subject: "as_made", Constraints: []board.Constraint{sex}}
	if quiet.Cover(groups[:2], gaps[2:], attribute); quiet.Answers.Unchecked != "Some kinds of difference are not judged, because no limit is set; none of them is clearly different from 0." {
		t.Errorf("%q", quiet.Answers.Unchecked)
	}
	ranged := board.Group{Attribute: "age", Group: "≥ 40", Records: 9, Subject: "as_made", ImpactRatio: board.Unknown()}
	old := board.Deciding{Subject: "as_made", Constraints: []board.Constraint{named("age", "age ≥ 40", "rest", fairness.DemographicParity)}}
	if old.Cover([]board.Group{ranged}, nil, func(string) string { return "age" }); old.Answers.Unchecked != "" {
		t.Errorf("%q", old.Answers.Unchecked)
	}
}

// TestCombinationsLeftOut: a comparison of two combinations names the one that is farthest from its second side and that nobody compares.
func TestCombinationsLeftOut(t *testing.T) {
	group := func(name string, rate board.Number) board.Group {
		return board.Group{Subject: "as_made", Attribute: "sex & race", Group: name, Records: 1000, Rate: rate, Lo: rate - 0.01, Hi: rate + 0.01, ImpactRatio: board.Unknown()}
	}
	few := group("Male & Other", 0)
	few.Rate, few.Lo, few.Hi = board.Unknown(), board.Unknown(), board.Unknown()
	for want, groups := range map[string][]board.Group{
		"Not judged: Male & Black against Male & White, −0.126.": {group("Female & Black", 0.04), group("Male & Black", 0.028), group("Female & White", 0.001), few, group("Male & White", 0.154)},
		"Not judged: Male & Black against Male & White, +0.700.": {group("Female & Black", 0.04), group("Male & Black", 0.8), group("Male & White", 0.1)},
		"": {group("Male & Black", 0.151), few, group("Male & White", 0.154)},
	} {
		c := row(0.01, -0.01, 0.03, fairness.Met)
		c.Name, c.Group, c.Versus = "both", "White & Female", "White & Male" // the attributes may be in another order
		d := board.Deciding{Subject: "as_made", Constraints: []board.Constraint{c}}
		d.Cover(groups, nil, func(string) string { return "race & sex" })
		if got := d.Constraints[0].Covers; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestResultsOfTests: a tolerance is wider than its limit, so that a version may pass, or not be known to fail, although it is beyond the limit; that is said.
func TestResultsOfTests(t *testing.T) {
	nan := board.Unknown()
	for want, g := range map[string]board.Gate{
		"passed": {Name: "comparison", Status: fairness.Met, Lo: -0.02, Hi: 0.04, Limit: 0.07, Tau: 0.05},
		"passed: beyond the limit 0.05, but within the tolerance (0.07)":      {Name: "comparison", Status: fairness.Met, Lo: 0.051, Hi: 0.06, Limit: 0.07, Tau: 0.05},
		"beyond the limit 0.1; not known whether beyond the tolerance (0.12)": {Name: "comparison", Status: fairness.Inconclusive, Lo: -0.132, Hi: -0.113, Limit: 0.1 + 0.02, Tau: 0.1},
		"beyond the limit 0.8; not known whether beyond the tolerance (0.78)": {Name: "comparison", Criterion: fairness.ImpactRatio, Status: fairness.Inconclusive, Lo: 0.7, Hi: 0.79, Limit: 0.78, Tau: 0.8},
		"failed: beyond the tolerance (0.12)":                                 {Name: "comparison", Status: fairness.Violated, Lo: 0.13, Hi: 0.14, Limit: 0.12, Tau: 0.1},
		"failed":                                                              {Name: "error", Status: fairness.Violated, Lo: 0.13, Hi: 0.14, Limit: 0.005, Tau: nan},
		"not known yet":                                                       {Name: "comparison", Status: fairness.Inconclusive, Lo: 0.1, Hi: 0.14, Limit: 0.12, Tau: 0.1},
		"cannot be estimated":                                                 {Name: "comparison", Status: fairness.NotEstimable, Lo: nan, Hi: nan, Limit: 0.12, Tau: 0.1},
	} {
		if g.Tell(); g.Text != want || g.Beyond != strings.Contains(want, "beyond") {
			t.Errorf("%q, beyond %v, want %q", g.Text, g.Beyond, want)
		}
	}
}

// TestALowestRatioOfOne is not worth a word.
func TestALowestRatioOfOne(t *testing.T) {
	for ratio, want := range map[board.Number]string{1: "Not judged: the same by race.", 0.99: "Not judged: the same by race, where the lowest ratio to the highest share is 0.99 (Black).", board.Unknown(): "Not judged: the same by race."} {
		groups, gaps := census()
		for i := range groups {
			if groups[i].Attribute == "race" {
				groups[i].ImpactRatio = ratio
			}
		}
		c := row(0.01, -0.01, 0.03, fairness.Met)
		c.Name, c.Group, c.Versus, c.Criterion = "fifths", "Female", "Male", fairness.ImpactRatio
		d := board.Deciding{Subject: "as_made", Constraints: []board.Constraint{c}}
		if d.Cover(groups, gaps, func(string) string { return "sex" }); d.Constraints[0].Covers != want {
			t.Errorf("a ratio of %v: %q, want %q", ratio, d.Constraints[0].Covers, want)
		}
	}
}
