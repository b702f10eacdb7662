package findings

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestHowGroupsAreTreated: a table for each pair of groups, with a dash for what is not known, and the impact ratio if it is.
func TestHowGroupsAreTreated(t *testing.T) {
	of := func(x float64) fairness.Measure { return fairness.Measure{Value: x, Lo: x - .01, Hi: x + .01} }
	none := fairness.Measure{Value: math.NaN()}
	men := sideGroup{Label: "m", Records: 12_345, PositiveLabels: of(.5), PositiveDecisions: of(.4), TruePositives: of(.8), FalsePositives: of(.1), Accuracy: of(.9), Precision: of(.7), Confusion: confusion{1000, 20, 300, 4000}}
	women := men
	women.Label, women.Records, women.Precision, women.Confusion = strings.Repeat("f", 30), 7, none, confusion{1, 2, 3, 4}
	var text strings.Builder
	WriteGroups(&text, []groupReport{{Constraint: "sex", Group: men, Versus: women, ImpactRatio: fairness.Ratio{Value: .75, Lo: .5, Hi: 1}}, {Constraint: "age", Group: women, Versus: men, ImpactRatio: fairness.Ratio{Value: math.NaN()}}})
	lines := strings.Split(text.String(), "\n")
	for _, part := range []string{"records                12,345                7", "positive labels        50.0 % [49.0, 51.0]   50.0 % [49.0, 51.0]", "positive decisions     40.0 % [39.0, 41.0]", "  of positive labels   80.0 % [79.0, 81.0]", "  of negative labels   10.0 % [9.0, 11.0]",
		"accuracy               90.0 % [89.0, 91.0]", "precision              70.0 % [69.0, 71.0]   –", "right, wrong           5,000, 320            5, 5", "0.75 [0.50, 1.00]. The four-fifths rule asks for 0.8 or more."} {
		if strings.Count(text.String(), part) < 1 {
			t.Errorf("no %q in\n%s", part, text.String())
		}
	}
	if !strings.HasPrefix(lines[1], "sex   ") || !strings.HasSuffix(lines[1], "fff…") || strings.Count(text.String(), "Impact ratio") != 1 || len(lines) < 24 {
		t.Errorf("%d lines\n%s", len(lines), text.String())
	}
	if known(math.NaN()) != nil || *known(2) != 2 {
		t.Error("a number for JSON")
	}
}
