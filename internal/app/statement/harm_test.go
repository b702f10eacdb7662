package statement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestHarm: a label is bad for a person by its value, in one word or two, or by its name where the value says yes.
func TestHarm(t *testing.T) {
	for _, c := range []struct {
		field, positive string
		want            bool
	}{
		{"status", "charged_off", true}, {"status", "Charged Off", true}, {"status", "written-off", true}, {"status", "laid off", true}, {"status", "lapsed", true},
		{"status", "fully_paid", false}, {"status", "off", false}, {"status", "charged", false}, {"status", "not charged off", false},
		{"deactivated", "1", true}, {"arrest", "yes", true}, {"npa", "Y", true}, {"inadimplente", "sim", true}, {"zamitnuto", "ano", true}, {"status", "write-off", true}, {"default", "2", false},
		{"default", "1", true}, {"default", "no", false}, {"repaid", "yes", false}, {"no_default", "true", false},
	} {
		if got := isAdverse(record.Label{Field: c.field, Positive: record.Text(c.positive)}); got != c.want {
			t.Errorf("%s = %s: %v", c.field, c.positive, got)
		}
	}
}

// TestRatesOfThoseWhoAreSpared are named where a limit is about a label or a ratio, each once, and not otherwise.
func TestRatesOfThoseWhoAreSpared(t *testing.T) {
	for want, criteria := range map[string][]fairness.Criterion{
		"": {fairness.DemographicParity}, " If equal-opportunity should be about those who are spared it,": {fairness.EqualOpportunity, fairness.DemographicParity, fairness.EqualOpportunity},
		" If equal-opportunity and impact-ratio should be about those who are spared it,": {fairness.EqualOpportunity, fairness.ImpactRatio},
	} {
		c := configured(nil)
		c.Record.Label = record.Label{Field: "default", Positive: "1"}
		var constraints []model.Constraint
		for i, criterion := range criteria {
			one := c.Constraints[0]
			one.Name, one.Criterion, one.Tau = fmt.Sprint("c", i), criterion, .5
			constraints = append(constraints, one)
		}
		c.Constraints = constraints
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.harmWords(); !strings.HasPrefix(got, " Judging by its wording, that is bad for a person") || !strings.Contains(got, want) || strings.Contains(got, " If ") != (want != "") {
			t.Errorf("%v: %s", criteria, got)
		}
	}
}
